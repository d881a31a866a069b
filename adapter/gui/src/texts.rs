//! Positions and moves that a page sends as text, and links as QR codes.

use std::fmt::Write;

use kit::DynHistory;
use qrcodegen::{QrCode, QrCodeEcc};
use record::opening::Opening;
use record::registry::Rules;
use serde_json::{Value, json};
use table::typing::{TypingError, read_moves};

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
