//! Checks that the positions that test an engine's rules agree with the rules.

use kit::Value;
use kit::game_entry::PositionLine;
use kit::{CheckPosition, DynHistory, GameEntry, Options};

/// Maximum distance of a forced end in plies, which engines of any speed can find.
const DEEPEST_MATE: i32 = 5;

/// Maximum length of a rule in characters; it is shown with an error in one line.
const LONGEST_RULE: usize = 120;

/// Checks the positions that test an engine's rules: each line must be legal, each position must be on the board of its
/// options, and the outcome, the codes and the forced ends must be right.
///
/// # Panics
/// With the wrong position.
pub fn check_positions(entry: &GameEntry) {
    let all = CheckPosition::parse_table(entry.check_positions);
    assert!(!all.is_empty(), "{}: no positions", entry.name);
    for one in &all {
        check_position(entry, one);
    }
    let twice = (1..all.len()).find_map(|n| all[n..].iter().find(|one| **one == all[n - 1]));
    assert_eq!(twice, None, "{}: the same position twice", entry.name);
}

/// Checks the positions that test the places of the default board: there are some, each line is legal, and its board is
/// the default one.
///
/// # Panics
/// With the wrong position.
pub fn check_places(entry: &GameEntry) {
    let all = CheckPosition::parse_table(entry.place_positions);
    assert!(!all.is_empty(), "{}: no places", entry.name);
    let options = Options::new(entry.source.options());
    let open = |fen, moves: &[String]| {
        let line = PositionLine { fen, moves };
        entry.source.open(&options, line)
    };
    let start = open(None, &[]).expect("the start position is sound");
    for one in &all {
        let board = open(one.fen(), &one.moves());
        let board = board.unwrap_or_else(|why| panic!("{one:?}: {why}"));
        assert_eq!(board.shape(), start.shape(), "{one:?}: another board");
    }
}

fn check_position(entry: &GameEntry, one: &CheckPosition) {
    let rule = one.rule;
    assert!(
        rule.len() <= LONGEST_RULE && rule.ends_with('.') && !rule.trim_end_matches('.').is_empty(),
        "{rule:?}: expected a sentence of at most {LONGEST_RULE} characters"
    );
    let options = options(entry, one);
    let open = |fen, moves: &[String]| {
        entry
            .source
            .open(&options, PositionLine { fen, moves })
            .unwrap_or_else(|why| panic!("{one:?}: {why}"))
    };
    let board = open(one.fen(), &one.moves());
    assert_eq!(
        board.shape(),
        open(None, &[]).shape(),
        "{one:?}: another board than by its options"
    );
    assert_eq!(board.outcome(), one.outcome, "{one:?}");
    check_codes(&*board, one);
    if let Some(plies) = one.mate {
        check_mate(entry, &options, one, plies);
    }
}

fn options(entry: &GameEntry, one: &CheckPosition) -> Options {
    let mut options = Options::new(entry.source.options());
    for (name, value) in one.options() {
        let set = options.set(name, Some(value));
        assert!(set.is_ok(), "{one:?}: {set:?}");
    }
    let n_words = one.options.split_whitespace().count();
    assert_eq!(one.options().count(), n_words, "{one:?}");
    options
}

fn check_codes(board: &dyn DynHistory, one: &CheckPosition) {
    let listed = board.moves();
    for code in one.legal.split_whitespace() {
        let is_listed = listed.iter().any(|listed| listed == code);
        assert!(is_listed, "{one:?}: {code} is not legal");
    }
    for code in one.illegal.split_whitespace() {
        let is_played = board.fork().play(code).is_ok();
        assert!(!is_played, "{one:?}: {code} is legal");
    }
}

fn check_mate(entry: &GameEntry, options: &Options, one: &CheckPosition, plies: i32) {
    let (moves, n_plies) = (one.moves(), plies.unsigned_abs());
    let value = match plies > 0 {
        true => Value::Win(n_plies),
        false => Value::Loss(n_plies),
    };
    let line = PositionLine {
        fen: one.fen(),
        moves: &moves,
    };
    let proved = entry
        .source
        .open(options, line)
        .and_then(|engine| crate::puzzle::verify(engine.as_ref(), &[], value));
    assert!(proved.is_ok(), "{one:?}: {proved:?}");
    assert!(plies.abs() <= DEEPEST_MATE, "{one:?}: too deep");
}
