//! Which spot a direction key leads to.

use super::shape::Point;
use super::{Neighbours, Spot};

/// How much farther a spot counts for each unit that it lies aside.
const ASIDE: f64 = 2.0;
/// Places are rounded to thousandths: less is no step.
const STEP: f64 = 0.01;

/// Finds the neighbours of each spot: in each direction the nearest one, and rather one straight ahead than one aside.
pub(super) fn connect(spots: &mut [Spot]) {
    let places: Vec<Point> = spots
        .iter()
        .map(|spot| spot.outline.bounds().centre())
        .collect();
    let neighbours: Vec<Neighbours> = (0..spots.len())
        .map(|here| {
            let name = |found: Option<usize>| found.map(|i| spots[i].id.clone());
            let id = |direction| name(nearest(&places, here, direction, |_, _| true));
            // A spot in the same row or file lies on no diagonal.
            let diagonal = |(x, y): (f64, f64)| {
                name(nearest(&places, here, (x, y), |right, down| {
                    right * x > STEP && down * y > STEP
                }))
            };
            Neighbours {
                up: id((0.0, -1.0)),
                right: id((1.0, 0.0)),
                down: id((0.0, 1.0)),
                left: id((-1.0, 0.0)),
                up_left: diagonal((-1.0, -1.0)),
                up_right: diagonal((1.0, -1.0)),
                down_left: diagonal((-1.0, 1.0)),
                down_right: diagonal((1.0, 1.0)),
            }
        })
        .collect();
    for (spot, neighbours) in spots.iter_mut().zip(neighbours) {
        spot.neighbours = neighbours;
    }
}

/// The spot that lies nearest in a direction, of those whose distances to the right and downwards are accepted.
fn nearest(
    places: &[Point],
    here: usize,
    (x, y): (f64, f64),
    accepts: impl Fn(f64, f64) -> bool,
) -> Option<usize> {
    let distance = |there: &Point| {
        let (right, down) = (there.x - places[here].x, there.y - places[here].y);
        let ahead = right * x + down * y;
        let aside = (right * y - down * x).abs();
        (ahead > STEP && accepts(right, down)).then_some(ahead + ASIDE * aside)
    };
    let ahead = places.iter().enumerate();
    ahead
        .filter_map(|(i, place)| Some((i, distance(place)?)))
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .map(|(i, _)| i)
}
