//! Proving forced wins: depth-first proof-number search (df-pn; Nagai 2002).
//!
//! [`prove`] asks one question: can the side to move win within so many plies? It always follows the line that
//! seems to need the least effort, so it finds deep narrow wins that a full-width search cannot reach. A line is
//! cut at the limit, so repetitions end by themselves; the rules still say which of them are draws.

use super::control::Control;
use super::limits::Limits;
use super::score::MAX_PLY;
use crate::{Evaluate, Outcome, PositionHistory, Side};

/// What a proof search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<M> {
    /// The side to move wins within this many plies against any defence; the line is one of the longest.
    Win {
        /// Plies to the end, at most the limit.
        plies: u32,
        /// The winning move and the moves expected after it.
        pv: Vec<M>,
    },
    /// There is no win within the limit.
    NoWin,
    /// Stopped before either was known.
    Unknown,
}

/// The effort left to reach the goal of the side to move, and that of its opponent: 0 where it is reached,
/// [`NEVER`] where it cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ProofNumbers {
    own: u32,
    other: u32,
}

const NEVER: u32 = u32::MAX;
/// Sums of efforts stay below [`NEVER`].
const MOST: u32 = NEVER / 4;

impl ProofNumbers {
    const REACHED: ProofNumbers = ProofNumbers {
        own: 0,
        other: NEVER,
    };
    const FAILED: ProofNumbers = ProofNumbers {
        own: NEVER,
        other: 0,
    };
    const UNKNOWN: ProofNumbers = ProofNumbers { own: 1, other: 1 };

    fn is_settled(self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// A position's numbers with, once settled, the plies to the end.
#[derive(Debug, Clone, Copy)]
struct Known {
    key: u64,
    numbers: ProofNumbers,
    plies: u32,
}

/// What earlier visits learned; a newer position takes the place of an older one unless that cost more.
struct ProofTable {
    slots: Vec<Known>,
}

const WAYS: usize = 4;

impl ProofTable {
    fn new(mib: usize) -> ProofTable {
        let n = ((mib.max(1) << 20) / size_of::<Known>()).next_multiple_of(WAYS);
        ProofTable {
            slots: vec![
                Known {
                    key: 0,
                    numbers: ProofNumbers::UNKNOWN,
                    plies: 0
                };
                n
            ],
        }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = self.slots.len() / WAYS;
        ((u128::from(key) * buckets as u128) >> 64) as usize * WAYS
    }

    fn get(&self, key: u64) -> Option<Known> {
        let at = self.bucket(key);
        self.slots[at..at + WAYS]
            .iter()
            .find(|known| known.key == key)
            .copied()
    }

    fn put(&mut self, known: Known) {
        let at = self.bucket(known.key);
        let bucket = &mut self.slots[at..at + WAYS];
        let own = bucket.iter().position(|slot| slot.key == known.key);
        // Settled positions and those of little effort so far are the cheapest to find again.
        let effort = |slot: &Known| {
            slot.numbers
                .own
                .min(slot.numbers.other)
                .max(u32::from(slot.key != 0))
        };
        let i = own.unwrap_or_else(|| {
            (0..WAYS)
                .min_by_key(|&i| effort(&bucket[i]))
                .expect("a bucket has ways")
        });
        bucket[i] = known;
    }
}

/// A move of a position under way with what is known of the position after it.
struct Child<M> {
    mv: M,
    key: u64,
    numbers: ProofNumbers,
    plies: u32,
}

struct Prover<'a, G: Evaluate> {
    history: PositionHistory<G>,
    attacker: Side,
    memory: ProofTable,
    control: &'a Control,
    limits: &'a Limits,
    progress: &'a mut dyn FnMut(u64),
    nodes: u64,
    is_stopped: bool,
}

/// Looks for a win of the side to move within `within` plies that begins with one of `moves`, until it is proved
/// or refuted, or a limit or `control` ends the search. The game is not over. Uses `memory_mib` MiB; tells
/// `progress` the positions looked at now and then. Returns the verdict and the positions looked at.
pub fn prove<G: Evaluate>(
    history: &PositionHistory<G>,
    moves: &[G::Move],
    within: u32,
    memory_mib: usize,
    limits: &Limits,
    control: &Control,
    progress: &mut dyn FnMut(u64),
) -> (Verdict<G::Move>, u64) {
    let mut prover = Prover {
        attacker: history.side(),
        history: history.clone(),
        memory: ProofTable::new(memory_mib),
        control,
        limits,
        progress,
        nodes: 0,
        is_stopped: false,
    };
    let within = within.min(MAX_PLY as u32);
    let verdict = prover.verdict(moves, within);
    (verdict, prover.nodes)
}

/// What working on a position led to; the move is one that settles it, or the first.
struct Worked<M> {
    numbers: ProofNumbers,
    plies: u32,
    mv: M,
}

impl<G: Evaluate> Prover<'_, G> {
    fn verdict(&mut self, moves: &[G::Move], within: u32) -> Verdict<G::Move> {
        if within == 0 {
            return Verdict::NoWin;
        }
        let root = self.work(
            moves,
            ProofNumbers {
                own: NEVER,
                other: NEVER,
            },
            within,
        );
        match root.numbers {
            ProofNumbers { own: 0, .. } => Verdict::Win {
                plies: root.plies,
                pv: self.line(root.mv, within),
            },
            ProofNumbers { other: 0, .. } => Verdict::NoWin,
            _ => Verdict::Unknown,
        }
    }

    /// The line of a proved win: the quickest win against the longest defence.
    fn line(&mut self, first: G::Move, within: u32) -> Vec<G::Move> {
        let mut pv = vec![first];
        self.history.play(first);
        while self.history.outcome().is_none() && !self.is_stopped {
            let moves = self.history.moves();
            let left = within - pv.len() as u32;
            // The memory holds most of the proof; what it lost is proved again.
            let mv = self
                .work(
                    &moves,
                    ProofNumbers {
                        own: NEVER,
                        other: NEVER,
                    },
                    left,
                )
                .mv;
            if self.is_stopped {
                break;
            }
            pv.push(mv);
            self.history.play(mv);
        }
        self.history.rewind(self.history.ply() - pv.len());
        pv
    }

    /// Works on the position until one of its numbers reaches its limit. `left` plies may still be played, at
    /// least one; there is at least one move.
    fn work(&mut self, moves: &[G::Move], limit: ProofNumbers, left: u32) -> Worked<G::Move> {
        let mut children: Vec<Child<G::Move>> = Vec::with_capacity(moves.len());
        for &mv in moves {
            let child = self.visit(mv, left - 1);
            let is_enough = child.numbers.other == 0;
            children.push(child);
            if is_enough {
                break;
            }
        }
        loop {
            let (numbers, plies, best) = combine(&children);
            if numbers.own >= limit.own
                || numbers.other >= limit.other
                || numbers.is_settled()
                || self.is_stopped
            {
                return Worked {
                    numbers,
                    plies,
                    mv: children[best].mv,
                };
            }
            let runner_up = runner_up(&children, best);
            let child = &mut children[best];
            let limit = ProofNumbers {
                own: limit.other - (numbers.other - child.numbers.own),
                // A little more than the runner-up needs, lest the search jumps to and fro.
                other: limit.own.min((runner_up + runner_up / 4).saturating_add(1)),
            };
            self.history.play(child.mv);
            let mut replies = Vec::new();
            self.history
                .game()
                .moves(self.history.position(), &mut replies);
            let worked = self.work(&replies, limit, left - 1);
            self.history.undo();
            (child.numbers, child.plies) = (worked.numbers, worked.plies);
            self.memory.put(Known {
                key: child.key,
                numbers: child.numbers,
                plies: child.plies,
            });
        }
    }

    /// Looks at the position after a move, `left` plies before the limit.
    fn visit(&mut self, mv: G::Move, left: u32) -> Child<G::Move> {
        self.count();
        self.history.play(mv);
        let (game, position) = (self.history.game(), self.history.position());
        let is_attacker = self.history.side() == self.attacker;
        let key =
            game.search_key(position) ^ u64::from(left + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let goal = |is_reached| {
            if is_reached {
                ProofNumbers::REACHED
            } else {
                ProofNumbers::FAILED
            }
        };
        let (numbers, plies) = match self.history.outcome() {
            Some(outcome) => (
                goal(is_attacker == (outcome == Outcome::Win(self.attacker))),
                0,
            ),
            None if left == 0 => (goal(!is_attacker), 0),
            None if game.win_in_one(position).is_some() => (ProofNumbers::REACHED, 1),
            None => self
                .memory
                .get(key)
                .map_or((ProofNumbers::UNKNOWN, 0), |known| {
                    (known.numbers, known.plies)
                }),
        };
        self.history.undo();
        Child {
            mv,
            key,
            numbers,
            plies,
        }
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1 << 20) {
            (self.progress)(self.nodes);
        }
        let is_out_of_time = || {
            let hard = self.limits.budget.map(|budget| budget.hard);
            hard.is_some_and(|hard| {
                self.control
                    .elapsed()
                    .is_some_and(|elapsed| elapsed >= hard)
            })
        };
        self.is_stopped |= self.control.is_stopped()
            || self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
            || self.nodes.is_multiple_of(64) && is_out_of_time();
    }
}

/// The numbers of a position from those after its moves, the plies to its end where it is settled, and the move
/// that matters: the quickest way to the goal, the longest defence, or the most promising try.
fn combine<M>(children: &[Child<M>]) -> (ProofNumbers, u32, usize) {
    let least = |i: &usize| (children[*i].numbers.other, children[*i].plies);
    let best = (0..children.len())
        .min_by_key(least)
        .expect("a game that goes on has a move");
    let own = children[best].numbers.other;
    if own == 0 {
        return (ProofNumbers::REACHED, children[best].plies + 1, best);
    }
    if children.iter().all(|child| child.numbers.own == 0) {
        let longest = (0..children.len())
            .max_by_key(|&i| children[i].plies)
            .unwrap_or(best);
        return (ProofNumbers::FAILED, children[longest].plies + 1, longest);
    }
    let other = children.iter().fold(0, |sum: u32, child| {
        sum.saturating_add(child.numbers.own).min(MOST)
    });
    (ProofNumbers { own, other }, 0, best)
}

/// The least effort among the other moves.
fn runner_up<M>(children: &[Child<M>], best: usize) -> u32 {
    let others = children.iter().enumerate().filter(|(i, _)| *i != best);
    others
        .map(|(_, child)| child.numbers.other)
        .min()
        .unwrap_or(MOST)
        .min(MOST)
}
