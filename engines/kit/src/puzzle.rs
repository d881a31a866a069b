//! Positions with a known value, verified by proof-number search ([`verify`]).

use std::fmt;
use std::time::Instant;

use crate::search::proof::{Verdict, prove};
use crate::search::{Control, Limits};
use crate::{Engine, Outcome, PositionHistory, Rejection};

/// Size of the table for one proof, in MiB.
const TABLE_MIB: usize = 16;

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many plies against the longest defence, and not in fewer.
    Win(u32),
    /// The side to move loses in this many plies against the fastest attack, and not in fewer.
    Loss(u32),
    /// Neither side can win.
    Draw,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win {plies}"),
            Value::Loss(plies) => write!(f, "loss {plies}"),
            Value::Draw => f.write_str("draw"),
        }
    }
}

/// Proves that the position has this value. If `best` is not empty, also proves that it contains exactly the moves that
/// keep the value: those that win within as many plies, or delay the loss as long.
///
/// # Errors
/// The claim that does not hold. A draw is always an error, because a search within a number of plies cannot prove it.
pub fn verify<G: Engine>(
    history: &PositionHistory<G>,
    best: &[G::Move],
    value: Value,
) -> Result<(), Rejection> {
    match value {
        Value::Win(plies) => verify_win(history, best, plies),
        Value::Loss(plies) => verify_loss(history, best, plies),
        Value::Draw => Err("a draw cannot be proved: expected win or loss".into()),
    }
}

fn verify_win<G: Engine>(
    history: &PositionHistory<G>,
    best: &[G::Move],
    plies: u32,
) -> Result<(), Rejection> {
    let all = history.moves();
    let code = |mv| history.game().format_move(history.position(), mv);
    if let Some(mv) = winning_move(history, &all, plies.saturating_sub(1)) {
        return Err(format!("{} wins in fewer plies than {plies}", code(mv)).into());
    }
    if best.is_empty() && winning_move(history, &all, plies).is_none() {
        return Err(format!("no move wins within {plies} plies").into());
    }
    for &mv in best {
        if winning_move(history, &[mv], plies).is_none() {
            return Err(format!("{} does not win within {plies} plies", code(mv)).into());
        }
    }
    let others: Vec<G::Move> = all.into_iter().filter(|mv| !best.contains(mv)).collect();
    match winning_move(history, &others, plies) {
        Some(mv) if !best.is_empty() => {
            Err(format!("{} wins within {plies} plies, too", code(mv)).into())
        }
        _ => Ok(()),
    }
}

fn verify_loss<G: Engine>(
    history: &PositionHistory<G>,
    best: &[G::Move],
    plies: u32,
) -> Result<(), Rejection> {
    let mut longest = Vec::new();
    for mv in history.moves() {
        if !is_lost_after(history, mv, plies) {
            let code = history.game().format_move(history.position(), mv);
            return Err(format!("{code} does not lose within {plies} plies").into());
        }
        if !is_lost_after(history, mv, plies.saturating_sub(1)) {
            longest.push(mv);
        }
    }
    if longest.is_empty() {
        return Err(format!("no move holds out {plies} plies").into());
    }
    let is_told = |mv| best.contains(mv);
    if !best.is_empty() && (longest.len() != best.len() || !longest.iter().all(is_told)) {
        let count = longest.len();
        return Err(format!("{count} moves hold out {plies} plies, not those named").into());
    }
    Ok(())
}

/// `true` if the opponent wins within this many plies after a move, the move included.
fn is_lost_after<G: Engine>(history: &PositionHistory<G>, mv: G::Move, plies: u32) -> bool {
    let mut after = history.clone();
    after.play(mv);
    match after.outcome() {
        Some(outcome) => plies > 0 && outcome == Outcome::Win(history.side().other()),
        None => winning_move(&after, &after.moves(), plies.saturating_sub(1)).is_some(),
    }
}

fn winning_move<G: Engine>(
    history: &PositionHistory<G>,
    moves: &[G::Move],
    within: u32,
) -> Option<G::Move> {
    match find_win(history, moves, within, None) {
        Search::Win(mv) => Some(mv),
        Search::NoWin => None,
        Search::Unknown => unreachable!("nothing ends a search without a limit early"),
    }
}

/// The result of a search for a win.
pub(crate) enum Search<M> {
    /// This move wins.
    Win(M),
    /// No move wins.
    NoWin,
    /// The node limit was reached.
    Unknown,
}

/// Searches for a win of the side to move within this many plies by one of these moves, visiting at most `nodes`
/// positions.
pub(crate) fn find_win<G: Engine>(
    history: &PositionHistory<G>,
    moves: &[G::Move],
    within: u32,
    nodes: Option<u64>,
) -> Search<G::Move> {
    if moves.is_empty() {
        return Search::NoWin;
    }
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let control = Control::new(Instant::now(), false);
    let tell = &mut |_| {};
    match prove(history, moves, within, TABLE_MIB, &limits, &control, tell).0 {
        Verdict::Win { pv, .. } => Search::Win(pv[0]),
        Verdict::NoWin => Search::NoWin,
        Verdict::Unknown => Search::Unknown,
    }
}
