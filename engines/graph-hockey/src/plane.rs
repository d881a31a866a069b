//! Points and segments with integer coordinates, and the intersection of two segments. All arithmetic is exact.

use std::fmt;
use std::ops::{Add, Sub};

/// A point, or the step from one point to another, in eighths of an inch; x increases to the right, y upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GridPoint {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// The straight segment between two different points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) from: GridPoint,
    pub(crate) to: GridPoint,
}

/// The intersection of a segment without its ends and another segment, in increasing order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meeting {
    /// No common point.
    Apart,
    /// One common point.
    Touching,
    /// A common stretch.
    Along,
}

impl GridPoint {
    pub(crate) const fn new(x: i32, y: i32) -> GridPoint {
        GridPoint { x, y }
    }

    /// Twice the area of the triangle between the steps; positive if `other` is to the left of this one.
    fn cross(self, other: GridPoint) -> i32 {
        self.x * other.y - self.y * other.x
    }

    fn dot(self, other: GridPoint) -> i32 {
        self.x * other.x + self.y * other.y
    }
}

impl Add for GridPoint {
    type Output = GridPoint;

    fn add(self, step: GridPoint) -> GridPoint {
        GridPoint::new(self.x + step.x, self.y + step.y)
    }
}

impl Sub for GridPoint {
    type Output = GridPoint;

    fn sub(self, step: GridPoint) -> GridPoint {
        GridPoint::new(self.x - step.x, self.y - step.y)
    }
}

impl fmt::Display for GridPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl Segment {
    /// The intersection of this segment, without its two ends, and all of `other`.
    pub(crate) fn meets(&self, other: &Segment) -> Meeting {
        let way = self.to - self.from;
        let (near, far) = (other.from - self.from, other.to - self.from);
        let sides = (way.cross(near).signum(), way.cross(far).signum());
        if sides == (0, 0) {
            return overlap(way.dot(way), way.dot(near), way.dot(far));
        }
        let across = other.to - other.from;
        let own_sides = across.cross(self.from - other.from).signum()
            * across.cross(self.to - other.from).signum();
        if sides.0 * sides.1 <= 0 && own_sides < 0 {
            Meeting::Touching
        } else {
            Meeting::Apart
        }
    }
}

/// The intersection of the stretch from 0 to `length` and the one from `a` to `b`, on one line.
fn overlap(length: i32, a: i32, b: i32) -> Meeting {
    if a.min(b) < length && a.max(b) > 0 {
        Meeting::Along
    } else {
        Meeting::Apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(own: [i32; 4], other: [i32; 4]) -> Meeting {
        let segment = |[x, y, to_x, to_y]: [i32; 4]| Segment {
            from: GridPoint { x, y },
            to: GridPoint::new(to_x, to_y),
        };
        let (own, other) = (segment(own), segment(other));
        let turned = Segment {
            from: other.to,
            to: other.from,
        };
        assert_eq!(own.meets(&other), own.meets(&turned));
        own.meets(&other)
    }

    #[test]
    fn crossing_between_lattice_points_is_touching() {
        assert_eq!(meeting([0, 0, 2, 2], [0, 1, 1, 0]), Meeting::Touching);
        assert_eq!(meeting([0, 0, 1, 2], [0, 1, 1, 1]), Meeting::Touching);
    }

    #[test]
    fn an_end_of_the_other_inside_counts_but_an_own_end_does_not() {
        assert_eq!(meeting([0, 0, 2, 0], [1, 0, 1, 2]), Meeting::Touching);
        assert_eq!(meeting([1, 0, 1, 2], [0, 0, 2, 0]), Meeting::Apart);
        assert_eq!(meeting([0, 0, 2, 0], [2, 0, 2, 2]), Meeting::Apart);
    }

    #[test]
    fn on_one_line_only_a_common_stretch_counts() {
        assert_eq!(meeting([0, 0, 0, 8], [0, 6, 0, 10]), Meeting::Along);
        assert_eq!(meeting([0, 0, 0, 8], [0, 3, 0, 5]), Meeting::Along);
        assert_eq!(meeting([0, 0, 2, 2], [2, 2, 4, 4]), Meeting::Apart);
        assert_eq!(meeting([0, 0, 2, 2], [3, 3, 4, 4]), Meeting::Apart);
    }

    #[test]
    fn parallels_and_distant_segments_are_apart() {
        assert_eq!(meeting([0, 0, 2, 1], [0, 1, 2, 2]), Meeting::Apart);
        assert_eq!(meeting([0, 0, 2, 1], [3, 0, 3, 5]), Meeting::Apart);
    }
}
