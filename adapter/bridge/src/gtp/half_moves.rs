//! Moves as clicks on the points of a GTP board.
//!
//! A GUI without rules sends one point at a time. The gestures of a game's board list the spots to click for each move,
//! and a [`Layout`] maps each spot to a point. A move of two clicks is two half moves: after the first, the side to move
//! stays the same, and the legal half moves are those that complete a move.

use std::collections::BTreeSet;

use draw::{Gesture, Input, View};
use kit::DynHistory;

use super::layout::Layout;
use super::picture::Picture;
use super::vertex::Click;

/// Code and button of the swap, which is a click on any stone: GoGui takes a pass for the end of the game.
pub(super) const SWAP: &str = "swap";

/// Legal moves of a position as clicks.
#[derive(Debug, Default)]
pub struct HalfMoves {
    /// Clicks and code of each legal move.
    moves: Vec<(Vec<Click>, String)>,
}

impl HalfMoves {
    /// Returns the legal moves of a position on the board of a layout.
    ///
    /// # Errors
    /// The board has no points for a move.
    pub(super) fn new(layout: Layout, board: &dyn DynHistory) -> Result<HalfMoves, String> {
        let diagram = board.diagram(View::default());
        let picture = Picture::new(&diagram, layout);
        let mut moves = Vec::new();
        for Gesture { code, input } in &diagram.gestures {
            let clicks: Option<Vec<Click>> = match input {
                Input::Button(name) if name == SWAP => {
                    let stones = picture.stones().map(Click::At);
                    moves.extend(stones.map(|stone| (vec![stone], code.clone())));
                    continue;
                }
                Input::Button(_) => Some(vec![Click::Pass]),
                Input::Spots(spots) => {
                    let points = spots.iter().map(|spot| layout.point(spot));
                    points.map(|point| point.map(Click::At)).collect()
                }
            };
            let clicks = clicks.filter(|clicks| !clicks.is_empty());
            moves.push((clicks.ok_or_else(|| no_point(code))?, code.clone()));
        }
        Ok(HalfMoves { moves })
    }

    /// Returns the clicks that may follow those made; none if no legal move begins with them, or they complete a move.
    pub fn next(&self, made: &[Click]) -> BTreeSet<Click> {
        let rest = self.moves.iter();
        let rest = rest.filter_map(|(clicks, _)| clicks.strip_prefix(made)?.first());
        rest.copied().collect()
    }

    /// Returns the code of the move that these clicks complete.
    pub fn code(&self, made: &[Click]) -> Option<&str> {
        let found = self.moves.iter().find(|(clicks, _)| clicks == made);
        found.map(|(_, code)| code.as_str())
    }

    /// Returns the clicks of a legal move, given its canonical code.
    pub fn clicks(&self, code: &str) -> Option<&[Click]> {
        let found = self.moves.iter().find(|(_, own)| own == code);
        found.map(|(clicks, _)| clicks.as_slice())
    }
}

/// Returns the legal moves of a position as half moves on a GTP board.
///
/// # Errors
/// The game fits no GTP board.
pub fn half_moves(game: &str, board: &dyn DynHistory) -> Result<HalfMoves, String> {
    HalfMoves::new(Layout::new(game, board)?, board)
}

/// Returns the error for a move that the GUI's board has no clicks for.
pub(super) fn no_point(code: &str) -> String {
    format!("{code}: the board has no point for this move")
}

/// Formats half moves, separated by spaces.
pub(super) fn words_of(clicks: impl IntoIterator<Item = Click>) -> String {
    let vertices = clicks.into_iter().map(|click| click.to_string());
    vertices.collect::<Vec<_>>().join(" ")
}
