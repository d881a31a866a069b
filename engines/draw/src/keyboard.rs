//! Keyboard navigation: finds the place in each direction.

use serde::{Deserialize, Serialize};

use crate::shape::Point;

/// Weight of the sideways distance relative to the distance ahead.
const ASIDE: f64 = 2.0;
/// Minimum distance ahead. Coordinates are rounded to thousandths.
const STEP: f64 = 0.01;

/// A direction of the keyboard; Home is up and left, Page Down is down and right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Direction {
    Up,
    Right,
    Down,
    Left,
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
}

/// Directions of the keys as steps to the right and downwards.
pub(crate) const DIRECTIONS: [(Direction, (f64, f64)); 8] = [
    (Direction::Up, (0.0, -1.0)),
    (Direction::Right, (1.0, 0.0)),
    (Direction::Down, (0.0, 1.0)),
    (Direction::Left, (-1.0, 0.0)),
    (Direction::UpLeft, (-1.0, -1.0)),
    (Direction::UpRight, (1.0, -1.0)),
    (Direction::DownLeft, (-1.0, 1.0)),
    (Direction::DownRight, (1.0, 1.0)),
];

/// The nearest place on a way, by its index. A sideways distance counts more; of equally near places, it is the first.
pub(crate) fn nearest(here: Point, places: &[Point], (x, y): (f64, f64)) -> Option<usize> {
    let distance = |there: &Point| {
        let (right, down) = (there.x - here.x, there.y - here.y);
        let ahead = right * x + down * y;
        // A place in the same row or file is not on a diagonal.
        let is_diagonal = x != 0.0 && y != 0.0;
        let is_there = ahead > STEP && (!is_diagonal || (right * x > STEP && down * y > STEP));
        is_there.then(|| ahead + ASIDE * (right * y - down * x).abs())
    };
    let found = places.iter().map(distance).enumerate();
    let found = found.filter_map(|(i, distance)| Some((i, distance?)));
    let least = found.min_by(|one, other| one.1.total_cmp(&other.1));
    least.map(|(i, _)| i)
}
