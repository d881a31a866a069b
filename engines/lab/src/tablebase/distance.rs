//! Solving by distance to the end (retrograde analysis): first all ends, then the positions one ply from an end, and so
//! on. `sections` does the same for games in which the predecessors of a position are close together in memory.
//!
//! At distance `d` three passes run over the numbers. (1) From each position won in `d - 1` plies backward: an open
//! position before it is a candidate for a loss. (2) From each position lost in `d - 1` plies backward: what is open before
//! it is won in `d`. (3) Each candidate left is lost in `d` if all its moves lead to wins in fewer plies. Between two passes all
//! threads wait. Within one, threads that write the same cell write the same code.
//!
//! Indices are grouped in blocks of [`BLOCK`]. Each block has a flag for each pass that says whether the pass has work
//! there.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use kit::tablebase::code::{CANDIDATE, OPEN, UNUSED, code, loss, win};
use kit::tablebase::{Ending, InitialValue, MoveGraph, Successor, Walker};
use kit::{Game, Value};

use super::progress::{BuildError, BuildProgress};
use super::solver::{SharedCode, Solver, is_win_before};

/// Indices that share a flag; a divisor of the number that a thread takes at a time.
const BLOCK: u64 = 1 << 10;

/// Flags of the blocks that have work.
struct Flags(Vec<AtomicBool>);

impl Flags {
    fn new(n_indices: u64) -> Flags {
        let n_blocks = n_indices.div_ceil(BLOCK);
        Flags((0..n_blocks).map(|_| AtomicBool::new(false)).collect())
    }

    #[inline]
    fn set(&self, number: u64) {
        let flag = &self.0[(number / BLOCK) as usize];
        // Most are already set, and reading does not invalidate the cache line of other threads.
        if !flag.load(Relaxed) {
            flag.store(true, Relaxed);
        }
    }

    /// The blocks with work within a range of indices.
    fn blocks(&self, piece: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let blocks = piece.start / BLOCK..piece.end.div_ceil(BLOCK);
        let set = blocks.filter(|&block| self.0[block as usize].load(Relaxed));
        set.map(move |block| {
            let start = block * BLOCK;
            start..(start + BLOCK).min(piece.end)
        })
    }

    fn clear(&mut self) {
        self.0.iter_mut().for_each(|flag| *flag.get_mut() = false);
    }

    fn is_empty(&self) -> bool {
        !self.0.iter().any(|flag| flag.load(Relaxed))
    }
}

/// Memory for the flags in bytes.
pub(super) const fn n_flag_bytes(n_indices: u64) -> u64 {
    3 * n_indices.div_ceil(BLOCK)
}

pub(super) fn run<G: Game, M: MoveGraph<G>, C: SharedCode>(
    solver: &Solver<'_, M, C>,
    tell: &mut dyn FnMut(BuildProgress),
) -> Result<(), BuildError> {
    let n_indices = solver.graph.n_indices();
    // Blocks with positions solved at an even and at an odd distance since they were last processed.
    let mut solved = [(); 2].map(|()| Flags::new(n_indices));
    let mut candidates = Flags::new(n_indices);
    // Positions lost, and positions won that have been read again, since two threads may find the same win.
    let n_solved = AtomicU64::new(0);
    find_ends(solver, &solved, &n_solved, tell)?;
    let longest = M::MAX_PLIES.min(C::MAX_PLIES);
    for plies in 1.. {
        let (even, odd) = solved.split_at_mut(1);
        let (before, now) = match plies % 2 {
            0 => (&mut odd[0], &even[0]),
            _ => (&mut even[0], &odd[0]),
        };
        let pass = Pass {
            solver,
            plies,
            before,
            now,
            candidates: &candidates,
            n_solved: &n_solved,
        };
        pass.run(tell)?;
        before.clear();
        candidates.clear();
        if now.is_empty() {
            break;
        }
        if plies >= longest {
            return Err(BuildError::TooFar { plies: longest });
        }
    }
    Ok(())
}

/// Stores the initial state of each index.
fn find_ends<G: Game, M: MoveGraph<G>, C: SharedCode>(
    solver: &Solver<'_, M, C>,
    solved: &[Flags; 2],
    n_solved: &AtomicU64,
    tell: &mut dyn FnMut(BuildProgress),
) -> Result<(), BuildError> {
    let find = |walker: &mut M::Walker<'_>, piece: Range<u64>| {
        let mut n_lost = 0;
        for number in piece {
            let code = match walker.initial_value(number) {
                InitialValue::Open => OPEN,
                InitialValue::Unused => UNUSED,
                InitialValue::Known(value) => {
                    if let Value::Win(plies) | Value::Loss(plies) = value {
                        assert!(
                            plies < 2,
                            "only ends and what leads to them at once are known"
                        );
                        solved[plies as usize].set(number);
                    }
                    // Wins are counted when they are next read.
                    n_lost += u64::from(matches!(value, Value::Loss(_)));
                    code(value)
                }
            };
            solver.cell(number).store(code);
        }
        n_solved.fetch_add(n_lost, Relaxed);
    };
    let tell = &mut |done, of| {
        let n_solved = n_solved.load(Relaxed);
        tell(BuildProgress::distance(0, n_solved, done, of))
    };
    solver.scan(&(0..solver.graph.n_indices()), find, tell)
}

/// The solving of one distance.
struct Pass<'p, 'a, M, C> {
    solver: &'p Solver<'a, M, C>,
    /// The distance being solved, in plies.
    plies: u32,
    before: &'p Flags,
    now: &'p Flags,
    candidates: &'p Flags,
    n_solved: &'p AtomicU64,
}

impl<M, C: SharedCode> Pass<'_, '_, M, C> {
    fn run<G: Game>(&self, tell: &mut dyn FnMut(BuildProgress)) -> Result<(), BuildError>
    where
        M: MoveGraph<G>,
    {
        let mark = |walker: &mut M::Walker<'_>, piece| self.mark_candidates(walker, piece);
        let find_wins = |walker: &mut M::Walker<'_>, piece| self.find_wins(walker, piece);
        let find_losses = |walker: &mut M::Walker<'_>, piece| self.find_losses(walker, piece);
        self.scan(0, mark, tell)?;
        self.scan(1, find_wins, tell)?;
        self.scan(2, find_losses, tell)
    }

    /// Runs one pass over all indices.
    fn scan<'g, G: Game>(
        &'g self,
        step: u64,
        work: impl Fn(&mut M::Walker<'g>, Range<u64>) + Sync,
        tell: &mut dyn FnMut(BuildProgress),
    ) -> Result<(), BuildError>
    where
        M: MoveGraph<G>,
    {
        let mut tell = |done: u64, of: u64| {
            let (n_solved, done) = (self.n_solved.load(Relaxed), step * of + done);
            tell(BuildProgress::distance(self.plies, n_solved, done, 3 * of));
        };
        let numbers = 0..self.solver.graph.n_indices();
        self.solver.scan(&numbers, work, &mut tell)
    }

    fn mark_candidates(&self, walker: &mut impl Walker, piece: Range<u64>) {
        let won = win(self.plies - 1);
        let mut n_solved = 0;
        self.each(self.before, piece, won, |number| {
            n_solved += 1;
            walker.predecessors(number, |before| {
                let cell = self.solver.cell(before);
                if cell.load() == OPEN {
                    cell.store(CANDIDATE);
                    self.candidates.set(before);
                }
            });
        });
        self.n_solved.fetch_add(n_solved, Relaxed);
    }

    fn find_wins(&self, walker: &mut impl Walker, piece: Range<u64>) {
        let lost = loss(self.plies - 1);
        self.each(self.before, piece, lost, |number| {
            walker.predecessors(number, |before| {
                let cell = self.solver.cell(before);
                if matches!(cell.load(), OPEN | CANDIDATE) {
                    cell.store(win(self.plies));
                    self.now.set(before);
                }
            });
        });
    }

    fn find_losses(&self, walker: &mut impl Walker, piece: Range<u64>) {
        let mut n_solved = 0;
        self.each(self.candidates, piece, CANDIDATE, |number| {
            if self.loses(walker, number) {
                self.solver.cell(number).store(loss(self.plies));
                self.now.set(number);
                n_solved += 1;
            } else {
                self.solver.cell(number).store(OPEN);
            }
        });
        self.n_solved.fetch_add(n_solved, Relaxed);
    }

    /// `true` if each move leads to a win of the opponent.
    fn loses(&self, walker: &mut impl Walker, number: u64) -> bool {
        let mut loses = true;
        walker.successors(number, |successor| {
            loses = match successor {
                Successor::To(after) => is_win_before(self.solver.cell(after).load(), self.plies),
                Successor::End(ending) => ending == Ending::Loss,
            };
            match loses {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        loses
    }

    /// Calls `act` with each index of this code, in the blocks that have work.
    #[inline]
    fn each(&self, flags: &Flags, piece: Range<u64>, code: u16, mut act: impl FnMut(u64)) {
        for block in flags.blocks(piece) {
            for number in block {
                if self.solver.cell(number).load() == code {
                    act(number);
                }
            }
        }
    }
}
