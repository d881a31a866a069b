//! Features of the boards of single games.

use fantoccini::key::Key;
use serde_json::json;

use crate::game::{Game, spot};

#[test]
fn the_field_of_graph_hockey_has_closed_lines_and_its_own_controls() {
    let Some(page) = Game::from_lobby() else {
        return;
    };
    let browser = &page.browser;
    page.reopen("graph-hockey", &json!({}), ["human", "human"], "K R A T");
    let dashed = browser.run("return document.querySelectorAll('.trail [stroke-dasharray], .last-trail [stroke-dasharray], .trail[stroke-dasharray], .last-trail[stroke-dasharray]').length");
    assert_eq!(dashed, 0);
    // The field cannot be turned, so nothing offers that.
    for id in ["flip", "rotate"] {
        let shown = browser.run(&format!(
            "return document.querySelector('#{id}').checkVisibility()"
        ));
        assert_eq!(shown, false, "{id}");
    }
    // A click next to the legal points is refused with a reason.
    browser.click(".stage .board");
    browser.until("document.querySelector('#refusal').textContent === 'No legal move ends there.'");
    // Letters rule out moves, also right after a click on the button.
    browser.click("#rule-out");
    let code = page.gestures()[0].code.clone();
    browser.keys(&code);
    browser.until("document.querySelectorAll('.stage .shape.ruled-out').length === 1");
    // The guide of Projex names a control that exists.
    page.reopen("projex", &json!({ "Size": 14 }), ["human", "human"], "");
    // Of the largest board, only the changes are sent.
    let received = browser.run("return linesman.socket.received");
    page.click_first();
    let bytes = browser.run(&format!("return linesman.socket.received - {received}"));
    assert!(
        bytes.as_u64().is_some_and(|bytes| bytes < 5000),
        "{bytes} bytes for a move"
    );
    browser.click("#guide-button");
    assert!(browser.text(".guide").contains("rolls it if you drag it"));
    assert_eq!(browser.run("return linesman.view.board.canRoll"), true);
    browser.run("document.querySelector('dialog').close()");
    browser.until("document.querySelector('#flip').checkVisibility()");
}

#[test]
fn marks_are_turned_off_until_one_is_left_and_return_plays_it() {
    full_only!();
    let Some(page) = Game::by_hand("graph-hockey") else {
        return;
    };
    let browser = &page.browser;
    page.wait_until_usable();
    browser.click("#rule-out");
    let codes: Vec<String> = page.gestures().into_iter().map(|it| it.code).collect();
    let (last, others) = codes.split_last().expect("moves");
    let n_off = |n: usize| {
        browser.until(&format!(
            "document.querySelectorAll('.stage .shape.ruled-out').length === {n}"
        ));
    };
    page.focus_board();
    for (i, code) in others.iter().enumerate() {
        browser.keys(code);
        n_off(i + 1);
    }
    // A click switches one on again; another click switches it off.
    let first = spot(&others[0]);
    browser.click(&first);
    n_off(others.len() - 1);
    browser.click(&first);
    n_off(others.len());
    page.focus_board();
    browser.keys(&Key::Enter.to_string());
    page.wait_for_ply(1);
    assert_eq!(page.moves(), [last.as_str()]);
}

#[test]
fn a_border_cell_lights_its_partners_and_the_board_rolls() {
    full_only!();
    let Some(page) = Game::by_hand("projex:Size=4") else {
        return;
    };
    let browser = &page.browser;
    page.wait_until_usable();
    let cell = browser.run("return document.querySelector('[data-shows]').dataset.shows");
    let cell = cell.as_str().expect("a cell");
    browser.hover(&spot(cell));
    let lit = browser.until(
        "(() => { const lit = [...document.querySelectorAll('.lit')].map(({ dataset }) => dataset.shows); return lit.length && lit; })()",
    );
    let lit = lit.as_array().expect("partners");
    assert!(
        lit.iter().all(|shown| *shown == json!(cell)),
        "{cell}: {lit:?}"
    );
    page.focus_board();
    browser.keys(&format!("{}{}{}", Key::Shift, Key::Left, Key::Null));
    browser.until("linesman.view.view.centre !== ''");
    browser.until("document.querySelector('#rolled').checkVisibility()");
    page.click_first();
    browser.click("#unroll");
    browser.until("linesman.view.view.centre === ''");
    assert_eq!(page.ply(), 1);
}

#[test]
fn threatened_lines_and_finished_pieces_are_drawn() {
    let Some(page) = Game::by_hand("gobblet") else {
        return;
    };
    let browser = &page.browser;
    for code in ["1@a1", "1@c3", "1@b1"] {
        page.click(code);
    }
    browser.until("document.querySelectorAll('.stage path.shape.danger').length === 1");
    assert!(browser.text("#caption").ends_with("red threatens a1 b1 c1"));
    let wish = json!({
        "game": "entropy", "options": {}, "seats": ["human", "human"], "clock": "-",
        "opening": "s1o1s/o3o/ossos/s4/2oos o 0",
    });
    browser.promise(&format!("linesman.open({wish})"));
    browser.until("document.querySelectorAll('.stage text.shape.finished').length === 4");
    // An isolated piece pulses, unless the system prefers reduced motion.
    let pulses = browser.until(
        "document.querySelector('.stage circle.shape.danger')?.getAnimations().map(({ animationName }) => animationName)",
    );
    assert_eq!(pulses, json!(["pulse"]));
}
