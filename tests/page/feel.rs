//! Settings of the page, the speed of games between engines, and a person's own marks.

use serde_json::json;

use crate::game::{Game, spot};
use crate::seat::seat;

#[test]
fn a_damaged_storage_counts_as_an_empty_one() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    for damaged in ["{", "null", "5", "{\"solved\":null}"] {
        browser.run(&format!(
            "for (const key of ['settings', 'puzzles']) localStorage.setItem(`linesman-${{key}}`, {})",
            json!(damaged)
        ));
        browser.open(&page.server.address);
        browser.until("document.querySelector('#daily')");
        page.reopen("susan", &json!({}), ["human", "human"], "");
        page.click("c3");
        page.wait_for_ply(1);
        browser.click("#brand");
        browser.click("#daily-solve");
        browser.until("document.querySelector('#puzzle-task')?.textContent.includes(': win in')");
    }
}

#[test]
fn settings_change_how_moves_are_entered_and_answered() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    browser.run(
        "const Real = AudioContext; window.made = 0; AudioContext = class extends Real { constructor() { super(); made += 1; } };",
    );
    browser.click("#settings-button");
    browser.click("#setting-sound");
    browser.until("made === 1");
    browser.click("#setting-confirm");
    browser.run("const answer = document.querySelector('#setting-answer'); answer.value = '1.5'; answer.dispatchEvent(new Event('input'))");
    assert!(browser.text("#settings").contains("1.5 s"));
    browser.close_dialogs();
    page.reopen("susan", &json!({}), ["human", "builtin"], "");
    browser.click(&spot("c3"));
    browser.click("#cancel-move");
    browser.until("!document.querySelector('#confirm-move')");
    assert_eq!(page.ply(), 0);
    browser.click(&spot("c4"));
    browser.run("window.entered = performance.now()");
    browser.click("#confirm-move");
    page.wait_for_ply(2);
    let waited = browser.number("performance.now() - entered");
    assert!(waited >= 1500.0, "{waited} ms");
    assert_eq!(page.moves()[0], "c4");
    // The secondary button draws an arrow, and removes it again.
    for n in [1, 0] {
        browser.run(
            "const at = (id) => { const { x, y, width, height } = document.querySelector(`[data-spot=${id}]`).getBoundingClientRect(); return { clientX: x + width / 2, clientY: y + height / 2 }; };
             const send = (type, id) => linesman.view.board.surface.svg.dispatchEvent(new PointerEvent(type, { ...at(id), button: 2, pointerType: 'mouse', bubbles: true }));
             send('pointerdown', 'e5'); send('pointerup', 'e7');",
        );
        browser.until(&format!(
            "document.querySelectorAll('.stage .own .arrow').length === {n}"
        ));
    }
    // Two engines are slowed down, stopped, and make one move.
    let engine = seat("builtin nodes=20");
    page.open(&json!({ "game": "susan", "seats": [engine, engine] }));
    browser.until("linesman.view.table.pace === 0.8 && document.querySelector('#slower')");
    browser.click("#slower");
    browser.until("linesman.view.table.pace === 2");
    browser.click("#pause");
    browser.until("document.querySelector('#step')");
    browser.run("window.before = linesman.view.table.tree.nodes.length");
    browser.click("#step");
    // The move of a search that ran during the pause may come first.
    browser
        .until("linesman.view.table.tree.nodes.length > before && document.querySelector('#step')");
    let n_moves = browser.number("linesman.view.table.tree.nodes.length - before");
    assert!(n_moves <= 2.0, "{n_moves} moves");
}

#[test]
fn a_move_in_advance_is_played_if_it_is_legal() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    let set_answer = |seconds: u32| {
        browser.run(&format!(
            "localStorage.setItem('linesman-settings', JSON.stringify({{ answer: {seconds} }}))"
        ))
    };
    // The engine's answer is held until it is released. Returns its code and the cell to which it leads.
    let answer = || {
        let code = browser.string("linesman.view.held?.some(({ event }) => event === 'turn') && linesman.view.held.find(({ event }) => event === 'move-played').move");
        let cell = code.rsplit("->").next().expect("a cell").to_owned();
        (code, cell)
    };
    let release = || {
        set_answer(0);
        browser.run("const { held } = linesman.view; linesman.view.held = null; for (const event of held) linesman.view.onEvent(event)");
    };
    let advance = |id: &str| {
        browser.click(&spot(id));
        browser.until(&format!("document.querySelector('[data-mark={id}]')"));
        assert!(browser.text("#banner").contains(id));
    };
    page.reopen("susan", &json!({}), ["human", "builtin"], "");
    set_answer(60);
    browser.click(&spot("e5"));
    let (reply, taken) = answer();
    let free = ["b2", "h2"].into_iter().find(|id| *id != taken);
    let free = free.expect("two cells");
    advance(free);
    release();
    page.wait_for_ply(4);
    assert_eq!(page.moves()[..3], ["e5", reply.as_str(), free]);
    // A move to the cell that the opponent takes is dropped.
    page.wait_until_usable();
    let cells: Vec<_> = page
        .gestures()
        .into_iter()
        .filter(|it| it.spots.len() == 1)
        .collect();
    set_answer(60);
    browser.click(&spot(&cells[0].code));
    let (_, taken) = answer();
    advance(&cells[cells.len() - 1].code);
    browser.click("#cancel-premove");
    browser.until("!document.querySelector('[data-mark]')");
    advance(&taken);
    release();
    let toast = browser.text(".toast");
    assert!(toast.starts_with(&taken), "{toast}");
    page.wait_for_ply(6);
}
