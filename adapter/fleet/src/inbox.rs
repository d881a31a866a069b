//! Messages from workers to a coordinator: results, reassembled from their parts, and notices of lost pairs.

use std::collections::BTreeMap;

use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use serde_json::Value;

use referee::queue::PairReport;

use crate::signing::is_signed;
use crate::wire::MAX_RESULT;

/// Header with the number of a part and the number of parts, as in `2/3`.
pub(crate) const PART: &str = "Linesman-Part";

/// Header with the key of the message that a part belongs to.
pub(crate) const RESULT: &str = "Linesman-Result";

/// Header with the public key of the worker.
pub(crate) const KEY: &str = "Linesman-Key";

/// Header with the worker's signature of the whole message.
pub(crate) const SIGNATURE: &str = "Linesman-Signature";

/// Maximum number of incomplete results.
const MAX_OPEN: usize = 64;

/// Maximum number of their parts. The server delivers more messages than these before it waits for acknowledgements.
pub(crate) const MAX_HELD: usize = 2 * MAX_PARTS;

/// A decoded message.
#[derive(Debug)]
pub(crate) enum InboxMessage {
    /// Results of the worker with this public key, and their messages.
    Results(String, Vec<PairReport>, Vec<Message>),
    /// A pair has reached its delivery limit: its sequence number in the stream of pairs, and the number of deliveries.
    Lost(u64, u64, Vec<Message>),
    /// An invalid message or result, with the reason.
    Rejected(String, Vec<Message>),
    /// Part of a result that is still incomplete.
    Part,
}

/// Incomplete results.
#[derive(Debug)]
pub(crate) struct Inbox {
    /// Id of the match.
    id: String,
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
    pub(crate) fn new(id: &str) -> Inbox {
        Inbox {
            id: id.to_owned(),
            open: BTreeMap::new(),
        }
    }

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
            Ok(None) => whole(&self.id, vec![message]),
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
            return whole(&self.id, parts.parts.into_values().collect());
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

fn header<'h>(headers: Option<&'h HeaderMap>, name: &str) -> &'h str {
    let found = headers.and_then(|headers| headers.get(name));
    found.map_or("", |value| value.as_str())
}

/// Returns the key of the message that a part belongs to, the number of the part from 1, and the number of parts. `None`
/// for a message in one part. Parts with different signatures do not belong together.
fn part(headers: Option<&HeaderMap>) -> Result<Option<(String, usize, usize)>, String> {
    let text = header(headers, PART);
    if text.is_empty() {
        return Ok(None);
    }
    let numbers = text.split_once('/');
    let numbers = numbers
        .and_then(|(number, of)| Some((number.parse::<usize>().ok()?, of.parse::<usize>().ok()?)));
    let key = [RESULT, SIGNATURE].map(|name| header(headers, name));
    match numbers {
        Some((number, of))
            if (1..=of).contains(&number)
                && of <= MAX_PARTS
                && !key[0].is_empty()
                && key.iter().all(|text| text.len() <= 200) =>
        {
            Ok(Some((key.concat(), number, of)))
        }
        _ => Err("a part of an unknown result".to_owned()),
    }
}

/// Maximum number of parts of a result. A server accepts messages of at least 4 KiB.
const MAX_PARTS: usize = MAX_RESULT / 4096;

fn whole(id: &str, messages: Vec<Message>) -> InboxMessage {
    let n_bytes: usize = messages.iter().map(|message| message.payload.len()).sum();
    if n_bytes > MAX_RESULT {
        let why = format!("a result of {n_bytes} bytes: expected at most {MAX_RESULT}");
        return InboxMessage::Rejected(why, messages);
    }
    let joined: Vec<u8>;
    let bytes: &[u8] = match &messages[..] {
        [message] => &message.payload,
        messages => {
            let parts = messages.iter().flat_map(|message| message.payload.iter());
            joined = parts.copied().collect();
            &joined
        }
    };
    let headers = messages
        .first()
        .and_then(|message| message.headers.as_ref());
    let [key, signature] = [KEY, SIGNATURE].map(|name| header(headers, name));
    if !is_signed(key, signature, id, bytes) {
        return InboxMessage::Rejected("not signed by a worker".to_owned(), messages);
    }
    match serde_json::from_slice(bytes) {
        Ok(results) => InboxMessage::Results(key.to_owned(), results, messages),
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
