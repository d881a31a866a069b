//! The scale of the field as text.

use super::dot_canvas::character;
use crate::field::Field;
use crate::plane::GridPoint;

/// Maximum columns and lines of the map.
const MAP: (i32, i32) = (22, 5);

/// A scale as a ratio of dots to units of the field. A character has two dots across and four down, so dots are about
/// equally spaced in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    dots: i32,
    units: i32,
}

impl Scale {
    /// A character is one unit wide and two units high.
    pub(super) const USUAL: Scale = Scale { dots: 2, units: 1 };

    /// A character is half a unit wide and one unit high: each point of the field has a separate one.
    pub(super) const CLOSE: Scale = Scale { dots: 4, units: 1 };

    /// The largest scale at which the whole field is a small map.
    pub(super) fn map(field: &Field) -> Scale {
        let fits = |&units: &i32| {
            let (columns, lines) = Scale { dots: 1, units }.size(field);
            columns <= MAP.0 && lines <= MAP.1
        };
        let units = (1..)
            .find(fits)
            .expect("any field is small enough at some scale");
        Scale { dots: 1, units }
    }

    /// Columns and lines of a field.
    pub(super) fn size(self, field: &Field) -> (i32, i32) {
        let (column, line) = self.place(field, GridPoint::new(field.width(), 0));
        (column + 1, line + 1)
    }

    /// The dot of a point of the field.
    pub(super) fn dot(self, field: &Field, point: GridPoint) -> GridPoint {
        let dots = |units: i32| units * self.dots / self.units;
        GridPoint::new(dots(point.x), dots(field.height() - point.y))
    }

    /// Column and line of a point of the field.
    pub(super) fn place(self, field: &Field, point: GridPoint) -> (i32, i32) {
        character(self.dot(field, point))
    }
}
