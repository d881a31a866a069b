//! Messages from workers to a coordinator: results, reassembled from their parts, and notices of lost pairs.

use std::collections::BTreeMap;

use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use serde_json::Value;

use crate::wire::{MAX_RESULT, PairResult};

/// Header with the number of a part and the number of parts, as in `2/3`.
pub(crate) const PART: &str = "Linesman-Part";

/// Header with the key of the result that a part belongs to.
pub(crate) const RESULT: &str = "Linesman-Result";

/// Maximum number of incomplete results.
const MAX_OPEN: usize = 64;

/// Maximum number of their parts. The server delivers more messages than these before it waits for acknowledgements.
pub(crate) const MAX_HELD: usize = 2 * MAX_PARTS;

/// A decoded message.
#[derive(Debug)]
pub(crate) enum InboxMessage {
    /// A complete result, and its messages.
    Result(PairResult, Vec<Message>),
    /// A pair has reached its delivery limit: its sequence number in the stream of pairs, and the number of deliveries.
    Lost(u64, u64, Vec<Message>),
    /// An invalid message or result, with the reason.
    Rejected(String, Vec<Message>),
    /// Part of a result that is still incomplete.
    Part,
}

/// Incomplete results.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    open: BTreeMap<String, Parts>,
}

#[derive(Debug)]
struct Parts {
    parts: BTreeMap<usize, Message>,
    of: usize,
    /// Order of arrival. The oldest result is dropped first.
    number: u64,
}

impl Inbox {
    /// Decodes a message of the stream of results.
    pub(crate) fn take(&mut self, message: Message) -> InboxMessage {
        if message.subject.starts_with("$JS.") {
            return match lost(&message.payload) {
                Some((sequence, deliveries)) => {
                    InboxMessage::Lost(sequence, deliveries, vec![message])
                }
                None => InboxMessage::Rejected(
                    "not an advisory of the server".to_owned(),
                    vec![message],
                ),
            };
        }
        match part(message.headers.as_ref()) {
            Ok(None) => whole(vec![message]),
            Ok(Some((key, number, of))) => self.add_part(key, number, of, message),
            Err(why) => InboxMessage::Rejected(why, vec![message]),
        }
    }

    fn add_part(
        &mut self,
        key: String,
        number: usize,
        of: usize,
        message: Message,
    ) -> InboxMessage {
        let last = self.open.values().map(|parts| parts.number).max();
        let parts = self.open.entry(key.clone()).or_insert_with(|| Parts {
            parts: BTreeMap::new(),
            of,
            number: last.unwrap_or(0) + 1,
        });
        if parts.of != of {
            return InboxMessage::Rejected("parts of different results".to_owned(), vec![message]);
        }
        parts.parts.insert(number, message);
        if parts.parts.len() == of {
            let parts = self.open.remove(&key).expect("it is there");
            return whole(parts.parts.into_values().collect());
        }
        self.drop_oldest()
    }

    fn drop_oldest(&mut self) -> InboxMessage {
        let n_held: usize = self.open.values().map(|parts| parts.parts.len()).sum();
        if self.open.len() <= MAX_OPEN && n_held <= MAX_HELD {
            return InboxMessage::Part;
        }
        let oldest = self.open.iter().min_by_key(|(_, parts)| parts.number);
        let key = oldest.map(|(key, _)| key.clone());
        let parts = key.and_then(|key| self.open.remove(&key));
        let messages = parts.map_or_else(Vec::new, |parts| parts.parts.into_values().collect());
        InboxMessage::Rejected("a result without all its parts".to_owned(), messages)
    }
}

/// Returns the key of the result that a part belongs to, the number of the part from 1, and the number of parts. `None`
/// for a result in one message.
fn part(headers: Option<&HeaderMap>) -> Result<Option<(String, usize, usize)>, String> {
    let header = |name: &str| Some(headers?.get(name)?.as_str().to_owned());
    let Some(text) = header(PART) else {
        return Ok(None);
    };
    let numbers = text.split_once('/');
    let numbers = numbers
        .and_then(|(number, of)| Some((number.parse::<usize>().ok()?, of.parse::<usize>().ok()?)));
    let key = header(RESULT).filter(|key| key.len() <= 200);
    match numbers.zip(key) {
        Some(((number, of), key)) if (1..=of).contains(&number) && of <= MAX_PARTS => {
            Ok(Some((key, number, of)))
        }
        _ => Err("a part of an unknown result".to_owned()),
    }
}

/// Maximum number of parts of a result. A server accepts messages of at least 4 KiB.
const MAX_PARTS: usize = MAX_RESULT / 4096;

fn whole(messages: Vec<Message>) -> InboxMessage {
    let n_bytes: usize = messages.iter().map(|message| message.payload.len()).sum();
    if n_bytes > MAX_RESULT {
        let why = format!("a result of {n_bytes} bytes: expected at most {MAX_RESULT}");
        return InboxMessage::Rejected(why, messages);
    }
    let read = match &messages[..] {
        [message] => serde_json::from_slice(&message.payload),
        messages => {
            let parts = messages.iter().flat_map(|message| message.payload.iter());
            serde_json::from_slice(&parts.copied().collect::<Vec<u8>>())
        }
    };
    match read {
        Ok(result) => InboxMessage::Result(result, messages),
        Err(error) => InboxMessage::Rejected(format!("not a result: {error}"), messages),
    }
}

/// Returns the sequence number of a message and its number of deliveries.
fn lost(advisory: &[u8]) -> Option<(u64, u64)> {
    let advisory: Value = serde_json::from_slice(advisory).ok()?;
    Some((
        advisory["stream_seq"].as_u64()?,
        advisory["deliveries"].as_u64()?,
    ))
}
