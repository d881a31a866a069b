//! Filters an engine's lines on the thread that reads them.
//!
//! Engines send thousands of `info` lines. The filter drops them, except `info error` and the last line with a score,
//! which is delivered with the `bestmove` that it belongs to.

use std::collections::VecDeque;
use std::time::Instant;

use crate::token_bucket::TokenBucket;
use memchr::memmem;
use protocol::line::RawLine;
use protocol::{Info, Line, Reply};

/// Selects the `info` lines with a score that are passed on during a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Infos {
    /// None; the last one is delivered with the `bestmove`.
    #[default]
    None,
    /// Those of the best line, at most 20 per second.
    Best,
    /// Those of all lines, at most 100 per second after the first 256.
    All,
}

impl Infos {
    /// Rate limit: the lines at once, and those per second.
    fn bounds(self) -> (f64, f64) {
        match self {
            Infos::None => (0.0, 0.0),
            Infos::Best => (1.0, 20.0),
            Infos::All => (256.0, 100.0),
        }
    }
}

/// Begins the text of an `info string` by which a bridge tells the user something.
pub const NOTE: &str = "note";

/// Maximum output of an engine before `ugiok`, in bytes.
pub(super) const MAX_GREETING: usize = 1 << 24;

/// A relevant line from an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    /// A `bestmove` line, valid or not.
    BestMove {
        /// The line.
        line: String,
        /// The last `info` line with a score since the previous `bestmove`.
        info: Option<Box<Info>>,
    },
    /// The engine has sent more than 16 MiB before `ugiok`. The rest of its output is dropped.
    EndlessGreeting,
    /// Any other relevant reply: of the handshake, `readyok`, `response`, `info error`, `info string learned …`.
    Reply(Reply),
}

/// A message with the time at which its bytes were read.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) at: Instant,
    pub(super) message: Message,
}

/// Parses lines as replies and drops irrelevant ones.
#[derive(Debug, Default)]
pub(super) struct EngineFilter {
    infos: Infos,
    /// The rate limit of `info` lines; `None` before the first one of a search.
    rate: Option<TokenBucket>,
    /// What the `info` lines of the best line have said in this search; a later line replaces what it repeats.
    scored: Option<Box<Info>>,
    /// Length of the output before `ugiok` or `uciok`, in bytes.
    greeting: usize,
    is_greeted: bool,
}

impl EngineFilter {
    /// Creates a filter that passes on the selected `info` lines.
    pub(super) fn new(infos: Infos) -> EngineFilter {
        EngineFilter {
            infos,
            ..EngineFilter::default()
        }
    }

    fn info(&mut self, line: &[u8]) -> Option<Message> {
        let rank = rank(line)?;
        if rank == Rank::Other && self.infos != Infos::All {
            return None;
        }
        let mut info = parse_info(line)?;
        info.score?;
        if rank == Rank::Best {
            let known = self.scored.take().unwrap_or_default();
            info.depth = info.depth.or(known.depth);
            info.nodes = info.nodes.or(known.nodes);
            if info.pv.is_empty() {
                info.pv = known.pv;
            }
            self.scored = Some(info.clone());
        }
        (self.infos != Infos::None && self.has_room()).then_some(Message::Reply(Reply::Info(*info)))
    }

    /// `true` if the rate limit allows another line now; counts that line.
    fn has_room(&mut self) -> bool {
        let (now, (capacity, per_second)) = (Instant::now(), self.infos.bounds());
        let full = || TokenBucket::full(capacity, per_second, now);
        self.rate.get_or_insert_with(full).take(1.0, now)
    }

    fn best_move(&mut self, line: String) -> Message {
        let info = self.scored.take();
        self.rate = None;
        Message::BestMove { line, info }
    }

    /// Adds the message of a line to the inbox, if it has one. Returns `true` for the noise of a search.
    pub(super) fn take(
        &mut self,
        at: Instant,
        line: RawLine<'_>,
        inbox: &mut VecDeque<Received>,
    ) -> bool {
        let (message, is_noise) = self.filter(line);
        inbox.extend(message.map(|message| Received { at, message }));
        is_noise
    }

    fn filter(&mut self, line: RawLine<'_>) -> (Option<Message>, bool) {
        if !self.is_greeted {
            let before = self.greeting;
            self.greeting += line.n_bytes();
            if self.greeting > MAX_GREETING {
                let is_first = before <= MAX_GREETING;
                return (is_first.then_some(Message::EndlessGreeting), false);
            }
        }
        let RawLine::Bytes(bytes) = line else {
            return (None, false);
        };
        let word = first_word(bytes);
        self.is_greeted |= matches!(word, b"ugiok" | b"uciok" | b"uaiok");
        let message = match word {
            b"readyok" => Some(Message::Reply(Reply::ReadyOk)),
            b"info" if !is_error(bytes) && !is_told(bytes) => return (self.info(bytes), true),
            b"bestmove" => text(line).map(|text| self.best_move(text)),
            b"info" | b"id" | b"option" | b"ugiok" | b"uciok" | b"uaiok" | b"response" => {
                let reply = text(line).and_then(|text| Reply::parse(&text).ok());
                reply.map(Message::Reply)
            }
            _ => None,
        };
        (message, false)
    }
}

fn text(line: RawLine<'_>) -> Option<String> {
    match line.to_line() {
        Line::Text(text) => Some(text),
        Line::TooLong(_) => None,
    }
}

/// White space separates words; NUL and vertical tab count as white space.
fn is_blank(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b)
}

fn first_word(line: &[u8]) -> &[u8] {
    words(line).next().unwrap_or_default()
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(is_blank).filter(|word| !word.is_empty())
}

fn is_error(line: &[u8]) -> bool {
    words(line).nth(1) == Some(b"error")
}

/// `true` for the message of an engine that has learned from a game, and for a note of a bridge.
fn is_told(line: &[u8]) -> bool {
    let mut words = words(line).skip(1);
    let is_text = words.next() == Some(b"string");
    is_text && matches!(words.next(), Some(word) if word == b"learned" || word == NOTE.as_bytes())
}

/// The line of a multi-PV search that an `info` line reports: the best one or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Best,
    Other,
}

/// `None` for a line without a score.
fn rank(line: &[u8]) -> Option<Rank> {
    // A text may contain any words.
    let end = memmem::find(line, b" string ").unwrap_or(line.len());
    let holds = |word: &[u8]| memmem::find(&line[..end], word).is_some();
    let is_best = !holds(b" multipv ") || holds(b" multipv 1 ");
    let rank = if is_best { Rank::Best } else { Rank::Other };
    holds(b" score ").then_some(rank)
}

fn parse_info(line: &[u8]) -> Option<Box<Info>> {
    match Reply::parse(&String::from_utf8_lossy(line)) {
        Ok(Reply::Info(info)) => Some(Box::new(info)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use protocol::Score;

    use super::*;

    fn filtered(filter: &mut EngineFilter, line: &str) -> (Option<Message>, bool) {
        filter.filter(RawLine::Bytes(line.as_bytes()))
    }

    #[test]
    fn info_goes_along_with_the_best_move() {
        let mut filter = EngineFilter::default();
        for line in [
            "info depth 3 score cp 5 pv a1",
            "info depth 4 multipv 2 score cp -9",
            "info string score",
            "info string the score is good",
            "info depth 9 string a score of cp 100",
            "info score of nothing",
        ] {
            let dropped = filtered(&mut filter, line);
            assert!(dropped.0.is_none() && dropped.1, "{line}");
        }
        let Some(Message::BestMove { line, info }) = filtered(&mut filter, "bestmove a1").0 else {
            panic!("a best move");
        };
        assert_eq!(line, "bestmove a1");
        assert_eq!(info.expect("a scored line").depth, Some(3));
        let Some(Message::BestMove { info: None, .. }) = filtered(&mut filter, "bestmove b1").0
        else {
            panic!("a score belongs to one move");
        };
    }

    #[test]
    fn a_line_unsets_nothing_that_another_said() {
        let mut filter = EngineFilter::default();
        for line in [
            "info depth 3 score cp 5 nodes 100 pv a1 b1",
            "info score cp 7 upperbound",
            "info depth 4 score mate string none",
            "info score mate 2 string score cp 9 depth 20",
        ] {
            filtered(&mut filter, line);
        }
        let message = filtered(&mut filter, "bestmove a1").0;
        let Some(Message::BestMove {
            info: Some(info), ..
        }) = message
        else {
            panic!("{message:?}");
        };
        assert_eq!((info.depth, info.nodes), (Some(3), Some(100)));
        assert_eq!((info.score, info.pv.len()), (Some(Score::Mate(2)), 2));
        assert_eq!(info.bound, None);
    }

    #[test]
    fn an_endless_greeting_is_cut_off() {
        let mut filter = EngineFilter::default();
        let line = format!("option name A type string default {}", "x".repeat(1 << 19));
        let messages: Vec<Message> = (0..1000)
            .filter_map(|_| filtered(&mut filter, &line).0)
            .collect();
        assert_eq!(messages.last(), Some(&Message::EndlessGreeting));
        assert!(messages.len() * line.len() <= MAX_GREETING + line.len());
        let mut filter = EngineFilter::default();
        filtered(&mut filter, "ugiok");
        let is_kept = |_: &i32| filtered(&mut filter, &line).0.is_some();
        assert_eq!(
            (0..100).filter(is_kept).count(),
            100,
            "the greeting is over"
        );
    }

    #[test]
    fn errors_and_what_an_engine_learned_are_passed_on() {
        let learned = "learned from game 7 (lost)".to_owned();
        for (line, reply) in [
            (
                "info error no such cell",
                Reply::Error("no such cell".to_owned()),
            ),
            (
                "info string learned from game 7 (lost)",
                Reply::string(learned),
            ),
        ] {
            let (message, is_noise) = filtered(&mut EngineFilter::default(), line);
            assert_eq!(message, Some(Message::Reply(reply)));
            assert!(!is_noise, "{line}");
        }
    }

    #[test]
    fn a_flood_of_info_is_thinned_out() {
        for (infos, least) in [(Infos::Best, 1), (Infos::All, 256)] {
            let mut filter = EngineFilter::new(infos);
            let told = |_: &i32| {
                let line = "info depth 1 score cp 0";
                filtered(&mut filter, line).0.is_some()
            };
            let n_told = (0..10_000).filter(told).count();
            assert!((least..10_000).contains(&n_told), "{infos:?}: {n_told}");
        }
    }

    #[test]
    fn other_lines_than_the_best_are_for_an_analysis() {
        let line = "info depth 4 multipv 2 score cp -9 pv b1";
        for (infos, is_told) in [
            (Infos::None, false),
            (Infos::Best, false),
            (Infos::All, true),
        ] {
            let mut filter = EngineFilter::new(infos);
            let message = filtered(&mut filter, line).0;
            assert_eq!(message.is_some(), is_told, "{infos:?}");
            let Some(Message::BestMove { info: None, .. }) = filtered(&mut filter, "bestmove a1").0
            else {
                panic!("{infos:?}: it is not the score of the best move");
            };
        }
    }

    #[test]
    fn junk_is_dropped_and_not_forgotten() {
        for line in ["", "junk", "\0\0junk\0", "option name", "bestmoves a1"] {
            let junk = filtered(&mut EngineFilter::default(), line);
            assert!(junk.0.is_none() && !junk.1, "{line:?}");
        }
    }
}
