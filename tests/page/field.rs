//! The field of Graph Hockey: its camera, lines, letters and marks.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::{Browser, Device};
use crate::game::{Game, spot};
use crate::seat::seat;

/// The number of spots and of other elements that are outside the picture.
const OUTSIDE: &str = "(() => {
    const box = document.querySelector('.stage .board').getBoundingClientRect();
    return [...document.querySelectorAll('.stage [data-spot], .stage .shape.puck')].filter((it) => {
      const { left, right, top, bottom } = it.getBoundingClientRect();
      return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
    }).length;
  })()";

/// Pixels of a unit of the field.
fn scale(browser: &Browser) -> f64 {
    browser.number("linesman.view.board.camera.at.scale")
}

/// Opens a position of Graph Hockey.
fn open(page: &Game, position: &str) {
    let seats = [seat("human"), seat("human")];
    page.open(&json!({ "game": "graph-hockey", "seats": seats, "opening": position }));
    page.browser
        .until(&format!("linesman.view.view?.fen === {}", json!(position)));
    page.wait_until_usable();
}

#[test]
fn the_camera_keeps_puck_and_moves_in_view_and_the_person_may_move_it() {
    let page = or_skip!(Game::by_hand("graph-hockey"));
    let browser = &page.browser;
    page.wait_until_usable();
    // The puck begins next to the upper goal, so an arrow shows the way to the lower one.
    assert_eq!(browser.value(OUTSIDE), 0);
    let arrows = "[...document.querySelectorAll('.goal-arrow')].map((it) => it.textContent)";
    assert_eq!(browser.value(arrows), json!(["bottom"]));
    // Lines are thin at every scale.
    for code in ["G", "G", "G"] {
        page.click(code);
    }
    let line = "(({ vectorEffect, strokeWidth }) => [vectorEffect, strokeWidth])(getComputedStyle(document.querySelector('.stage .trail.one path')))";
    let thin = browser.value(line);
    assert_eq!(thin[0], "non-scaling-stroke");
    let usual = scale(browser);
    browser.click("#camera-in");
    let large = scale(browser);
    assert!(large > usual, "{usual} {large}");
    assert_eq!(browser.value(line), thin);
    browser.click("#camera-out");
    browser.keys("-");
    assert!(scale(browser) < usual, "also by key");
    browser.click("#camera-whole");
    let whole = scale(browser);
    assert_eq!(browser.value(arrows), json!([]));
    let wheel = "document.querySelector('.stage .board').dispatchEvent(new WheelEvent('wheel', { deltaY: -400, cancelable: true }))";
    browser.run(wheel);
    assert!(scale(browser) > whole);
    // A drag from a legal point moves the field, and nothing else.
    let at = "[linesman.view.board.camera.at.x, linesman.view.board.camera.at.y]";
    let before = browser.value(at);
    browser.drag(&spot("B"), &spot("Y"));
    let after = browser.value(at);
    assert_ne!(before, after);
    assert_eq!(page.ply(), 3);
    page.focus_board();
    browser.keys(&format!("{}{}{}", Key::Shift, Key::Down, Key::Null));
    assert_ne!(browser.value(at), after, "also by key");
    // The next position brings the puck back at the same scale.
    for _ in 0..2 {
        browser.click("#camera-in");
    }
    for _ in 0..20 {
        browser.run("linesman.view.board.camera.step('right')");
    }
    let large = scale(browser);
    browser.keys("K");
    page.wait_for_ply(4);
    assert_eq!(browser.value(OUTSIDE), 0);
    assert_eq!(scale(browser), large);
    browser.click("#camera-follow");
    page.wait_for_board();
    assert_eq!(scale(browser), usual);
}

#[test]
fn the_first_view_has_the_own_goal_and_the_last_one_the_whole_line() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    page.reopen("graph-hockey", &json!({}), ["human", "builtin nodes=1"], "");
    let is_in = "const box = document.querySelector('.stage .board').getBoundingClientRect();
         const isIn = (selector) => [...document.querySelectorAll(`.stage ${selector}`)].every((it) => {
           const { left, right, top, bottom } = it.getBoundingClientRect();
           return left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
         });";
    // The own goal is too far away for letters that can be read, so a map has it, until that view is left.
    let map = "document.querySelector('.stage .camera-map').checkVisibility()";
    let first = browser.run(&format!(
        "{is_in} return [isIn('.shape.puck'), isIn('.shape.target'), {map}, isIn('.camera-map > circle')];"
    ));
    assert_eq!(first, json!(vec![true; 4]));
    browser.click("#camera-in");
    assert_eq!(browser.value(map), false);
    browser.click("#camera-follow");
    page.wait_for_board();
    // A hint is an arrow from the puck, as large as on other boards.
    browser.click("#hint");
    let head = browser.until(
        "document.querySelector('.stage .mark .arrow polygon')?.getBoundingClientRect().width",
    );
    assert!(head.as_f64() > Some(8.0), "{head}");
    for _ in 0..8 {
        page.click_first();
        page.wait_for_turn();
    }
    browser.promise("linesman.command('resign')");
    browser.until("linesman.view.table.turn === 'over'");
    page.wait_for_board();
    browser.until(&format!(
        "(() => {{ {is_in} return linesman.view.view.result && isIn(':is(.trail.one, .trail.two, .last-trail, polygon.goal.two)') && !document.querySelector('.goal-arrow'); }})()"
    ));
    // Nothing is left of the turn that did not come: no marks, and the result in a saved picture.
    browser.until("document.querySelectorAll('.stage .target').length === 0");
    assert_eq!(browser.text("#note"), "bottom resigns");
    let svg = browser.promise("linesman.ask('export', { what: 'svg' }).then(({ text }) => text)");
    assert!(
        svg.as_str()
            .is_some_and(|svg| svg.contains("<title>p2 wins: p1 resigns</title>")),
        "{svg}"
    );
}

#[test]
fn two_fingers_zoom_and_one_moves_the_field() {
    let seats = ["graph-hockey", "--p1", "human", "--p2", "human"];
    let page = or_skip!(Game::on(Device::Phone, &seats));
    let browser = &page.browser;
    page.wait_until_usable();
    assert_eq!(browser.value(OUTSIDE), 0);
    let before = scale(browser);
    browser.pinch(".stage .board", 60.0);
    assert!(scale(browser) > 1.5 * before);
    let at = browser.number("linesman.view.board.camera.at.x");
    browser.swipe(".stage .board", -80.0, 0.0);
    assert!(browser.number("linesman.view.board.camera.at.x") > at);
    assert_eq!(page.ply(), 0);
    browser.click("#camera-follow");
    page.wait_for_board();
    page.tap("R");
    page.wait_for_ply(1);
    assert_eq!(browser.value(OUTSIDE), 0);
}

#[test]
fn a_click_counts_for_the_picture_on_which_it_was_made() {
    let page = or_skip!(Game::by_hand("graph-hockey"));
    let browser = &page.browser;
    page.wait_until_usable();
    let code = page.gestures().swap_remove(0);
    browser.press(&spot(&code.spots[0]));
    browser.run("linesman.view.board.camera.pan([150, 90])");
    browser.release();
    page.wait_for_ply(1);
    assert_eq!(page.moves(), [code.code]);
}

#[test]
fn letters_are_switched_off_and_on() {
    let page = or_skip!(Game::by_hand("graph-hockey"));
    let browser = &page.browser;
    let shown = "[...document.querySelectorAll('.stage text.shape.target')].filter((it) => it.checkVisibility()).map((it) => it.textContent).join('')";
    page.wait_until_usable();
    let letters: String = page.gestures().into_iter().map(|it| it.code).collect();
    assert_eq!(browser.value(shown), letters);
    browser.click("#letters");
    browser.until(&format!("{shown} === ''"));
    browser.reload();
    page.wait_until_usable();
    assert_eq!(browser.value(shown), "");
    browser.click("#letters[aria-pressed=false]");
    browser.until(&format!("{shown} === {}", json!(letters)));
}

#[test]
fn exceptions_are_shown_where_they_happen_and_replay_draws_the_line() {
    let page = or_skip!(Game::by_hand("graph-hockey:Side=1,Gap=1"));
    let browser = &page.browser;
    for code in ["Y", "Q", "R", "R", "F", "R"] {
        page.click(code);
    }
    // The ring is around the puck, and the name is next to it, in letters of the size of the drawing.
    let place = browser.run(
        "const [ring, puck, name] = ['.shape.jump', '.shape.puck', 'text.shape.note'].map((it) => document.querySelector(`.stage ${it}`).getBoundingClientRect());
         const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
         const away = ([a, b], [c, d]) => Math.hypot(a - c, b - d) / puck.width;
         return [away(middle(ring), middle(puck)), away(middle(name), middle(puck)), name.height / puck.height, document.querySelector('.stage text.shape.note').textContent];",
    );
    let [ring, name, size] = [0, 1, 2].map(|i| place[i].as_f64().expect("a distance"));
    assert!(ring < 0.1 && name < 8.0 && size < 3.0, "{place}");
    assert_eq!(place[3], "free jump");
    page.click_first();
    assert_eq!(
        browser.number("document.querySelectorAll('.stage circle.shape.jump').length"),
        1.0
    );
    // Forward draws the last line from its start.
    browser.click("#back");
    page.wait_for_ply(6);
    browser.run(
        "globalThis.drawn = [];
         new MutationObserver((changes) => drawn.push(...changes.map(({ target }) => target.getAttribute('d'))))
           .observe(document.querySelector('.stage'), { subtree: true, attributeFilter: ['d'] });",
    );
    browser.click("#forward");
    page.wait_for_ply(7);
    let drawn = browser.until(
        "(() => { const { lines: [[start, end]] } = linesman.view.view.diagram.shapes.find(({ role }) => role === 'last-trail');
           return drawn.includes(`M${start}L${end}`) && [drawn[0] === `M${start}L${end}`, drawn.length > 1]; })()",
    );
    assert_eq!(drawn, json!([false, true]));
}

/// The puck winds through the field in rows, without touching its line.
fn winding(n_plies: usize) -> String {
    let row = |step: char| std::iter::repeat_n(step, 34).chain(['G']);
    let rows = std::iter::once('G').chain((0..15).flat_map(|_| row('I').chain(row('A'))));
    rows.take(n_plies).collect()
}

#[test]
fn a_game_of_a_thousand_plies_is_small() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    open(&page, &format!("4x8 {}", winding(1000)));
    let elements = browser.number("document.querySelectorAll('.stage *').length");
    assert!(elements < 800.0, "{elements} elements");
    let received = browser.number("linesman.socket.received");
    page.click_first();
    let bytes = browser.number("linesman.socket.received") - received;
    assert!(bytes < 5000.0, "{bytes} bytes for a move");
    // The newest lines are the darkest.
    let opacity: Value = browser.run(
        "const all = [...document.querySelectorAll('.stage .trail.one')].map((it) => Number(getComputedStyle(it).opacity)); return [all[0], all.at(-1)];",
    );
    assert!(opacity[0].as_f64() < Some(0.5), "{opacity}");
    assert_eq!(opacity[1].as_f64(), Some(1.0), "{opacity}");
}
