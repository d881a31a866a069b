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
