//! QR codes of links.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};
use serde_json::{Value, json};

/// Encodes a text: the number of modules on a side, and the dark ones as an SVG path. `null` if the text is too long.
pub(crate) fn encode(text: &str) -> Value {
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
