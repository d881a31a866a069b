//! Which spot a direction key leads to.

use super::shape::Point;
use super::{Neighbours, Spot};

/// How much farther a spot counts for each unit that it lies aside.
const ASIDE: f64 = 2.0;
/// Places are rounded to thousandths: less is no step.
const STEP: f64 = 0.01;

/// The directions of the keys, to the right and downwards: the arrows, then the diagonals.
const DIRECTIONS: [(f64, f64); 8] = [
    (0.0, -1.0),
    (1.0, 0.0),
    (0.0, 1.0),
    (-1.0, 0.0),
    (-1.0, -1.0),
    (1.0, -1.0),
    (-1.0, 1.0),
    (1.0, 1.0),
];

/// Finds the neighbours of each spot: in each direction the nearest one, and rather one straight ahead than one aside.
pub(super) fn connect(spots: &mut [Spot]) {
    let places: Vec<Point> = spots
        .iter()
        .map(|spot| spot.outline.bounds().centre())
        .collect();
    let nearest: Vec<_> = places.iter().map(|here| nearest(*here, &places)).collect();
    for (here, nearest) in nearest.into_iter().enumerate() {
        let name = |found: Option<usize>| found.map(|there| spots[there].id.clone());
        let [
            up,
            right,
            down,
            left,
            up_left,
            up_right,
            down_left,
            down_right,
        ] = nearest.map(name);
        spots[here].neighbours = Neighbours {
            up,
            right,
            down,
            left,
            up_left,
            up_right,
            down_left,
            down_right,
        };
    }
}

/// The place to which a direction key leads: a step to the right and one downwards, each -1, 0 or 1.
pub(crate) fn next(here: Point, places: &[Point], (right, down): (i8, i8)) -> Option<usize> {
    let step = (f64::from(right), f64::from(down));
    let way = DIRECTIONS.iter().position(|direction| *direction == step)?;
    nearest(here, places)[way]
}

/// The place that lies nearest in each direction.
fn nearest(here: Point, places: &[Point]) -> [Option<usize>; DIRECTIONS.len()] {
    let mut nearest = [None; DIRECTIONS.len()];
    let mut least = [f64::INFINITY; DIRECTIONS.len()];
    for (i, there) in places.iter().enumerate() {
        let (right, down) = (there.x - here.x, there.y - here.y);
        for (way, (x, y)) in DIRECTIONS.into_iter().enumerate() {
            let ahead = right * x + down * y;
            let distance = ahead + ASIDE * (right * y - down * x).abs();
            // A place in the same row or file lies on no diagonal.
            let is_diagonal = x != 0.0 && y != 0.0;
            let is_there = ahead > STEP && (!is_diagonal || (right * x > STEP && down * y > STEP));
            if is_there && distance < least[way] {
                (nearest[way], least[way]) = (Some(i), distance);
            }
        }
    }
    nearest
}
