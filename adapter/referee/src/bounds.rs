//! Bounds on the texts of game records, which may quote engines.

use record::game::GameRecord;

/// Maximum length of a text in a record, in bytes, except for lines of engines.
pub const MAX_TEXT: usize = 1000;

/// Maximum number of notes of a game.
pub const MAX_NOTES: usize = 1000;

/// Maximum length of a move code in a game with unknown rules, in bytes.
const MAX_CODE: usize = 100;

/// Shortens a text to what a record may contain.
fn bound_text(text: &mut String) {
    text.truncate(text.floor_char_boundary(MAX_TEXT));
    if text.contains(char::is_control) {
        *text = text.replace(char::is_control, "?");
    }
}

/// Shortens the texts of a record, and ends each variation before what is no move.
pub(crate) fn bound(record: &mut GameRecord) {
    record.notes.truncate(MAX_NOTES);
    record.notes.iter_mut().for_each(bound_text);
    let reason = &mut record.reason;
    reason.truncate(reason.floor_char_boundary(MAX_TEXT));
    for ply in record.plies.iter_mut().flatten() {
        let n_kept = ply.pv.iter().take_while(|code| is_code(code)).count();
        ply.pv.truncate(n_kept);
    }
}

/// `true` for a text that may be a move code of any game.
pub fn is_code(code: &str) -> bool {
    (1..=MAX_CODE).contains(&code.len())
        && !code.contains(|c: char| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use record::game::PlyRecord;

    use super::*;
    use crate::record_testing::finished_game;

    #[test]
    fn what_engines_write_is_bounded_where_it_is_recorded() {
        let pv = ["a1", "\u{1b}[2J", "b1"].map(str::to_owned).to_vec();
        let mut game = GameRecord {
            plies: vec![Some(PlyRecord {
                pv,
                ..PlyRecord::default()
            })],
            notes: vec!["a note \u{1b}[2J ä".repeat(1000); 5000],
            reason: "ä".repeat(5000),
            ..finished_game(1)
        };
        bound(&mut game);
        let ply = game.plies[0].as_ref().expect("a record");
        assert_eq!(ply.pv, ["a1"]);
        assert_eq!((game.notes.len(), game.reason.len()), (MAX_NOTES, MAX_TEXT));
        assert!(!game.notes[0].contains('\u{1b}') && game.notes[0].len() <= MAX_TEXT);
    }
}
