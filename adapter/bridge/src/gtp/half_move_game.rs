//! The game as a GTP controller sees it, in half moves.

use std::collections::BTreeSet;
use std::time::Instant;

use kit::{DynHistory, Side, View};
use record::opening::Opening;

use super::board_moves::half_moves_on;
use super::command::colour;
use super::layout::{Layout, no_board};
use super::picture::Picture;
use super::vertex::Vertex;
use crate::half_moves::{Click, HalfMoves, no_point};
use crate::wording::in_gui_words;
use crate::{BridgeError, BridgeSetup, HostedGame};

/// A game in half moves. The table knows whole moves only; the clicks of an unfinished move are kept here.
pub(super) struct HalfMoveGame {
    pub(super) hosted: HostedGame,
    pub(super) layout: Layout,
    /// Legal moves of the position.
    moves: HalfMoves,
    /// Clicks of each whole move made.
    played: Vec<Vec<Click>>,
    /// Clicks of the unfinished move.
    made: Vec<Click>,
    /// Clicks of the engine's chosen move, until its last half is made.
    chosen: Option<Vec<Click>>,
}

impl HalfMoveGame {
    /// # Errors
    /// The game does not fit a GTP board, or the table cannot be opened.
    pub(super) fn open(setup: &BridgeSetup) -> Result<HalfMoveGame, BridgeError> {
        let hosted = HostedGame::open(setup)?;
        let name = &setup.game.name;
        let layout = Layout::new(name, hosted.board());
        let layout = layout.ok_or_else(|| BridgeError::Unsuitable(no_board(name)))?;
        let mut game = HalfMoveGame {
            hosted,
            layout,
            moves: HalfMoves::default(),
            played: Vec::new(),
            made: Vec::new(),
            chosen: None,
        };
        game.read_moves().map_err(BridgeError::Unsuitable)?;
        Ok(game)
    }

    pub(super) fn board(&self) -> &dyn DynHistory {
        self.hosted.board()
    }

    /// Returns the legal half moves; none after the end of the game.
    pub(super) fn next(&self) -> BTreeSet<Click> {
        self.moves.next(&self.made)
    }

    /// Returns the board array with its graphics.
    pub(super) fn picture(&self) -> Picture {
        Picture::new(&self.board().diagram(View::default()), self.layout)
    }

    pub(super) fn graphics(&self) -> String {
        let mut picture = self.picture();
        picture.caption = self.in_gui_words(&picture.caption);
        picture.graphics(&self.made, &self.next())
    }

    /// Returns a text of the game with GoGui's colours and vertices.
    pub(super) fn in_gui_words(&self, text: &str) -> String {
        let names = self.board().side_names();
        in_gui_words(text, &names, ["Black", "White"], |cell| {
            let point = self.layout.point(cell)?;
            Some(Vertex(Click::At(point)).to_string())
        })
    }

    /// Makes a half move.
    ///
    /// # Errors
    /// The half move is illegal; the text gives the reason.
    pub(super) fn play(&mut self, side: Side, click: Click, at: Instant) -> Result<(), String> {
        self.check_turn(side)?;
        if !self.next().contains(&click) {
            return Err(format!("illegal move: {}", Vertex(click)));
        }
        let mut clicks = self.made.clone();
        clicks.push(click);
        let Some(code) = self.moves.code(&clicks).map(str::to_owned) else {
            self.made = clicks;
            return Ok(());
        };
        let played = self.hosted.play(&code, at);
        played.map_err(|why| self.in_gui_words(&why))?;
        self.complete(clicks)
    }

    /// Takes back the last half move.
    ///
    /// # Errors
    /// No half move has been made.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        self.chosen = None;
        if self.made.pop().is_some() {
            return Ok(());
        }
        let nothing = || "cannot undo: the game is at its beginning".to_owned();
        let mut clicks = self.played.last().cloned().ok_or_else(nothing)?;
        self.hosted.take_back(1)?;
        self.played.pop();
        clicks.pop();
        self.made = clicks;
        self.read_moves()
    }

    /// Starts a new game.
    ///
    /// # Errors
    /// The opening is illegal, or its board has another size.
    pub(super) fn begin(&mut self, opening: Option<Opening>) -> Result<(), String> {
        let shape = self.board().shape();
        if let Some(opening) = &opening {
            let board = self.hosted.game().rules().open(opening);
            let board = board.map_err(|why| why.to_string())?;
            if board.shape() != shape {
                let other = board.shape();
                return Err(format!("a board of {other}: expected {shape}"));
            }
        }
        self.hosted.begin(opening)?;
        self.played.clear();
        self.made.clear();
        self.chosen = None;
        self.read_moves()
    }

    /// Makes the next half of the engine's chosen move. `None` if the engine has to choose a move first.
    ///
    /// # Errors
    /// The engine cannot move here.
    pub(super) fn second_half(&mut self, side: Side, at: Instant) -> Result<Option<Click>, String> {
        self.check_turn(side)?;
        let chosen = self.chosen.take();
        let chosen = chosen.as_deref();
        let rest = chosen.and_then(|clicks| clicks.strip_prefix(self.made.as_slice()));
        if let Some(&[click, ..]) = rest {
            self.play(side, click, at)?;
            return Ok(Some(click));
        }
        if !self.made.is_empty() {
            let made = words(self.made.iter().copied());
            let why = format!("half of a move is entered: {made}: expected play or undo");
            return Err(why);
        }
        Ok(None)
    }

    /// Records a move that the engine has made at the table, and returns its first half. A move of several halves is
    /// taken back at the table; it is made again when its last half is played.
    ///
    /// # Errors
    /// The table refuses to take back the move.
    pub(super) fn enter_engine_move(&mut self, code: &str) -> Result<Click, String> {
        let clicks = self.moves.clicks(code).map(<[Click]>::to_vec);
        let clicks = clicks.ok_or_else(|| no_point(code))?;
        let first = clicks[0];
        if clicks.len() == 1 {
            self.complete(clicks)?;
            return Ok(first);
        }
        self.hosted.take_back(1)?;
        self.made = vec![first];
        self.chosen = Some(clicks);
        Ok(first)
    }

    fn check_turn(&self, side: Side) -> Result<(), String> {
        if self.board().outcome().is_some() {
            return Err("the game is over".to_owned());
        }
        let to_move = self.board().side();
        match side == to_move {
            true => Ok(()),
            false => Err(format!("{} is to move", colour(to_move))),
        }
    }

    /// Records a whole move.
    fn complete(&mut self, clicks: Vec<Click>) -> Result<(), String> {
        self.played.push(clicks);
        self.made.clear();
        self.chosen = None;
        self.read_moves()
    }

    fn read_moves(&mut self) -> Result<(), String> {
        self.moves = half_moves_on(self.layout, self.board())?;
        Ok(())
    }
}

/// Formats half moves, separated by spaces.
pub(super) fn words(clicks: impl Iterator<Item = Click>) -> String {
    let vertices = clicks.map(|click| Vertex(click).to_string());
    vertices.collect::<Vec<_>>().join(" ")
}
