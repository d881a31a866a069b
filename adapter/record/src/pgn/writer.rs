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
    /// For the games of a plan.
    pub fn new(registry: Registry, plan: &Plan) -> PgnFormat {
        PgnFormat {
            limits: plan.limits(),
            comments: plan.outputs.pgn_comments.clone(),
            ..PgnFormat::without_plan(registry, &plan.game)
        }
    }

    /// For games whose time control is not known.
    pub fn without_plan(registry: Registry, game: &GameSpec) -> PgnFormat {
        PgnFormat {
            game: game.name.clone(),
            rules: registry.rules(game).ok().flatten(),
            limits: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// Formats a finished game, followed by an empty line.
    pub fn text(&self, game: &GameRecord) -> String {
        self.format(game, |index| {
            let ply = game.plies.get(index).and_then(Option::as_ref);
            ply.map_or_else(
                || "{book}".to_owned(),
                |ply| format_ply(ply, &self.comments),
            )
        })
    }

    /// As [`text`](PgnFormat::text), with other comments, one for each move.
    pub fn annotated(&self, game: &GameRecord, comments: &[String]) -> String {
        self.format(game, |index| {
            format_comment_text(comments.get(index).map_or("", String::as_str))
        })
    }

    fn format(&self, game: &GameRecord, comment: impl Fn(usize) -> String) -> String {
        let rules = self.rules.as_ref();
        let base = rules.and_then(|rules| rules.open(&game.opening.prefix(0)).ok());
        let first = base.as_ref().map_or(game.first, |board| board.side());
        let moves = wrap(&move_words(game, first, &comment), WIDTH);
        let tags = self.tags(base.as_deref(), game);
        let tags = tags.map(|(name, value)| format!("[{name} {}]\n", quote(&value)));
        format!("{}\n{moves}\n\n", tags.collect::<String>())
    }

    fn tags(
        &self,
        base: Option<&dyn DynHistory>,
        game: &GameRecord,
    ) -> impl Iterator<Item = (&'static str, String)> + use<> {
        let fen = game.opening.fen.clone();
        let options = self.rules.iter().flat_map(|rules| rules.options().values());
        let options = options.map(|(name, value)| format!("{name}={value}"));
        let options = match options.collect::<Vec<_>>().join(" ") {
            none if none.is_empty() => "-".to_owned(),
            options => options,
        };
        // Readers of PGN know no variant of the name `-`.
        let shape = base.map(DynHistory::shape);
        let variant = shape.filter(|shape| !shape.is_empty());
        let tags = [
            ("Event", Some("Linesman match".to_owned())),
            ("Site", Some("?".to_owned())),
            ("Date", Some(game.date.clone())),
            ("Round", Some(format!("{}.{}", game.pair, game.game))),
            ("White", Some(game.p1.clone())),
            ("Black", Some(game.p2.clone())),
            ("Result", Some(game.result.to_string())),
            ("Game", Some(self.game.clone())),
            ("Variant", variant),
            ("Options", Some(options)),
            ("SetUp", fen.as_ref().map(|_| "1".to_owned())),
            ("FEN", fen),
            ("Termination", Some(game.termination.to_string())),
            ("TimeControl", Some(self.time_control(game))),
            ("PlyCount", Some(game.moves.len().to_string())),
        ];
        tags.into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
    }

    /// The time control of both players, or `White, Black` if they differ.
    fn time_control(&self, record: &GameRecord) -> String {
        let limit = |name: &str| {
            let known = self.limits.iter().find(|(known, _)| known == name);
            known.map_or_else(|| "?".to_owned(), |(_, limit)| limit.pgn_tag())
        };
        let (p1, p2) = (limit(&record.p1), limit(&record.p2));
        if p1 == p2 { p1 } else { format!("{p1}, {p2}") }
    }
}

/// The move text as words: move numbers, codes, comments and the result. Lines may break between words.
fn move_words(record: &GameRecord, first: Side, comment: &dyn Fn(usize) -> String) -> Vec<String> {
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
        match comment(index) {
            long if long.chars().count() > WIDTH => {
                words.extend(long.split(' ').map(str::to_owned));
            }
            comment => words.push(comment),
        }
    }
    if !record.reason.is_empty() {
        words.push(format_comment_text(&record.reason));
    }
    words.push(record.result.to_string());
    words
}

/// The comment of a move, with the player's name for partners and the optional contents: `{+0.35/12 0.513s A, n=1200,
/// nps=2339, pv="e5 b2"}`.
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
    format_comment_text(&text)
}

/// `{+0.35/12 0.513s}`; parts that the engine did not report are omitted.
pub fn format_comment(ply: &PlyRecord) -> String {
    format!("{{{}}}", format_thought(ply))
}

/// `+0.35/12 0.513s`; parts that the engine did not report are omitted.
pub fn format_thought(ply: &PlyRecord) -> String {
    let mut text = match ply.score {
        // Other programs expect a number.
        Some(Points::Draw) => Points::Cp(0).to_string(),
        score => score.map_or_else(String::new, |score| score.to_string()),
    };
    if let Some(depth) = ply.depth {
        let _ = write!(text, "/{depth}");
    }
    if !text.is_empty() {
        text.push(' ');
    }
    let _ = write!(text, "{:.3}s", ply.time);
    text
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
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        let digits = rest.as_str().strip_prefix("u{");
        let coded = digits.and_then(|digits| digits.split_once('}'));
        let coded = coded.and_then(|(digits, tail)| {
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(code)?, tail))
        });
        match coded {
            Some((c, tail)) => {
                plain.push(c);
                rest = tail.chars();
            }
            None => plain.extend(rest.next()),
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
    match is_word {
        true => code.to_owned(),
        false => quote(code),
    }
}

/// A comment in braces. Braces and unprintable characters in it are replaced by question marks.
pub(super) fn format_comment_text(text: &str) -> String {
    let is_held = |c: &char| !matches!(c, '{' | '}') && !is_unsafe(*c);
    let shown = |c: char| if is_held(&c) { c } else { '?' };
    format!("{{{}}}", text.chars().map(shown).collect::<String>())
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
