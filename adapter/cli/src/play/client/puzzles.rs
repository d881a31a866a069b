//! Puzzles at a table: the person plays the side to move, and the built-in engine replies.
//!
//! In the script of `linesman puzzle`, the next puzzle follows a solved one, and another move after a wrong one is
//! another try; at a terminal a person takes the move back, or asks for the next puzzle.

use std::time::Instant;

use check::suite::Puzzle;
use kit::{Side, Value};
use protocol::text::excerpt;
use table::{Mover, NodeId, Role, SideSet, Sitter};

use super::Client;
use crate::analysis::puzzle::built_in;
use crate::args::PuzzleSet;
use crate::output::printable;

/// A puzzle at the table.
pub(super) struct PuzzleInPlay {
    index: usize,
    puzzle: Puzzle,
    n_tries: usize,
    n_hints: usize,
    /// 1 until it is counted in the score.
    n_new: usize,
    /// Set by a wrong move, cleared when the puzzle is solved.
    is_wrong: bool,
}

impl PuzzleInPlay {
    /// The best moves and their effect.
    fn solution(&self) -> String {
        format!("{} {}", self.puzzle.best.join(" or "), self.worth())
    }

    /// The effect of the best move, in words.
    fn worth(&self) -> String {
        let told = match self.puzzle.value {
            Some(Value::Win(1)) => "wins at once".to_owned(),
            Some(Value::Win(plies)) => format!("wins in {plies} plies"),
            Some(Value::Loss(plies)) => format!("delays the loss longest: {plies} plies"),
            Some(Value::Draw) => "keeps the draw".to_owned(),
            None => "is best".to_owned(),
        };
        match &self.puzzle.comment {
            Some(comment) => format!("{told} ({})", printable(comment)),
            None => told,
        }
    }

    /// The beginning of the best move: its first cell, or else the first half of its code.
    fn beginning(&self) -> String {
        let code = &self.puzzle.best[0];
        let first = code.split(|sign: char| !sign.is_alphanumeric()).next();
        match first.filter(|part| part.len() < code.len()) {
            Some(part) => part.to_owned(),
            None => code.chars().take(code.chars().count() / 2).collect(),
        }
    }
}

/// The numbers of puzzles that were tried, solved, and solved at the first try without help.
#[derive(Default)]
pub(super) struct PuzzleScore {
    n_asked: usize,
    n_solved: usize,
    n_at_once: usize,
}

impl Client<'_> {
    /// `puzzle`: poses the next puzzle of this board or the one of a number, or shows the solution.
    pub(super) fn puzzle(&mut self, rest: &str) {
        let is_hosts = |seat: &table::SeatInfo| seat.sitter == Sitter::Host;
        if self.role() != Role::Host || !self.game.snapshot().seats.iter().all(is_hosts) {
            return self.refuse("puzzle: only at a table without guests");
        }
        if rest.eq_ignore_ascii_case("answer") {
            return self.show_solution();
        }
        let puzzles = match self.puzzles() {
            Ok(puzzles) => puzzles,
            Err(why) => return self.refuse(&why),
        };
        let n_puzzles = puzzles.len();
        let open = self.talk.puzzle.as_ref();
        let index = match rest {
            "" => open.map_or(0, |puzzle| puzzle.index + 1),
            // 0 is no number of a puzzle.
            number => number.parse::<usize>().unwrap_or(0).wrapping_sub(1),
        };
        if index >= n_puzzles {
            let rest = excerpt(rest);
            return match rest.is_empty() {
                true if self.is_quiz() => self.leave(),
                true => self.refuse("puzzle: this was the last one"),
                false => self.refuse(&format!(
                    "puzzle: {rest:?}: type a number from 1 to {n_puzzles}, or answer"
                )),
            };
        }
        if open.is_none() && !self.may_abandon("puzzle", rest) {
            return;
        }
        let puzzle = puzzles[index].clone();
        let opening = puzzle.opening.clone();
        let board = puzzle.rules.open(&opening);
        let opponent = board.map(|board| SideSet::from(board.side().other()));
        self.next_puzzle = Some(PuzzleInPlay {
            index,
            puzzle,
            n_tries: 0,
            n_hints: 0,
            n_new: 1,
            is_wrong: false,
        });
        let is_auto = |side: &Side| !self.game.plays(*side);
        let autos = Side::BOTH.into_iter().filter(is_auto);
        let before = || (self.game.snapshot().opening.clone(), autos.collect());
        self.talk.before_puzzles.get_or_insert_with(before);
        self.begin(Some(opening), Vec::new(), opponent.ok());
    }

    /// `true` for the script of `linesman puzzle`.
    fn is_quiz(&self) -> bool {
        let set = self.talk.puzzle_set.as_ref();
        !self.screen.input_mode().is_live() && set.is_some_and(|set| set.first.is_some())
    }

    /// `true` if the next move of a script is another try at the puzzle, so that the last one is taken back first.
    pub(super) fn tries_again(&self) -> bool {
        let puzzle = self.talk.puzzle.as_ref();
        self.is_quiz() && !self.is_at_puzzle() && puzzle.is_some_and(|puzzle| puzzle.is_wrong)
    }

    /// `true` in the position of the puzzle.
    fn is_at_puzzle(&self) -> bool {
        self.talk.puzzle.is_some() && self.game.here() == NodeId::ROOT
    }

    /// The puzzles of this board.
    fn puzzles(&mut self) -> Result<Vec<Puzzle>, String> {
        if self.talk.puzzle_set.is_none() {
            let name = self.game.rules().entry().name;
            let puzzles = built_in(name, crate::GAMES).map_err(|error| error.text())?;
            self.talk.puzzle_set = Some(PuzzleSet {
                puzzles: puzzles.into(),
                first: None,
            });
        }
        let set = self.talk.puzzle_set.iter();
        let is_here = |puzzle: &&Puzzle| {
            let is_solvable =
                !puzzle.best.is_empty() && self.game.rules().open(&puzzle.opening).is_ok();
            is_solvable && puzzle.rules.entry().name == self.game.rules().entry().name
        };
        let puzzles = set.flat_map(|set| set.puzzles.iter()).filter(is_here);
        let puzzles: Vec<Puzzle> = puzzles.cloned().collect();
        let game = &self.game.snapshot().game;
        let none = || format!("puzzle: there is none of {game}");
        Some(puzzles).filter(|all| !all.is_empty()).ok_or_else(none)
    }

    /// Shows the puzzle that has just been set up, if another game begins for one.
    pub(super) fn show_puzzle(&mut self) {
        self.talk.puzzle = self.next_puzzle.take();
        let Some(PuzzleInPlay { index, puzzle, .. }) = &self.talk.puzzle else {
            self.talk.before_puzzles = None;
            return;
        };
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

    /// `hint` in the position of a puzzle: first the value, then the beginning of the move. `None` if the engine is to
    /// be asked.
    pub(super) fn puzzle_hint(&mut self) -> Option<String> {
        let is_here = self.is_at_puzzle();
        let puzzle = self.talk.puzzle.as_mut().filter(|_| is_here)?;
        puzzle.n_hints += 1;
        match (puzzle.n_hints, puzzle.beginning().as_str()) {
            (1, _) => Some(format!("hint: the best move {}", puzzle.worth())),
            (2, beginning) if !beginning.is_empty() => {
                Some(format!("hint: its code begins with {beginning}"))
            }
            _ => None,
        }
    }

    fn show_solution(&mut self) {
        let Some(puzzle) = &mut self.talk.puzzle else {
            return self.refuse("No puzzle is open. Type puzzle to get one.");
        };
        puzzle.n_hints += 1;
        let solution = puzzle.solution();
        self.talk.puzzle_score.n_asked += std::mem::take(&mut puzzle.n_new);
        self.say(&solution);
        if self.is_quiz() {
            let words = ["undo", "analyse 1", "puzzle"];
            self.queue_first(Instant::now(), &words[usize::from(!self.tries_again())..]);
        }
    }

    /// Judges the person's first move in a puzzle.
    pub(super) fn judge_try(&mut self, by: Mover) {
        let tree = self.game.tree();
        let is_first = tree.parent(self.game.here()) == NodeId::ROOT;
        let (Some(ply), Some(puzzle)) = (tree.ply(self.game.here()), &mut self.talk.puzzle) else {
            return;
        };
        if !is_first || by != Mover::Person {
            return;
        }
        puzzle.n_tries += 1;
        puzzle.is_wrong = !puzzle.puzzle.best.contains(&ply.code);
        let (n_tries, is_right) = (puzzle.n_tries, !puzzle.is_wrong);
        let score = &mut self.talk.puzzle_score;
        score.n_asked += std::mem::take(&mut puzzle.n_new);
        score.n_solved += usize::from(is_right);
        score.n_at_once += usize::from(is_right && (n_tries, puzzle.n_hints) == (1, 0));
        let right = format!("right, at try {n_tries}: {}", puzzle.solution());
        self.say(&match (is_right, self.is_quiz()) {
            (true, true) => right,
            (true, false) => format!("{right}; play on, or type puzzle for the next one"),
            (false, true) => "wrong: another try, hint, answer or next".to_owned(),
            (false, false) => "wrong: undo, and try again; hint and puzzle answer help".to_owned(),
        });
        if is_right && self.is_quiz() {
            self.queue_first(Instant::now(), &["puzzle"]);
        }
    }

    /// Says how many puzzles were solved, when the person leaves.
    pub(super) fn show_score(&mut self) {
        let score = std::mem::take(&mut self.talk.puzzle_score);
        let (n_asked, n_solved, n_at_once) = (score.n_asked, score.n_solved, score.n_at_once);
        if n_asked > 0 {
            self.say(&format!(
                "solved {n_solved} of {n_asked}, {n_at_once} at the first try"
            ));
        }
    }
}
