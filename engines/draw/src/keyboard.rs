//! Keyboard navigation: finds the spot in each direction.

use crate::{Direction, Point, Spot};

/// Weight of the sideways distance relative to the distance ahead.
const ASIDE: f64 = 2.0;
/// Minimum distance ahead. Coordinates are rounded to thousandths.
const STEP: f64 = 0.01;

/// Directions of the keys as steps to the right and downwards.
const DIRECTIONS: [(Direction, (f64, f64)); 8] = [
    (Direction::Up, (0.0, -1.0)),
    (Direction::Right, (1.0, 0.0)),
    (Direction::Down, (0.0, 1.0)),
    (Direction::Left, (-1.0, 0.0)),
    (Direction::UpLeft, (-1.0, -1.0)),
    (Direction::UpRight, (1.0, -1.0)),
    (Direction::DownLeft, (-1.0, 1.0)),
    (Direction::DownRight, (1.0, 1.0)),
];

/// Finds the neighbours of each spot: the nearest one in each direction, where a sideways distance counts more.
pub(crate) fn connect(spots: &mut [Spot]) {
    let places: Vec<Point> = spots
        .iter()
        .map(|spot| spot.outline.bounds().centre())
        .collect();
    let nearest: Vec<_> = places.iter().map(|here| nearest(*here, &places)).collect();
    for (here, nearest) in nearest.into_iter().enumerate() {
        let named = |((direction, _), found): (_, Option<usize>)| {
            Some((direction, spots[found?].id.clone()))
        };
        spots[here].neighbours = DIRECTIONS
            .into_iter()
            .zip(nearest)
            .filter_map(named)
            .collect();
    }
}

/// Returns the index of the place in a direction, given as steps to the right and downwards, each -1, 0 or 1.
pub(crate) fn next(here: Point, places: &[Point], (right, down): (i8, i8)) -> Option<usize> {
    let step = (f64::from(right), f64::from(down));
    let way = DIRECTIONS
        .iter()
        .position(|(_, direction)| *direction == step)?;
    nearest(here, places)[way]
}

/// Index of the nearest place in each direction.
fn nearest(here: Point, places: &[Point]) -> [Option<usize>; DIRECTIONS.len()] {
    let mut nearest = [None; DIRECTIONS.len()];
    let mut least = [f64::INFINITY; DIRECTIONS.len()];
    for (i, there) in places.iter().enumerate() {
        let (right, down) = (there.x - here.x, there.y - here.y);
        for (way, (_, (x, y))) in DIRECTIONS.into_iter().enumerate() {
            let ahead = right * x + down * y;
            let distance = ahead + ASIDE * (right * y - down * x).abs();
            // A place in the same row or file is not on a diagonal.
            let is_diagonal = x != 0.0 && y != 0.0;
            let is_there = ahead > STEP && (!is_diagonal || (right * x > STEP && down * y > STEP));
            if is_there && distance < least[way] {
                (nearest[way], least[way]) = (Some(i), distance);
            }
        }
    }
    nearest
}
