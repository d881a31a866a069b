//! The field of Graph Hockey: its camera, lines, letters and marks.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::{Browser, Device, MIDDLE, press};
use crate::game::{Game, spot};
use crate::seat::seat;

/// The number of spots and of other elements that are outside the picture.
const OUTSIDE: &str = "(() => {
    const box = $('.stage .board').getBoundingClientRect();
    return $$('.stage [data-spot], .stage .shape.puck').filter((it) => {
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
    page.open_table(&json!({ "game": "graph-hockey", "seats": seats, "opening": position }));
    page.until(&format!("linesman.view.view?.fen === {}", json!(position)));
    page.wait_until_usable();
}

#[test]
fn the_camera_keeps_puck_and_moves_in_view_and_the_person_may_move_it() {
    let page = or_skip!(Game::by_hand("graph-hockey"));
    page.wait_until_usable();
    // The puck begins next to the upper goal, so an arrow shows the way to the lower one.
    assert_eq!(page.value(OUTSIDE), 0);
    let arrows = "$$('.goal-arrow').map((it) => it.textContent)";
    assert_eq!(page.value(arrows), json!(["bottom"]));
    // Lines are thin at every scale.
    for code in ["G", "G", "G"] {
        page.enter(code);
    }
    let line = "(({ vectorEffect, strokeWidth }) => [vectorEffect, strokeWidth])(getComputedStyle($('.stage .trail.one path')))";
    let thin = page.value(line);
    assert_eq!(thin[0], "non-scaling-stroke");
    let usual = scale(&page);
    page.click("#camera-in");
    let large = scale(&page);
    assert!(large > usual, "{usual} {large}");
    assert_eq!(page.value(line), thin);
    page.click("#camera-out");
    page.keys("-");
    assert!(scale(&page) < usual, "also by key");
    page.click("#camera-whole");
    let whole = scale(&page);
    assert_eq!(page.value(arrows), json!([]));
    let wheel = "$('.stage .board').dispatchEvent(new WheelEvent('wheel', { deltaY: -400, cancelable: true }))";
    page.run(wheel);
    assert!(scale(&page) > whole);
    // A drag from a legal point moves the field, and nothing else.
    let at = "[linesman.view.board.camera.at.x, linesman.view.board.camera.at.y]";
    let before = page.value(at);
    page.drag(&spot("B"), &spot("Y"));
    let after = page.value(at);
    assert_ne!(before, after);
    assert_eq!(page.ply(), 3);
    page.focus_board();
    page.keys(&format!("{}{}{}", Key::Shift, Key::Down, Key::Null));
    assert_ne!(page.value(at), after, "also by key");
    // The next position brings the puck back at the same scale.
    for _ in 0..2 {
        page.click("#camera-in");
    }
    for _ in 0..20 {
        page.run("linesman.view.board.camera.step('right')");
    }
    let large = scale(&page);
    page.keys("K");
    page.wait_for_ply(4);
    assert_eq!(page.value(OUTSIDE), 0);
    assert_eq!(scale(&page), large);
    page.click("#camera-follow");
    page.wait_for_board();
    assert_eq!(scale(&page), usual);
}

#[test]
fn the_first_view_has_the_own_goal_and_the_last_one_the_whole_line() {
    let page = or_skip!(Game::from_lobby());
    page.reopen("graph-hockey", &json!({}), ["human", "builtin nodes=1"], "");
    let is_in = "const box = $('.stage .board').getBoundingClientRect();
         const isIn = (selector) => $$(`.stage ${selector}`).every((it) => {
           const { left, right, top, bottom } = it.getBoundingClientRect();
           return left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
         });";
    // The own goal is too far away for letters that can be read, so a map has it, until that view is left.
    let map = "$('.stage .camera-map').checkVisibility()";
    let first = page.run(&format!(
        "{is_in} return [isIn('.shape.puck'), isIn('.shape.target'), {map}, isIn('.camera-map > circle')];"
    ));
    assert_eq!(first, json!(vec![true; 4]));
    page.click("#camera-in");
    assert_eq!(page.value(map), false);
    page.click("#camera-follow");
    page.wait_for_board();
    // A hint is an arrow from the puck, as large as on other boards.
    page.click("#hint");
    let head = page.until("$('.stage .mark .arrow polygon')?.getBoundingClientRect().width");
    assert!(head.as_f64() > Some(8.0), "{head}");
    for _ in 0..8 {
        page.click_first();
        page.wait_for_turn();
    }
    page.promise("linesman.command('resign')");
    page.until("linesman.view.table.turn === 'over'");
    page.wait_for_board();
    page.until(&format!(
        "(() => {{ {is_in} return linesman.view.view.result && isIn(':is(.trail.one, .trail.two, .last-trail, polygon.goal.two)') && !$('.goal-arrow'); }})()"
    ));
    // Nothing is left of the turn that did not come: no marks, and the result in a saved picture.
    page.wait_for_count(".stage .target", 0);
    assert_eq!(page.text("#note"), "bottom resigns");
    let svg = page.export("svg");
    assert!(svg.contains("<title>p2 wins: p1 resigns</title>"), "{svg}");
}

#[test]
fn two_fingers_zoom_and_one_moves_the_field() {
    let seats = ["graph-hockey", "--p1", "human", "--p2", "human"];
    let page = or_skip!(Game::on(Device::Phone, &seats));
    page.wait_until_usable();
    assert_eq!(page.value(OUTSIDE), 0);
    let before = scale(&page);
    page.pinch(".stage .board", 60.0);
    assert!(scale(&page) > 1.5 * before);
    let at = page.number("linesman.view.board.camera.at.x");
    page.swipe(".stage .board", -80.0, 0.0);
    assert!(page.number("linesman.view.board.camera.at.x") > at);
    assert_eq!(page.ply(), 0);
    page.click("#camera-follow");
    page.wait_for_board();
    page.tap_move("R");
    page.wait_for_ply(1);
    assert_eq!(page.value(OUTSIDE), 0);
}

#[test]
fn a_click_counts_for_the_picture_on_which_it_was_made() {
    let page = or_skip!(Game::by_hand("graph-hockey"));
    page.wait_until_usable();
    let code = page.gestures().swap_remove(0);
    page.mouse(&spot(&code.spots[0]), MIDDLE, &[press()]);
    page.run("linesman.view.board.camera.pan([150, 90])");
    page.release();
    page.wait_for_ply(1);
    assert_eq!(page.moves(), [code.code]);
}

#[test]
fn letters_are_switched_off_and_on() {
    let page = or_skip!(Game::by_hand("graph-hockey"));
    let shown = "$$('.stage text.shape.target').filter((it) => it.checkVisibility()).map((it) => it.textContent).join('')";
    page.wait_until_usable();
    let letters: String = page.gestures().into_iter().map(|it| it.code).collect();
    assert_eq!(page.value(shown), letters);
    page.click("#letters");
    page.until(&format!("{shown} === ''"));
    page.reload();
    page.wait_until_usable();
    assert_eq!(page.value(shown), "");
    page.click("#letters[aria-pressed=false]");
    page.until(&format!("{shown} === {}", json!(letters)));
}

#[test]
fn exceptions_are_shown_where_they_happen_and_replay_draws_the_line() {
    let page = or_skip!(Game::by_hand("graph-hockey:Side=1,Gap=1"));
    for code in ["Y", "Q", "R", "R", "F", "R"] {
        page.enter(code);
    }
    // The ring is around the puck, and the name is next to it, in letters of the size of the drawing.
    let place = page.run(
        "const [ring, puck, name] = ['.shape.jump', '.shape.puck', 'text.shape.note'].map((it) => $(`.stage ${it}`).getBoundingClientRect());
         const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
         const away = ([a, b], [c, d]) => Math.hypot(a - c, b - d) / puck.width;
         return [away(middle(ring), middle(puck)), away(middle(name), middle(puck)), name.height / puck.height, $('.stage text.shape.note').textContent];",
    );
    let [ring, name, size] = [0, 1, 2].map(|i| place[i].as_f64().expect("a distance"));
    assert!(ring < 0.1 && name < 8.0 && size < 3.0, "{place}");
    assert_eq!(place[3], "free jump");
    page.click_first();
    assert_eq!(page.number("$$('.stage circle.shape.jump').length"), 1.0);
    // Forward draws the last line from its start.
    page.click("#back");
    page.wait_for_ply(6);
    page.run(
        "globalThis.drawn = [];
         new MutationObserver((changes) => drawn.push(...changes.map(({ target }) => target.getAttribute('d'))))
           .observe($('.stage'), { subtree: true, attributeFilter: ['d'] });",
    );
    page.click("#forward");
    page.wait_for_ply(7);
    let drawn = page.until(
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
    open(&page, &format!("4x8 {}", winding(1000)));
    let elements = page.number("$$('.stage *').length");
    assert!(elements < 800.0, "{elements} elements");
    let received = page.number("linesman.socket.received");
    page.click_first();
    let bytes = page.number("linesman.socket.received") - received;
    assert!(bytes < 5000.0, "{bytes} bytes for a move");
    // The newest lines are the darkest.
    let opacity: Value = page.run(
        "const all = $$('.stage .trail.one').map((it) => Number(getComputedStyle(it).opacity)); return [all[0], all.at(-1)];",
    );
    assert!(opacity[0].as_f64() < Some(0.5), "{opacity}");
    assert_eq!(opacity[1].as_f64(), Some(1.0), "{opacity}");
}
