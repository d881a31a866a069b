//! Reading PGN files written by this program.

use std::collections::HashMap;

use kit::Side;

use super::writer::{is_move_number, unescape};
use crate::game::{GameRecord, GameResult, Termination};
use crate::game_spec::GameSpec;
use crate::opening::Opening;

/// A game of a PGN file.
#[derive(Debug, Clone, PartialEq)]
pub struct PgnGame {
    /// The line of its first tag, from 1.
    pub line: usize,
    /// The game and its options, if the file contains them.
    pub game: Option<GameSpec>,
    /// The game, without data that PGN lacks: times, scores and faults.
    pub record: GameRecord,
    /// The comments, one for each move; empty strings for moves without one.
    pub comments: Vec<String>,
}

/// Reads all games of a PGN text. Unknown words of the move text are treated as moves.
pub fn read_pgn(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut draft = Draft::default();
    let (mut rest, mut counted, mut n_lines) = (text.trim_start(), 0, 0);
    while !rest.is_empty() {
        let before = text.len() - rest.len();
        let line = rest.lines().next().unwrap_or_default();
        let earlier = text[..before].trim_end_matches([' ', '\t']);
        let begins_line = earlier.is_empty() || earlier.ends_with('\n');
        rest = match parse_tag(line).filter(|_| begins_line) {
            Some((name, value)) => {
                if !draft.words.is_empty() {
                    games.extend(std::mem::take(&mut draft).finish(games.len() + 1));
                }
                n_lines += text[counted..before].matches('\n').count();
                counted = before;
                draft.line.get_or_insert(n_lines + 1);
                // Some programs write `[white "..."]`.
                draft.tags.insert(name.to_ascii_lowercase(), value);
                &rest[line.len()..]
            }
            None => draft.read(rest),
        };
        rest = rest.trim_start();
    }
    games.extend(draft.finish(games.len() + 1));
    games
}

#[derive(Default)]
struct Draft {
    line: Option<usize>,
    tags: HashMap<String, String>,
    /// The codes and the result, each with `true` if it was in quotation marks.
    words: Vec<(String, bool)>,
    /// The comments, each with the number of words before it.
    comments: Vec<(usize, String)>,
    /// `true` if the moves begin with a number like `1...`.
    is_p2_first: bool,
}

impl Draft {
    /// Adds the first word, string or comment of this text. Returns the rest of the text.
    fn read<'a>(&mut self, text: &'a str) -> &'a str {
        if let Some(text) = text.strip_prefix('"') {
            return self.read_string(text);
        }
        let Some(text) = text.strip_prefix('{') else {
            return self.read_word(text);
        };
        let (comment, rest) = text.split_once('}').unwrap_or((text, ""));
        let lines = comment.lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        self.comments.push((self.words.len(), lines.join(" ")));
        rest
    }

    /// Splits the comments into the first one of each move and the reason of the result: the last comment after the
    /// last move, apart from that move's own, or the last comment of a game without moves.
    fn split_comments(&self, n_moves: usize) -> (Vec<String>, String) {
        let of = |n_before: usize| {
            let found = self.comments.iter().filter(move |(n, _)| *n == n_before);
            found.map(|(_, text)| text)
        };
        let first = |move_: usize| of(move_ + 1).next().cloned().unwrap_or_default();
        let reason = of(n_moves).skip(usize::from(n_moves > 0)).last();
        (
            (0..n_moves).map(first).collect(),
            reason.cloned().unwrap_or_default(),
        )
    }

    /// Adds a code in quotation marks, which end with the line at the latest. Returns the rest of the text.
    fn read_string<'a>(&mut self, text: &'a str) -> &'a str {
        let mut is_escaped = false;
        let is_end = |c: char| {
            let is_end = c == '\n' || c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        };
        let end = text.find(is_end).unwrap_or(text.len());
        self.words.push((unescape(&text[..end]), true));
        text.get(end + 1..).unwrap_or_default()
    }

    /// Adds a code, or skips a move number. Returns the rest of the text.
    fn read_word<'a>(&mut self, text: &'a str) -> &'a str {
        let is_end = |c: char| c.is_whitespace() || matches!(c, '{' | '}');
        let end = text.find(is_end).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        if is_move_number(word) {
            self.is_p2_first |= self.words.is_empty() && word.ends_with("...");
        } else if !word.is_empty() {
            self.words.push((word.to_owned(), false));
        }
        // Skip an unmatched closing brace.
        rest.strip_prefix('}').unwrap_or(rest)
    }

    fn finish(mut self, number: usize) -> Option<PgnGame> {
        let line = self.line?;
        let is_result = |(word, is_quoted): &mut (String, bool)| {
            !*is_quoted && word.parse::<GameResult>().is_ok()
        };
        let result = self.words.pop_if(is_result);
        let result = result.and_then(|(word, _)| word.parse().ok());
        let (comments, reason) = self.split_comments(self.words.len());
        let moves: Vec<String> = self.words.into_iter().map(|(code, _)| code).collect();
        let mut tag = |name: &str| self.tags.remove(name).unwrap_or_default();
        let round = tag("round");
        let (pair, game) = round.split_once('.').unwrap_or((&round, ""));
        let record = GameRecord {
            game: game.parse().unwrap_or(number),
            pair: pair.parse().unwrap_or(number),
            p1: tag("white"),
            p2: tag("black"),
            first: if self.is_p2_first { Side::P2 } else { Side::P1 },
            date: tag("date"),
            opening: Opening {
                fen: self.tags.remove("fen"),
                moves: Vec::new(),
            },
            plies: vec![None; moves.len()],
            moves,
            result: result.unwrap_or_default(),
            termination: Termination::Normal,
            reason,
            ..GameRecord::default()
        };
        let options = self.tags.remove("options").unwrap_or_default();
        let game = self.tags.remove("game");
        let game = game.map(|name| GameSpec::with_words(&name, &options));
        Some(PgnGame {
            line,
            game,
            record,
            comments,
        })
    }
}

/// Parses `[Name "value"]`.
fn parse_tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, quoted) = inner.split_once(' ')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let value = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    is_name.then(|| (name, unescape(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::pgn::writer::format_code;

    #[test]
    fn games_are_read_back() {
        let text = "[Event \"x\"]\n[round \"2.3\"]\n[white \"A \\\"a\\\"\"]\n[Black \"B\"]\n[fen \"5/6 x 0\"]\n\n\
                    1. e5 {book} b2->c3 {+0.35/12\n0.513s} 2. 3@b2 {[x \"y\"]} {A wins} 1-0\n\n[Event \"y\"]\n\n1. a1 *\n";
        let games = read_pgn(text);
        assert_eq!(games.len(), 2);
        let (first, second) = (&games[0].record, &games[1].record);
        assert_eq!((first.pair, first.game), (2, 3));
        assert_eq!((first.p1.as_str(), first.p2.as_str()), ("A \"a\"", "B"));
        assert_eq!(first.opening.fen.as_deref(), Some("5/6 x 0"));
        assert_eq!(first.moves, ["e5", "b2->c3", "3@b2"]);
        assert_eq!(first.result, GameResult::P1Win);
        assert_eq!(games[0].comments, ["book", "+0.35/12 0.513s", "[x \"y\"]"]);
        assert_eq!(first.reason, "A wins");
        assert!(games[1].comments[0].is_empty() && second.reason.is_empty());
        assert_eq!(games[1].line, 10);
        assert_eq!(second.moves, ["a1"]);
        assert_eq!(second.result, GameResult::Unknown);
    }

    #[test]
    fn what_has_no_tag_is_no_game() {
        assert_eq!(
            read_pgn("[[1, 2], [\"a\", \"b\"]]\n[\"edge\", \"a ring\"]\n e4"),
            []
        );
    }

    #[test]
    fn the_reason_of_a_result_is_no_comment_of_a_move() {
        let read = |moves: &str| {
            let games = read_pgn(&format!("[Event \"x\"]\n\n{moves}\n"));
            (games[0].comments.clone(), games[0].record.reason.clone())
        };
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        for (moves, comments, reason) in [
            ("1. e5 {+M1} 1-0", &["+M1"][..], ""),
            ("1. e5 {} {B resigns} 1-0", &[""], "B resigns"),
            (
                "1. e5 b2 {last} {B loses\non time} 1-0",
                &["", "last"],
                "B loses on time",
            ),
            ("{A resigns} 0-1", &[], "A resigns"),
            ("1. e5 {never closed", &["never closed"], ""),
        ] {
            assert_eq!(
                read(moves),
                (strings(comments), reason.to_owned()),
                "{moves}"
            );
        }
    }

    #[test]
    fn codes_of_any_kind_are_read_back() {
        let codes = "{x|1-0|a \"b\" \\|\u{1b}[2J|1.|e5|[Event \"x\"]";
        let codes: Vec<&str> = codes.split('|').collect();
        let words: Vec<String> = codes.iter().map(|code| format_code(code)).collect();
        let text = format!(
            "[Event \"x\"]\n\n1. {} {{book}} 0-1\n",
            words.join(" {+0.1/2 0.5s}\n")
        );
        let games = read_pgn(&text);
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].record.moves, codes);
        assert_eq!(games[0].record.result, GameResult::P2Win);
    }
}
