//! Engines at a page's table: one that is killed, hints, analysis.

use std::process::Command;

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
    page.click("e5");
    page.wait_for_ply(2);
    assert!(page.wait_for_turn());
    page.server.kill_engines();
    page.click_first();
    // The page reports the kill, and the restarted engine answers.
    page.browser
        .until("document.body.innerText.includes('killed by signal 9')");
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
    page.browser
        .until("!document.querySelector('#hint').disabled");
    page.browser.click("#hint");
    let code = page.browser.until("linesman.view.hint?.code");
    let code = code.as_str().expect("a move");
    page.browser
        .until("document.querySelector('.marks').childElementCount > 0");
    let told = "import('/page/page.js').then(({ modules: { 'scores.js': scores } }) => \
        [{ cp: 0, exact: true }, { cp: 0 }].map((score) => scores.format(scores.toP1(score, 'p2'))))";
    let told = page.browser.promise(told);
    assert_eq!(told, serde_json::json!(["draw", "+0.00"]));
    page.click(code);
    page.wait_for_ply(2);
}

#[test]
fn analysis_shows_lines_and_one_is_followed_with_a_click() {
    let page = or_skip!(Game::by_hand("susan"));
    page.browser.click("#analysis-box summary");
    page.browser.click("#analyse");
    page.browser
        .until("document.querySelectorAll('#analysis-list li').length === 3");
    // Each score fits its plate, and no arrow covers one.
    page.browser.until(
        "[...document.querySelectorAll('.mark .plate')].length > 0 && [...document.querySelectorAll('.mark .plate')].every((plate) =>
           plate.parentNode.querySelector('text').getBoundingClientRect().width <= plate.getBoundingClientRect().width)",
    );
    // The list of lines has the height of its lines from the beginning.
    let heights = page.browser.run(
        "const list = document.querySelector('#analysis-list'), whole = list.offsetHeight; list.replaceChildren(); return [whole, list.offsetHeight];",
    );
    assert_eq!(heights[0], heights[1]);
    page.browser
        .until("document.querySelectorAll('#analysis-list li').length === 3");
    // A line ends at a whole move.
    let cut = "(() => {
        const rows = [...document.querySelectorAll('.line-moves')].map((row) => [row.getBoundingClientRect(), ...row.children]);
        const isCut = (row) => ({ left, right, top, bottom }) => left < row.right && top < row.bottom - 2 && (right > row.right + 1 || bottom > row.bottom + 1);
        return rows.flatMap(([row, ...moves]) => moves.map((move) => move.getBoundingClientRect()).filter(isCut(row))).length;
      })()";
    assert_eq!(page.browser.value(cut), 0);
    // The bar has the colours of the sides, and stays while a line is previewed, so the board keeps its place.
    let colours = page.browser.run(
        "return ['.bar .one', '.bar .two'].map((it) => getComputedStyle(document.querySelector(it)).fill === getComputedStyle(document.querySelector(`.strip .chip ${it.slice(5)}`)).fill);",
    );
    assert_eq!(colours, serde_json::json!([true, true]));
    let place = "document.querySelector('.stage').getBoundingClientRect().left";
    let before = page.browser.value(place);
    page.browser.click("#analysis-list [data-line-move]");
    page.browser.until("linesman.view.view.line?.length === 1");
    assert_eq!(page.browser.value(place), before);
    page.browser.click("#analyse");
    page.browser.click("#line-keep");
    page.browser
        .until("linesman.view.view.line.length === 0 && linesman.view.view.ply === 1");
    assert_eq!(page.moves().len(), 1);
    let note = page.browser.text("#note");
    assert!(
        note.starts_with("You are viewing moves that have not been played."),
        "{note}"
    );
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
        assert!(
            !alive.expect("kill").status.success(),
            "engine {engine} is left"
        );
    }
}

#[test]
fn another_engine_is_met_by_its_command() {
    full_only!();
    let page = or_skip!(Game::by_hand("susan"));
    let browser = &page.browser;
    for (open, kind, command, send, dialog) in [
        (
            "[data-side=p2] .seat-button",
            "#seat-kind",
            "#seat-words",
            "#seat-change",
            "#seat-dialog",
        ),
        (
            "#new-game",
            "#field-p2-kind",
            "#field-p2-words",
            "#start-game",
            "#new-game-dialog",
        ),
    ] {
        browser.click(open);
        if open == "#new-game" {
            browser.choose("#field-game", "susan");
        }
        browser.choose(kind, "program");
        browser.fill(command, "nonsense");
        browser.click(send);
        let why = browser.text(&format!("{dialog} .error"));
        assert!(why.contains("nonsense"), "{why}");
        let words = format!("cmd={} name=Bot", env!("CARGO_BIN_EXE_scripted-engine"));
        browser.fill(command, &words);
        browser.click(send);
        browser.until("!document.querySelector('dialog') && linesman.view.table.isReady && linesman.view.table.seat('p2').name === 'Bot'");
        assert!(page.wait_for_turn());
        page.click("c3");
        page.wait_for_ply(2);
    }
}
