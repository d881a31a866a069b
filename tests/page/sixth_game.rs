//! A game that the page does not know.

use crate::game::Game;
use crate::server::Server;

#[test]
fn nim_is_played_by_click() {
    let server = Server::of(
        env!("CARGO_BIN_EXE_linesman-nim"),
        &["nim", "--p1", "human", "--p2", "human"],
    );
    let page = or_skip!(Game::at(server));
    while page.wait_for_turn() {
        page.click_first();
    }
    // The player who takes the last stone wins.
    let score = match page.moves().len() % 2 {
        1 => "1–0",
        _ => "0–1",
    };
    let banner = page.browser.text("#banner");
    assert!(banner.starts_with(score), "{banner}");
}
