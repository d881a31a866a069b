//! Features of the boards of single games.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::{MIDDLE, press, release, slowly};
use crate::game::{Game, random_moves, spot};
use crate::seat::seat;

#[test]
fn the_field_of_graph_hockey_has_closed_lines_and_its_own_controls() {
    let page = or_skip!(Game::from_lobby());
    page.reopen("graph-hockey", &json!({}), ["human", "human"], "K R A T");
    let dashed = page.value("$$('.trail [stroke-dasharray], .last-trail [stroke-dasharray], .trail[stroke-dasharray], .last-trail[stroke-dasharray]').length");
    assert_eq!(dashed, 0);
    // The field cannot be turned, so nothing offers that.
    for id in ["flip", "rotate"] {
        let shown = page.value(&format!("$('#{id}').checkVisibility()"));
        assert_eq!(shown, false, "{id}");
    }
    // A click next to the legal points is refused with a reason.
    page.click(".stage .board");
    page.until("$('#refusal').textContent === 'No legal move ends there.'");
    // Letters rule out moves, also right after a click on the button.
    page.click("#rule-out");
    let code = page.gestures()[0].code.clone();
    page.keys(&code);
    page.wait_for_count(".stage .shape.ruled-out", 1);
    // The guide of Projex names a control that exists.
    page.reopen("projex", &json!({ "Size": 14 }), ["human", "human"], "");
    // Of the largest board, only the changes are sent.
    let received = page.number("linesman.socket.received");
    page.click_first();
    let bytes = page.number("linesman.socket.received") - received;
    assert!(bytes < 5000.0, "{bytes} bytes for a move");
    page.click("#guide-button");
    assert!(page.text(".guide").contains("rolls it if you drag it"));
    assert_eq!(page.value("linesman.view.board.roll.isOn"), true);
    page.close_dialogs();
    page.until("$('#flip').checkVisibility()");
}

#[test]
fn marks_are_turned_off_until_one_is_left_and_return_plays_it() {
    full_only!();
    let page = or_skip!(Game::by_hand("graph-hockey"));
    page.wait_until_usable();
    page.click("#rule-out");
    let codes: Vec<String> = page.gestures().into_iter().map(|it| it.code).collect();
    let (last, others) = codes.split_last().expect("moves");
    let n_off = |n: usize| {
        page.wait_for_count(".stage .shape.ruled-out", n);
    };
    page.focus_board();
    for (i, code) in others.iter().enumerate() {
        page.keys(code);
        n_off(i + 1);
    }
    // A click switches one on again; another click switches it off.
    let first = spot(&others[0]);
    page.click(&first);
    n_off(others.len() - 1);
    page.click(&first);
    n_off(others.len());
    page.focus_board();
    page.keys(&Key::Enter.to_string());
    page.wait_for_ply(1);
    assert_eq!(page.moves(), [last.as_str()]);
}

/// Counts the elements that are added or removed, or whose attributes change, while the page draws an own move, and while
/// it shows the position after the move.
const DRAWN: &str = "(async () => {
    const { view } = linesman, { board } = view, { tree } = view.table, stage = $('.stage');
    const elements = new Set();
    const observer = new MutationObserver((records) => records.forEach(add));
    const add = ({ target, type, addedNodes, removedNodes }) => {
      for (const it of type === 'attributes' ? [target] : [...addedNodes, ...removedNodes]) elements.add(it);
    };
    observer.observe(stage, { subtree: true, childList: true, attributes: true });
    const count = () => { observer.takeRecords().forEach(add); const { size } = elements; elements.clear(); return size; };
    const shown = async (node) => {
      view.go(node);
      while (board.shown.node !== node || board.shown !== view.view) await new Promise((done) => setTimeout(done, 5));
    };
    const end = tree.here;
    await shown(0);
    count();
    board.showPlayed(tree.nodes[end].code);
    const own = count();
    // A page that waits long for the server marks that no spot can be chosen.
    clearTimeout(board.marking);
    await shown(end);
    return [own, count(), stage.querySelectorAll('*').length];
  })()";

#[test]
fn a_move_in_a_long_game_changes_few_elements() {
    let page = or_skip!(Game::from_lobby());
    // Animations change elements in each frame.
    let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    page.cdp("Emulation.setEmulatedMedia", &still);
    for (game, options, n_plies, bounds) in [
        ("projex", json!({ "Size": 14 }), 150, [4, 45]),
        ("graph-hockey", json!({}), 1000, [4, 150]),
    ] {
        let spec = if game == "projex" {
            "projex:Size=14"
        } else {
            game
        };
        let moves = random_moves(spec, n_plies + 1);
        let (last, opening) = moves.split_last().expect("moves");
        page.reopen(game, &options, ["human", "human"], &opening.join(" "));
        page.promise(&format!("linesman.view.play({})", json!(last)));
        page.wait_for_ply(n_plies + 1);
        page.wait_until_usable();
        let counts = page.promise(DRAWN);
        for (i, bound) in bounds.into_iter().enumerate() {
            assert!(counts[i].as_u64() <= Some(bound), "{game}: {counts}");
        }
    }
}

/// The map from the board to its place, as a text.
const MAP: &str = "(({ a, b, c, d, e, f }) => [a, b, c, d, e, f].map((value) => value.toFixed(2)).join())(linesman.view.board.roll.map)";

/// Finds an empty cell of which a copy is in view: its id, and the place of the copy relative to the middle of the board.
const COPY: &str = "
    const { board } = linesman.view, { roll, surface } = board, box = surface.svg.getBoundingClientRect();
    const matrix = surface.world.getScreenCTM();
    for (const spot of board.spots) for (const map of roll.around) {
      const mean = (i) => spot.outline.points.reduce((sum, point) => sum + point[i], 0) / spot.outline.points.length;
      const [x, y] = [mean(0), mean(1)];
      const at = new DOMPoint(x, y).matrixTransform(map).matrixTransform(matrix);
      const way = [at.x - box.x - box.width / 2, at.y - box.y - box.height / 2];
      if (spot.id === spot.label && Math.abs(way[0]) < 0.45 * box.width && Math.abs(way[1]) < 0.4 * box.height) return [spot.id, ...way];
    }";

#[test]
fn the_board_of_projex_continues_beyond_its_edges() {
    let page = or_skip!(Game::by_hand("projex:Size=4"));
    page.wait_until_usable();
    page.click("#lesson-decline");
    page.until("$$('.stage .copies use').length >= 12");
    // A cell is lit, and by that its copies, which repeat the layer above the board.
    page.mouse(&spot("A4"), MIDDLE, &[]);
    page.wait_for_count(".stage .lit-cell > .lit", 1);
    assert_eq!(page.text(".spot-name"), "A4");
    // Beyond the edge the board is turned over.
    let pitch = page.number("linesman.view.board.roll.pitch / linesman.view.board.surface.unit");
    page.mouse(&spot("D4"), MIDDLE, &slowly(-5.0 * pitch, 0.0));
    page.until("(({ map: { a, b, c, d } }) => a * d - b * c < 0)(linesman.view.board.roll)");
    page.wait_for_board();
    // A fast drag continues by inertia.
    page.run(&format!(
        "const {{ roll }} = linesman.view.board; for (let i = 0; i < 4; i += 1) roll.pan([0.1, 0]); window.released = {MAP}; roll.release();"
    ));
    page.until(&format!("{MAP} !== window.released"));
    page.wait_for_board();
    // A step by key, and a move on a copy.
    page.focus_board();
    page.wait_for_board();
    let before = page.value(MAP);
    page.keys(&format!("{}{}{}", Key::Shift, Key::Left, Key::Null));
    page.until(&format!("{MAP} !== {before}"));
    page.wait_for_board();
    let copy = page.run(COPY);
    let way = [1, 2].map(|i| copy[i].as_f64().expect("a length"));
    page.mouse(".stage .board", way, &[press(), release()]);
    page.wait_for_ply(1);
    assert_eq!(json!(page.moves()), json!([copy[0]]));
    page.click("#unroll");
    page.until("!linesman.view.board.roll.isAway");
    // The second view has the cells across the edge around the board.
    page.click("#style-farside");
    page.until("!linesman.view.board.roll.isOn && $('.stage .ghost').checkVisibility()");
    // A loop that lacks one stone is drawn and named.
    page.open_table(&json!({
        "game": "projex", "options": { "Size": 3 }, "seats": [seat("human"), seat("human")],
        "opening": "ox/1oo/x1xx/1o1 x 1",
    }));
    page.until("$('#caption').textContent === 'x to move; o threatens B3'");
    page.wait_for_count(".stage path.shape.threat.one", 1);
}

#[test]
fn a_board_keeps_its_size_and_says_what_it_shows() {
    let page = or_skip!(Game::from_lobby());
    let count = |selector: &str| page.value(&format!("$$('{selector}').length"));
    // The pieces off the board leave their space.
    page.reopen("gobblet", &json!({}), ["human", "human"], "");
    let width = "$('[data-spot=b2]').getBoundingClientRect().width";
    let before = page.value(width);
    for code in ["3@a1", "3@c3", "3@b2", "3@a3"] {
        page.enter(code);
    }
    assert_eq!(page.value(width), before);
    // Stacks show that something lies beneath their top.
    page.reopen("gobblet", &json!({ "Size": 4 }), ["human", "human"], "");
    assert_eq!(count(".stage .shape.ghost"), 6);
    // The seats show the signs of the stones before there is one.
    page.reopen("susan", &json!({ "Size": 3 }), ["human", "human"], "");
    assert_eq!(count(".strip .chip .sign"), 2);
    // The ring of a loss is not that of a win.
    page.reopen(
        "susan",
        &json!({ "Size": 3 }),
        ["human", "human"],
        "a1 b1 c3 a2 e1",
    );
    page.enter("b2");
    page.until("$('.stage .decisive.one')");
    // The names of cells are not a wall: under the mouse, at the focus, or by a switch.
    page.reopen("projex", &json!({ "Size": 4 }), ["human", "human"], "");
    assert_eq!(count(".codes text"), 0);
    page.focus_board();
    page.keys(&Key::Down.to_string());
    page.until("!$('.spot-name').hidden");
    page.click("#cells");
    page.until("$$('.codes text').length > 0");
    page.click("#cells");
    page.until("$('.codes').hasAttribute('hidden')");
}

#[test]
fn threatened_lines_and_finished_pieces_are_drawn() {
    let page = or_skip!(Game::by_hand("gobblet"));
    for code in ["1@a1", "1@c3", "1@b1"] {
        page.enter(code);
    }
    page.wait_for_count(".stage path.shape.danger", 1);
    assert!(page.text("#caption").ends_with("red threatens a1 b1 c1"));
    let (seats, opening) = (
        [seat("human"), seat("human")],
        "s1o1s/o3o/ossos/s4/2oos o 0",
    );
    page.open_table(&json!({ "game": "entropy", "seats": seats, "opening": opening }));
    page.wait_for_count(".stage text.shape.finished", 4);
    // An isolated piece pulses, unless the system prefers reduced motion.
    let pulses = page.until(
        "$('.stage circle.shape.danger')?.getAnimations().map(({ animationName }) => animationName)",
    );
    assert_eq!(pulses, json!(["pulse"]));
}
