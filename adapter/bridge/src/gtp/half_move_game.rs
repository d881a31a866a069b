//! The game as a GTP controller sees it, in half moves.

use std::collections::BTreeSet;
use std::time::Instant;

use draw::{Input, View};
use kit::{DynHistory, Side};
use record::opening::Opening;

use super::command::colour;
use super::launch::layout_of;
use super::layout::Layout;
use super::picture::Picture;
use crate::half_moves::{Click, HalfMoves, no_point};
use crate::{BridgeError, BridgeSetup, GuiWords, HostedGame};

/// A game in half moves. The table knows whole moves only; the clicks of an unfinished move are kept here.
pub(super) struct HalfMoveGame {
    pub(super) hosted: HostedGame,
    pub(super) layout: Layout,
    /// Legal moves of the position.
    moves: HalfMoves,
    /// Half moves of each whole move made.
    played: Vec<Vec<HalfMove>>,
    /// Half moves of the unfinished move.
    made: Vec<HalfMove>,
    /// Number of passes after the end of the game.
    n_late_passes: usize,
    /// Clicks of the engine's chosen move, until its last half is made.
    chosen: Option<Vec<Click>>,
}

/// A half move as the controller counts it.
#[derive(Debug, Clone, Copy)]
struct HalfMove {
    click: Click,
    /// `true` if the other side has passed after it. Controllers that let the sides alternate, such as gogui-twogtp,
    /// fill the turn between two half moves of a side like that.
    is_filled: bool,
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
        let hosted = HostedGame::open(setup, words)?;
        let mut game = HalfMoveGame {
            hosted,
            layout,
            moves: HalfMoves::default(),
            played: Vec::new(),
            made: Vec::new(),
            n_late_passes: 0,
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
        self.moves.next(&self.clicks())
    }

    /// Returns the clicks of the unfinished move.
    fn clicks(&self) -> Vec<Click> {
        self.made.iter().map(|half| half.click).collect()
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
        picture.graphics(&self.clicks(), &self.next())
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
            return Err(format!("illegal move: {}", click));
        }
        let mut clicks = self.clicks();
        clicks.push(click);
        let Some(code) = self.moves.code(&clicks).map(str::to_owned) else {
            self.push(click);
            return Ok(());
        };
        self.hosted.play(&code, at)?;
        self.complete(click)
    }

    /// Makes a pass that is no move of the game: between the halves of the other side's move, or after the end. Returns
    /// `false` if there is none.
    pub(super) fn pass_without_move(&mut self, side: Side) -> bool {
        if self.board().outcome().is_some() {
            self.n_late_passes += 1;
            return true;
        }
        let is_other = side != self.board().side();
        match self
            .made
            .last_mut()
            .filter(|half| is_other && !half.is_filled)
        {
            Some(half) => {
                half.is_filled = true;
                true
            }
            None => false,
        }
    }

    /// Takes back the last half move.
    ///
    /// # Errors
    /// No half move has been made.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        if self.n_late_passes > 0 {
            self.n_late_passes -= 1;
            return Ok(());
        }
        match self.made.last_mut() {
            Some(half) if half.is_filled => {
                half.is_filled = false;
                return Ok(());
            }
            Some(_) => {
                self.chosen = None;
                self.made.pop();
                return Ok(());
            }
            None => self.chosen = None,
        }
        let nothing = || "cannot undo: the game is at its beginning".to_owned();
        let mut halves = self.played.last().cloned().ok_or_else(nothing)?;
        self.hosted.take_back(1)?;
        self.played.pop();
        halves.pop();
        self.made = halves;
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
                return Err(format!("a board of {other}: start a bridge for that size"));
            }
        }
        self.hosted.begin(opening)?;
        self.played.clear();
        self.made.clear();
        self.n_late_passes = 0;
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
        let made = self.clicks();
        let rest = chosen.and_then(|clicks| clicks.strip_prefix(made.as_slice()));
        if let Some(&[click, ..]) = rest {
            self.play(side, click, at)?;
            return Ok(Some(click));
        }
        if !self.made.is_empty() {
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
            self.complete(first)?;
            return Ok(first);
        }
        self.hosted.take_back(1)?;
        self.push(first);
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

    fn push(&mut self, click: Click) {
        self.made.push(HalfMove {
            click,
            is_filled: false,
        });
    }

    /// Records the last half of a move.
    fn complete(&mut self, click: Click) -> Result<(), String> {
        self.push(click);
        self.played.push(std::mem::take(&mut self.made));
        self.chosen = None;
        self.read_moves()
    }

    fn read_moves(&mut self) -> Result<(), String> {
        self.moves = half_moves_on(self.layout, self.board())?;
        Ok(())
    }
}

/// Formats half moves, separated by spaces.
pub(super) fn words_of(clicks: impl IntoIterator<Item = Click>) -> String {
    let vertices = clicks.into_iter().map(|click| click.to_string());
    vertices.collect::<Vec<_>>().join(" ")
}

/// Code and button of the swap, which is a click on any stone: GoGui takes a pass for the end of the game.
pub(super) const SWAP: &str = "swap";

/// Returns the legal moves of a position as half moves on a GTP board; `None` if the game fits no GTP board.
pub fn half_moves(game: &str, board: &dyn DynHistory) -> Option<Result<HalfMoves, String>> {
    let layout = Layout::new(game, board)?;
    Some(half_moves_on(layout, board))
}

pub(super) fn half_moves_on(layout: Layout, board: &dyn DynHistory) -> Result<HalfMoves, String> {
    let diagram = board.diagram(View::default());
    let stones: Vec<Click> = Picture::new(&diagram, layout)
        .stones()
        .map(Click::At)
        .collect();
    let mut moves = HalfMoves::new(&diagram, |gesture| match gesture {
        Input::Button(name) if name == SWAP => stones.first().map(|stone| vec![*stone]),
        Input::Button(_) => Some(vec![Click::Pass]),
        Input::Spots(spots) => {
            let points = spots.iter().map(|spot| layout.point(spot));
            points.map(|point| point.map(Click::At)).collect()
        }
    })?;
    if moves.clicks(SWAP).is_some() {
        for stone in stones.iter().skip(1) {
            moves.add(vec![*stone], SWAP);
        }
    }
    Ok(moves)
}
