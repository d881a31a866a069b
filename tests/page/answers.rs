//! What a page says in a game against an engine: whose turn it is, what the engine did, who won.

use serde_json::json;

use crate::game::Game;

#[test]
fn a_game_against_an_engine_says_whose_turn_it_is_and_who_won() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    page.reopen("susan", &json!({}), ["human", "builtin nodes=1000"], "");
    assert_eq!(browser.text("#caption"), "Your turn");
    assert_eq!(browser.text("#note"), "You play x.");
    page.click("c3");
    // The answer comes at once, and is shown after one's own move was seen.
    let seen =
        browser.until("linesman.view.view.ply === 2 && performance.now() - linesman.view.movedAt");
    assert!(seen.as_f64() >= Some(600.0), "{seen}");
    assert!(page.wait_for_turn());
    // The score of the engine is hidden from its opponent while the analysis is closed.
    let thought = "document.querySelector('[data-side=p2] .thought').textContent";
    assert_eq!(browser.value(thought), "");
    browser.click("#analysis-box summary");
    browser.until(&format!("{thought} !== ''"));
    // Only clocks that run are spoken.
    browser.run("document.activeElement.blur()");
    browser.keys(";");
    assert_eq!(browser.text("#live"), "x no clock; o no clock");
    // A hint is shown in the panel, and only there.
    browser.click("#hint");
    browser.until("document.querySelector('#note').textContent.startsWith('Hint: ')");
    assert_eq!(
        browser.value("document.querySelector('.toast')"),
        json!(null)
    );
    assert_eq!(browser.text("#talk-box summary"), "Talk", "it is no talk");

    // A person who takes the engine's seat is recorded as this person.
    browser.click("[data-side=p2] .seat-button");
    browser.choose("#seat-kind", "person");
    browser.fill("#seat-name", "Bob");
    browser.click("#seat-change");
    browser.until("document.querySelector('[data-side=p2] .name').textContent === 'Bob'");
    let pgn = browser.promise("linesman.ask('export', { what: 'pgn' }).then(({ text }) => text)");
    assert!(
        pgn.as_str()
            .is_some_and(|text| text.contains("[Black \"Bob\"]")),
        "{pgn}"
    );
    browser.click("[data-side=p2] .seat-button");
    browser.choose("#seat-kind", "engine");
    browser.click("#seat-change");
    browser.until("linesman.view.table.seat('p2').by === 'engine' && linesman.view.table.seat('p2').name !== 'Bob'");

    browser.click("#resign");
    browser.click("#confirm-yes");
    browser.until("linesman.view.table.turn === 'over'");
    browser.until("document.querySelector('#caption').textContent === 'You lost'");
    assert_eq!(browser.text("#note"), "x resigns");
    assert!(browser.text("#banner").starts_with("0–1"));

    // Two engines leave time to see each move.
    page.browser.promise(
        "linesman.open({ game: 'entropy', options: {}, seats: [{ kind: 'engine', limit: 'nodes=1' }, { kind: 'engine', limit: 'nodes=1' }], clock: '-', level: 0, opening: null })",
    );
    browser.until("linesman.view.table?.pace > 0");
}
