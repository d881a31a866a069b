//! Forced wins by depth-first proof-number search (df-pn; Nagai 2002).
//!
//! [`prove`] answers one question: can the side to move win within a number of plies? The search always expands the line
//! with the least estimated effort, so it finds deep narrow wins that a full-width search does not reach.
//!
//! **Repetition.** The table identifies a position by its key and the plies left, not by the moves that led to it. A
//! result must therefore not depend on those moves. The search ignores repetitions among its moves; the limit in plies
//! ends every line. Positions before the root still count: if the next occurrence of a position draws by the rules, the
//! position is a draw. The answer is the same as under the full rules, because a shortest forced win repeats no
//! position: the distance to the end falls with every move. (A counter in the search key must not fall from one
//! occurrence of a position to the next, or must have no effect if it does.)
//!
//! **Forced results.** A game may know that a position is won or lost, or which moves need to be searched
//! ([`Evaluate::forced`]). Its bounds in plies are compared with the plies left, so a proved win is one within the
//! limit. A position known to be won by the defender is refuted at any limit.

mod table;

use std::collections::HashMap;
use std::rc::Rc;

use table::{MAX_SUM, ProofEntry, ProofNumbers};

use super::limits::{Budget, Control, Limits, StopCheck};
use super::score::MAX_PLY;
use crate::hash::hash;
use crate::{Evaluate, Forced, Notation, Outcome, PositionHistory, Side};

pub use table::ProofTable;

/// The result of a proof search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins within this many plies against any defence.
    Win {
        /// Plies to the end, at most the limit; a shorter win may exist.
        plies: u32,
        /// The winning move and a line to the end. The line is shorter if a limit cut it off or the game proves the
        /// rest.
        pv: Vec<String>,
    },
    /// There is no win within the limit.
    NoWin,
    /// The search was stopped before either was proved.
    Unknown,
}

/// The moves to search in a position.
#[derive(Debug, PartialEq, Eq)]
struct Choice<M> {
    moves: Vec<M>,
    /// Plies within which every other move loses; 0 if there is no other move.
    others_lose_within: u32,
}

/// A move and the entry of the position after it.
struct Child<M> {
    mv: M,
    key: u64,
    entry: ProofEntry,
}

/// The result for a position, with its most important move: the fastest way to the goal, the longest defence, or the
/// most promising attempt.
struct Expanded<M> {
    numbers: ProofNumbers,
    plies: u32,
    mv: M,
}

struct Prover<'a, G: Evaluate> {
    history: PositionHistory<G>,
    root_ply: usize,
    attacker: Side,
    table: &'a mut ProofTable,
    /// The moves to search in some positions, because [`Evaluate::forced`] is slow.
    choices: HashMap<u64, Rc<Choice<G::Move>>>,
    check: StopCheck<'a>,
    budget: Budget,
    progress: &'a mut dyn FnMut(u64),
    nodes: u64,
    is_stopped: bool,
    /// Set when a line ends without a winner.
    hit_draw_or_horizon: bool,
}

/// The result of a search for a win.
pub struct Proof {
    /// The verdict.
    pub verdict: Verdict,
    /// Positions visited.
    pub nodes: u64,
    /// `true` if a line ended without a winner: in a draw, or at the limit in plies. If `false`, [`Verdict::NoWin`]
    /// means that the opponent wins.
    pub hit_draw_or_horizon: bool,
}

/// Positions visited between two calls of `progress`.
const REPORT_INTERVAL: u64 = 1 << 20;
/// With fewer plies left, the search does not call [`Evaluate::forced`](crate::Evaluate::forced), because searching is
/// faster.
const LEAST_PLIES_TO_ASK: u32 = 16;
/// Positions whose moves to search are kept; then these are forgotten.
const MAX_CHOICES: usize = 1 << 15;

/// Searches for a win of the side to move within `within` plies, beginning with one of `moves`, of which there is at
/// least one. The search ends when the win is proved or refuted, at a limit, or by the control. The game must not be over.
/// The table may contain results of earlier searches from the same history with the same limit in plies. `progress`
/// receives the number of visited positions now and then.
pub fn prove<G: Evaluate + Notation>(
    table: &mut ProofTable,
    history: &PositionHistory<G>,
    moves: &[String],
    within: u32,
    (limits, control): (&Limits, &Control),
    progress: &mut dyn FnMut(u64),
) -> Proof {
    let mut prover = Prover {
        attacker: history.side(),
        root_ply: history.ply(),
        history: history.clone(),
        table,
        choices: HashMap::new(),
        check: StopCheck {
            control,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
        },
        budget: limits.budget,
        progress,
        nodes: 0,
        is_stopped: limits.nodes == Some(0),
        hit_draw_or_horizon: false,
    };
    let verdict = prover.verdict(moves, within.min(MAX_PLY as u32));
    Proof {
        verdict,
        nodes: prover.nodes,
        hit_draw_or_horizon: prover.hit_draw_or_horizon,
    }
}

impl<G: Evaluate + Notation> Prover<'_, G> {
    fn verdict(&mut self, moves: &[String], within: u32) -> Verdict {
        if within == 0 {
            return Verdict::NoWin;
        }
        let choice = Choice {
            moves: self.history.legal(moves),
            others_lose_within: 0,
        };
        let root = self.search(&choice, ProofNumbers::UNLIMITED, within);
        match root.numbers {
            ProofNumbers { phi: 0, .. } => Verdict::Win {
                plies: root.plies,
                pv: self.line(root.mv, within),
            },
            ProofNumbers { delta: 0, .. } => Verdict::NoWin,
            _ => Verdict::Unknown,
        }
    }

    /// The line of a proved win. If a position recurs, the moves between its occurrences are removed: a proof for the
    /// later occurrence, with fewer plies left, also holds for the earlier one.
    fn line(&mut self, first: G::Move, within: u32) -> Vec<String> {
        let mut keys = vec![];
        self.history.play(first);
        for left in (0..within).rev() {
            let key = self.history.game().key(self.history.position());
            if let Some(earlier) = keys.iter().position(|&known| known == key) {
                keys.truncate(earlier);
                self.history.rewind(self.root_ply + 1 + earlier);
            }
            keys.push(key);
            if self.outcome().is_some() {
                break;
            }
            if let Some(Forced::Win { .. } | Forced::Loss { .. }) = self.forced(left) {
                break;
            }
            // The table contains most of the proof; lost parts are proved again.
            let choice = self.choice(left);
            let best = self.search(&choice, ProofNumbers::UNLIMITED, left);
            if !best.numbers.is_settled() {
                break;
            }
            self.history.play(best.mv);
        }
        let line: Vec<G::Move> = self.history.played().skip(self.root_ply).collect();
        self.history.rewind(self.root_ply);
        self.history.codes(&line)
    }

    /// Searches the position until one of its numbers reaches its limit. `left`, the plies left, is at least 1, and
    /// there is at least one move. A search that was stopped returns final numbers if it has them, otherwise unfinished
    /// ones or [`ProofNumbers::UNKNOWN`].
    fn search(
        &mut self,
        choice: &Choice<G::Move>,
        limit: ProofNumbers,
        left: u32,
    ) -> Expanded<G::Move> {
        let Choice {
            moves,
            others_lose_within,
        } = choice;
        let Some(mut children) = self.expand(moves, left) else {
            return Expanded {
                numbers: ProofNumbers::UNKNOWN,
                plies: 0,
                mv: moves[0],
            };
        };
        loop {
            let (numbers, plies, best) = combine(&children, *others_lose_within);
            if numbers.reaches(limit) || numbers.is_settled() || self.is_stopped {
                return Expanded {
                    numbers,
                    plies,
                    mv: children[best].mv,
                };
            }
            let limit = child_limit(&children, best, numbers, limit);
            self.search_child(&mut children[best], limit, left - 1);
        }
    }

    /// Visits the positions after each move, up to the first one that reaches the goal; `None` if the search was
    /// stopped before.
    fn expand(&mut self, moves: &[G::Move], left: u32) -> Option<Vec<Child<G::Move>>> {
        let mut children = Vec::with_capacity(moves.len());
        for &mv in moves {
            if self.is_stopped {
                return None;
            }
            let child = self.visit(mv, left - 1);
            let is_enough = child.entry.numbers.delta == 0;
            children.push(child);
            if is_enough {
                break;
            }
        }
        Some(children)
    }

    fn search_child(&mut self, child: &mut Child<G::Move>, limit: ProofNumbers, left: u32) {
        let nodes_before = self.nodes;
        self.history.play(child.mv);
        let replies = self.choice(left);
        let found = self.search(&replies, limit, left);
        self.history.undo();
        if self.is_stopped && !found.numbers.is_settled() {
            return;
        }
        child.entry = ProofEntry {
            numbers: found.numbers,
            plies: found.plies,
            work: child.entry.work + (self.nodes - nodes_before),
        };
        self.table.put(child.key, child.entry);
    }

    /// The moves to search in a position that is not over, with `left` plies left.
    fn choice(&mut self, left: u32) -> Rc<Choice<G::Move>> {
        let key = self.choice_key(left);
        if let Some(choice) = self.choices.get(&key) {
            return Rc::clone(choice);
        }
        let forced = self.forced(left);
        self.choose(left, forced)
    }

    /// The moves to search, given what the game proves of the position.
    fn choose(&mut self, left: u32, forced: Option<Forced<G::Move>>) -> Rc<Choice<G::Move>> {
        let is_told = forced.is_some();
        let choice = Rc::new(match forced {
            Some(Forced::Only { moves, plies }) => Choice {
                moves,
                others_lose_within: plies,
            },
            _ => Choice {
                moves: self.legal_moves(),
                others_lose_within: 0,
            },
        });
        if is_told {
            if self.choices.len() == MAX_CHOICES {
                self.choices.clear();
            }
            self.choices
                .insert(self.choice_key(left), Rc::clone(&choice));
        }
        choice
    }

    /// The legal moves of a position that is not over.
    fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        let game = self.history.game();
        game.moves(self.history.position(), &mut moves);
        moves
    }

    /// The cache key of the moves. Symmetric positions have different moves, so it is not the symmetric key.
    fn choice_key(&self, left: u32) -> u64 {
        let key = self.history.game().search_key(self.history.position());
        hash([key, left.into()])
    }

    /// The game's proof about a position that is not over, as far as it is valid with `left` plies left; `None` if the
    /// game proves nothing of any position, and with so few plies left that searching is faster.
    fn forced(&self, left: u32) -> Option<Forced<G::Move>> {
        if left < LEAST_PLIES_TO_ASK {
            return None;
        }
        let is_attacker = self.history.side() == self.attacker;
        let forced = self.history.game().forced(self.history.position())?;
        let is_valid = match forced {
            Forced::Win { plies } => !is_attacker || plies <= left,
            Forced::Loss { plies } | Forced::Only { plies, .. } => is_attacker || plies <= left,
            Forced::Open => true,
        };
        Some(if is_valid { forced } else { Forced::Open })
    }

    /// Plays a move, looks up or computes the entry of the position after it, with `left` plies left, and takes the
    /// move back.
    fn visit(&mut self, mv: G::Move, left: u32) -> Child<G::Move> {
        self.count();
        self.history.play(mv);
        let key = self.key(left);
        let entry = match self.terminal(left) {
            Some((numbers, plies)) => ProofEntry {
                numbers,
                plies,
                work: 0,
            },
            None => match self.table.get(key) {
                Some(entry) => entry,
                None => self.first_look(key, left),
            },
        };
        self.history.undo();
        Child { mv, key, entry }
    }

    /// The entry of a position that is not in the table.
    fn first_look(&mut self, key: u64, left: u32) -> ProofEntry {
        let (numbers, plies) = match self.forced(left) {
            None => {
                return ProofEntry {
                    numbers: ProofNumbers::UNKNOWN,
                    plies: 0,
                    work: 0,
                };
            }
            Some(Forced::Win { plies }) => (ProofNumbers::WON, plies),
            Some(Forced::Loss { plies }) => (ProofNumbers::FAILED, plies),
            forced => {
                let delta = self.choose(left, forced).moves.len() as u32;
                // One of the moves must succeed, and the opponent must refute all.
                (ProofNumbers { phi: 1, delta }, 0)
            }
        };
        // Stored because [`Evaluate::forced`](crate::Evaluate::forced) is slow.
        let entry = ProofEntry {
            numbers,
            plies,
            work: 1,
        };
        self.table.put(key, entry);
        entry
    }

    /// The final numbers of a position that needs no search, with the plies to its end; `None` for other positions.
    fn terminal(&mut self, left: u32) -> Option<(ProofNumbers, u32)> {
        let is_attacker = self.history.side() == self.attacker;
        let goal = |is_reached| match is_reached {
            true => ProofNumbers::WON,
            false => ProofNumbers::FAILED,
        };
        let outcome = self.outcome();
        self.hit_draw_or_horizon |= match outcome {
            Some(outcome) => outcome == Outcome::Draw,
            None => left == 0,
        };
        let (game, position) = (self.history.game(), self.history.position());
        match outcome {
            Some(outcome) => {
                let is_won = outcome == Outcome::Win(self.attacker);
                Some((goal(is_attacker == is_won), 0))
            }
            None if left == 0 => Some((goal(!is_attacker), 0)),
            // This also holds for the defender: its win prevents the attacker's.
            None => game.win_in_one(position).map(|_| (ProofNumbers::WON, 1)),
        }
    }

    /// The outcome without the repetitions that depend on moves since the root.
    fn outcome(&self) -> Option<Outcome> {
        self.history.outcome_by_history_to(self.root_ply)
    }

    /// The table key of the position with `left` plies left. Games mix counters into their keys by multiplication and
    /// exclusive or; hashing both numbers keeps the plies independent of those counters.
    fn key(&self, left: u32) -> u64 {
        let (game, position) = (self.history.game(), self.history.position());
        let key = match game.repetition_limit() {
            None => game.symmetric_key(position),
            Some(_) => game.search_key(position),
        };
        hash([key, left.into()])
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(REPORT_INTERVAL) {
            (self.progress)(self.nodes);
        }
        let is_late = || self.check.control.is_past(self.budget.hard());
        self.is_stopped |= self.check.must_stop(self.nodes, is_late);
    }
}

/// The numbers of a position, the plies to its end if they are final, and the index of its most important child. Moves
/// that are not among the children lose within `others_lose_within` plies.
fn combine<M>(children: &[Child<M>], others_lose_within: u32) -> (ProofNumbers, u32, usize) {
    let effort = |&i: &usize| (children[i].entry.numbers.delta, children[i].entry.plies);
    let best = (0..children.len()).min_by_key(effort);
    let best = best.expect("a game that goes on has a move");
    let phi = children[best].entry.numbers.delta;
    if phi == 0 {
        return (ProofNumbers::WON, children[best].entry.plies + 1, best);
    }
    if children.iter().all(|child| child.entry.numbers.phi == 0) {
        let longest = (0..children.len()).max_by_key(|&i| children[i].entry.plies);
        let longest = longest.unwrap_or(best);
        return (
            ProofNumbers::FAILED,
            others_lose_within.max(children[longest].entry.plies + 1),
            longest,
        );
    }
    let add = |sum: u32, child: &Child<M>| sum.saturating_add(child.entry.numbers.phi).min(MAX_SUM);
    let delta = children.iter().fold(0, add);
    (ProofNumbers { phi, delta }, 0, best)
}

/// The limit for the search of the best child: until another child is better, or the position reaches its limit.
fn child_limit<M>(
    children: &[Child<M>],
    best: usize,
    numbers: ProofNumbers,
    limit: ProofNumbers,
) -> ProofNumbers {
    let others = children.iter().enumerate().filter(|(i, _)| *i != best);
    let efforts = others.map(|(_, child)| child.entry.numbers.delta);
    let runner_up = efforts.min().unwrap_or(MAX_SUM).min(MAX_SUM);
    ProofNumbers {
        phi: limit.delta - (numbers.delta - children[best].entry.numbers.phi),
        // A quarter more than the runner-up needs, so that the search changes branches less often (1 + epsilon trick).
        delta: limit.phi.min(runner_up + runner_up / 4 + 1),
    }
}
