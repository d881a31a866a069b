//! The lobby: cards, names, games to resume, records, the browser's history, links.

use serde_json::json;

use crate::game::{Game, spot};

/// The moves that the boards of the lobby have shown, as a text.
const SHOWN: &str = "[...linesman.view.living.boards.values()].map(({ at }) => at).join()";

#[test]
fn the_boards_of_the_lobby_replay_games_while_they_are_seen() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    browser.until("!document.querySelector('#living-switch').hidden");
    let moves = |is_on: bool| {
        let before = browser.run(&format!(
            "globalThis.before = {SHOWN}; return linesman.view.living.timer !== null"
        ));
        assert_eq!(before, is_on);
        if is_on {
            browser.until(&format!("{SHOWN} !== before"));
        }
    };
    // All five games are there, and a move changes the picture.
    assert_eq!(
        browser.value("[...linesman.view.living.boards.values()].filter(({ frames }) => frames.length > 10).length"),
        5
    );
    browser.run("globalThis.changed = 0; new MutationObserver(() => { changed += 1; }).observe(document.querySelector('#games'), { subtree: true, childList: true })");
    moves(true);
    browser.until("changed > 0");
    // They rest behind another window, and where the person wishes it, also after a reload.
    let hide = |is_hidden: bool| {
        browser.run(&format!(
            "Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }}); document.dispatchEvent(new Event('visibilitychange'))"
        ));
    };
    hide(true);
    moves(false);
    hide(false);
    moves(true);
    browser.click("#living-switch");
    moves(false);
    browser.reload();
    browser
        .until("document.querySelector('#living-switch')?.textContent === 'Let the boards play'");
    moves(false);
    browser.click("#living-switch");
    moves(true);
    // With reduced motion not even the games are requested.
    let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    browser.cdp("Emulation.setEmulatedMedia", &still);
    browser.reload();
    browser.until("document.querySelector('[data-play]')");
    let begun = browser.promise(
        "linesman.view.living.begin().then(() => document.querySelector('#living-switch').hidden)",
    );
    assert_eq!(begun, true);
    moves(false);
}

#[test]
fn a_game_is_begun_with_a_name_left_by_back_and_resumed() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    // Each card shows a position with something on its board.
    browser.until(
        "[...document.querySelectorAll('[data-game] .card-board')].every((board) => board.querySelector('.piece, .trail'))",
    );
    browser.click("#choose-name");
    browser.fill("#player-name", r#"Ann O'Neil"#);
    browser.click("#name-change");
    browser.double_click("[data-play=susan]");
    page.wait_until_usable();
    browser
        .until(r#"document.querySelector('[data-side=p1] .name')?.textContent === `Ann O'Neil`"#);
    let tables = browser.promise("linesman.ask('games').then(({ tables }) => tables.length)");
    assert_eq!(tables, 1, "the second click opened no table");
    page.click("c3");
    page.wait_for_ply(2);
    let shown = browser.promise("linesman.ask('games').then(({ games }) => games.length)");
    assert_eq!(shown, 0, "the game of an open table is not listed again");

    let table = browser.string("linesman.tableId");
    let address = browser.value("location.pathname + location.search");
    assert_eq!(address, format!("/game/{table}"));
    browser.reload();
    page.wait_for_ply(2);
    browser.back();
    browser.until("document.querySelector('[data-play]')");
    let listed = browser.text(".kept-list");
    assert!(listed.contains("open now"), "{listed}");
    browser.click(".kept-list button");
    page.wait_for_ply(2);
    page.click_first();
    page.wait_for_ply(4);
    browser.promise("linesman.command('quit')");
    // A game of one move is not listed.
    browser.click("[data-play=gobblet]");
    page.wait_until_usable();
    page.click_first();
    page.wait_for_ply(2);
    browser.promise("linesman.command('quit')");
    browser.until("document.querySelector('[data-play]')");
    let kept = browser.promise("linesman.ask('games').then(({ games }) => games.length)");
    let listed = browser.until("linesman.view.library.entries?.length");
    assert_eq!([kept, listed], [json!(2), json!(1)]);
    let listed = browser.text(".kept-list");
    let year = browser.string("String(new Date().getFullYear())");
    for part in ["SUSAN: Ann O'Neil and the engine", "2 moves", &year] {
        assert!(listed.contains(part), "{listed}");
    }
    // Its board is shown, and a search finds it.
    browser.until("document.querySelector('.thumbnail svg .piece')");
    for (n, words) in [(0, "projex"), (1, "ann not finished")] {
        browser.run(&format!(
            "const search = linesman.view.library.search; search.value = {}; search.dispatchEvent(new Event('input'))",
            json!(words)
        ));
        browser.until(&format!(
            "document.querySelectorAll('#library .thumbnail').length === {n}"
        ));
    }
}

#[test]
fn a_text_a_link_and_a_guest_are_brought_to_the_page() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    let paste = |text: &str| {
        browser.click("#open-text");
        browser.until("document.querySelector('#record-text')");
        browser.run(&format!(
            "document.querySelector('#record-text').value = {}",
            json!(text)
        ));
        browser.click("#open-record [type=submit]");
    };
    // An error is shown in the dialog.
    paste("nonsense");
    browser.until("document.querySelector('#open-record .error').checkVisibility()");
    browser.close_dialogs();
    for (text, game) in [
        ("ox/1oo/x1xx/1o1 x 1", "projex"),
        ("s1o1s/o3o/ossos/s4/2oos o 0", "entropy"),
    ] {
        paste(text);
        browser.until(&format!(
            "linesman.view.table?.isReady && linesman.view.table.game.name === '{game}'"
        ));
        page.wait_for_board();
        assert_eq!(page.position(), text);
        browser.click("#brand");
    }
    // A link to a position, in a page that is open.
    browser.run("location.hash = 'game=susan&position=5/6/7/8/9/8/7/6/5 x 0'");
    let opening = browser.until("document.querySelector('#field-opening')?.value");
    assert_eq!(opening, "5/6/7/8/9/8/7/6/5 x 0");
    // The link of a guest is shown as soon as the game is opened, and later.
    browser.choose("#field-p2-kind", "guest");
    browser.click("#start-game");
    let link = browser.until("document.querySelector('#guest-link')?.value");
    browser.close_dialogs();
    browser.click("#guest-invite");
    assert_eq!(
        browser.until("document.querySelector('#guest-link')?.value"),
        link
    );
}

#[test]
fn the_beginner_of_a_new_game_is_chosen_or_drawn_by_lot() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    browser.click("#new-game");
    browser.choose("#field-game", "susan");
    // No choice is cut, though the browser does not tell: its text and an arrow fit.
    let cut = browser.run(
        "const pen = document.createElement('canvas').getContext('2d');
         return [...document.querySelectorAll('#new-game-dialog select')].filter((it) => {
           pen.font = getComputedStyle(it).font;
           return [...it.options].some(({ text }) => pen.measureText(text).width > it.clientWidth - 40);
         }).map(({ id }) => id);",
    );
    assert_eq!(cut, json!([]));
    let begin = |how: &str| {
        browser.choose("#field-begins", how);
        browser.click("#start-game");
        browser.until("!document.querySelector('dialog') && linesman.view.table?.isReady");
        let seats = browser.value("linesman.view.table.seats.map(({ by }) => by)");
        browser.click("#new-game");
        seats
    };
    let orders = [json!(["person", "engine"]), json!(["engine", "person"])];
    assert_eq!([begin("p1"), begin("p2")], orders);
    for (lot, order) in [0.9, 0.1].into_iter().zip(orders) {
        browser.run(&format!("Math.random = () => {lot}"));
        assert_eq!(begin("lot"), order);
    }
}

#[test]
fn a_page_outlives_a_restart_of_its_server() {
    let mut page = or_skip!(Game::from_lobby());
    let port = page
        .server
        .address
        .split(['/', ':'])
        .nth(4)
        .expect("a port")
        .to_owned();
    let other = "document.querySelector('#lost').textContent.includes('no longer valid')";
    page.server.restart(&["--port", &port]);
    page.browser.until(other);
    // With a fixed port, the token stays the same.
    page.browser.open(&page.server.address);
    page.browser.until("document.querySelector('[data-play]')");
    page.browser.run("window.before = linesman.hello");
    page.server.restart(&["--port", &port]);
    page.browser.until("linesman.hello !== before");
    page.browser.until("document.querySelector('#lost').hidden");
    page.browser.click("[data-play=susan]");
    page.wait_until_usable();
    page.browser
        .until(&format!("document.querySelector('{}')", spot("c3")));
}
