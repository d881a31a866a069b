//! Typed moves, and warnings about moves that lose at once.

use kit::DynHistory;
use record::game_spec::GameSpec;
use record::opening::Opening;
use table::typing::{Blunder, blunder_check, read_moves};

use crate::support::begins;

/// A game with its default options after an opening.
fn board(game: &str, opening: &str) -> Box<dyn DynHistory> {
    let rules = linesman::GAMES.rules(&GameSpec::new(game, []));
    let rules = rules.expect("a game");
    let rules = rules.expect("a game with rules");
    rules.open(&Opening::parse(opening)).expect("a position")
}

#[test]
fn a_move_that_lets_the_opponent_win_is_seen() {
    // Yellow needs c1 for a row; red may cover it or leave it empty.
    let board = board("gobblet", ".,.,./.,r1,./y1,y1,. r");
    let found = blunder_check(board.as_ref(), "1@a3");
    assert_eq!(found, Some(Blunder::LetsWin));
    assert_eq!(blunder_check(board.as_ref(), "3@c1"), None);
}

#[test]
fn a_move_that_loses_by_itself_is_seen() {
    // The piece on c1 covers the end of yellow's row.
    let board = board("gobblet", ".,.,./.,.,./y1,y1,y2r3 r");
    assert_eq!(blunder_check(board.as_ref(), "c1-c2"), Some(Blunder::Loses));
}

#[test]
fn every_form_of_a_move_is_read() {
    for (game, opening, forms, code) in [
        (
            "susan",
            "startpos",
            "e5|E5|5e|e 5|1. e5|1.e5|1... e5|1) e5",
            "e5",
        ),
        (
            "susan",
            "startpos moves c3 a1",
            "c3->d3|c3 -> d3|C3D3|c3 d3|c3-d3|c3>d3|c3–d3",
            "c3->d3",
        ),
        (
            "gobblet",
            "startpos",
            "3@b2|3b2|3 B2|3 @ b2|3-b2|1. 3@b2|1. 3 b2",
            "3@b2",
        ),
        (
            "gobblet",
            "startpos moves 3@b2 3@a1",
            "b2-a2|b2a2|B2 A2|b2->a2",
            "b2-a2",
        ),
        ("projex", "startpos", "F6|f6|f 6|6F|F-6|1. F6|1) f6", "F6"),
        (
            "entropy",
            "startpos",
            "a2-a3|a2a3|A2 -> A3|a2 a3|1. a2-a3|1.a2a3",
            "a2-a3",
        ),
        ("graph-hockey", "startpos", "g|G|1. g", "G"),
    ] {
        let board = board(game, opening);
        for form in forms.split('|') {
            assert_eq!(
                read_moves(board.as_ref(), form),
                Ok(vec![code.to_owned()]),
                "{form}"
            );
        }
    }
}

#[test]
fn letters_run_together_are_several_moves() {
    let board = board("graph-hockey", "startpos");
    let codes = read_moves(board.as_ref(), "ghj b").expect("four moves");
    assert_eq!(codes, ["G", "H", "J", "B"]);
}

#[test]
fn a_refusal_says_what_would_be_right() {
    let board = board("susan", "startpos moves c3 a1");
    let refuse = |text: &str| {
        read_moves(board.as_ref(), text)
            .expect_err(text)
            .to_string()
    };
    let text = refuse("c3c5");
    begins(
        &text,
        "c3->c5: c5 is two steps from c3; a stone slides one; legal: c3->b2",
    );
    let text = refuse("a1");
    assert_eq!(text, "a1: a1 holds a stone of the opponent's");
    for half in ["c3->", "->c3", "c3 -", "x", "", "-", "e5e5e5"] {
        refuse(half);
    }
}
