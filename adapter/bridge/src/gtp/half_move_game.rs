//! The game as a GTP controller sees it, in half moves.
//!
//! A GUI without rules sends one point at a time. The gestures of a game's board list the spots to click for each move,
//! and a [`Layout`] maps each spot to a point. A move of two clicks is two half moves: after the first, the side to move
//! stays the same, and the legal half moves are those that complete a move.

use std::collections::BTreeSet;
use std::time::Instant;

use draw::{Gesture, Input, View};
use kit::{DynHistory, Side};
use record::opening::Opening;

use super::{Click, Layout, Picture, colour, layout_of};
use crate::{BridgeError, BridgeSetup, Done, GuiWords, HostedGame};

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
    pub(super) fn open(setup: &BridgeSetup) -> Done<HalfMoveGame> {
        let layout = layout_of(setup)?;
        let cell =
            move |_: &dyn DynHistory, cell: &str| Some(Click::At(layout.point(cell)?).to_string());
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
        let clicks = self.played[self.played.iter().rposition(whole).map_or(0, |at| at + 1)..]
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

/// Code and button of the swap, which is a click on any stone: GoGui takes a pass for the end of the game.
pub(super) const SWAP: &str = "swap";

/// Legal moves of a position as clicks.
#[derive(Debug, Default)]
pub struct HalfMoves {
    /// Clicks and code of each legal move.
    moves: Vec<(Vec<Click>, String)>,
}

impl HalfMoves {
    /// Returns the legal moves of a position on the board of a layout.
    ///
    /// # Errors
    /// The board has no points for a move.
    pub(super) fn new(layout: Layout, board: &dyn DynHistory) -> Result<HalfMoves, String> {
        let diagram = board.diagram(View::default());
        let picture = Picture::new(&diagram, layout);
        let mut moves = Vec::new();
        for Gesture { code, input } in &diagram.gestures {
            let clicks: Option<Vec<Click>> = match input {
                Input::Button(name) if name == SWAP => {
                    let stones = picture.stones().map(Click::At);
                    moves.extend(stones.map(|stone| (vec![stone], code.clone())));
                    continue;
                }
                Input::Button(_) => Some(vec![Click::Pass]),
                Input::Spots(spots) => {
                    let points = spots.iter().map(|spot| layout.point(spot));
                    points.map(|point| point.map(Click::At)).collect()
                }
            };
            let clicks = clicks.filter(|clicks| !clicks.is_empty());
            moves.push((clicks.ok_or_else(|| no_point(code))?, code.clone()));
        }
        Ok(HalfMoves { moves })
    }

    /// Returns the clicks that may follow those made; none if no legal move begins with them, or they complete a move.
    pub fn next(&self, made: &[Click]) -> BTreeSet<Click> {
        let rest = self.moves.iter();
        let rest = rest.filter_map(|(clicks, _)| clicks.strip_prefix(made)?.first());
        rest.copied().collect()
    }

    /// Returns the code of the move that these clicks complete.
    pub fn code(&self, made: &[Click]) -> Option<&str> {
        let found = self.moves.iter().find(|(clicks, _)| clicks == made);
        found.map(|(_, code)| code.as_str())
    }

    /// Returns the clicks of a legal move, given its canonical code.
    pub fn clicks(&self, code: &str) -> Option<&[Click]> {
        let found = self.moves.iter().find(|(_, own)| own == code);
        found.map(|(clicks, _)| clicks.as_slice())
    }
}

/// Returns the legal moves of a position as half moves on a GTP board.
///
/// # Errors
/// The game fits no GTP board.
pub fn half_moves(game: &str, board: &dyn DynHistory) -> Result<HalfMoves, String> {
    HalfMoves::new(Layout::new(game, board)?, board)
}

/// Returns the error for a move that the GUI's board has no clicks for.
pub(super) fn no_point(code: &str) -> String {
    format!("{code}: the board has no point for this move")
}

/// Formats half moves, separated by spaces.
pub(super) fn words_of(clicks: impl IntoIterator<Item = Click>) -> String {
    let vertices = clicks.into_iter().map(|click| click.to_string());
    vertices.collect::<Vec<_>>().join(" ")
}
