//! Whole games by mouse.

use crate::game::{Game, short_game, spot, start_of};

/// Plays both sides of a short game to its end.
fn play_to_the_end(game: &str) {
    let Some(page) = Game::by_hand(game) else {
        return;
    };
    let (moves, end) = short_game(game);
    page.click_all(&moves);
    page.assert_end(end.as_ref());
}

#[test]
fn a_game_of_graph_hockey() {
    play_to_the_end("graph-hockey:Side=3,Gap=3");
}

#[test]
fn a_game_of_gobblet() {
    full_only!();
    play_to_the_end("gobblet");
}

#[test]
fn a_game_of_susan() {
    full_only!();
    play_to_the_end("susan:Size=3");
}

#[test]
fn a_game_of_projex() {
    play_to_the_end("projex:Size=4");
}

#[test]
fn a_game_of_entropy() {
    play_to_the_end("entropy");
}

#[test]
fn a_piece_is_dragged() {
    full_only!();
    let Some(page) = Game::by_hand("entropy") else {
        return;
    };
    let mut position = start_of("entropy");
    for ply in 1..=2 {
        let gestures = page.gestures();
        let slide = gestures.iter().find(|it| it.spots.len() == 2);
        let slide = slide.expect("a piece that moves");
        page.browser
            .drag(&spot(&slide.spots[0]), &spot(&slide.spots[1]));
        page.wait_for_ply(ply);
        position.play(&slide.code).expect("a legal move");
        assert_eq!(page.position(), position.fen());
    }
}

#[test]
fn a_game_begins_with_one_click_and_the_engine_answers() {
    full_only!();
    let Some(page) = Game::from_lobby() else {
        return;
    };
    let games = page
        .browser
        .run("return [...document.querySelectorAll('[data-game]')].map(card => card.dataset.game)");
    assert_eq!(
        games.as_array().map(Vec::len),
        Some(linesman::GAMES.games().len())
    );
    page.browser.click("[data-play=susan]");
    page.wait_for_board();
    page.click("c3");
    page.wait_for_ply(2);
    assert!(page.wait_for_turn());
}

#[test]
fn a_game_with_options_and_a_level_is_begun_in_the_dialog() {
    full_only!();
    let Some(page) = Game::from_lobby() else {
        return;
    };
    let browser = &page.browser;
    browser.click("#new-game");
    browser.choose("#field-game", "susan");
    browser.choose("#field-p1-kind", "engine");
    browser.choose("#field-p2-kind", "person");
    browser.click("#new-game-dialog details summary");
    browser.fill("#option-Size", "3");
    browser.click("#start-game");
    page.wait_for_board();
    page.wait_for_ply(1);
    while page.wait_for_turn() {
        let code = page.gestures()[0].code.clone();
        page.click(&code);
    }
    let mut position = start_of("susan:Size=3");
    for code in page.moves() {
        position.play(&code).expect("a legal move");
    }
    page.assert_end(position.as_ref());
}
