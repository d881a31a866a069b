//! The search of a game whose rules are a program, for openings, mining and proofs: tree search, and proofs of wins without
//! a table.

use std::time::Instant;

use kit::search::proof::{MoveProof, MoveValue, ProofSettings, Verdict};
use kit::search::{Line, Searcher};
use kit::uct::UctTree;
use kit::{DynEngine, DynHistory, Outcome, Rejection, Side};

use super::history::ProgramHistory;

impl DynEngine for ProgramHistory {
    fn fork_engine(&self) -> Box<dyn DynEngine> {
        Box::new(self.clone())
    }

    fn without_past(&self) -> Box<dyn DynEngine> {
        Box::new(self.without_moves())
    }

    fn search(&self, _searcher: &mut Searcher, nodes: u64, seed: u64) -> Line<String> {
        let mut tree = UctTree::new(self.fork(), &self.moves(), seed);
        while tree.n_positions < nodes && !tree.is_solved() && tree.play_once(&|| false) {}
        let (pv, score) = tree.best();
        Line::exact(score, pv)
    }

    fn move_at_level(&self, searcher: &mut Searcher, _level: u32, seed: u64) -> String {
        const NODES: u64 = 1000;
        self.search(searcher, NODES, seed).pv.swap_remove(0)
    }

    fn find_win(
        &self,
        moves: &[String],
        within: u32,
        nodes: Option<u64>,
    ) -> Result<Verdict<String>, Rejection> {
        let moves = moves.iter().map(|code| self.read(code));
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        let mut proof = WinProof::new(self.fork(), self.side());
        proof.max_nodes = nodes.unwrap_or(u64::MAX);
        Ok(proof.best(&moves, within))
    }

    fn prove_moves(
        &self,
        settings: &ProofSettings,
        tell: &mut dyn FnMut(&MoveProof<String>) -> bool,
    ) {
        for mv in self.moves() {
            let started = Instant::now();
            let deadline = settings.time.map(|time| started + time);
            let prove = |attacker| {
                let mut proof = WinProof::new(self.fork(), attacker);
                proof.deadline = deadline;
                let verdict = proof.best(std::slice::from_ref(&mv), settings.within);
                (verdict, proof.n_nodes)
            };
            let (won, n_nodes) = prove(self.side());
            let (value, nodes) = match won {
                Verdict::Win { plies, .. } => (MoveValue::Win(plies), n_nodes),
                Verdict::Unknown => (MoveValue::Unknown, n_nodes),
                Verdict::NoWin => {
                    let (lost, more) = prove(self.side().other());
                    let value = match lost {
                        Verdict::Win { .. } => MoveValue::Loss,
                        Verdict::NoWin => MoveValue::NoWin,
                        Verdict::Unknown => MoveValue::Unknown,
                    };
                    (value, n_nodes + more)
                }
            };
            let time = started.elapsed();
            if !tell(&MoveProof {
                mv,
                value,
                nodes,
                time,
            }) {
                return;
            }
        }
    }
}

/// A proof that one side wins within some plies: all moves, depth first, up to the first win of the attacker.
pub struct WinProof {
    board: Box<dyn DynHistory>,
    attacker: Side,
    n_nodes: u64,
    /// Positions visited before the proof is given up.
    pub max_nodes: u64,
    deadline: Option<Instant>,
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
    pub fn best(&mut self, moves: &[String], within: u32) -> Verdict<String> {
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
    fn after(&mut self, code: &str, left: u32) -> Verdict<String> {
        let is_late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        if self.n_nodes >= self.max_nodes || is_late || self.board.play(code).is_err() {
            return Verdict::Unknown;
        }
        self.n_nodes += 1;
        let verdict = match self.board.outcome() {
            Some(outcome) if outcome == Outcome::Win(self.attacker) => Verdict::Win {
                plies: 0,
                pv: Vec::new(),
            },
            Some(_) => Verdict::NoWin,
            None => self.best(&self.board.moves(), left),
        };
        self.board.undo();
        verdict
    }
}
