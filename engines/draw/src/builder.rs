//! Builder of diagrams. The game adds shapes at any coordinates; the builder moves the result to (0, 0), rotates it and
//! finds each spot's neighbours.

use crate::shape::{DiagramColour, Form, Point, Rectangle, Role, Shape};
use crate::{Board, BoardCopy, Gesture, Neighbours, Side, Spot, keyboard};

/// Margin around the board, as a share of its longer side.
const MARGIN: f64 = 0.02;

/// An unfinished diagram. Its points may have any coordinates.
#[derive(Debug, Clone)]
pub struct DiagramBuilder {
    diagram: Board,
}

impl DiagramBuilder {
    /// Creates a board without shapes, with the names of the sides, the gestures of the legal moves and a caption. Each
    /// colour belongs to the side of the same number.
    pub fn new(names: [String; 2], gestures: Vec<Gesture>, caption: String) -> DiagramBuilder {
        DiagramBuilder {
            diagram: Board {
                owners: Side::BOTH,
                names,
                caption,
                gestures,
                ..Board::default()
            },
        }
    }

    /// Assigns colour 1 to a player and colour 2 to the other one, with their names.
    pub fn set_owner_of_one(&mut self, owner: Side) {
        if self.diagram.owners[0] != owner {
            self.diagram.owners.reverse();
            self.diagram.names.reverse();
        }
    }

    /// Adds a shape without a colour above the existing ones.
    pub fn put(&mut self, role: Role, form: Form) {
        self.shape(role, form);
    }

    /// Adds a shape of a colour above the existing ones.
    pub fn put_of(&mut self, colour: DiagramColour, role: Role, form: Form) {
        self.shape(role, form).colour = Some(colour);
    }

    /// Adds a [`Role::Ghost`], which shows a spot again in another place, above the existing shapes.
    pub fn put_ghost(&mut self, spot: impl Into<String>, form: Form) {
        self.shape(Role::Ghost, form).spot = Some(spot.into());
    }

    fn shape(&mut self, role: Role, form: Form) -> &mut Shape {
        let (colour, spot) = (None, None);
        let shape = Shape {
            role,
            colour,
            spot,
            form,
        };
        self.diagram.shapes.push(shape);
        self.diagram.shapes.last_mut().expect("it was added")
    }

    /// Adds a clickable spot: its id, its label for screen readers, and its outline, a circle or a polygon.
    pub fn spot(&mut self, id: impl Into<String>, label: impl Into<String>, outline: Form) {
        self.diagram.spots.push(Spot {
            id: id.into(),
            outline,
            label: label.into(),
            neighbours: Neighbours::default(),
        });
    }

    /// Sets the part to enlarge.
    pub fn focus(&mut self, focus: Rectangle) {
        self.diagram.focus = Some(focus);
    }

    /// Sets the copies of the board beyond its edges.
    pub fn copies(&mut self, copies: Vec<BoardCopy>) {
        self.diagram.copies = copies;
    }

    /// Rotates everything added so far clockwise by this angle in degrees; texts stay upright.
    #[must_use]
    pub fn turned(self, degrees: u32) -> DiagramBuilder {
        let (sin, cos) = f64::from(degrees % 360).to_radians().sin_cos();
        self.mapped(|point| {
            Point::new(cos * point.x - sin * point.y, sin * point.x + cos * point.y)
        })
    }

    /// Finishes the diagram. Its size is that of its shapes and spots plus a margin.
    pub fn finish(self) -> Board {
        let forms = self.diagram.shapes.iter().map(|shape| &shape.form);
        let outlines = self.diagram.spots.iter().map(|spot| &spot.outline);
        let bounds = forms
            .chain(outlines)
            .map(Form::bounds)
            .reduce(Rectangle::union);
        let bounds = bounds.unwrap_or_else(|| Rectangle::around([]));
        let (width, height) = (bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y);
        let margin = MARGIN * width.max(height);
        let low = bounds.low;
        let moved = self.mapped(|point| {
            let point = point.moved(margin - low.x, margin - low.y);
            Point::new(rounded(point.x), rounded(point.y))
        });
        let mut diagram = moved.diagram;
        diagram.width = rounded(width + 2.0 * margin);
        diagram.height = rounded(height + 2.0 * margin);
        keyboard::connect(&mut diagram.spots);
        diagram
    }

    fn mapped(mut self, to: impl Fn(Point) -> Point) -> DiagramBuilder {
        let diagram = &mut self.diagram;
        for shape in &mut diagram.shapes {
            shape.form = shape.form.clone().map(&to);
        }
        for spot in &mut diagram.spots {
            spot.outline = spot.outline.clone().map(&to);
        }
        if let Some(focus) = &mut diagram.focus {
            *focus = Rectangle::around(focus.corners().map(&to));
        }
        for copy in &mut diagram.copies {
            *copy = copy.mapped(&to);
        }
        self
    }
}

/// Rounds to thousandths of a unit, so that a diagram is the same on every machine and short as text.
fn rounded(length: f64) -> f64 {
    (length * 1000.0).round() / 1000.0
}
