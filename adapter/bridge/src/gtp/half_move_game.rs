//! The game as a GTP controller sees it, in half moves.

use std::collections::BTreeSet;
use std::time::Instant;

use draw::View;
use kit::{DynHistory, Side};
use record::opening::Opening;

use super::command::colour;
use super::half_moves::{HalfMoves, SWAP, no_point, words_of};
use super::launch::layout_of;
use super::layout::Layout;
use super::picture::Picture;
use super::vertex::Click;
use crate::{BridgeError, BridgeSetup, GuiWords, HostedGame};

/// A game in half moves. The table knows whole moves only; the clicks of an unfinished move are kept here.
pub(super) struct HalfMoveGame {
    pub(super) hosted: HostedGame,
    pub(super) layout: Layout,
    /// Legal moves of the position.
    moves: HalfMoves,
    /// All that the controller has played and may undo.
    played: Vec<Played>,
    /// Clicks of the engine's chosen move, until its last half is made.
    chosen: Option<Vec<Click>>,
}

/// A move as the controller counts it.
#[derive(Clone, Copy)]
enum Played {
    /// A half move, which another one must follow.
    Half(Click),
    /// The last half of a move, or a whole one.
    Last,
    /// A pass that is no move of the game: after the end, or between the halves of the other side's move. Controllers that
    /// let the sides alternate, such as gogui-twogtp, fill the turn between two half moves of a side like that.
    Filler,
}

impl HalfMoveGame {
    /// # Errors
    /// The game does not fit a GTP board, or the table cannot be opened.
    pub(super) fn open(setup: &BridgeSetup) -> Result<HalfMoveGame, BridgeError> {
        let layout = layout_of(setup)?;
        let cell = move |_: &dyn DynHistory, cell: &str| {
            let point = layout.point(cell)?;
            Some(Click::At(point).to_string())
        };
        let words = GuiWords {
            colours: ["Black", "White"],
            cell: Box::new(cell),
        };
        let mut game = HalfMoveGame {
            hosted: HostedGame::open(setup, words)?,
            layout,
            moves: HalfMoves::default(),
            played: Vec::new(),
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
        self.moves.next(&self.made())
    }

    /// Returns the clicks of the unfinished move.
    fn made(&self) -> Vec<Click> {
        let whole = |played: &Played| matches!(played, Played::Last);
        let begin = self.played.iter().rposition(whole).map_or(0, |at| at + 1);
        let clicks = self.played[begin..]
            .iter()
            .filter_map(|played| match played {
                Played::Half(click) => Some(*click),
                _ => None,
            });
        clicks.collect()
    }

    /// Returns the board array with its graphics.
    pub(super) fn picture(&self) -> Picture {
        Picture::new(&self.board().diagram(View::default()), self.layout)
    }

    pub(super) fn graphics(&self) -> String {
        let mut picture = self.picture();
        picture.caption = self.hosted.in_gui_words(&picture.caption);
        if self.moves.clicks(SWAP).is_some() {
            picture.caption += " by a click on a stone";
        }
        picture.graphics(&self.made(), &self.next())
    }

    /// Makes a half move.
    ///
    /// # Errors
    /// The half move is illegal; the text gives the reason.
    pub(super) fn play(&mut self, side: Side, click: Click, at: Instant) -> Result<(), String> {
        if click == Click::Pass && self.pass_without_move(side) {
            return Ok(());
        }
        self.check_turn(side)?;
        if !self.next().contains(&click) {
            return Err(format!("illegal move: {click}"));
        }
        let mut clicks = self.made();
        clicks.push(click);
        let Some(code) = self.moves.code(&clicks).map(str::to_owned) else {
            self.played.push(Played::Half(click));
            return Ok(());
        };
        self.hosted.play(&code, at)?;
        self.complete()
    }

    /// Makes a pass that is no move of the game. Returns `false` if there is none.
    pub(super) fn pass_without_move(&mut self, side: Side) -> bool {
        let is_between =
            side != self.board().side() && matches!(self.played.last(), Some(Played::Half(_)));
        let is_filler = is_between || self.board().outcome().is_some();
        if is_filler {
            self.played.push(Played::Filler);
        }
        is_filler
    }

    /// Takes back the last half move.
    ///
    /// # Errors
    /// No half move has been made.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        let last = self.played.last();
        match last.ok_or("cannot undo: the game is at its beginning")? {
            Played::Filler => {}
            Played::Half(_) => self.chosen = None,
            Played::Last => {
                self.chosen = None;
                self.hosted.take_back(1)?;
                self.read_moves()?;
            }
        }
        self.played.pop();
        Ok(())
    }

    /// Starts a new game.
    ///
    /// # Errors
    /// The opening is illegal, or its board has another size.
    pub(super) fn begin(&mut self, opening: Option<Opening>) -> Result<(), String> {
        if let Some(opening) = &opening {
            let board = self.hosted.game().rules().open(opening);
            let other = board.map_err(|why| why.to_string())?.shape();
            if other != self.board().shape() {
                return Err(format!("a board of {other}: start a bridge for that size"));
            }
        }
        self.hosted.begin(opening)?;
        self.played.clear();
        self.chosen = None;
        self.read_moves()
    }

    /// Makes the next half of the engine's chosen move. `None` if the engine has to choose a move first.
    ///
    /// # Errors
    /// The engine cannot move here.
    pub(super) fn second_half(&mut self, side: Side, at: Instant) -> Result<Option<Click>, String> {
        self.check_turn(side)?;
        let (chosen, made) = (self.chosen.take().unwrap_or_default(), self.made());
        if let Some([click, ..]) = chosen.strip_prefix(made.as_slice()) {
            self.play(side, *click, at)?;
            return Ok(Some(*click));
        }
        if !made.is_empty() {
            let made = words_of(made);
            return Err(format!(
                "half of a move is entered, {made}: play the rest or undo it"
            ));
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
            self.complete()?;
            return Ok(first);
        }
        self.hosted.take_back(1)?;
        self.played.push(Played::Half(first));
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

    /// Records the last half of a move.
    fn complete(&mut self) -> Result<(), String> {
        self.played.push(Played::Last);
        self.chosen = None;
        self.read_moves()
    }

    fn read_moves(&mut self) -> Result<(), String> {
        self.moves = HalfMoves::new(self.layout, self.board())?;
        Ok(())
    }
}
