//! How large the field is drawn as text.

use super::dot_canvas::character;
use crate::field::Field;
use crate::plane::Point;

/// Columns and lines of the map, at most.
const MAP: (i32, i32) = (22, 5);

/// A scale: so many dots for so many units of the field. Dots are two to a column and four to a line of characters, so
/// they are about as far apart in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    dots: i32,
    units: i32,
}

impl Scale {
    /// A character is one unit wide and two units tall.
    pub(super) const USUAL: Scale = Scale { dots: 2, units: 1 };

    /// A character is half a unit wide and one unit tall: each point of the field has one of its own.
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

    /// The columns and the lines that a field takes.
    pub(super) fn size(self, field: &Field) -> (i32, i32) {
        let (column, line) = self.place(
            field,
            Point {
                x: field.width(),
                y: 0,
            },
        );
        (column + 1, line + 1)
    }

    /// The dot of a point of the field.
    pub(super) fn dot(self, field: &Field, point: Point) -> Point {
        let dots = |units: i32| units * self.dots / self.units;
        Point {
            x: dots(point.x),
            y: dots(field.height() - point.y),
        }
    }

    /// The column and the line of a point of the field.
    pub(super) fn place(self, field: &Field, point: Point) -> (i32, i32) {
        character(self.dot(field, point))
    }
}
