//! Numbers before moves: `1. e5`, `1. e5 b2; 2. c3`, `1... b2`.

use kit::{DynHistory, Side};

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

/// The moves after a number, up to the next one or a separator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// `None` for moves before the first number, and after a comma or semicolon.
    pub(crate) number: Option<MoveNumber>,
    pub(crate) text: String,
}

/// Splits a text at its numbers. Commas and semicolons separate moves.
pub(crate) fn segments(text: &str) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for part in text.split([',', ';']) {
        for (index, word) in part.split_whitespace().enumerate() {
            let (number, word) = match split_number(word) {
                Some((number, rest)) => (Some(number), rest),
                None => (None, word),
            };
            match segments.last_mut() {
                Some(last) if number.is_none() && index > 0 => {
                    last.text.push(' ');
                    last.text.push_str(word);
                }
                _ => segments.push(Segment {
                    number,
                    text: word.to_owned(),
                }),
            }
        }
    }
    for segment in &mut segments {
        segment.text = segment.text.trim().to_owned();
    }
    segments.retain(|segment| !segment.text.is_empty());
    segments
}

/// Splits the number from a word such as `3.`, `3)`, `3:`, `3...` or `3.e5`.
fn split_number(word: &str) -> Option<(MoveNumber, &str)> {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let value = word[..word.len() - rest.len()].parse().ok()?;
    let after = rest.strip_prefix(['.', ')', ':'])?;
    let text = after.trim_start_matches('.');
    let is_second = after.starts_with("..");
    // `1.5` is no number of a move, but `1.3@b2` is one with a move of Gobblet!.
    let is_number = !text.starts_with(|sign: char| sign.is_ascii_digit()) || text.contains('@');
    (value > 0 && is_number).then_some((MoveNumber { value, is_second }, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_at_its_numbers() {
        let split = |line: &str| {
            let segments = segments(line).into_iter();
            let shown = segments.map(|Segment { number, text }| match number {
                Some(number) if number.is_second => format!("{}...{text}", number.value),
                Some(number) => format!("{}.{text}", number.value),
                None => text,
            });
            shown.collect::<Vec<_>>().join("|")
        };
        for (line, expected) in [
            (
                "1. pass, b4-b3; 2. pass, c2-e2",
                "1.pass|b4-b3|2.pass|c2-e2",
            ),
            ("1... a5-c3", "1...a5-c3"),
            ("1.e5 b2 2.c3", "1.e5 b2|2.c3"),
            ("1. e5, b2; 2.\tc3 d4", "1.e5|b2|2.c3 d4"),
            ("2) b2 -> c3", "2.b2 -> c3"),
            ("2: 3@b2", "2.3@b2"),
            ("1.3@b2 2.1@a1", "1.3@b2|2.1@a1"),
            ("e5 2. b2", "e5|2.b2"),
            ("0. e5 1.5 inches", "0. e5 1.5 inches"),
            ("1. 2. pass", "2.pass"),
        ] {
            assert_eq!(split(line), expected, "{line}");
        }
    }
}
