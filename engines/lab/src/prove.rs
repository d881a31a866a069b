//! The values of a position's moves, proved one after another.

use std::time::{Duration, Instant};

use kit::search::proof::{Proof, ProofTable, Verdict};
use kit::search::{Budget, Control, Limits};
use kit::{DynHistory, Outcome};

/// Limits of a proof of a position's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofSettings {
    /// Maximum length of a win in plies.
    pub within: u32,
    /// Memory for the table in MiB.
    pub table_mib: usize,
    /// Time for each move of the position; `None` for no limit.
    pub time: Option<Duration>,
}

/// The value of a move for the player who makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveValue {
    /// The player wins within this many plies, the move included.
    Win(u32),
    /// The opponent wins.
    Loss,
    /// Neither player can force a win within the limit in plies: a draw, if no win is longer.
    NoWin,
    /// The time ran out, or there is no memory for a table.
    Unknown,
}

/// The proof of a move's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveProof {
    /// The code of the move.
    pub mv: String,
    /// Its value.
    pub value: MoveValue,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Proves the value of each legal move, one after another, and passes it to `on_proof` at once, until `on_proof` returns
/// `false`. Tells nothing if the system does not give the memory for the table.
pub fn prove_moves(
    history: &dyn DynHistory,
    settings: &ProofSettings,
    on_proof: &mut dyn FnMut(MoveProof) -> bool,
) {
    let Some(mut table) = ProofTable::new(settings.table_mib) else {
        return;
    };
    let limits = Limits {
        budget: settings.time.map_or(Budget::None, Budget::Fixed),
        ..Limits::default()
    };
    // Set if the table may contain results that depend on a line without a winner.
    let mut hit_draw_or_horizon = false;
    for mv in history.moves() {
        let (started, control) = (Instant::now(), Control::default());
        let limits = (&limits, &control);
        let moves = std::slice::from_ref(&mv);
        let proof = history.prove(&mut table, moves, settings.within, limits);
        hit_draw_or_horizon |= proof.hit_draw_or_horizon;
        let (value, more) = match proof.verdict {
            Verdict::Win { plies, .. } => (MoveValue::Win(plies), 0),
            Verdict::NoWin if !hit_draw_or_horizon => (MoveValue::Loss, 0),
            Verdict::NoWin => value_of_replies(history, &mv, settings, limits),
            Verdict::Unknown => (MoveValue::Unknown, 0),
        };
        let proof = MoveProof {
            mv,
            value,
            nodes: proof.nodes + more,
            time: started.elapsed(),
        };
        if !on_proof(proof) {
            break;
        }
    }
}

/// The value of a move that does not win, found from the replies, and the positions visited.
fn value_of_replies(
    history: &dyn DynHistory,
    mv: &str,
    settings: &ProofSettings,
    limits: (&Limits, &Control),
) -> (MoveValue, u64) {
    let mut after = history.fork();
    if after.play(mv).is_err() {
        return (MoveValue::Unknown, 0);
    }
    match after.outcome() {
        Some(Outcome::Win(side)) if side == after.side() => return (MoveValue::Loss, 0),
        Some(_) => return (MoveValue::NoWin, 0),
        None => {}
    }
    // Repetitions are counted from another position here, so the results need another table.
    let Some(mut table) = ProofTable::new(settings.table_mib) else {
        return (MoveValue::Unknown, 0);
    };
    let within = settings.within.saturating_sub(1);
    let Proof { verdict, nodes, .. } = after.prove(&mut table, &after.moves(), within, limits);
    let value = match verdict {
        Verdict::Win { .. } => MoveValue::Loss,
        Verdict::NoWin => MoveValue::NoWin,
        Verdict::Unknown => MoveValue::Unknown,
    };
    (value, nodes)
}
