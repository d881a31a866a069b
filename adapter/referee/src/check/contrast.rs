//! Two answers side by side: what one has and the other has not.

use protocol::text::excerpt;

/// Both answers, of long ones what they do not have in common.
pub(super) fn contrast(said: &str, truth: &str) -> String {
    const SHORT: usize = 60;
    if said.len() <= SHORT && truth.len() <= SHORT {
        return format!("it says \"{}\", the rules \"{truth}\"", excerpt(said));
    }
    if is_reordered(said, truth) {
        return "it says what the rules say, in another order".to_owned();
    }
    let (said, truth) = (items(said), items(truth));
    let surplus: Vec<&str> = said
        .iter()
        .filter(|item| !truth.contains(item))
        .copied()
        .collect();
    let missing: Vec<&str> = truth
        .iter()
        .filter(|item| !said.contains(item))
        .copied()
        .collect();
    let sides = [("it adds", surplus), ("it lacks", missing)];
    let told = sides.into_iter().filter(|(_, items)| !items.is_empty());
    let told = told.map(|(word, items)| format!("{word} \"{}\"", excerpt(&items.join(", "))));
    told.collect::<Vec<_>>().join(", ")
}

/// What an answer consists of: words, or the lines of a count.
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

/// Whether two answers hold the same items in another order: all can be played, but not told apart by number.
pub(super) fn is_reordered(said: &str, truth: &str) -> bool {
    let [mut said, mut truth] = [items(said), items(truth)];
    said.sort_unstable();
    truth.sort_unstable();
    said == truth
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
            "it says \"true\", the rules \"false\""
        );
        let long = "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 e1 e2";
        let text = contrast(&long.replace("c3", "f9"), long);
        assert!(text.contains("\"f9\"") && text.contains("\"c3\""), "{text}");
        assert!(is_reordered("b1 a1", "a1 b1") && !is_reordered("a1", "a1 b1"));
    }
}
