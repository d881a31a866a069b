//! Smaller messages for pages that ask for them (`packed=1`): long texts are compressed, and a view contains only the
//! parts of its diagram that the previous one did not contain.

use std::collections::HashMap;
use std::io::Write;

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

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
