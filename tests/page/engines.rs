//! Engines at a page's table: whose turn it is, one that is killed, hints, analysis.

use std::process::Command;

use serde_json::json;

use crate::game::Game;

#[test]
fn an_engine_that_is_killed_is_named_and_the_game_goes_on_with_a_fresh_one() {
    full_only!();
    let page = or_skip!(Game::start(&[
        "susan",
        "--p1",
        "human",
        "--p2",
        "builtin st=0.1"
    ]));
    page.enter("e5");
    page.wait_for_ply(2);
    assert!(page.wait_for_turn());
    page.server.kill_engines();
    page.click_first();
    // The page reports the kill, and the restarted engine answers.
    page.until("document.body.innerText.includes('killed by signal 9')");
    page.wait_for_ply(4);
    assert!(page.wait_for_turn());
}

#[test]
fn a_hint_is_shown_on_the_board() {
    full_only!();
    let page = or_skip!(Game::start(&[
        "susan:Size=3",
        "--p1",
        "human",
        "--p2",
        "builtin st=0.1"
    ]));
    page.wait_until_usable();
    page.until("!$('#hint').disabled");
    page.click("#hint");
    let code = page.until("linesman.view.hint?.code");
    let code = code.as_str().expect("a move");
    page.until("$('.marks').childElementCount > 0");
    let told = "import('/page/page.js').then(({ formatScore, toP1 }) => \
        [{ cp: 0, exact: true }, { cp: 0 }].map((score) => formatScore(toP1(score, 'p2'))))";
    let told = page.promise(told);
    assert_eq!(told, json!(["draw", "+0.00"]));
    page.enter(code);
    page.wait_for_ply(2);
}

#[test]
fn analysis_shows_lines_and_one_is_followed_with_a_click() {
    let page = or_skip!(Game::by_hand("susan"));
    page.click("#analysis-box summary");
    page.click("#analyse");
    page.wait_for_count("#analysis-list li", 3);
    // Each score fits its plate, and no arrow covers one.
    page.until(
        "$$('.mark .plate').length > 0 && $$('.mark .plate').every((plate) =>
           plate.parentNode.querySelector('text').getBoundingClientRect().width <= plate.getBoundingClientRect().width)",
    );
    // The list of lines has the height of its lines from the beginning.
    let heights = page.run(
        "const list = $('#analysis-list'), whole = list.offsetHeight; list.replaceChildren(); return [whole, list.offsetHeight];",
    );
    assert_eq!(heights[0], heights[1]);
    page.wait_for_count("#analysis-list li", 3);
    // A line ends at a whole move.
    let cut = "(() => {
        const rows = $$('.line-moves').map((row) => [row.getBoundingClientRect(), ...row.children]);
        const isCut = (row) => ({ left, right, top, bottom }) => left < row.right && top < row.bottom - 2 && (right > row.right + 1 || bottom > row.bottom + 1);
        return rows.flatMap(([row, ...moves]) => moves.map((move) => move.getBoundingClientRect()).filter(isCut(row))).length;
      })()";
    assert_eq!(page.value(cut), 0);
    // The bar has the colours of the sides, and stays while a line is previewed, so the board keeps its place.
    let colours = page.run(
        "return ['.bar .one', '.bar .two'].map((it) => getComputedStyle($(it)).fill === getComputedStyle($(`.strip .chip ${it.slice(5)}`)).fill);",
    );
    assert_eq!(colours, json!([true, true]));
    let place = "$('.stage').getBoundingClientRect().left";
    let before = page.value(place);
    page.click("#analysis-list [data-line-move]");
    page.until("linesman.view.view.line?.length === 1");
    assert_eq!(page.value(place), before);
    page.click("#analyse");
    page.click("#line-keep");
    page.until("linesman.view.view.line.length === 0 && linesman.view.view.ply === 1");
    assert_eq!(page.moves().len(), 1);
    let note = page.text("#note");
    assert!(note.contains("have not been played"), "{note}");
}

#[test]
fn a_program_that_ends_leaves_no_engine() {
    full_only!();
    let page = or_skip!(Game::start(&[
        "susan",
        "--p1",
        "human",
        "--p2",
        "builtin st=0.1"
    ]));
    let engines = page.server.engines();
    assert!(!engines.is_empty());
    let Game { browser, server } = page;
    drop(browser);
    server.terminate();
    for engine in engines {
        let alive = Command::new("kill").args(["-0", &engine]).output();
        let is_left = alive.expect("kill").status.success();
        assert!(!is_left, "engine {engine} is left");
    }
}

#[test]
fn another_engine_is_met_by_its_program() {
    full_only!();
    let page = or_skip!(Game::by_hand("susan"));
    // In the seat of a game, and in a new game.
    for (open, ids) in [
        ("[data-side=p2] .seat-button", "seat"),
        ("#new-game", "field-p2"),
    ] {
        page.click(open);
        page.choose(&format!("#{ids}-kind"), "program");
        page.click("dialog [type=submit]");
        let why = page.text("dialog .error");
        assert!(why.contains("name the program"), "{why}");
        let program = env!("CARGO_BIN_EXE_scripted-engine");
        for (field, text) in [("path", program), ("name", "Bot"), ("seconds", "1")] {
            page.fill(&format!("#{ids}-{field}"), text);
        }
        page.click("dialog [type=submit]");
        page.until("!$('dialog') && linesman.view.table.isReady && linesman.view.table.seat('p2').name === 'Bot'");
        assert!(page.wait_for_turn());
        page.enter("c3");
        page.wait_for_ply(2);
    }
}

#[test]
fn a_game_against_an_engine_says_whose_turn_it_is_and_who_won() {
    let page = or_skip!(Game::from_lobby());
    page.reopen("susan", &json!({}), ["human", "builtin nodes=1000"], "");
    assert_eq!(page.text("#caption"), "Your turn");
    assert_eq!(page.text("#note"), "You play x.");
    page.enter("c3");
    // The answer comes at once, and is shown after one's own move was seen.
    let seen =
        page.until("linesman.view.view.ply === 2 && performance.now() - linesman.view.movedAt");
    assert!(seen.as_f64() >= Some(600.0), "{seen}");
    assert!(page.wait_for_turn());
    // The score of the engine is hidden from its opponent while the analysis is closed.
    let thought = "$('[data-side=p2] .thought').textContent";
    assert_eq!(page.value(thought), "");
    page.click("#analysis-box summary");
    page.until(&format!("{thought} !== ''"));
    // Only clocks that run are spoken.
    page.run("document.activeElement.blur()");
    page.keys(";");
    assert_eq!(page.text("#live"), "x no clock; o no clock");
    // A hint is shown in the panel, and only there.
    page.click("#hint");
    page.until("$('#note').textContent.startsWith('Hint: ')");
    assert_eq!(page.value("$('.toast')"), json!(null));
    assert_eq!(page.text("#talk-box summary"), "Talk", "it is no talk");

    // A person who takes the engine's seat is recorded as this person.
    page.click("[data-side=p2] .seat-button");
    page.choose("#seat-kind", "person");
    page.fill("#seat-name", "Bob");
    page.click("#seat-change");
    page.until("$('[data-side=p2] .name').textContent === 'Bob'");
    let pgn = page.export("pgn");
    assert!(pgn.contains("[Black \"Bob\"]"), "{pgn}");
    page.click("[data-side=p2] .seat-button");
    page.choose("#seat-kind", "engine");
    page.click("#seat-change");
    page.until("linesman.view.table.seat('p2').by === 'engine' && linesman.view.table.seat('p2').name !== 'Bob'");

    page.click("#resign");
    page.click("#confirm-yes");
    page.until("linesman.view.table.turn === 'over'");
    page.until("$('#caption').textContent === 'You lost'");
    assert_eq!(page.text("#note"), "x resigns");
    assert!(page.text("#banner").starts_with("0–1"));

    // Two engines leave time to see each move.
    page.promise(
        "linesman.open({ game: 'entropy', options: {}, seats: [{ kind: 'engine', limit: 'nodes=1' }, { kind: 'engine', limit: 'nodes=1' }], clock: '-', level: 0, opening: null })",
    );
    page.until("linesman.view.table?.pace > 0");
}
