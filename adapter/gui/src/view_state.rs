//! The position that a page shows: a node of the tree or a line from it, with orientation and style, converted to data
//! that the page can draw.

use draw::{
    Board, View,
    svg::{self, Theme},
};
use kit::{DynHistory, Rejection, Side};
use record::game::{Ending, GameResult};
use serde::{Deserialize, Serialize};
use table::{ClientGame, NodeId};

/// Maximum length of a line beyond a node, in plies.
const MAX_LINE: usize = 256;

/// The selected position and its presentation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct ViewState {
    /// Node; absent to follow the game.
    pub(crate) node: Option<NodeId>,
    /// Moves from the node, shown without being played.
    line: Vec<String>,
    #[serde(flatten)]
    manner: Manner,
}

/// Presentation of a board.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
struct Manner {
    turns: u8,
    flipped: bool,
    ruled_out: Vec<String>,
    style: String,
}

/// A position to be shown.
pub(crate) struct Position {
    pub(crate) board: Box<dyn DynHistory>,
    node: Option<NodeId>,
    line: Vec<String>,
    /// The move that led to it.
    last: Option<String>,
    /// Result of the game, if it ended there.
    ending: Option<Ending>,
    /// Whether this board can be turned.
    pub(crate) turns: BoardTurns,
}

/// Whether a game draws its board from other directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct BoardTurns {
    can_flip: bool,
    can_rotate: bool,
}

impl BoardTurns {
    pub(crate) fn of(board: &dyn DynHistory) -> BoardTurns {
        let usual = board.diagram(View::default());
        let flipped = View {
            is_flipped: true,
            ..View::default()
        };
        let rotated = View {
            turns: 1,
            ..View::default()
        };
        BoardTurns {
            can_flip: board.diagram(flipped) != usual,
            can_rotate: board.diagram(rotated) != usual,
        }
    }
}

/// A position in the form that pages draw. It repeats the request that it answers.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Shown {
    node: Option<NodeId>,
    /// `true` while the page follows the game.
    follows: bool,
    line: Vec<String>,
    #[serde(flatten)]
    manner: Manner,
    ply: usize,
    fen: String,
    last: Option<String>,
    /// Side to move; in a finished game, the side that would move next.
    side: Side,
    /// Names of the sides on the current board.
    names: [String; 2],
    diagram: Board,
    explain: Option<String>,
    result: Option<ShownResult>,
    styles: Vec<&'static str>,
    #[serde(flatten)]
    turns: BoardTurns,
}

/// Result of a game.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShownResult {
    code: GameResult,
    reason: String,
}

impl Position {
    /// Returns a position outside any game.
    pub(crate) fn alone(board: Box<dyn DynHistory>, last: Option<String>) -> Position {
        Position {
            board,
            node: None,
            line: Vec::new(),
            last,
            ending: None,
            turns: BoardTurns::default(),
        }
    }
}

impl ViewState {
    /// Follows the game from now on, in the same presentation.
    pub(crate) fn follow(&mut self) {
        self.node = None;
        self.line.clear();
    }

    /// Returns the selected position of a game.
    ///
    /// # Errors
    /// There is no such node, or a move of the line is illegal.
    pub(crate) fn find(&self, game: &ClientGame) -> Result<Position, Rejection> {
        let here = game.here();
        let node = self.node.unwrap_or(here);
        let mut board = match node == here {
            true => game.board().fork(),
            false => game.board_at(node)?,
        };
        if self.line.len() > MAX_LINE {
            let why = format!("{} moves: expected at most {MAX_LINE}", self.line.len());
            return Err(Rejection(why));
        }
        let line = self.line.iter().map(|code| board.play(code));
        let line = line.collect::<Result<Vec<_>, _>>()?;
        let played = game.tree().ply(node).map(|ply| &ply.code);
        let opening = &game.snapshot().opening.moves;
        let last = line.last().or(played).or(opening.last()).cloned();
        let is_end = node == here && line.is_empty();
        Ok(Position {
            board,
            node: Some(node),
            line,
            last,
            ending: game.snapshot().ending.clone().filter(|_| is_end),
            turns: BoardTurns::default(),
        })
    }

    /// Converts a position. Beyond a node, no moves can be made.
    pub(crate) fn show(&self, position: &Position) -> Shown {
        let board = position.board.as_ref();
        let explain = board.explain();
        let mut diagram = self.diagram(position);
        if !position.line.is_empty() {
            diagram.gestures.clear();
        }
        Shown {
            node: position.node,
            follows: self.node.is_none(),
            line: position.line.clone(),
            manner: self.manner.clone(),
            ply: board.ply(),
            fen: board.fen(),
            last: position.last.clone(),
            side: board.side(),
            names: board.side_names(),
            diagram,
            result: result(position, explain.as_deref()),
            explain,
            styles: styles(board).collect(),
            turns: position.turns,
        }
    }

    /// Draws a position as SVG.
    pub(crate) fn svg(&self, position: &Position) -> String {
        svg::write(&self.diagram(position), Theme::Auto)
    }

    /// The board of a position. A game that ended other than by its rules has no legal moves, and its result below.
    fn diagram(&self, position: &Position) -> Board {
        let board = position.board.as_ref();
        let ending = position.ending.as_ref();
        let ending = ending.filter(|_| board.outcome().is_none());
        let ending = ending.and_then(|it| it.result.caption(&board.side_names(), &it.reason));
        board.diagram(View {
            ending: ending.as_deref(),
            ..self.view(board)
        })
    }

    fn view(&self, board: &dyn DynHistory) -> View<'_> {
        let manner = &self.manner;
        let is_known = styles(board).any(|style| style == manner.style);
        View {
            style: if is_known { &manner.style } else { "" },
            is_flipped: manner.flipped,
            turns: manner.turns,
            ruled_out: &manner.ruled_out,
            ..View::default()
        }
    }
}

fn styles(board: &dyn DynHistory) -> impl Iterator<Item = &'static str> {
    board.diagram_styles().iter().copied()
}

fn result(position: &Position, explain: Option<&str>) -> Option<ShownResult> {
    if let Some(ending) = &position.ending {
        return Some(ShownResult {
            code: ending.result,
            reason: ending.reason.clone(),
        });
    }
    let outcome = position.board.outcome()?;
    Some(ShownResult {
        code: outcome.into(),
        reason: explain.unwrap_or("by the rules").to_owned(),
    })
}
