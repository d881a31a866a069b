//! Positions and moves that a page sends as text, and links as QR codes.

use std::fmt::Write;

use kit::DynHistory;
use qrcodegen::{QrCode, QrCodeEcc};
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};
use serde_json::{Map, Value, json};
use table::paste;
use table::typing::{TypingError, read_moves};

use crate::games::choose;

/// Parses an opening: a position string, a drawn board, or `startpos moves ...`.
pub(crate) fn read_opening(rules: &Rules, text: Option<&str>) -> Result<Opening, String> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Ok(Opening::default());
    };
    let opening = Opening::parse(text);
    let parsed = rules.open(&opening);
    if parsed.is_ok() {
        return Ok(opening);
    }
    // `Opening::parse` loses the line breaks of a drawn board.
    let drawn = Opening::at(text.to_owned());
    match rules.open(&drawn) {
        Ok(board) => Ok(Opening::at(board.fen())),
        Err(_) => parsed.map(|_| opening).map_err(|why| why.to_string()),
    }
}

/// Returns the reason why a move is illegal, without the move; `None` if it is legal, or no move.
pub(crate) fn reason(board: &dyn DynHistory, code: &str) -> Option<String> {
    match read_moves(board, code) {
        Err(TypingError::Illegal { why, .. }) => {
            let bare = why.strip_prefix(&format!("{code}: "));
            Some(bare.unwrap_or(&why).to_owned())
        }
        Ok(_) | Err(TypingError::NoMove(_)) => None,
    }
}

/// Returns the only game that can read a text: a position string, or drawn boards and moves.
pub(crate) fn recognise(registry: Registry, text: &str) -> Result<(GameSpec, Rules), String> {
    let chosen = |name: &str| choose(registry, name, &Map::new()).ok();
    let names = registry.games().iter().map(|entry| entry.name);
    let opening = Opening::parse(text);
    let mut found: Vec<(GameSpec, Rules)> = names
        .filter_map(chosen)
        .filter(|(_, rules)| rules.open(&opening).is_ok())
        .collect();
    let names: Vec<String> = found.iter().map(|(game, _)| game.to_string()).collect();
    match (found.pop(), names.as_slice()) {
        (Some(only), [_]) => Ok(only),
        (None, _) => choose(
            registry,
            &paste::recognise(registry, text)?.name,
            &Map::new(),
        ),
        (Some(_), names) => Err(format!("the text fits {}: expected game", names.join(", "))),
    }
}

/// Encodes a text: the number of modules on a side, and the dark ones as an SVG path. `null` if the text is too long.
pub(crate) fn encode_qr(text: &str) -> Value {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else {
        return Value::Null;
    };
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            let _ = write!(path, "M{x},{y}h1v1h-1z");
        }
    }
    json!({ "size": code.size(), "path": path })
}
