//! Detection of the side to move in the text around a figure.

/// The index in `names` of the only name that the text says is to move, as in `O is to play`, `What's O's best move?`
/// or `the O side is in check`.
pub(super) fn told_turn(text: &str, names: &[String; 2]) -> Option<usize> {
    let text = text.to_lowercase();
    let is_break = |sign: char| !sign.is_alphanumeric() && sign != '\'';
    let words: Vec<&str> = text
        .split(is_break)
        .filter(|word| !word.is_empty())
        .collect();
    let is_told = |name: &String| {
        let name = name.to_lowercase();
        let mut places = 0..words.len();
        places.any(|at| is_to_move(&words[at..], &name))
    };
    match names.each_ref().map(is_told) {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

/// `true` if these words begin with the name and say that it is to move.
fn is_to_move(words: &[&str], name: &str) -> bool {
    let [first, rest @ ..] = words else {
        return false;
    };
    if first.strip_suffix("'s") == Some(name) {
        let rest = skip(rest, &["best", "next"]);
        return matches!(rest, ["move" | "turn", ..]);
    }
    let rest = skip(skip(rest, &["side", "player"]), &["is"]);
    *first == name && matches!(rest, ["to", "move" | "play", ..] | ["in", "check", ..])
}

fn skip<'a, 'b>(words: &'a [&'b str], optional: &[&str]) -> &'a [&'b str] {
    match words {
        [first, rest @ ..] if optional.contains(first) => rest,
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_told_in_prose() {
        let names = ["O".to_owned(), "S".to_owned()];
        for (text, told) in [
            ("Fig 2. The O side is in check", Some(0)),
            ("Fig. 3. What's O's best move?", Some(0)),
            ("In this position O is to play and win.", Some(0)),
            ("O is in check and at S's mercy", Some(0)),
            ("S to move", Some(1)),
            ("It is s's turn", Some(1)),
            ("Fig. 4", None),
            ("S can't move again, but O cannot win", None),
            ("O to move, or S to move", None),
        ] {
            assert_eq!(told_turn(text, &names), told, "{text}");
        }
    }
}
