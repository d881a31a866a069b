//! A game by typed moves.

use fantoccini::key::Key;

use crate::game::{Game, short_game};

#[test]
fn a_game_by_typing() {
    let game = "susan:Size=3";
    let page = or_skip!(Game::by_hand(game));
    let (moves, end) = short_game(game);
    page.browser.keys("/");
    for (ply, code) in moves.iter().enumerate() {
        // The page accepts every form that the console accepts.
        page.browser
            .keys(&format!(" {} {}", code.to_uppercase(), Key::Enter));
        page.wait_for_ply(ply + 1);
    }
    page.assert_end(end.as_ref());
}

#[test]
fn a_typed_move_that_is_not_legal_is_refused_with_the_reason() {
    full_only!();
    let page = or_skip!(Game::by_hand("susan"));
    page.click("c3");
    page.wait_for_ply(1);
    page.browser
        .type_into("#type-move", &format!("c3{}", Key::Enter));
    let why = page.browser.text("#type-error");
    assert!(why.contains("c3"), "{why}");
    assert_eq!(page.ply(), 1);
}
