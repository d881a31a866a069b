//! Reading PGN files of our own writing.

use std::collections::HashMap;

use super::{GameRecord, GameResult, Termination};
use crate::opening::Opening;
use crate::plan::GameSpec;

/// A game as a PGN file holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct PgnGame {
    /// The line of its first tag, from 1.
    pub line: usize,
    /// What was played, where the file tells.
    pub game: Option<GameSpec>,
    /// The game, without what PGN does not tell: times, scores, faults.
    pub record: GameRecord,
}

/// Reads all games of a PGN text; words that are no part of ours are taken for moves.
pub fn read_pgn(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut draft = Draft::default();
    for (index, line) in text.lines().enumerate() {
        let tag = if draft.is_in_comment {
            None
        } else {
            parse_tag(line)
        };
        match tag {
            Some((name, value)) => {
                if !draft.words.is_empty() {
                    games.extend(std::mem::take(&mut draft).finish(games.len() + 1));
                }
                draft.line.get_or_insert(index + 1);
                draft.tags.insert(name.to_owned(), value);
            }
            None => draft.take_words(line),
        }
    }
    games.extend(draft.finish(games.len() + 1));
    games
}

#[derive(Default)]
struct Draft {
    line: Option<usize>,
    tags: HashMap<String, String>,
    words: Vec<String>,
    is_in_comment: bool,
}

impl Draft {
    /// Takes the words of a line of moves, but for move numbers and comments.
    fn take_words(&mut self, line: &str) {
        let mut word = String::new();
        for c in line.chars().chain([' ']) {
            match c {
                '}' => self.is_in_comment = false,
                _ if self.is_in_comment => {}
                '{' => self.is_in_comment = true,
                c if !c.is_whitespace() => {
                    word.push(c);
                    continue;
                }
                _ => {}
            }
            let whole = std::mem::take(&mut word);
            if !whole.is_empty() && !is_number(&whole) {
                self.words.push(whole);
            }
        }
    }

    fn finish(mut self, number: usize) -> Option<PgnGame> {
        let line = self.line?;
        let result = self.words.last().and_then(|word| parse_result(word));
        if result.is_some() {
            self.words.pop();
        }
        let mut tag = |name: &str| self.tags.remove(name).unwrap_or_default();
        let round = tag("Round");
        let (pair, game) = round.split_once('.').unwrap_or((&round, ""));
        let record = GameRecord {
            game: game.parse().unwrap_or(number),
            pair: pair.parse().unwrap_or(number),
            p1: tag("White"),
            p2: tag("Black"),
            opening: Opening {
                fen: self.tags.remove("FEN"),
                moves: Vec::new(),
            },
            plies: vec![None; self.words.len()],
            moves: self.words,
            result: result.unwrap_or(GameResult::Unknown),
            termination: Termination::Normal,
            reason: String::new(),
            date: String::new(),
            notes: Vec::new(),
            fault: None,
        };
        let game = self.tags.remove("Game").map(|name| GameSpec {
            name,
            options: self
                .tags
                .remove("Options")
                .map_or_else(Vec::new, |text| parse_options(&text)),
        });
        Some(PgnGame { line, game, record })
    }
}

/// `[Name "value"]`.
fn parse_tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, quoted) = inner.split_once(' ')?;
    let value = quoted.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

fn parse_options(text: &str) -> Vec<(String, String)> {
    let pairs = text
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn parse_result(word: &str) -> Option<GameResult> {
    [
        GameResult::P1Win,
        GameResult::P2Win,
        GameResult::Draw,
        GameResult::Unknown,
    ]
    .into_iter()
    .find(|result| result.to_string() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_back() {
        let text = "[Event \"x\"]\n[Round \"2.3\"]\n[White \"A \\\"a\\\"\"]\n[Black \"B\"]\n[FEN \"5/6 x 0\"]\n\n\
                    1. e5 {book} b2->c3 {+0.35/12\n0.513s} 2. 3@b2 {[x \"y\"]} {A wins} 1-0\n\n[Event \"y\"]\n\n1. a1 *\n";
        let games = read_pgn(text);
        assert_eq!(games.len(), 2);
        let (first, second) = (&games[0].record, &games[1].record);
        assert_eq!((first.pair, first.game), (2, 3));
        assert_eq!((first.p1.as_str(), first.p2.as_str()), ("A \"a\"", "B"));
        assert_eq!(first.opening.fen.as_deref(), Some("5/6 x 0"));
        assert_eq!(first.moves, ["e5", "b2->c3", "3@b2"]);
        assert_eq!(first.result, GameResult::P1Win);
        assert_eq!(
            (games[1].line, second.moves.as_slice()),
            (10, &["a1".to_owned()][..])
        );
        assert_eq!(second.result, GameResult::Unknown);
    }
}
