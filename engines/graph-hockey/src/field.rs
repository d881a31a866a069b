//! The empty field: its size, its boundary and its goals.

use kit::Side;

use crate::moves::{Move, Moves};
use crate::plane::{GridPoint, Segment};

/// Side length of a goal in eighths of an inch.
const GOAL: i32 = 8;

/// A field, given by its two dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    /// Distance on either side of a goal in inches.
    pub(crate) side: i32,
    /// Distance between the goals in inches.
    pub(crate) gap: i32,
}

impl Field {
    pub(crate) const MAX_SIDE: i32 = 12;
    pub(crate) const MAX_GAP: i32 = 20;

    /// Width between the boundaries in eighths of an inch.
    pub(crate) fn width(&self) -> i32 {
        16 * self.side + GOAL
    }

    /// Height between the boundaries in eighths of an inch.
    pub(crate) fn height(&self) -> i32 {
        8 * self.gap + 2 * GOAL
    }

    /// The segment that is drawn before the first move; the puck starts at its end.
    pub(crate) fn initial_segment(&self) -> Segment {
        let y = self.height() - GOAL;
        Segment {
            from: GridPoint { x: 0, y },
            to: GridPoint { x: 2, y },
        }
    }

    /// `true` if a point is inside the boundary and not on it.
    pub(crate) fn is_inside(&self, point: GridPoint) -> bool {
        0 < point.x && point.x < self.width() && 0 < point.y && point.y < self.height()
    }

    /// The moves from a point that end inside the boundary.
    pub(crate) fn moves_inside(&self, from: GridPoint) -> Moves {
        let is_inside = |mv: &Move| self.is_inside(from + mv.step());
        Move::all().filter(is_inside).collect()
    }

    /// The points inside the boundary.
    pub(crate) fn inside(&self) -> impl Iterator<Item = GridPoint> + use<> {
        let (width, height) = (self.width(), self.height());
        (1..height).flat_map(move |y| (1..width).map(move |x| GridPoint { x, y }))
    }

    /// The player whose goal contains a point inside its outline.
    pub(crate) fn scorer(&self, point: GridPoint) -> Option<Side> {
        let left = GOAL * self.side;
        if point.x <= left || point.x >= left + GOAL {
            None
        } else if point.y < GOAL {
            Some(Side::P1)
        } else if point.y > self.height() - GOAL {
            Some(Side::P2)
        } else {
            None
        }
    }

    /// The lower left and the upper right corner of the goal that a player plays for.
    pub(crate) fn goal(&self, side: Side) -> (GridPoint, GridPoint) {
        let x = GOAL * self.side;
        let y = match side {
            Side::P1 => 0,
            Side::P2 => self.height() - GOAL,
        };
        let size = GridPoint::new(GOAL, GOAL);
        (GridPoint { x, y }, GridPoint { x, y } + size)
    }

    /// The four sides of the goal that a player plays for.
    pub(crate) fn outline(&self, side: Side) -> [Segment; 4] {
        let (low, high) = self.goal(side);
        let corners = [
            low,
            GridPoint { x: high.x, ..low },
            high,
            GridPoint { x: low.x, ..high },
        ];
        std::array::from_fn(|i| Segment {
            from: corners[i],
            to: corners[(i + 1) % 4],
        })
    }
}
