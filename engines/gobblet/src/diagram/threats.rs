//! The lines that a player would complete with one move if the player were to move.

use kit::{Game, Outcome};

use super::caption::line_of;
use crate::position::{Gobblet, Position};
use crate::square::Squares;

/// The lines that the player who is not to move threatens to complete; none in a finished game.
pub(super) fn threatened(game: &Gobblet, position: &Position) -> Vec<Squares> {
    if game.outcome(position).is_some() {
        return Vec::new();
    }
    let side = position.side.other();
    let turned = Position { side, ..*position };
    let mut moves = Vec::new();
    game.moves(&turned, &mut moves);
    let completed = |mv| {
        let mut next = turned;
        game.play(&mut next, mv);
        let is_won = game.outcome(&next) == Some(Outcome::Win(side));
        is_won.then(|| line_of(game, &next, side)).flatten()
    };
    let mut lines: Vec<Squares> = moves.into_iter().filter_map(completed).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
