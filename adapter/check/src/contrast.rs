//! Describes the difference between two answers.

use protocol::Query;
use protocol::text::excerpt;
use record::opening::Opening;

use crate::dialogue::Dialogue;
use crate::report::{Finding, fail};

/// Creates the finding for a wrong answer to a command in a position.
pub(super) fn difference(
    dialogue: &Dialogue<'_>,
    opening: &Opening,
    command: String,
    actual: &str,
    expected: &str,
) -> Finding {
    let position = format!("position {opening}");
    let finding = fail!("{position}, {command}: {}", contrast(actual, expected));
    dialogue.shown_by(finding, [position, command])
}

/// Quotes both answers if they are short; otherwise lists the items that only one of them has. An error is a text
/// without items.
fn contrast(actual: &str, expected: &str) -> String {
    const SHORT: usize = 60;
    if let Some(at) = actual.find("info error ") {
        return format!("it answers \"{}\"", excerpt(&actual[at..]));
    }
    if actual.len() <= SHORT && expected.len() <= SHORT {
        return format!(
            "it answers \"{}\", the rules \"{expected}\"",
            excerpt(actual)
        );
    }
    if is_reordered(actual, expected) {
        return "it lists the right moves in a different order".to_owned();
    }
    let (actual, expected) = (items(actual), items(expected));
    let only = |word: &str, items: &[&str], others: &[&str]| {
        let items = items.iter().copied();
        let items: Vec<&str> = items.filter(|item| !others.contains(item)).collect();
        let text = format!("{word} \"{}\"", excerpt(&items.join(", ")));
        (!items.is_empty()).then_some(text)
    };
    let adds = only("it adds", &actual, &expected);
    let lacks = only("it lacks", &expected, &actual);
    let parts: Vec<String> = adds.into_iter().chain(lacks).collect();
    parts.join(", ")
}

/// Splits an answer into items: words, or the `move: count` pairs of a perft.
fn items(answer: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut rest = answer.trim();
    while !rest.is_empty() {
        let word_end = rest.find(' ').unwrap_or(rest.len());
        let is_share = rest[..word_end].ends_with(':') || &rest[..word_end] == "nodes";
        let end = match rest[word_end..]
            .char_indices()
            .skip(1)
            .find(|(_, c)| *c == ' ')
        {
            Some((at, _)) if is_share => word_end + at,
            None if is_share => rest.len(),
            _ => word_end,
        };
        items.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    items
}

/// `true` if two answers to a query are the same; moves may come in another order.
pub(super) fn is_same(query: Query, one: &str, other: &str) -> bool {
    one == other || query == Query::Moves && is_reordered(one, other)
}

/// `true` if two answers have the same items, possibly in different order.
pub(super) fn is_reordered(actual: &str, expected: &str) -> bool {
    let [mut actual, mut expected] = [items(actual), items(expected)];
    actual.sort_unstable();
    expected.sort_unstable();
    actual == expected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_contrasted() {
        assert_eq!(items("a1: 3 b2: 4 nodes 7"), ["a1: 3", "b2: 4", "nodes 7"]);
        assert_eq!(items("a1 b2"), ["a1", "b2"]);
        assert_eq!(
            contrast("true", "false"),
            "it answers \"true\", the rules \"false\""
        );
        let long = "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 e1 e2";
        let text = contrast(&long.replace("c3", "f9"), long);
        assert!(text.contains("\"f9\"") && text.contains("\"c3\""), "{text}");
        assert_eq!(
            contrast("info error no b1 in c3, sorry", long),
            "it answers \"info error no b1 in c3, sorry\""
        );
        assert!(is_reordered("b1 a1", "a1 b1") && !is_reordered("a1", "a1 b1"));
    }
}
