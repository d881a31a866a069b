//! The lobby: cards, names, games to resume, records, the browser's history, links.

use serde_json::json;

use crate::browser::{MIDDLE, press, release};
use crate::game::Game;

/// The moves that the boards of the lobby have shown, as a text.
const SHOWN: &str = "[...linesman.view.living.boards.values()].map(({ at }) => at).join()";

#[test]
fn the_boards_of_the_lobby_replay_games_while_they_are_seen() {
    let page = or_skip!(Game::from_lobby());
    page.until("!$('#living-switch').hidden");
    let moves = |is_on: bool| {
        let before = page.run(&format!(
            "globalThis.before = {SHOWN}; return linesman.view.living.timer !== null"
        ));
        assert_eq!(before, is_on);
        if is_on {
            page.until(&format!("{SHOWN} !== before"));
        }
    };
    // All five games are there, and a move changes the picture.
    let long =
        "[...linesman.view.living.boards.values()].filter(({ frames }) => frames.length > 10)";
    assert_eq!(page.value(&format!("{long}.length")), 5);
    page.run("globalThis.changed = 0; new MutationObserver(() => { changed += 1; }).observe($('#games'), { subtree: true, childList: true })");
    moves(true);
    page.until("changed > 0");
    // They rest behind another window, and where the person wishes it, also after a reload.
    let hide = |is_hidden: bool| {
        page.run(&format!(
            "Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }}); document.dispatchEvent(new Event('visibilitychange'))"
        ));
    };
    hide(true);
    moves(false);
    hide(false);
    moves(true);
    page.click("#living-switch");
    moves(false);
    page.reload();
    page.until("$('#living-switch')?.textContent === 'Let the boards play'");
    moves(false);
    page.click("#living-switch");
    moves(true);
    // With reduced motion not even the games are requested.
    let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    page.cdp("Emulation.setEmulatedMedia", &still);
    page.reload();
    page.until("$('[data-play]')");
    let begun = page.promise("linesman.view.living.begin().then(() => $('#living-switch').hidden)");
    assert_eq!(begun, true);
    moves(false);
}

#[test]
fn a_game_is_begun_with_a_name_left_by_back_and_resumed() {
    let page = or_skip!(Game::from_lobby());
    // Each card shows a position with something on its board.
    page.until(
        "$$('[data-game] .card-board').every((board) => board.querySelector('.piece, .trail'))",
    );
    page.click("#choose-name");
    page.fill("#player-name", r#"Ann O'Neil"#);
    page.click("#name-change");
    let click = [press(), release()];
    page.mouse(
        "[data-play=susan]",
        MIDDLE,
        &[click.clone(), click].concat(),
    );
    page.wait_until_usable();
    page.until(r#"$('[data-side=p1] .name')?.textContent === `Ann O'Neil`"#);
    let tables = page.promise("linesman.ask('games').then(({ tables }) => tables.length)");
    assert_eq!(tables, 1, "the second click opened no table");
    page.enter("c3");
    page.wait_for_ply(2);
    let shown = page.promise("linesman.ask('games').then(({ games }) => games.length)");
    assert_eq!(shown, 0, "the game of an open table is not listed again");

    let table = page.string("linesman.tableId");
    let address = page.value("location.pathname + location.search");
    assert_eq!(address, format!("/game/{table}"));
    page.reload();
    page.wait_for_ply(2);
    page.back();
    page.until("$('[data-play]')");
    let listed = page.text(".kept-list");
    assert!(listed.contains("open now"), "{listed}");
    page.click(".kept-list button");
    page.wait_for_ply(2);
    page.click_first();
    page.wait_for_ply(4);
    page.promise("linesman.command('quit')");
    // A game of one move is not listed.
    page.click("[data-play=gobblet]");
    page.wait_until_usable();
    page.click_first();
    page.wait_for_ply(2);
    page.promise("linesman.command('quit')");
    page.until("$('[data-play]')");
    let kept = page.promise("linesman.ask('games').then(({ games }) => games.length)");
    let listed = page.until("linesman.view.library.entries?.length");
    assert_eq!([kept, listed], [json!(2), json!(1)]);
    let listed = page.text(".kept-list");
    let year = page.string("String(new Date().getFullYear())");
    for part in ["SUSAN: Ann O'Neil and the engine", "2 moves", &year] {
        assert!(listed.contains(part), "{listed}");
    }
    // Its board is shown, and a search finds it.
    page.until("$('.thumbnail svg .piece')");
    for (n, words) in [(0, "projex"), (1, "ann not finished")] {
        page.run(&format!(
            "const search = linesman.view.library.search; search.value = {}; search.dispatchEvent(new Event('input'))",
            json!(words)
        ));
        page.wait_for_count("#library .thumbnail", n);
    }
}

#[test]
fn a_text_a_link_and_a_guest_are_brought_to_the_page() {
    let page = or_skip!(Game::from_lobby());
    let paste = |text: &str| {
        page.click("#open-text");
        page.until("$('#record-text')");
        page.run(&format!("$('#record-text').value = {}", json!(text)));
        page.click("#open-record [type=submit]");
    };
    // An error is shown in the dialog.
    paste("nonsense");
    page.until("$('#open-record .error').checkVisibility()");
    page.close_dialogs();
    for (text, game) in [
        ("ox/1oo/x1xx/1o1 x 1", "projex"),
        ("s1o1s/o3o/ossos/s4/2oos o 0", "entropy"),
    ] {
        paste(text);
        page.until(&format!(
            "linesman.view.table?.isReady && linesman.view.table.game.name === '{game}'"
        ));
        page.wait_for_board();
        assert_eq!(page.position(), text);
        page.click("#brand");
    }
    // A link to a position, in a page that is open.
    page.run("location.hash = 'game=susan&position=5/6/7/8/9/8/7/6/5 x 0'");
    let opening = page.until("$('#field-opening')?.value");
    assert_eq!(opening, "5/6/7/8/9/8/7/6/5 x 0");
    // The link of a guest is shown as soon as the game is opened, and later.
    page.choose("#field-p2-kind", "guest");
    page.click("#start-game");
    let link = page.until("$('#guest-link')?.value");
    page.close_dialogs();
    page.click("#guest-invite");
    assert_eq!(page.until("$('#guest-link')?.value"), link);
}

#[test]
fn the_beginner_of_a_new_game_is_chosen_or_drawn_by_lot() {
    let page = or_skip!(Game::from_lobby());
    page.click("#new-game");
    page.choose("#field-game", "susan");
    // No choice is cut, though the browser does not tell: its text and an arrow fit.
    let cut = page.run(
        "const pen = document.createElement('canvas').getContext('2d');
         return $$('#new-game-dialog select').filter((it) => {
           pen.font = getComputedStyle(it).font;
           return [...it.options].some(({ text }) => pen.measureText(text).width > it.clientWidth - 40);
         }).map(({ id }) => id);",
    );
    assert_eq!(cut, json!([]));
    let begin = |how: &str| {
        page.choose("#field-begins", how);
        page.click("#start-game");
        page.until("!$('dialog') && linesman.view.table?.isReady");
        let seats = page.value("linesman.view.table.seats.map(({ by }) => by)");
        page.click("#new-game");
        seats
    };
    let orders = [json!(["person", "engine"]), json!(["engine", "person"])];
    assert_eq!([begin("p1"), begin("p2")], orders);
    for (lot, order) in [0.9, 0.1].into_iter().zip(orders) {
        page.run(&format!("Math.random = () => {lot}"));
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
    let other = "$('#lost').textContent.includes('no longer valid')";
    page.server.restart(&["--port", &port]);
    page.until(other);
    // With a fixed port, the token stays the same.
    page.open(&page.server.address);
    page.until("$('[data-play]')");
    page.run("window.before = linesman.hello");
    page.server.restart(&["--port", &port]);
    page.until("linesman.hello !== before");
    page.until("$('#lost').hidden");
    page.click("[data-play=susan]");
    page.wait_until_usable();
    page.enter("c3");
    // The page returns to its game, which the ledger has.
    page.until("linesman.view.table.ledger");
    page.run("window.before = linesman.hello");
    page.server.restart(&["--port", &port]);
    let is_back = "linesman.hello !== window.before && linesman.view?.table?.tree?.here > 0 && $('#lost').hidden";
    page.until(is_back);
    // So does one that is reloaded before the server has answered its wish to return.
    page.run(
        "const { socket } = linesman; const ask = socket.ask.bind(socket); window.before = linesman.hello; window.isReturning = false;
         socket.ask = (word, ...rest) => {
           if (word !== 'attach') return ask(word, ...rest);
           window.isReturning = true;
           return new Promise(() => {});
         }",
    );
    page.server.restart(&["--port", &port]);
    page.until("window.isReturning");
    page.reload();
    page.until(is_back);
    // So does one that is reloaded, which knows only its address and what its tab keeps.
    page.run("linesman.socket.end()");
    page.server.restart(&["--port", &port]);
    page.reload();
    page.until(is_back);
}
