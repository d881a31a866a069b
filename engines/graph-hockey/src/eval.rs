//! Evaluation, mainly of which player is closer to the goal.
//!
//! On the default field a learned network scores positions, from the [`inputs`](crate::inputs). On other fields the
//! score is a weighted sum of features. The main ones are the puck's distance to each goal in moves on an empty field,
//! from a table, and its height: a move straight ahead leaves its line behind the puck, where it blocks the opponent.
//! The effect of the lines is left to the search. Shortest paths around the lines gave a better sum, but were so slow
//! that the engine played worse.

use kit::evaluate::weighted_sum;
use kit::{Evaluate, Game, NetworkInputs, Side};

use crate::moves::Move;
use crate::position::{GraphHockey, Level, Position};

/// The weights of the features, fitted by `linesman-lab tune`; `spec/lab.md` lists the games.
const WEIGHTS: [i16; N_FEATURES] = include!("weights.in");

/// Side to move.
const TEMPO: usize = 0;
/// Units by which the puck is past the middle towards the player's goal.
const HEIGHT: usize = 1;
/// Moves by which the player's goal is closer than the opponent's.
const NEARER: usize = 2;
/// First feature of the player's goal by its distance in moves, from one.
const GOAL: usize = 3;
/// First feature of the opponent's goal by its distance in moves, from one.
const OTHER_GOAL: usize = GOAL + N_DISTANCES;
const N_DISTANCES: usize = 9;
/// First feature of the number of legal moves, from zero.
const FREEDOM: usize = OTHER_GOAL + N_DISTANCES;
const N_FREEDOM: usize = 13;
/// 1 if the level in force is free jump.
const FREE_JUMP: usize = FREEDOM + N_FREEDOM;
/// 1 if the level in force is strangeness.
const STRANGENESS: usize = FREE_JUMP + 1;
/// Legal moves towards the player's goal.
const AHEAD: usize = STRANGENESS + 1;
/// Legal moves towards the opponent's goal.
const BACK: usize = AHEAD + 1;
const N_FEATURES: usize = BACK + 1;

impl Evaluate for GraphHockey {
    const N_UNPRUNED_MOVES: Option<usize> = Some(4);

    type Sums = ();

    fn evaluate(&self, position: &Position, (): &()) -> i32 {
        match &self.learned {
            Some(learned) => {
                let sum = self.partial_sum(learned, position);
                learned.network.score_of_partial(&sum)
            }
            None => weighted_sum(self, position),
        }
    }

    fn network_inputs(&self) -> Option<&dyn NetworkInputs<GraphHockey>> {
        Some(self)
    }

    fn weights(&self) -> &'static [i16] {
        &WEIGHTS
    }

    fn features(&self, position: &Position, add: &mut impl FnMut(usize, i32)) {
        let side = self.side(position);
        let at = self.board.cell(position.puck);
        let height = self.field().height() / 2 - position.puck.y;
        add(TEMPO, 1);
        add(HEIGHT, if side == Side::P1 { height } else { -height });
        add(NEARER, self.lead(at, side));
        let distance =
            |side| (self.board.distance(at, side).clamp(1, N_DISTANCES as i32) - 1) as usize;
        add(GOAL + distance(side), 1);
        add(OTHER_GOAL + distance(side.other()), 1);
        let (level, moves) = self.level(position);
        add(FREEDOM + moves.len().min(N_FREEDOM - 1), 1);
        match level {
            Level::Ordinary => {}
            Level::FreeJump => add(FREE_JUMP, 1),
            Level::Strangeness => add(STRANGENESS, 1),
        }
        let ahead = if side == Side::P1 { -1 } else { 1 };
        let count = |way| moves.filter(|mv| mv.step().y.signum() == way).count() as i32;
        add(AHEAD, count(ahead));
        add(BACK, count(-ahead));
    }

    fn win_in_one(&self, position: &Position) -> Option<Move> {
        let side = self.side(position);
        if self.board.distance(self.board.cell(position.puck), side) > 1 {
            return None;
        }
        let scores = |mv: &Move| self.field().scorer(position.puck + mv.step()) == Some(side);
        self.level(position).1.find(scores)
    }
}

impl GraphHockey {
    /// Number of moves by which a cell's point is closer to a player's goal than to the other.
    fn lead(&self, at: usize, side: Side) -> i32 {
        self.board.distance(at, side.other()) - self.board.distance(at, side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use crate::position::DEFAULT_FIELD;

    fn after(moves: &str) -> (GraphHockey, Position) {
        let game = GraphHockey::on(Field { side: 4, gap: 8 });
        let mut position = game.start();
        for mv in moves.chars().filter_map(Move::from_letter) {
            game.play(&mut position, mv);
        }
        (game, position)
    }

    fn score(moves: &str) -> i32 {
        let (game, position) = after(moves);
        game.evaluate(&position, &())
    }

    #[test]
    fn down_is_good_for_p1_and_bad_for_p2() {
        // After either reply it is p1's turn.
        assert!(score("BG") > score("GG"));
        // After the first move it is p2's turn.
        assert!(score("B") < score("G"));
    }

    #[test]
    fn the_parts_add_up_to_what_all_inputs_score() {
        let game = GraphHockey::on(DEFAULT_FIELD);
        let network = game.network();
        let network = network.expect("the default field has one");
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut position = game.start();
            let mut moves = Vec::new();
            for _ in 0..300 {
                let side = game.side(&position);
                let part = network.partial(|add| {
                    game.inputs(&position, &mut |seen| add(seen[side.index()]));
                });
                assert_eq!(
                    game.evaluate(&position, &()),
                    network.score_of_partial(&part)
                );
                moves.clear();
                game.moves(&position, &mut moves);
                game.play(&mut position, moves[rng.usize(..moves.len())]);
                if game.outcome(&position).is_some() {
                    break;
                }
            }
        }
    }

    #[test]
    fn only_one_move_away_is_a_win_at_once() {
        let (game, mut position) = after("");
        assert_eq!(game.win_in_one(&position), None);
        position.puck.x = 36;
        position.puck.y = 14;
        assert_eq!(game.win_in_one(&position), Move::from_letter('B'));
    }
}
