//! Smaller messages for pages that ask for them (`packed=1`): long texts are compressed, and a view contains only the
//! parts of its diagram that the previous one did not contain.

use std::io::Write;

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

use crate::list_changes::changes;
use crate::view_state::Shown;
use crate::wire::Told;

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
    pub(crate) fn new(is_on: bool) -> Packing {
        Packing {
            is_on,
            diagram: Value::Null,
        }
    }

    /// Converts a text to a message.
    pub(crate) fn message(&self, text: String) -> Message {
        if !self.is_on || text.len() < MIN_PACKED {
            return Message::Text(Utf8Bytes::from(text));
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let written = encoder
            .write_all(text.as_bytes())
            .and_then(|()| encoder.finish());
        Message::Binary(Bytes::from(written.expect("memory takes all")))
    }

    /// Formats a view, with the changes of its diagram since the last one.
    pub(crate) fn view(&mut self, shown: &Shown) -> String {
        let told = Told::View(shown);
        if !self.is_on {
            return told.text();
        }
        let mut told = serde_json::to_value(told).expect("it is plain data");
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
