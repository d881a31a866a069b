//! Games whose rules are programs: those of `spec/templates/games`.

use crate::browser::Device;
use crate::game::Game;
use crate::server::Server;

#[test]
fn hex_is_played_by_click() {
    play("hex:Size=4,Swap=0", "hex.py", 7);
}

#[test]
fn the_other_games_are_played_by_click() {
    full_only!();
    play("connect4:Columns=4,Rows=4", "connect4.py", 7);
    play("othello:Size=4", "othello.py", 7);
    play("breakthrough:Columns=3,Rows=5", "breakthrough.py", 5);
    play("domineering:Size=4", "domineering.py", 5);
    play("amazons:Size=4", "amazons.py", 5);
    play("draughts", "draughts.py", 20);
}

/// The card of the lobby, the dialog for a new game and the one of a seat offer no level of an engine without levels.
#[test]
fn the_engine_of_a_program_s_game_is_met() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let rules = format!("arg={folder}/hex.py");
    let args = ["--rules", "cmd=python3", &rules];
    let page = or_skip!(Game::at_lobby(Device::Desktop(1280, 900), &args));
    let browser = &page.browser;
    browser.click("[data-play=hex]");
    page.wait_for_board();
    let code = page.gestures()[0].code.clone();
    // The edges of both sides are equally strong, whoever is to move.
    let fills = "['one', 'two'].map((it) => getComputedStyle(document.querySelector(`.stage .goal.${it}`)).fill)";
    let before = browser.value(fills);
    page.click(&code);
    page.wait_for_ply(2);
    page.browser.until("linesman.view.view.side === 'p1'");
    assert_eq!(browser.value(fills), before);
    browser.run("document.querySelector('.stage .board').dataset.turn = '2'; document.querySelector('.stage .ground').dataset.turn = '2'");
    assert_eq!(browser.value(fills), before);
    browser.back();
    browser.until("document.querySelector('[data-play]')");
    browser.click("[data-options=hex]");
    let has_level = "!!document.querySelector('dialog[open] select[id$=level]')";
    assert_eq!(browser.value(has_level), false);
    browser.click("dialog[open] [type=submit]");
    page.wait_for_board();
    page.click(&code);
    page.wait_for_ply(2);
}

/// Plays a whole game by the mouse, always the first legal move.
fn play(game: &str, file: &str, shortest: usize) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let rules = format!("arg={folder}/{file}");
    let args = [game, "--p1", "human", "--p2", "human"];
    let server = Server::start(&[&args[..], &["--rules", "cmd=python3", &rules]].concat());
    let page = or_skip!(Game::at(server));
    while page.wait_for_turn() {
        let ply = page.ply();
        page.click_first();
        page.wait_for_ply(ply + 1);
    }
    let banner = page.browser.text("#banner");
    let scores = ["1–0", "0–1", "½–½"];
    assert!(
        scores.iter().any(|score| banner.starts_with(score)),
        "{game}: {banner}"
    );
    assert!(page.moves().len() >= shortest, "{game}: {:?}", page.moves());
}
