//! Texts of a game in the words of a GUI: its names of the players and its coordinates.

/// Words that a piece follows, as in `every x`.
const BEFORE_A_PIECE: [&str; 2] = ["every", "no"];

/// Rewrites a text of the game. `names` are the game's names of the players, `colours` those of the GUI; `place` returns
/// the GUI's name of a cell. Words within file names stay as they are.
pub(crate) fn in_gui_words(
    text: &str,
    names: &[String; 2],
    colours: [&str; 2],
    place: impl Fn(&str) -> Option<String>,
) -> String {
    // The owner of a colour, which some games add, is what the GUI's name says.
    let text = text.replace(" (p1)", "").replace(" (p2)", "");
    let (mut written, mut rest, mut before) = (String::new(), text.as_str(), "");
    while !rest.is_empty() {
        let n_bytes = rest
            .find(|sign: char| !sign.is_alphanumeric())
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(n_bytes);
        let touches = |sign: Option<char>| sign.is_some_and(|sign| "/\\._=".contains(sign));
        let is_last_sign = after.len() <= 1;
        let is_in_path = touches(written.chars().next_back())
            || !is_last_sign && touches(after.chars().next()) && !after.starts_with(". ");
        let side = names.iter().position(|name| name == word);
        let colour = side.map(|side| match BEFORE_A_PIECE.contains(&before) {
            true => format!("{} piece", colours[side].to_lowercase()),
            false => colours[side].to_owned(),
        });
        let replaced = (!is_in_path).then(|| colour.or_else(|| place(word)));
        written += replaced.flatten().as_deref().unwrap_or(word);
        if !word.is_empty() {
            before = word;
        }
        let n_between = after.find(char::is_alphanumeric).unwrap_or(after.len());
        written += &after[..n_between];
        rest = &after[n_between..];
    }
    written
}

/// Returns the reason in a text of a result, without the winner: `o is surrounded on a1` of `x wins: o is surrounded on
/// a1`.
pub(crate) fn reason(text: &str) -> &str {
    match text.split_once(": ") {
        Some((result, why)) if result == "draw" || result.ends_with(" wins") => why,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_cells_are_rewritten() {
        let place = |word: &str| (word == "a1").then(|| "c5".to_owned());
        for (names, text, expected) in [
            (
                ["x", "o"],
                "x wins: o is surrounded on a1 and b2",
                "White wins: Black is surrounded on c5 and b2",
            ),
            (
                ["O", "S"],
                "S wins: every S touches O and no S",
                "Black wins: every black piece touches White and no black piece",
            ),
            (
                ["x", "o"],
                "o (p1) wins: a global loop of 9 stones",
                "Black wins: a global loop of 9 stones",
            ),
            (
                ["x", "o"],
                "./x: made an illegal move: a1->a2. /tmp/a1/x.sh a1.",
                "./x: made an illegal move: c5->a2. /tmp/a1/x.sh c5.",
            ),
        ] {
            let names = names.map(str::to_owned);
            let text = in_gui_words(text, &names, ["White", "Black"], place);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_reason_has_no_winner() {
        assert_eq!(reason("x wins: o is surrounded"), "o is surrounded");
        assert_eq!(reason("draw: repetition"), "repetition");
        assert_eq!(
            reason("S can only pass: no slide"),
            "S can only pass: no slide"
        );
    }
}
