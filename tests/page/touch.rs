//! A game by touch on a phone.

use crate::browser::Device;
use crate::game::{Game, short_game};

#[test]
fn a_game_by_touch_at_the_width_of_a_phone() {
    let game = "gobblet";
    let seats = [game, "--p1", "human", "--p2", "human"];
    let Some(page) = Game::on(Device::Phone, &seats) else {
        return;
    };
    let (moves, end) = short_game(game);
    for (ply, code) in moves.iter().enumerate() {
        page.tap(code);
        page.wait_for_ply(ply + 1);
    }
    page.assert_end(end.as_ref());
    assert_no_sideways_scrolling(&page);
}

#[test]
fn every_board_fits_a_phone() {
    full_only!();
    for entry in linesman::GAMES.games() {
        let game = entry.name;
        let Some(page) = Game::on(Device::Phone, &[game]) else {
            return;
        };
        assert_no_sideways_scrolling(&page);
        let board = page
            .browser
            .run("return document.querySelector('.stage').getBoundingClientRect().right");
        assert!(
            board.as_f64().is_some_and(|right| right <= 360.0),
            "{game}: {board}"
        );
    }
}

fn assert_no_sideways_scrolling(page: &Game) {
    let width = page
        .browser
        .run("return document.documentElement.scrollWidth");
    assert_eq!(width, 360);
}
