//! The values of a position's moves, proved one after another.

use std::time::{Duration, Instant};

use super::{Proof, ProofTable, Verdict, prove_in};
use crate::search::{Budget, Control, Limits};
use crate::{Evaluate, Outcome, PositionHistory};

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
pub struct MoveProof<M> {
    /// The move.
    pub mv: M,
    /// Its value.
    pub value: MoveValue,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl<M> MoveProof<M> {
    /// Converts the move to another form.
    pub(crate) fn map<N>(self, form: impl FnOnce(M) -> N) -> MoveProof<N> {
        let MoveProof {
            mv,
            value,
            nodes,
            time,
        } = self;
        MoveProof {
            mv: form(mv),
            value,
            nodes,
            time,
        }
    }
}

/// Proves the value of each of the moves and passes it to `tell` at once, until `tell` returns `false`. The game must
/// not be over. Tells nothing if the system does not give the memory for the table.
pub fn prove_moves<G: Evaluate>(
    history: &PositionHistory<G>,
    moves: &[G::Move],
    settings: &ProofSettings,
    tell: &mut dyn FnMut(MoveProof<G::Move>) -> bool,
) {
    let Some(table) = ProofTable::new(settings.table_mib) else {
        return;
    };
    let mut prover = MoveProver {
        history,
        settings,
        table,
        hit_draw_or_horizon: false,
    };
    for &mv in moves {
        if !tell(prover.prove(mv)) {
            break;
        }
    }
}

struct MoveProver<'a, G: Evaluate> {
    history: &'a PositionHistory<G>,
    settings: &'a ProofSettings,
    /// Results about wins for the side to move, from the proofs of all moves.
    table: ProofTable,
    /// Set if the table may contain results that depend on a line without a winner.
    hit_draw_or_horizon: bool,
}

impl<G: Evaluate> MoveProver<'_, G> {
    fn prove(&mut self, mv: G::Move) -> MoveProof<G::Move> {
        let (started, control) = (Instant::now(), Control::default());
        let (value, nodes) = self.value(mv, &control);
        MoveProof {
            mv,
            value,
            nodes,
            time: started.elapsed(),
        }
    }

    fn value(&mut self, mv: G::Move, control: &Control) -> (MoveValue, u64) {
        let proof = search(
            &mut self.table,
            self.history,
            &[mv],
            self.settings.within,
            self.settings,
            control,
        );
        self.hit_draw_or_horizon |= proof.hit_draw_or_horizon;
        let value = match proof.verdict {
            Verdict::Win { plies, .. } => MoveValue::Win(plies),
            Verdict::NoWin if !self.hit_draw_or_horizon => MoveValue::Loss,
            Verdict::NoWin => {
                let (value, nodes) = self.value_of_replies(mv, control);
                return (value, proof.nodes + nodes);
            }
            Verdict::Unknown => MoveValue::Unknown,
        };
        (value, proof.nodes)
    }

    /// The value of a move that does not win, found from the replies.
    fn value_of_replies(&self, mv: G::Move, control: &Control) -> (MoveValue, u64) {
        let mut after = self.history.clone();
        after.play(mv);
        match after.outcome() {
            Some(Outcome::Win(side)) if side == after.side() => return (MoveValue::Loss, 0),
            Some(_) => return (MoveValue::NoWin, 0),
            None => {}
        }
        // Repetitions are counted from another position here, so the results need another table.
        let Some(mut table) = ProofTable::new(self.settings.table_mib) else {
            return (MoveValue::Unknown, 0);
        };
        let within = self.settings.within.saturating_sub(1);
        let proof = search(
            &mut table,
            &after,
            &after.moves(),
            within,
            self.settings,
            control,
        );
        let value = match proof.verdict {
            Verdict::Win { .. } => MoveValue::Loss,
            Verdict::NoWin => MoveValue::NoWin,
            Verdict::Unknown => MoveValue::Unknown,
        };
        (value, proof.nodes)
    }
}

fn search<G: Evaluate>(
    table: &mut ProofTable,
    history: &PositionHistory<G>,
    moves: &[G::Move],
    within: u32,
    settings: &ProofSettings,
    control: &Control,
) -> Proof<G::Move> {
    let limits = Limits {
        budget: settings.time.map_or(Budget::None, Budget::Fixed),
        ..Limits::default()
    };
    prove_in(
        table,
        history,
        moves,
        within,
        (&limits, control),
        &mut |_| {},
    )
}
