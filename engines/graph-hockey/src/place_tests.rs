//! Tests of `place_positions.txt`: for each point inside a goal, on its outline or near it, and each point next to the
//! boundary, a shortest way of the puck there, the goals first.

use std::collections::HashMap;

use kit::Side;

use crate::GraphHockey;
use crate::field::Field;
use crate::plane::GridPoint;
use crate::position::DEFAULT_FIELD;

/// Points at most this far from a goal are near it.
const NEAR: i32 = 2;

fn is_near_goal(field: &Field, point: GridPoint) -> bool {
    Side::BOTH.into_iter().any(|side| {
        let (low, high) = field.goal(side);
        let is_within = |at, low, high| (low - NEAR..=high + NEAR).contains(&at);
        is_within(point.x, low.x, high.x) && is_within(point.y, low.y, high.y)
    })
}

fn is_wanted(field: &Field, point: GridPoint) -> bool {
    let is_last = |at, size| at == 1 || at == size - 1;
    let is_at_edge = is_last(point.x, field.width()) || is_last(point.y, field.height());
    is_at_edge || is_near_goal(field, point)
}

#[test]
fn no_point_is_left_out() {
    let field = DEFAULT_FIELD;
    let all = kit::CheckPosition::parse_table(include_str!("place_positions.txt"));
    let places: HashMap<&str, &str> = all.iter().map(|one| (one.rule, one.position)).collect();
    assert_eq!(places.len(), all.len());
    for (x, y) in (1..field.width()).flat_map(|x| (1..field.height()).map(move |y| (x, y))) {
        let point = GridPoint { x, y };
        let is_start = (x, y) == (2, field.height() - 8);
        let position = places.get(&*format!("({x}, {y})"));
        assert!(
            position.is_some() == is_wanted(&field, point) || is_start,
            "({x}, {y})"
        );
        if let Some(position) = position {
            let game = laws::testing::at::<GraphHockey>("", position);
            assert_eq!(game.position().puck, point, "{position}");
        }
    }
}
