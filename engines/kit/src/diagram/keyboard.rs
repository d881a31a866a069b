//! Which spot an arrow key leads to.

use super::shape::Point;
use super::{Neighbours, Spot};

/// How much farther a spot counts for each unit that it lies aside.
const ASIDE: f64 = 2.0;

/// Finds the neighbours of each spot: in each direction the nearest one, and rather one straight ahead than one aside.
pub(super) fn connect(spots: &mut [Spot]) {
    let places: Vec<Point> = spots
        .iter()
        .map(|spot| spot.outline.bounds().centre())
        .collect();
    let neighbours: Vec<Neighbours> = (0..spots.len())
        .map(|here| {
            let id = |direction| nearest(&places, here, direction).map(|i| spots[i].id.clone());
            Neighbours {
                up: id((0.0, -1.0)),
                right: id((1.0, 0.0)),
                down: id((0.0, 1.0)),
                left: id((-1.0, 0.0)),
            }
        })
        .collect();
    for (spot, neighbours) in spots.iter_mut().zip(neighbours) {
        spot.neighbours = neighbours;
    }
}

/// The spot that lies nearest in a direction.
fn nearest(places: &[Point], here: usize, (x, y): (f64, f64)) -> Option<usize> {
    let distance = |there: &Point| {
        let (right, down) = (there.x - places[here].x, there.y - places[here].y);
        let ahead = right * x + down * y;
        let aside = (right * y - down * x).abs();
        // Places are rounded to thousandths: less is no step ahead.
        (ahead > 0.01).then_some(ahead + ASIDE * aside)
    };
    let ahead = places.iter().enumerate();
    ahead
        .filter_map(|(i, place)| Some((i, distance(place)?)))
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .map(|(i, _)| i)
}
