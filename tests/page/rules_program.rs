//! A game whose rules are a program.

use crate::game::Game;
use crate::server::Server;

const HEX: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../spec/templates/games/hex.py"
);

#[test]
fn hex_is_played_by_click() {
    let rules = format!("arg={HEX}");
    let args = ["hex:Size=4,Swap=0", "--p1", "human", "--p2", "human"];
    let server = Server::start(&[&args[..], &["--rules", "cmd=python3", &rules]].concat());
    let Some(page) = Game::at(server) else {
        return;
    };
    while page.wait_for_turn() {
        page.click_first();
    }
    let banner = page.browser.text("#banner");
    assert!(
        banner.starts_with("1–0") || banner.starts_with("0–1"),
        "{banner}"
    );
    assert!(page.moves().len() >= 7, "{:?}", page.moves());
}
