//! Games that the page does not know: nim, and those of `spec/templates/games`, whose rules are programs.

use laws::testing::full;

use crate::browser::Device;
use crate::game::Game;
use crate::server::Server;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");

#[test]
fn its_games_are_played_by_click() {
    let games = [
        ("hex:Size=4,Swap=0", 7),
        ("connect4:Columns=4,Rows=4", 7),
        ("othello:Size=4", 7),
        ("breakthrough:Columns=3,Rows=5", 5),
        ("domineering:Size=4", 5),
        ("amazons:Size=4", 5),
        ("draughts", 20),
    ];
    for (game, shortest) in games.into_iter().take(if full() { games.len() } else { 1 }) {
        play(game, shortest);
    }
}

/// The card of the lobby, the dialog for a new game and the one of a seat offer no level of an engine without levels.
#[test]
fn the_engine_of_a_program_s_game_is_met() {
    let rules = format!("arg={FOLDER}/hex.py");
    let args = ["--rules", "cmd=python3", &rules];
    let page = or_skip!(Game::at_lobby(Device::Desktop(1280, 900), &args));
    page.click("[data-play=hex]");
    page.wait_for_board();
    let code = page.gestures()[0].code.clone();
    // The edges of both sides are equally strong in either player's turn.
    let fills = "['one', 'two'].map((it) => getComputedStyle($(`.stage .goal.${it}`)).fill)";
    let before = page.value(fills);
    page.enter(&code);
    page.wait_for_ply(2);
    page.until("linesman.view.view.side === 'p1'");
    assert_eq!(page.value(fills), before);
    page.run("$('.stage .board').dataset.turn = '2'; $('.stage .ground').dataset.turn = '2'");
    assert_eq!(page.value(fills), before);
    page.back();
    page.until("$('[data-play]')");
    page.click("[data-options=hex]");
    let has_level = "!!$('dialog[open] select[id$=level]')";
    assert_eq!(page.value(has_level), false);
    page.click("dialog[open] [type=submit]");
    page.wait_for_board();
    page.enter(&code);
    page.wait_for_ply(2);
}

/// Plays a whole game by the mouse, always the first legal move.
fn play(game: &str, shortest: usize) {
    let name = game.split(':').next().unwrap_or(game);
    let rules = format!("arg={FOLDER}/{name}.py");
    let args = [game, "--p1", "human", "--p2", "human"];
    let server = Server::start(&[&args[..], &["--rules", "cmd=python3", &rules]].concat());
    let page = or_skip!(Game::at(server));
    while page.wait_for_turn() {
        let ply = page.ply();
        page.click_first();
        page.wait_for_ply(ply + 1);
    }
    let banner = page.text("#banner");
    let scores = ["1–0", "0–1", "½–½"];
    let has_score = scores.iter().any(|score| banner.starts_with(score));
    assert!(has_score, "{game}: {banner}");
    assert!(page.moves().len() >= shortest, "{game}: {:?}", page.moves());
}

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
    let banner = page.text("#banner");
    assert!(banner.starts_with(score), "{banner}");
}
