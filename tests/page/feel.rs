//! Settings of the page, the speed of games between engines, and a person's own marks.

use serde_json::json;

use crate::game::{Game, spot};
use crate::seat::seat;

#[test]
fn a_damaged_storage_counts_as_an_empty_one() {
    let page = or_skip!(Game::from_lobby());
    for damaged in ["{", "null", "5", "{\"solved\":null}"] {
        page.run(&format!(
            "for (const key of ['settings', 'puzzles']) localStorage.setItem(`linesman-${{key}}`, {})",
            json!(damaged)
        ));
        page.open(&page.server.address);
        page.until("$('#daily')");
        page.reopen("susan", &json!({}), ["human", "human"], "");
        page.enter("c3");
        page.wait_for_ply(1);
        page.click("#brand");
        page.click("#daily-solve");
        page.until("$('#puzzle-task')?.textContent.includes(': win in')");
    }
}

#[test]
fn settings_change_how_moves_are_entered_and_answered() {
    let page = or_skip!(Game::from_lobby());
    page.run(
        "const Real = AudioContext; window.made = 0; AudioContext = class extends Real { constructor() { super(); made += 1; } };",
    );
    page.click("#settings-button");
    page.click("#setting-sound");
    page.until("made === 1");
    page.click("#setting-confirm");
    page.run("const answer = $('#setting-answer'); answer.value = '1.5'; answer.dispatchEvent(new Event('input'))");
    assert!(page.text("#settings").contains("1.5 s"));
    page.close_dialogs();
    page.reopen("susan", &json!({}), ["human", "builtin"], "");
    page.click(&spot("c3"));
    page.click("#cancel-move");
    page.until("!$('#confirm-move')");
    assert_eq!(page.ply(), 0);
    page.click(&spot("c4"));
    page.run("window.entered = performance.now()");
    page.click("#confirm-move");
    page.wait_for_ply(2);
    let waited = page.number("performance.now() - entered");
    assert!(waited >= 1500.0, "{waited} ms");
    assert_eq!(page.moves()[0], "c4");
    // The secondary button draws an arrow, and removes it again.
    for n in [1, 0] {
        page.run(
            "const at = (id) => { const { x, y, width, height } = $(`[data-spot=${id}]`).getBoundingClientRect(); return { clientX: x + width / 2, clientY: y + height / 2 }; };
             const send = (type, id) => linesman.view.board.surface.svg.dispatchEvent(new PointerEvent(type, { ...at(id), button: 2, pointerType: 'mouse', bubbles: true }));
             send('pointerdown', 'e5'); send('pointerup', 'e7');",
        );
        page.wait_for_count(".stage .own .arrow", n);
    }
    // Two engines are slowed down, stopped, and make one move.
    let engine = seat("builtin nodes=20");
    page.open_table(&json!({ "game": "susan", "seats": [engine, engine] }));
    page.until("linesman.view.table.pace === 0.8 && $('#faster')");
    for (button, pace) in [("#slower", 2), ("#slower", 5), ("#faster", 2)] {
        page.click(button);
        page.until(&format!(
            "linesman.view.table.pace === {pace} && linesman.view.table.action('faster')?.args.seconds < {pace}"
        ));
    }
    page.click("#pause");
    page.until("$('#step')");
    page.run("window.before = linesman.view.table.tree.nodes.length");
    page.click("#step");
    // The move of a search that ran during the pause may come first.
    page.until("linesman.view.table.tree.nodes.length > before && $('#step')");
    let n_moves = page.number("linesman.view.table.tree.nodes.length - before");
    assert!(n_moves <= 2.0, "{n_moves} moves");
}

#[test]
fn a_move_in_advance_is_played_if_it_is_legal() {
    let page = or_skip!(Game::from_lobby());
    let set_answer = |seconds: u32| {
        page.run(&format!(
            "localStorage.setItem('linesman-settings', JSON.stringify({{ answer: {seconds} }}))"
        ))
    };
    // The engine's answer is held until it is released. Returns its code and the cell to which it leads.
    let answer = || {
        let code = page.string("linesman.view.held?.some(({ event }) => event === 'turn') && linesman.view.held.find(({ event }) => event === 'move-played').move");
        let cell = code.rsplit("->").next().expect("a cell").to_owned();
        (code, cell)
    };
    let release = || {
        set_answer(0);
        page.run("const { held } = linesman.view; linesman.view.held = null; for (const event of held) linesman.view.onEvent(event)");
    };
    let advance = |id: &str| {
        page.click(&spot(id));
        page.until(&format!("$('[data-mark={id}]')"));
        assert!(page.text("#banner").contains(id));
    };
    page.reopen("susan", &json!({}), ["human", "builtin"], "");
    set_answer(60);
    page.click(&spot("e5"));
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
    page.click(&spot(&cells[0].code));
    let (_, taken) = answer();
    advance(&cells[cells.len() - 1].code);
    page.click("#cancel-premove");
    page.until("!$('[data-mark]')");
    advance(&taken);
    release();
    let toast = page.text(".toast");
    assert!(toast.starts_with(&taken), "{toast}");
    page.wait_for_ply(6);
}
