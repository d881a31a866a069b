//! The PGN file of a match: the games of its ledger in the format of rating programs (Ordo, BayesElo) and PGN viewers.
//!
//! PGN escapes the quotation mark and the backslash of a string. Control characters and line separators become spaces.

use std::fmt::Write;

use kit::{DynHistory, Side};
use protocol::text::{is_unsafe, wrap};

use crate::clock::Limit;
use crate::game::{GameRecord, GameResult, PlyRecord, Points};
use crate::game_spec::GameSpec;
use crate::outputs::PgnComment;
use crate::plan::Plan;
use crate::registry::{Registry, Rules};

/// Line width of the move text.
const WIDTH: usize = 80;

/// Formats games as PGN.
#[derive(Debug)]
pub struct PgnFormat {
    /// The name of the game.
    game: String,
    rules: Option<Rules>,
    /// The names of the players, each with its time control; empty without a plan.
    limits: Vec<(String, Limit)>,
    comments: Vec<PgnComment>,
}

impl PgnFormat {
    /// For the games of a plan; without one, their time control is not known.
    pub fn new(registry: Registry, game: &GameSpec, plan: Option<&Plan>) -> PgnFormat {
        PgnFormat {
            game: game.name.clone(),
            rules: registry.rules(game).ok().flatten(),
            limits: plan.map_or_else(Vec::new, Plan::limits),
            comments: plan.map_or_else(Vec::new, |plan| plan.outputs.pgn_comments.clone()),
        }
    }

    /// Formats a finished game, followed by an empty line.
    pub fn text(&self, game: &GameRecord) -> String {
        let comment = |ply: &PlyRecord| format_ply(ply, &self.comments);
        let plies = game.plies.iter();
        let comments = plies.map(|ply| ply.as_ref().map_or_else(|| "book".to_owned(), comment));
        self.annotated(game, &comments.collect::<Vec<_>>())
    }

    /// As [`text`](PgnFormat::text), with other comments, one for each move.
    pub fn annotated(&self, game: &GameRecord, comments: &[String]) -> String {
        let rules = self.rules.as_ref();
        let base = rules.and_then(|rules| rules.open(&game.opening.prefix(0)).ok());
        let first = base.as_ref().map_or(game.first, |board| board.side());
        let mut text = String::new();
        for (name, value) in self.tags(base.as_deref(), game) {
            let _ = writeln!(text, "[{name} {}]", quote(&value));
        }
        let moves = wrap(&move_words(game, first, comments), WIDTH);
        text + "\n" + &moves + "\n\n"
    }

    fn tags(
        &self,
        base: Option<&dyn DynHistory>,
        game: &GameRecord,
    ) -> Vec<(&'static str, String)> {
        let mut tags = vec![
            ("Event", "Linesman match".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", game.date.clone()),
            ("Round", format!("{}.{}", game.pair, game.game)),
            ("White", game.p1.clone()),
            ("Black", game.p2.clone()),
            ("Result", game.result.to_string()),
            ("Game", self.game.clone()),
        ];
        // Readers of PGN know no variant of the name `-`.
        let shape = base.map(DynHistory::shape);
        tags.extend(
            shape
                .filter(|shape| !shape.is_empty())
                .map(|shape| ("Variant", shape)),
        );
        let options = self.rules.iter().flat_map(|rules| rules.options().values());
        let options = options.map(|(name, value)| format!("{name}={value}"));
        let options = options.collect::<Vec<_>>().join(" ");
        let options = Some(options).filter(|options| !options.is_empty());
        tags.push(("Options", options.unwrap_or_else(|| "-".to_owned())));
        if let Some(fen) = &game.opening.fen {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.clone())]);
        }
        let limit = |name: &str| {
            let known = self.limits.iter().find(|(known, _)| known == name);
            known.map_or_else(|| "?".to_owned(), |(_, limit)| limit.pgn_tag())
        };
        let (p1, p2) = (limit(&game.p1), limit(&game.p2));
        tags.extend([
            ("Termination", game.termination.to_string()),
            // `White, Black` if they differ.
            (
                "TimeControl",
                if p1 == p2 { p1 } else { format!("{p1}, {p2}") },
            ),
            ("PlyCount", game.moves.len().to_string()),
        ]);
        tags
    }
}

/// The move text as words: move numbers, codes, comments and the result. Lines may break between words.
fn move_words(record: &GameRecord, first: Side, comments: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    for (index, code) in record.moves.iter().enumerate() {
        let half_moves = index + first.index();
        if half_moves.is_multiple_of(2) {
            words.push(format!("{}.", half_moves / 2 + 1));
        } else if index == 0 {
            words.push(format!("{}...", half_moves / 2 + 1));
        }
        words.push(format_code(code));
        // A comment longer than a line is broken at its spaces.
        let comment = comments.get(index).map_or("", String::as_str);
        match format_comment(comment) {
            long if long.chars().count() > WIDTH => {
                words.extend(long.split(' ').map(str::to_owned));
            }
            comment => words.push(comment),
        }
    }
    if !record.reason.is_empty() {
        words.push(format_comment(&record.reason));
    }
    words.push(record.result.to_string());
    words
}

/// The comment of a move, with the player's name for partners and the optional contents: `+0.35/12 0.513s A, n=1200,
/// nps=2339, pv="e5 b2"`.
fn format_ply(ply: &PlyRecord, told: &[PgnComment]) -> String {
    let mut text = format_thought(ply);
    if let Some(name) = &ply.by {
        let _ = write!(text, " {name}");
    }
    if let Some(nodes) = ply.nodes {
        if told.contains(&PgnComment::Nodes) {
            let _ = write!(text, ", n={nodes}");
        }
        if told.contains(&PgnComment::Nps) && ply.time > 0.0 {
            let _ = write!(text, ", nps={:.0}", nodes as f64 / ply.time);
        }
    }
    // The line ends before a code that PGN would misread.
    let codes = ply.pv.iter().take_while(|code| format_code(code) == **code);
    let codes: Vec<&str> = codes.map(String::as_str).collect();
    if told.contains(&PgnComment::Pv) && !codes.is_empty() {
        let _ = write!(text, ", pv=\"{}\"", codes.join(" "));
    }
    text
}

/// `+0.35/12 0.513s`; parts that the engine did not report are omitted.
pub fn format_thought(ply: &PlyRecord) -> String {
    let score = ply.score.map(|score| match score {
        // Other programs expect a number.
        Points::Draw => Points::Cp(0).to_string(),
        score => score.to_string(),
    });
    let depth = ply.depth.map(|depth| format!("/{depth}"));
    let mut text = score.unwrap_or_default() + &depth.unwrap_or_default();
    if !text.is_empty() {
        text.push(' ');
    }
    text + &format!("{:.3}s", ply.time)
}

/// Quotes and escapes a string.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if is_unsafe(c) => quoted.extend(c.escape_unicode()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Unescapes the contents of a quoted string.
pub(super) fn unescape(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        let coded = part
            .strip_prefix("u{")
            .and_then(|digits| digits.split_once('}'));
        let coded = coded.and_then(|(digits, rest)| {
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(code)?, rest))
        });
        match coded {
            Some((c, rest)) => plain.extend([c.to_string().as_str(), rest]),
            // An escaped backslash; another one may follow.
            None if part.is_empty() => plain.extend(["\\", parts.next().unwrap_or_default()]),
            None => plain.push_str(part),
        }
    }
    plain
}

/// A move code as a word of the move text, quoted if PGN would misread it.
pub(super) fn format_code(code: &str) -> String {
    let is_special = |c: char| {
        c.is_whitespace() || is_unsafe(c) || matches!(c, '"' | '{' | '}' | '(' | ')' | ';')
    };
    let is_word = !code.is_empty()
        && !code.starts_with(['[', '$', '%', '<'])
        && !code.contains(is_special)
        && !is_move_number(code)
        && code.parse::<GameResult>().is_err();
    if is_word {
        code.to_owned()
    } else {
        quote(code)
    }
}

/// A comment in braces. Braces and unprintable characters in it are replaced by question marks.
fn format_comment(text: &str) -> String {
    let is_bad = |c: char| matches!(c, '{' | '}') || is_unsafe(c);
    format!("{{{}}}", text.replace(is_bad, "?"))
}

/// `true` for a move number: `12.` or `12...`.
pub(super) fn is_move_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_read_back() {
        let texts = ["", "a", "a \"b\"", "\\", "\\\"", "\\u{41}", "山"];
        for text in texts.into_iter().chain(["x\u{1b}[2J\n\u{202e}y"]) {
            let quoted = quote(text);
            assert!(!quoted.contains(char::is_control), "{quoted:?}");
            assert_eq!(unescape(&quoted[1..quoted.len() - 1]), text);
        }
    }

    #[test]
    fn codes_are_quoted_where_pgn_reads_something_else() {
        for code in ["e5", "b2->c3", "3@b2", "d7->d8", "pass", "0752", "-", "x-y"] {
            assert_eq!(format_code(code), code);
        }
        for code in "|{x|x}|1-0|*|1/2-1/2|1.|...|a b|;x|[x|(a)|$1|\u{1b}[2J".split('|') {
            assert!(format_code(code).starts_with('"'), "{code:?}");
        }
    }
}
