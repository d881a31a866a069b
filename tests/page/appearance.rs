//! All boards and dialogs, in light and dark mode, on a wide screen, on a phone, and enlarged.

use serde_json::json;

use crate::browser::Device;
use crate::game::{Game, random_moves, short_game};
use crate::seat::seat;
use crate::stops::Stops;

const PLIES: usize = 9;

#[test]
fn every_board_and_dialog_on_a_wide_screen() {
    tour("wide", Device::Desktop(1280, 900));
}

#[test]
fn every_board_and_dialog_on_a_phone() {
    full_only!();
    tour("narrow", Device::Phone);
}

#[test]
fn every_board_and_dialog_at_twice_the_size() {
    full_only!();
    tour("zoomed", Device::Zoomed);
}

fn tour(width: &str, device: Device) {
    let page = or_skip!(Game::at_lobby(device, &[]));
    let mut stops = Stops::new(&page, width);
    stops.look("lobby");
    stops.dialogs(&[
        "#new-game",
        "#guide-button",
        "#open-text",
        "#settings-button",
    ]);
    page.keys("?");
    stops.dialog();
    for entry in linesman::GAMES.games() {
        let moves = random_moves(entry.name, PLIES).join(" ");
        open(&page, entry.name, ["human", "builtin"], &moves);
        stops.look(entry.name);
    }
    stops.dialogs(&["#records-button", "[data-side=p2] .seat-button", "#resign"]);
    finished_game(&page, &mut stops);
    guest(&page, &mut stops);
    stops.assert_clean();
}

/// Opens a game after some moves, and waits until the next move can be entered.
fn open(page: &Game, game: &str, seats: [&str; 2], moves: &str) {
    page.open_table(&json!({
        "game": game, "options": {}, "seats": seats.map(seat), "level": 0, "clock": "tc=300+3",
        "opening": format!("startpos moves {moves}"),
    }));
    page.wait_for_board();
    page.until("linesman.view.table.isReady && linesman.view.table.turnKind !== 'starting'");
}

/// A finished game and its analysis by an engine.
fn finished_game(page: &Game, stops: &mut Stops<'_>) {
    let (mut moves, _) = short_game("gobblet");
    let last = moves.pop().expect("a game has moves");
    open(page, "gobblet", ["human", "human"], &moves.join(" "));
    page.enter(&last);
    page.until("$('#again')");
    stops.look("finished");
    page.click("#find-mistakes");
    // Only the moves on the table are reviewed, and there is one.
    page.until(
        "linesman.view.analysis.reviewed.size === 1 && linesman.view.analysis.progress.hidden",
    );
    stops.look("review");
}

/// The page of a guest, and the dialogs that a guest can open.
fn guest(page: &Game, stops: &mut Stops<'_>) {
    let moves = random_moves("susan", PLIES).join(" ");
    open(page, "susan", ["human name=Ann", "remote name=Bob"], &moves);
    stops.dialogs(&["[data-side=p2] .seat-button"]);
    let [host, _] = page.join(Some("p2"));
    page.until("linesman.view.table.isReady");
    assert_eq!(page.value("$('#new-game').checkVisibility()"), false);
    stops.look("guest");
    stops.dialogs(&["#records-button", "#resign", "#guide-button"]);
    page.switch_to(&host);
}
