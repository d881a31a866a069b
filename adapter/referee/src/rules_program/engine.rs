//! Proofs of wins in a game whose rules are a program, without a table.

use std::time::Instant;

use kit::search::proof::Verdict;
use kit::{DynHistory, Outcome, Side};

/// A proof that one side wins within some plies: all moves, depth first, up to the first win of the attacker.
pub struct WinProof {
    board: Box<dyn DynHistory>,
    attacker: Side,
    pub(super) n_nodes: u64,
    /// Positions visited before the proof is given up.
    pub max_nodes: u64,
    pub(super) deadline: Option<Instant>,
}

impl WinProof {
    /// A proof from this position.
    pub fn new(board: Box<dyn DynHistory>, attacker: Side) -> WinProof {
        WinProof {
            board,
            attacker,
            n_nodes: 0,
            max_nodes: u64::MAX,
            deadline: None,
        }
    }

    /// The best of these moves for the side to move. The game is not over.
    pub fn best(&mut self, moves: &[String], within: u32) -> Verdict {
        if within == 0 {
            return Verdict::NoWin;
        }
        let is_attack = self.board.side() == self.attacker;
        let mut longest: Option<(u32, Vec<String>)> = None;
        let mut is_unknown = false;
        for code in moves {
            match self.after(code, within - 1) {
                Verdict::Win { plies, mut pv } => {
                    pv.insert(0, code.clone());
                    let plies = plies + 1;
                    if is_attack {
                        return Verdict::Win { plies, pv };
                    }
                    if longest.as_ref().is_none_or(|(known, _)| plies > *known) {
                        longest = Some((plies, pv));
                    }
                }
                Verdict::NoWin if !is_attack => return Verdict::NoWin,
                Verdict::NoWin => {}
                Verdict::Unknown => is_unknown = true,
            }
        }
        match longest {
            _ if is_unknown => Verdict::Unknown,
            Some((plies, pv)) => Verdict::Win { plies, pv },
            None => Verdict::NoWin,
        }
    }

    /// The verdict about the position after a move, with `left` plies left.
    fn after(&mut self, code: &str, left: u32) -> Verdict {
        let is_late = self.deadline.is_some_and(|end| Instant::now() >= end);
        if self.n_nodes >= self.max_nodes || is_late || self.board.play(code).is_err() {
            return Verdict::Unknown;
        }
        self.n_nodes += 1;
        let verdict = match self.board.outcome() {
            Some(outcome) if outcome == Outcome::Win(self.attacker) => {
                let (plies, pv) = (0, Vec::new());
                Verdict::Win { plies, pv }
            }
            Some(_) => Verdict::NoWin,
            None => self.best(&self.board.moves(), left),
        };
        self.board.undo();
        verdict
    }
}
