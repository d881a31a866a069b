//! A position for each point near the goals and next to the boundary of the default field, for `linesman check`.

use std::collections::{HashSet, VecDeque};

use kit::{Game, Notation, PlacePosition, Side};

use crate::field::Field;
use crate::plane::GridPoint;
use crate::position::{DEFAULT_FIELD, GraphHockey, Position};

/// Points at most this far from a goal are near it.
const NEAR: i32 = 2;

/// For each point inside a goal, on its outline or near it, and each point next to the boundary: a shortest way of the
/// puck there, the goals first.
pub(crate) fn place_positions() -> Vec<PlacePosition> {
    let game = GraphHockey::on(DEFAULT_FIELD);
    let start = game.start();
    let mut seen = HashSet::from([start.puck]);
    let mut queue = VecDeque::from([start]);
    let mut reached: Vec<Position> = Vec::new();
    let mut moves = Vec::new();
    while let Some(mut position) = queue.pop_front() {
        moves.clear();
        game.moves(&position, &mut moves);
        for &mv in &moves {
            let undo = game.play(&mut position, mv);
            if seen.insert(position.puck) {
                if is_wanted(&DEFAULT_FIELD, position.puck) {
                    reached.push(position.clone());
                }
                if game.outcome(&position).is_none() {
                    queue.push_back(position.clone());
                }
            }
            game.undo(&mut position, mv, undo);
        }
    }
    reached.sort_by_key(|position| !is_near_goal(&DEFAULT_FIELD, position.puck));
    let positions = reached.iter().map(|position| PlacePosition {
        place: format!("({}, {})", position.puck.x, position.puck.y),
        position: game.format_position(position),
        moves: Vec::new(),
    });
    positions.collect()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_point_is_left_out() {
        let field = DEFAULT_FIELD;
        let places: HashSet<String> = place_positions().into_iter().map(|one| one.place).collect();
        for (x, y) in (1..field.width()).flat_map(|x| (1..field.height()).map(move |y| (x, y))) {
            let is_start = (x, y) == (2, field.height() - 8);
            let is_reached = places.contains(&format!("({x}, {y})"));
            assert!(
                is_reached == is_wanted(&field, GridPoint { x, y }) || is_start,
                "({x}, {y})"
            );
        }
    }
}
