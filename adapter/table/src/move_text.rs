//! Moves as people write them in letters and documents: numbers, moves, and the words between them.
//!
//! A number is followed by one move or by the moves of both players: `1. e5`, `1. pass, b4-b3; 2. pass, c2-e2`,
//! `1... a5-c3`. Text in braces is a comment.

use kit::{DynHistory, Side};

/// The joints between the parts of a code, which blanks may surround.
const JOINTS: [&str; 3] = ["->", "-", "@"];

/// The number before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveNumber {
    pub(crate) value: usize,
    /// `true` for `1...`, after which the second player's move of a pair follows.
    pub(crate) is_second: bool,
}

/// The unit that the numbers of moves count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbering {
    Plies,
    Pairs,
}

impl Numbering {
    pub(crate) const BOTH: [Numbering; 2] = [Numbering::Plies, Numbering::Pairs];

    /// The ply that a number means, from 1.
    pub(crate) fn ply(self, number: MoveNumber) -> usize {
        match self {
            Numbering::Plies => number.value,
            Numbering::Pairs => 2 * number.value - usize::from(!number.is_second),
        }
    }

    /// The ply of the next move. A game of pairs in which player 2 begins has no first ply.
    pub(crate) fn next(self, board: &dyn DynHistory) -> usize {
        let next = board.ply() + 1;
        let is_odd = next % 2 == 1;
        match self {
            Numbering::Pairs if is_odd != (board.side() == Side::P1) => next + 1,
            _ => next,
        }
    }
}

/// A piece of text without numbers and separators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The number right before it.
    pub(crate) number: Option<MoveNumber>,
    pub(crate) text: String,
}

impl Segment {
    pub(crate) fn words(&self) -> Vec<&str> {
        self.text.split_whitespace().collect()
    }
}

/// Splits a line. `carried` is a number at the end of a line whose move follows on the next one.
pub(crate) fn segments(line: &str, carried: &mut Option<MoveNumber>) -> Vec<Segment> {
    let line = with_dots(&without_comments(line));
    let mut segments = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut end = |words: &mut Vec<&str>, number: &mut Option<MoveNumber>| {
        if !words.is_empty() {
            let text = join(words);
            let number = number.take();
            segments.push(Segment { number, text });
            words.clear();
        }
    };
    for word in line.split_whitespace() {
        let mut word = word.trim_matches(['\'', '"', '*', '_']);
        if let Some((number, rest)) = split_number(word) {
            end(&mut words, carried);
            *carried = Some(number);
            word = rest;
        }
        let bare = word.trim_end_matches([',', ';', '.', ':', '!', '?', '\'', '"', ')', ']']);
        if !bare.is_empty() {
            words.push(bare);
        }
        if bare.len() < word.len() {
            end(&mut words, carried);
        }
    }
    end(&mut words, carried);
    segments
}

/// Adds the dots of numbers in a list such as `1 e5 d4 2 e4 c3`: consecutive numbers, each before one or two words.
fn with_dots(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let n_numbers = words.iter().filter(|word| is_number(word)).count();
    let is_code = |word: &&str| {
        word.contains(|sign: char| sign.is_ascii_digit())
            && word.contains(|sign: char| sign.is_ascii_alphabetic())
    };
    // A single number is common in prose.
    let is_listed = n_numbers > 1 || words.iter().skip(1).all(is_code);
    let entries: Vec<&[&str]> = words.chunk_by(|_, next| !is_number(next)).collect();
    let value = |entry: &[&str]| entry[0].parse::<usize>().ok();
    let is_entry = |entry: &&[&str]| value(entry).is_some() && (2..=3).contains(&entry.len());
    let follows = |pair: &[&[&str]]| value(pair[1]) == value(pair[0]).map(|value| value + 1);
    if !is_listed || !entries.iter().all(is_entry) || !entries.windows(2).all(follows) {
        return line.to_owned();
    }
    let dotted = entries
        .iter()
        .map(|entry| format!("{}. {}", entry[0], entry[1..].join(" ")));
    dotted.collect::<Vec<_>>().join(" ")
}

/// Removes comments in braces, and replaces pairs of brackets by separators. A single `)` may end a number.
fn without_comments(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut depth = 0_usize;
    let mut n_open = 0_usize;
    for sign in line.chars() {
        match sign {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '(' | '[' => {
                n_open += 1;
                text.push_str(" , ");
            }
            ')' | ']' if n_open > 0 => {
                n_open -= 1;
                text.push_str(" , ");
            }
            _ => text.push(sign),
        }
    }
    text
}

/// Splits the number from a word such as `3.`, `3)`, `3:`, `3...` or `3.e5`.
fn split_number(word: &str) -> Option<(MoveNumber, &str)> {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let value = word[..word.len() - rest.len()].parse().ok()?;
    let after = rest.strip_prefix(['.', ')', ':'])?;
    let text = after.trim_start_matches(['.', ',']);
    let is_second = after.starts_with("..");
    let is_number = value > 0 && !text.starts_with(|sign: char| sign.is_ascii_digit());
    let is_piece = text.contains('@');
    (is_number || value > 0 && is_piece).then_some((MoveNumber { value, is_second }, text))
}

/// Joins words by blanks, without the blanks around the joint of a code: `b2 -> c3` becomes `b2->c3`.
fn join(words: &[&str]) -> String {
    let has_digit = |text: &str| text.contains(|sign: char| sign.is_ascii_digit());
    let mut joined = String::new();
    for (at, word) in words.iter().enumerate() {
        let last = joined.rsplit(' ').next().unwrap_or_default();
        let is_joint = |text: &&&str| text.len() < word.len() && word.starts_with(**text);
        let begins = JOINTS.contains(word) && words.get(at + 1).is_some_and(|next| has_digit(next))
            || JOINTS.iter().any(|joint| is_joint(&joint)) && has_digit(word);
        let continues = JOINTS.iter().any(|joint| last.ends_with(joint)) && has_digit(word);
        let is_glued = has_digit(last) && begins || continues && has_digit(last);
        if at > 0 && !is_glued {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> String {
        let segments = segments(line, &mut None);
        let shown = segments.iter().map(|segment| match segment.number {
            Some(number) if number.is_second => format!("{}...{}", number.value, segment.text),
            Some(number) => format!("{}.{}", number.value, segment.text),
            None => segment.text.clone(),
        });
        shown.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_line_is_split_at_numbers_and_separators() {
        for (line, expected) in [
            (
                "1. pass, b4-b3; 2. pass, c2-e2",
                "1.pass|b4-b3|2.pass|c2-e2",
            ),
            ("1..., b4-b3", "1...b4-b3"),
            ("1... a5-c3", "1...a5-c3"),
            ("1.e5 b2 2.c3", "1.e5 b2|2.c3"),
            ("2) b2 -> c3!?", "2.b2->c3"),
            ("2: 3 @ b2", "2.3@b2"),
            ("3@b2 a1 - b2", "3@b2 a1-b2"),
            ("1. e5 {my best, I think} (or 'b2')", "1.e5|or b2"),
            (
                "So - if after 1. pass, S plays: d4.",
                "So - if after|1.pass|S plays|d4",
            ),
            ("23:44:43 0. e5 1.5 inches", "23:44:43 0|e5 1.5 inches"),
            ("124. 2. pass", "2.pass"),
            ("1 e5 d4 2 e4 c3", "1.e5 d4|2.e4 c3"),
            ("7 b2->c3", "7.b2->c3"),
            ("1 pass b4-b3 2 pass", "1.pass b4-b3|2.pass"),
            ("3 e5 d4 5 e4 c3", "3 e5 d4 5 e4 c3"),
            ("4 stones", "4 stones"),
            ("1 2 3 4 5", "1 2 3 4 5"),
        ] {
            assert_eq!(split(line), expected, "{line}");
        }
    }

    #[test]
    fn a_number_waits_for_the_next_line() {
        let mut carried = None;
        assert_eq!(segments("thus 2.", &mut carried).len(), 1);
        let next = segments("c2-d2", &mut carried);
        assert_eq!(next[0].number.map(|number| number.value), Some(2));
    }
}
