//! Puzzles at a table: the person plays the side to move, and the built-in engine replies.

use check::suite::Puzzle;
use kit::Side;
use protocol::text::excerpt;
use table::{Mover, NodeId, Role, SideSet, Sitter, TableCommand};

use super::Client;
use crate::analysis::puzzle_set::{PuzzleSet, built_in, worth};

/// A puzzle at the table.
pub(super) struct PuzzleInPlay {
    index: usize,
    puzzle: Puzzle,
    n_tries: usize,
}

impl Client<'_> {
    /// `puzzle`: poses the next puzzle of this board or the one of a number, or shows the solution.
    pub(super) fn puzzle(&mut self, rest: &str, asked: Option<&str>) {
        let is_hosts = |seat: &table::SeatInfo| seat.sitter == Sitter::Host;
        if self.role() != Role::Host || !self.game.snapshot().seats.iter().all(is_hosts) {
            return self.refuse("puzzle: only at a table without guests");
        }
        if rest.eq_ignore_ascii_case("answer") {
            return match &self.talk.puzzle {
                Some(PuzzleInPlay { puzzle, .. }) => {
                    let answer = format!("{} {}", puzzle.best.join(" or "), worth(puzzle));
                    self.say(&answer);
                }
                None => self.refuse("No puzzle is open. Type puzzle to get one."),
            };
        }
        let puzzles = match self.puzzles() {
            Ok(puzzles) => puzzles,
            Err(why) => return self.refuse(&why),
        };
        let n_puzzles = puzzles.len();
        let next = self
            .talk
            .puzzle
            .as_ref()
            .map_or(0, |puzzle| puzzle.index + 1);
        let index = match rest {
            "" if next < n_puzzles => next,
            "" => return self.refuse("puzzle: this was the last one"),
            number => match number.parse().ok().filter(|n| (1..=n_puzzles).contains(n)) {
                Some(number) => number - 1,
                None => {
                    let rest = excerpt(rest);
                    return self.refuse(&format!(
                        "puzzle: {rest:?}: expected a number from 1 to {n_puzzles}, or answer"
                    ));
                }
            },
        };
        if self.talk.puzzle.is_none() && self.is_under_way() && !self.is_confirmed("puzzle", asked)
        {
            return self.say("The game is not over: type puzzle again to abandon it for a puzzle.");
        }
        let puzzle = puzzles[index].clone();
        let opening = Some(puzzle.opening.clone());
        let opponent = puzzle
            .rules
            .open(&puzzle.opening)
            .map(|board| board.side().other());
        self.next_puzzle = Some(PuzzleInPlay {
            index,
            puzzle,
            n_tries: 0,
        });
        if self.talk.before_puzzles.is_none() {
            let autos = Side::BOTH
                .into_iter()
                .filter(|side| !self.game.plays(*side));
            let opening = self.game.snapshot().opening.clone();
            self.talk.before_puzzles = Some((opening, autos.collect()));
        }
        self.ask(TableCommand::New {
            opening,
            lines: Vec::new(),
            auto: opponent.ok().map(SideSet::from),
        });
    }

    /// The puzzles of this board.
    fn puzzles(&mut self) -> Result<Vec<Puzzle>, String> {
        if self.talk.puzzle_set.is_none() {
            let name = self.game.rules().entry().name;
            let puzzles = built_in(name, crate::GAMES).map_err(|error| error.text())?;
            self.talk.puzzle_set = Some(PuzzleSet::new(puzzles, 1));
        }
        let all = self
            .talk
            .puzzle_set
            .iter()
            .flat_map(|set| set.puzzles.iter());
        let is_here = |puzzle: &&Puzzle| {
            let is_solvable = !puzzle.best.is_empty() && self.game.accepts(&puzzle.opening);
            is_solvable && puzzle.rules.entry().name == self.game.rules().entry().name
        };
        let puzzles: Vec<Puzzle> = all.filter(is_here).cloned().collect();
        match puzzles.is_empty() {
            true => Err(format!(
                "puzzle: there is none of {}",
                self.game.snapshot().game
            )),
            false => Ok(puzzles),
        }
    }

    /// Shows the puzzle that has just been set up, if another game begins for one.
    pub(super) fn show_puzzle(&mut self) {
        self.talk.puzzle = self.next_puzzle.take();
        if self.talk.puzzle.is_none() {
            self.talk.before_puzzles = None;
        }
        if let Some(PuzzleInPlay { index, puzzle, .. }) = &self.talk.puzzle {
            let side = self.game.side_name(self.game.board().side());
            let (number, name) = (index + 1, puzzle.name());
            self.say(&format!(
                "Puzzle {number}: {name}: the best move for {side}?"
            ));
            let [here, own] = [self.game.board().shape(), self.game.rules().start().shape()];
            if here != own {
                self.say(&format!(
                    "The board of this puzzle has {here}; new returns to {own}."
                ));
            }
        }
    }

    /// Judges the person's first move in a puzzle.
    pub(super) fn judge_try(&mut self, by: Mover) {
        let tree = self.game.tree();
        let is_first = tree.parent(self.game.here()) == NodeId::ROOT;
        let Some(ply) = tree.ply(self.game.here()) else {
            return;
        };
        let Some(state) = self
            .talk
            .puzzle
            .as_mut()
            .filter(|_| is_first && by == Mover::Person)
        else {
            return;
        };
        state.n_tries += 1;
        let (puzzle, n_tries) = (&state.puzzle, state.n_tries);
        let text = match puzzle.best.contains(&ply.code) {
            true => format!(
                "right, at try {n_tries}: {} {}; play on, or type puzzle for the next one",
                puzzle.best.join(" or "),
                worth(puzzle)
            ),
            false => "wrong: undo, and try again; hint and puzzle answer help".to_owned(),
        };
        self.say(&text);
    }
}
