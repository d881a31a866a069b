//! The position that a page shows: a node of the tree or a line from it, with orientation and style, converted to data
//! that the page can draw. For pages that ask for it (`packed=1`) the texts are smaller: long ones are compressed, and a
//! view contains only the parts of its diagram that the previous one did not contain.

use std::collections::HashMap;
use std::io::Write;

use axum::body::Bytes;
use axum::extract::ws::{self, Utf8Bytes};
use draw::{Board, View, svg};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use kit::{DynHistory, Rejection, Side};
use record::game::{Ending, GameResult};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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
    pub(crate) line: Vec<String>,
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
    /// The ways in which this board can be turned.
    turns: BoardTurns,
}

/// The ways in which a game can turn its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct BoardTurns {
    can_flip: bool,
    can_rotate: bool,
}

impl BoardTurns {
    pub(crate) fn of(board: &dyn DynHistory) -> BoardTurns {
        let drawn = |is_flipped, turns| {
            board.diagram(View {
                is_flipped,
                turns,
                ..View::default()
            })
        };
        let usual = drawn(false, 0);
        BoardTurns {
            can_flip: drawn(true, 0) != usual,
            can_rotate: drawn(false, 1) != usual,
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
    /// Returns the selected position of a game whose board can be turned in these ways.
    ///
    /// # Errors
    /// There is no such node, or a move of the line is illegal.
    pub(crate) fn find(&self, game: &ClientGame, turns: BoardTurns) -> Result<Position, Rejection> {
        let here = game.here();
        let node = self.node.unwrap_or(here);
        let mut board = match node == here {
            true => game.board().fork(),
            false => game.board_at(node)?,
        };
        let n_moves = self.line.len();
        if n_moves > MAX_LINE {
            let why = format!("A line has at most {MAX_LINE} moves, not {n_moves}.");
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
            turns,
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
            styles: board.diagram_styles().to_vec(),
            turns: position.turns,
        }
    }

    /// Draws a position as SVG.
    pub(crate) fn svg(&self, position: &Position) -> String {
        svg::write(&self.diagram(position))
    }

    /// The board of a position. A game that ended other than by its rules has no legal moves, and its result below.
    fn diagram(&self, position: &Position) -> Board {
        let board = position.board.as_ref();
        let ending = position.ending.as_ref();
        let ending = ending.filter(|_| board.outcome().is_none());
        let ending = ending.and_then(|it| it.result.caption(&board.side_names(), &it.reason));
        let manner = &self.manner;
        let is_known = board.diagram_styles().contains(&manner.style.as_str());
        board.diagram(View {
            style: if is_known { &manner.style } else { "" },
            is_flipped: manner.flipped,
            turns: manner.turns,
            ruled_out: &manner.ruled_out,
            ending: ending.as_deref(),
            ..View::default()
        })
    }
}

fn result(position: &Position, explain: Option<&str>) -> Option<ShownResult> {
    let (code, reason) = match (&position.ending, position.board.outcome()) {
        (Some(ending), _) => (ending.result, ending.reason.as_str()),
        (None, outcome) => (outcome?.into(), explain.unwrap_or("by the rules")),
    };
    let reason = reason.to_owned();
    Some(ShownResult { code, reason })
}

/// Texts below this length are not compressed, in bytes.
const MIN_PACKED: usize = 1024;

/// The lists of a diagram that are long.
const LISTS: [&str; 3] = ["shapes", "spots", "gestures"];

/// Prepares the messages for one page.
#[derive(Debug, Default)]
pub(crate) struct Packing {
    pub(crate) is_on: bool,
    /// The last diagram that was sent.
    diagram: Value,
}

impl Packing {
    /// Converts a text to a message.
    pub(crate) fn message(&self, text: String) -> ws::Message {
        if !self.is_on || text.len() < MIN_PACKED {
            return ws::Message::Text(Utf8Bytes::from(text));
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let written = encoder
            .write_all(text.as_bytes())
            .and_then(|()| encoder.finish());
        ws::Message::Binary(Bytes::from(written.expect("memory takes all")))
    }

    /// Formats the event of a view, with the changes of its diagram since the last one.
    pub(crate) fn view(&mut self, mut told: Value) -> String {
        if !self.is_on {
            return told.to_string();
        }
        let diagram = told["diagram"].clone();
        for name in LISTS {
            if let (Value::Array(old), Value::Array(new)) = (&self.diagram[name], &diagram[name]) {
                told["diagram"][name] = json!({ "changes": changes(old, new) });
            }
        }
        self.diagram = diagram;
        told.to_string()
    }
}

/// Describes a list by another one: `[start, length]` for items that are in the old list in this order, and other items
/// as they are.
pub(crate) fn changes(old: &[Value], new: &[Value]) -> Vec<Value> {
    let at: HashMap<String, usize> = old.iter().map(Value::to_string).zip(0..).collect();
    let mut parts: Vec<Value> = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    for item in new {
        if let Some((start, length)) = &mut run
            && old.get(*start + *length) == Some(item)
        {
            *length += 1;
            continue;
        }
        parts.extend(run.take().map(|run| json!(run)));
        match at.get(&item.to_string()) {
            Some(start) => run = Some((*start, 1)),
            None => parts.push(item.clone()),
        }
    }
    parts.extend(run.map(|run| json!(run)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_restored_from_its_changes() {
        let list =
            |ids: &[u32]| -> Vec<Value> { ids.iter().map(|id| json!({ "id": id })).collect() };
        let old = list(&[1, 2, 3, 4, 5, 6]);
        for (new, n_parts) in [
            (list(&[1, 2, 3, 4, 5, 6]), 1),
            (list(&[1, 2, 4, 5, 6]), 2),
            (list(&[1, 2, 9, 3, 4, 5, 6]), 3),
            (list(&[6, 1, 1, 8]), 4),
            (Vec::new(), 0),
        ] {
            let parts = changes(&old, &new);
            assert_eq!(parts.len(), n_parts, "{parts:?}");
            let restored = parts.iter().flat_map(|part| match part.as_array() {
                Some(run) => {
                    let number = |i: usize| run[i].as_u64().expect("a number") as usize;
                    old[number(0)..number(0) + number(1)].to_vec()
                }
                None => vec![part.clone()],
            });
            assert_eq!(restored.collect::<Vec<_>>(), new);
        }
    }
}
