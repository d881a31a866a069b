//! Judges the moves that a new player makes in the exercises of a lesson.

use draw::Goal;
use serde::Serialize;

use crate::search::proof::Verdict;
use crate::{DynHistory, Outcome, Rejection};

/// Maximum number of positions that one proof visits.
const NODES: u64 = 2_000_000;

/// A move made in an exercise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// `true` if the exercise asks for this move.
    pub is_right: bool,
    /// `true` if the game is over after `moves`.
    pub is_over: bool,
    /// The canonical code of the move, and the opponent's reply: the longest defence, or a refutation.
    pub moves: Vec<String>,
    /// The reason for the result, as on the board.
    pub why: Option<String>,
}

/// Judges a move.
///
/// # Errors
/// The move is illegal.
pub fn judge(goal: &Goal, position: &dyn DynHistory, code: &str) -> Result<Attempt, Rejection> {
    let mut after = position.fork();
    let mut moves = vec![after.play(code)?];
    let (is_right, reply) = match goal {
        Goal::Any => (true, None),
        Goal::OneOf(codes) => (codes.contains(&moves[0].as_str()), None),
        Goal::Safe => {
            let reply = winning_move(after.as_ref());
            let lost = Some(Outcome::Win(position.side().other()));
            (reply.is_none() && after.outcome() != lost, reply)
        }
        Goal::Win(plies) => match position.find_win(&moves, *plies, Some(NODES)) {
            Verdict::Win { pv, .. } => (true, pv.into_iter().nth(1)),
            Verdict::NoWin | Verdict::Unknown => (false, winning_move(after.as_ref())),
        },
    };
    if let Some(reply) = reply {
        moves.push(after.play(&reply)?);
    }
    Ok(Attempt {
        is_right,
        is_over: after.outcome().is_some(),
        moves,
        why: after.explain(),
    })
}

/// Returns a line that fulfils the task; empty if none is found.
pub fn solution(goal: &Goal, position: &dyn DynHistory) -> Vec<String> {
    let moves = position.moves();
    match goal {
        Goal::Win(plies) => match position.find_win(&moves, *plies, Some(NODES)) {
            Verdict::Win { pv, .. } => pv,
            _ => Vec::new(),
        },
        _ => {
            let is_right = |code: &String| {
                let judged = judge(goal, position, code);
                judged.is_ok_and(|attempt| attempt.is_right)
            };
            moves.into_iter().find(is_right).into_iter().collect()
        }
    }
}

/// A move that wins at once; `None` if there is none or the game is over.
fn winning_move(position: &dyn DynHistory) -> Option<String> {
    match position.find_win(&position.moves(), 1, Some(NODES)) {
        Verdict::Win { mut pv, .. } if position.outcome().is_none() => Some(pv.swap_remove(0)),
        _ => None,
    }
}
