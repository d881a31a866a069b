//! Games by finger on a phone.

use fantoccini::key::Key;
use laws::testing::full;
use serde_json::json;

use crate::browser::Device;
use crate::game::{Game, short_game};

/// The games, those with short ones first.
const GAMES: [&str; 5] = ["gobblet", "graph-hockey", "susan", "entropy", "projex"];

/// Plays both sides: a move from one spot to another is a drag, any other a tap.
#[test]
fn whole_games_by_finger_at_the_width_of_a_phone() {
    let page = or_skip!(Game::at_lobby(Device::Phone, &[]));
    for game in GAMES.into_iter().take(if full() { GAMES.len() } else { 2 }) {
        page.reopen(game, &json!({}), ["human", "human"], "");
        let (moves, end) = short_game(game);
        for (ply, code) in moves.iter().enumerate() {
            page.finger(code);
            page.wait_for_ply(ply + 1);
        }
        page.assert_end(end.as_ref());
        // The board and the page fit the screen.
        let widths = page.value("[document.documentElement.scrollWidth, $('.stage').getBoundingClientRect().right <= 360]");
        assert_eq!(widths, json!([360, true]), "{game}");
        page.tap("#bar-back");
        page.wait_for_ply(moves.len() - 1);
    }
}

#[test]
fn a_finger_drags_a_piece_and_rolls_the_board_without_scrolling_the_page() {
    let page = or_skip!(Game::on(
        Device::Phone,
        &["gobblet", "--p1", "human", "--p2", "human"],
    ));
    page.wait_until_usable();
    page.drag_finger("reserve p1 3", "b2");
    page.wait_for_ply(1);
    assert_eq!(page.moves(), ["3@b2"]);
    page.reopen("projex", &json!({ "Size": 4 }), ["human", "human"], "");
    page.run("globalThis.cancelled = 0; addEventListener('pointercancel', () => { cancelled += 1; }, true)");
    page.drag_finger("C3", "C5");
    page.until("linesman.view.board.roll.isAway");
    assert_eq!(page.value("cancelled"), 0, "the page scrolled instead");
    assert_eq!(page.ply(), 0);
    // Two fingers enlarge the cells, which can still be tapped.
    page.run("linesman.view.board.roll.home()");
    let width = "$('[data-spot=D4]').getBoundingClientRect().width";
    let before = page.value(width);
    page.pinch("[data-spot=D4]", 40.0);
    page.until(&format!("{width} > 1.2 * {before}"));
    page.tap_move("D4");
    page.wait_for_ply(1);
    page.run("$('#unroll').click()");
    page.until(&format!("Math.abs({width} - {before}) < 1"));
}

#[test]
fn a_game_opens_at_its_top_and_rings_a_spot_once_a_key_is_used() {
    let page = or_skip!(Game::at_lobby(Device::Phone, &[]));
    // A tall page stays scrolled when its content is replaced.
    page.run("document.getElementById('main').style.minBlockSize = '3000px'; scrollTo(0, 400)");
    assert_eq!(page.value("scrollY"), 400);
    page.tap("[data-play=susan]");
    page.wait_until_usable();
    assert_eq!(page.value("scrollY"), 0);
    page.reopen("susan", &json!({}), ["human", "human"], "");
    page.reload();
    page.wait_until_usable();
    let ring = "const { classList } = document.documentElement; \
                return [document.activeElement.dataset.spot, classList.contains('by-keys')]";
    assert_eq!(page.run(ring), json!(["a1", false]));
    page.keys(&Key::Right.to_string());
    assert_eq!(page.run(ring), json!(["a2", true]));
}

/// True if an element is in view and nothing covers it.
const IS_SEEN: &str = "((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return it.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })";

#[test]
fn the_turn_and_the_way_to_go_on_are_in_view_on_a_phone() {
    let page = or_skip!(Game::at_lobby(Device::Narrow, &[]));
    page.reopen("susan", &json!({}), ["human", "builtin nodes=1"], "");
    let is_seen = |selector: &str, text: &str| {
        for scroll in ["0", "300", "document.body.scrollHeight"] {
            page.run(&format!("scrollTo(0, {scroll})"));
            page.until(&format!(
                "((it) => it?.textContent === '{text}' && {IS_SEEN}(it))($('{selector}'))"
            ));
        }
    };
    // The lesson is offered below.
    is_seen("#caption", "Your turn");
    page.until("!$('#lesson-offer').hidden");
    page.run("linesman.command('resign')");
    is_seen("#caption", "You lost");
    is_seen("#again", "Play again");
}

#[test]
fn the_narrowest_page_is_not_wider_than_its_screen() {
    let mut page = or_skip!(Game::at_lobby(Device::Narrow, &[]));
    let width = "document.documentElement.scrollWidth";
    assert_eq!(page.value(width), 320);
    // Long words do not squeeze the boxes before them.
    page.click("#settings-button");
    let sizes = "new Set($$('.check input').map(({ offsetWidth }) => offsetWidth)).size";
    page.until(&format!("{sizes} === 1"));
    page.close_dialogs();
    page.reopen("graph-hockey", &json!({}), ["human", "human"], "K R A T");
    assert_eq!(page.value(width), 320);
    // The list of games shows long names.
    let long = format!("human name={}", "W".repeat(60));
    page.reopen("susan", &json!({}), [&long, "human"], "a1 b1");
    page.click_first();
    page.wait_for_ply(3);
    page.server.restart(&[]);
    page.open(&page.server.address);
    page.until("$('.kept-list').textContent.includes('WWW')");
    assert_eq!(page.value(width), 320);
}

#[test]
fn the_board_and_its_players_are_in_view_at_twice_the_size() {
    let page = or_skip!(Game::at_lobby(Device::Zoomed, &[]));
    for game in ["graph-hockey", "projex"] {
        page.reopen(game, &json!({}), ["human", "human"], "");
        let bottom = page.value("Math.max(...$$('.stage, .strip, #caption').map((it) => it.getBoundingClientRect().bottom)) - innerHeight");
        let is_in = bottom.as_f64() <= Some(0.0);
        assert!(is_in, "{game}: {bottom} pixels below the window");
    }
}
