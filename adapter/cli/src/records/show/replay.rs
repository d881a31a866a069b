//! A recorded game through which the user steps forward and back.

use draw::{Board, Room, TextPage, View};
use itertools::Itertools;
use kit::{DynHistory, Rejection, Side};
use record::game::GameRecord;
use record::registry::Rules;

use crate::output::one_line;
use crate::play::style::{WIDTH, fill};
use crate::records::render;

/// A game at one of its positions.
pub(super) struct Replay<'a> {
    pub(super) record: &'a GameRecord,
    /// Shape: one per move; empty if there is no comment.
    comments: Vec<String>,
    board: Box<dyn DynHistory>,
    /// Number of moves before the current position.
    pub(super) at: usize,
    is_ascii: bool,
}

impl<'a> Replay<'a> {
    /// The game at its start.
    ///
    /// # Errors
    /// The first move that the rules do not allow.
    pub(super) fn new(
        rules: &Rules,
        record: &'a GameRecord,
        comments: Vec<String>,
        is_ascii: bool,
    ) -> Result<Replay<'a>, Rejection> {
        let start = record.opening.prefix(0);
        let board = rules.open(&start)?;
        let mut rest = board.fork();
        for code in &record.moves {
            rest.play(code)?;
        }
        Ok(Replay {
            record,
            comments,
            board,
            at: 0,
            is_ascii,
        })
    }

    pub(super) fn n_plies(&self) -> usize {
        self.record.moves.len()
    }

    /// The position as a diagram.
    pub(super) fn diagram(&self) -> Board {
        self.board.diagram(View {
            ending: self.ending_below().as_deref(),
            ..View::default()
        })
    }

    /// Goes to the position after this many moves, or to the last one.
    pub(super) fn go_to(&mut self, ply: usize) {
        let ply = ply.min(self.n_plies());
        while self.at > ply {
            self.board.undo();
            self.at -= 1;
        }
        while self.at < ply {
            self.board
                .play(&self.record.moves[self.at])
                .expect("the rules have allowed it");
            self.at += 1;
        }
    }

    /// The position as text, without a limit of size.
    pub(super) fn draw(&self) -> String {
        self.page(None).text(false)
    }

    /// The position as text, in the given space.
    pub(super) fn page(&self, room: Option<Room>) -> TextPage {
        self.board.page(View {
            is_ascii: self.is_ascii,
            ending: self.ending_below().as_deref(),
            room,
            ..View::default()
        })
    }

    /// The result of a game that did not end by its rules, below its last position.
    fn ending_below(&self) -> Option<String> {
        let GameRecord { result, reason, .. } = self.record;
        let is_last = self.at == self.n_plies();
        let caption = || result.caption(&self.board.side_names(), &one_line(reason));
        is_last.then(caption).flatten()
    }

    /// The move before the current position, with its player and comment; empty at the start.
    pub(super) fn last_move(&self) -> String {
        let Some(index) = self.at.checked_sub(1) else {
            return String::new();
        };
        let mut before = self.board.fork();
        before.undo();
        let side = before.side();
        let mover = &before.side_names()[side.index()];
        let name = match side {
            Side::P1 => &self.record.p1,
            Side::P2 => &self.record.p2,
        };
        let ply = self.record.plies.get(index).and_then(Option::as_ref);
        let name = ply.and_then(|ply| ply.by.as_ref()).unwrap_or(name);
        let code = &self.record.moves[index];
        let line = one_line(&format!("{}. {mover} ({name}): {code}", self.at)).into_owned();
        match self.comments.get(index).map(String::as_str) {
            None | Some("") => line,
            Some(comment) => {
                let comment = one_line(comment);
                fill(&format!("{line}  {{{comment}}}"), WIDTH).replace('\n', "\n    ")
            }
        }
    }

    /// The codes of all moves; every tenth is numbered, starting with the first.
    pub(super) fn codes(&self) -> String {
        let mut numbered = (1..).zip(&self.record.moves).map(|(number, code)| {
            let code = one_line(code);
            match number % 10 {
                1 => format!("{number}. {code}"),
                _ => code.into_owned(),
            }
        });
        fill(&numbered.join(" "), WIDTH)
    }

    /// The result of the game; if the rules ended it, with their description of the end.
    pub(super) fn ending(&self) -> String {
        let mut last = self.board.fork();
        for code in &self.record.moves[self.at..] {
            let _ = last.play(code);
        }
        let explained = last.outcome().and_then(|_| last.explain());
        render::shown(self.record, explained.as_deref())
    }
}
