//! How good a position looks: who is nearer to the goal.
//!
//! Two measures of the puck's place, both from tables: moves to each goal over an empty field, and height, since a
//! move straight ahead leaves its line behind the puck, where it is in the opponent's way. What the lines do is left
//! to the search: asking for the shortest way around them judged better, but so slowly that it played worse.

use kit::{Evaluate, Game, Side};

use crate::moves::Move;
use crate::rules::{GraphHockey, Position};

/// For each unit that the puck is on the player's side of the field, in hundredths.
const HEIGHT: i32 = 10;
/// For each move by which the player's goal is nearer than the opponent's.
const NEARER: i32 = 60;
/// For having the move.
const TEMPO: i32 = 50;

impl Evaluate for GraphHockey {
    fn evaluate(&self, position: &Position) -> i32 {
        let height = self.field().height() / 2 - position.puck.y;
        let at = self.board.cell(position.puck);
        let for_p1 = HEIGHT * height + NEARER * self.lead(at, Side::P1);
        match self.side(position) {
            Side::P1 => TEMPO + for_p1,
            Side::P2 => TEMPO - for_p1,
        }
    }

    fn winning_move(&self, position: &Position) -> Option<Move> {
        let side = self.side(position);
        if self.board.distance(self.board.cell(position.puck), side) > 1 {
            return None;
        }
        let scores = |mv: &Move| self.field().scorer(position.puck + mv.step()) == Some(side);
        self.level(position).1.find(scores)
    }

    fn promises<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        move |mv| self.promise(position, mv)
    }
}

impl GraphHockey {
    /// How much nearer the goal the puck comes.
    fn promise(&self, position: &Position, mv: Move) -> i32 {
        let end = self.board.cell(position.puck + mv.step());
        200 * self.lead(end, self.side(position))
    }

    /// By how many moves a cell's point is nearer to a player's goal than to the other.
    fn lead(&self, at: usize, side: Side) -> i32 {
        self.board.distance(at, side.other()) - self.board.distance(at, side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;

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
        game.evaluate(&position)
    }

    #[test]
    fn down_is_good_for_p1_and_bad_for_p2() {
        // After either reply it is p1's turn.
        assert!(score("BG") > score("GG"));
        // After the first move it is p2's.
        assert!(score("B") < score("G"));
    }

    #[test]
    fn a_move_towards_the_goal_promises_more() {
        let (game, position) = after("");
        let promise = |letter| {
            let mv = Move::from_letter(letter).expect("a letter");
            game.promise(&position, mv)
        };
        assert!(promise('B') > promise('R'));
    }

    #[test]
    fn only_one_move_away_is_a_win_at_once() {
        let (game, mut position) = after("");
        assert_eq!(game.winning_move(&position), None);
        position.puck.x = 36;
        position.puck.y = 14;
        assert_eq!(game.winning_move(&position), Move::from_letter('B'));
    }
}
