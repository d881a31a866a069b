//! Several people and windows at one table.

use std::fs::File;
use std::net::TcpListener;
use std::thread;

use serde_json::json;

use crate::game::Game;

#[test]
fn two_people_in_two_windows_and_a_move_is_taken_back_by_consent() {
    let seats = ["susan", "--p1", "human name=Ann", "--p2", "remote name=Bob"];
    let page = or_skip!(Game::start(&seats));
    page.click("[data-side=p2] .seat-button");
    page.click("#invite");
    let old = page.until("$('#guest-link')?.value");
    page.click("#guest-link-replace");
    let is_new = format!("($('#guest-link').value !== {old})");
    page.until(&is_new);
    let link = page.string("$('#guest-link')?.value");
    let n_dialogs = page.value("$$('dialog[open]').length");
    assert_eq!(n_dialogs, json!(1), "the dialog of the seat is closed");
    let (ann, bob) = (page.window(), page.new_window());
    page.open(&link);
    page.wait_for_board();
    page.switch_to(&ann);
    page.close_dialogs();
    assert!(page.wait_for_turn());
    page.enter("c3");
    page.switch_to(&bob);
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    page.enter("d4");
    // Bob chooses another name for the others.
    page.click("[data-side=p2] .seat-button");
    page.fill("#player-name", "Robert");
    page.click("#name-change");
    page.wait_for_ply(2);
    page.until("$('[data-side=p2] .name').textContent === 'Robert'");
    // Bob asks to undo his move. Ann declines the first request and accepts the second.
    page.click("#undo");
    let waits = "/^Waiting for an answer: .*Withdraw$/.test($('#banner')?.textContent)";
    page.until(waits);
    page.reload();
    page.until(waits);
    page.switch_to(&ann);
    let banner = page.text("#banner");
    let is_asked = banner.contains("asks to take back") && !banner.contains("Waiting");
    assert!(is_asked, "{banner}");
    page.click("#decline");
    page.wait_for_ply(2);
    page.switch_to(&bob);
    page.until("!$('#decline')");
    // The page reports that it was declined.
    page.until("$('.toast')?.textContent === 'Your proposal was declined.'");
    page.click("#undo");
    page.switch_to(&ann);
    page.click("#accept");
    page.wait_for_ply(1);
    page.switch_to(&bob);
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    page.enter("e5");
    page.switch_to(&ann);
    page.wait_for_ply(2);
    assert_eq!(page.moves(), ["c3", "e5"]);
    // In the rematch, Bob moves first, also after a reload.
    page.run("linesman.command('resign')");
    page.click("#rematch");
    page.until("linesman.view.look.fields.flipped");
    page.switch_to(&bob);
    page.wait_for_ply(0);
    page.until("!linesman.view.look.fields.flipped");
    page.reload();
    page.wait_for_board();
    assert!(page.wait_for_turn());
    page.enter("c3");
    page.switch_to(&ann);
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    // The guest's rematch is a proposal.
    page.switch_to(&bob);
    page.run("linesman.command('resign')");
    page.click("#rematch");
    page.switch_to(&ann);
    page.click("#accept");
    page.wait_for_ply(0);
    page.until("!linesman.view.look.fields.flipped");
}

#[test]
fn a_link_opened_in_a_second_window_moves_the_game_there_and_back() {
    let seats = ["susan", "--p1", "human name=Ann", "--p2", "remote name=Bob"];
    let page = or_skip!(Game::start(&seats));
    let [ann, first] = page.join(Some("p2"));
    page.switch_to(&ann);
    let [_, second] = page.join(Some("p2"));
    page.switch_to(&first);
    assert!(page.text("#banner").contains("in another window"));
    // It does not take the seat back by itself when it connects again.
    page.run("window.before = linesman.hello; linesman.socket.socket.close()");
    page.until("linesman.hello !== before");
    page.switch_to(&ann);
    assert!(page.wait_for_turn());
    page.enter("c3");
    page.switch_to(&second);
    page.wait_for_ply(1);
    page.switch_to(&first);
    page.click("#take-back");
    page.wait_for_ply(1);
    // It is Bob's turn, but not here any more.
    page.switch_to(&second);
    assert!(page.text("#banner").contains("in another window"));
    assert_ne!(page.text("#caption"), "Your turn");
    page.switch_to(&first);
    assert!(page.wait_for_turn());
    page.enter("d4");
    page.switch_to(&ann);
    page.wait_for_ply(2);
    assert!(page.wait_for_turn());
    page.enter("e5");
    page.switch_to(&first);
    page.until("document.title.includes('Your turn')");
    page.switch_to(&ann);
    page.run("const guest = linesman.view.table.clients.find(({ role }) => role.player); linesman.command('kick', { client: guest.client })");
    page.switch_to(&first);
    page.until("$('#banner')?.textContent.includes('removed you')");
    page.until("!`${document.title} ${$('#caption').textContent}`.includes('Your turn')");
}

#[test]
fn a_watcher_sees_each_move_can_make_none_and_keeps_the_board() {
    full_only!();
    let page = or_skip!(Game::by_hand("gobblet"));
    let [player, watcher] = page.join(None);
    assert_eq!(page.value("linesman.view.isUsable"), false);
    let resigns = page.value("$('#resign').checkVisibility()");
    assert_eq!(resigns, false);
    // Actions reserved for the host are not offered to a guest.
    page.click("#records-button");
    page.until("$('#save-pgn')");
    for id in [
        "save-ledger",
        "open-other-file",
        "open-other-text",
        "copy-link",
    ] {
        let offered = page.value(&format!("$('#{id}') !== null"));
        assert_eq!(offered, json!(false), "{id}");
    }
    page.close_dialogs();
    page.switch_to(&player);
    page.click_first();
    let position = page.position();
    page.switch_to(&watcher);
    page.wait_for_ply(1);
    assert_eq!(page.position(), position);
    // The board stays when the table is closed.
    page.switch_to(&player);
    page.promise("linesman.command('quit')");
    // The table is closed, and the host may choose another game.
    page.until("$('[data-play]')");
    page.switch_to(&watcher);
    assert!(page.text("#banner").starts_with("The table is closed"));
    assert_eq!(page.position(), position);
    assert_eq!(page.value("linesman.view.isUsable"), false);
    page.click("#brand");
    assert_eq!(page.position(), position);
}

#[test]
fn two_people_play_on_after_a_restart_of_the_server() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.expect("a port").port().to_string();
    let seats = ["--p1", "human name=Ann", "--p2", "remote name=Bob"];
    let first = [&["susan", "--port", &port], &seats[..]].concat();
    let mut page = or_skip!(Game::start(&first));
    let [ann, bob] = page.join(Some("p2"));
    page.switch_to(&ann);
    assert!(page.wait_for_turn());
    page.enter("c3");
    page.until("linesman.view.table.ledger");
    let ledger = page.server.file(&page.string("linesman.view.table.ledger"));
    page.switch_to(&bob);
    page.wait_for_ply(1);
    page.run("window.before = linesman.hello");
    // Another program takes the ledger as soon as the server has gone.
    let file = File::open(ledger).expect("the ledger");
    let locked = thread::spawn(move || file.lock().map(|()| file));
    page.server.restart(&["--port", &port]);
    let file = locked.join().expect("no panic").expect("a lock");
    page.until("$('#lost').textContent.includes('cannot open it now')");
    page.switch_to(&ann);
    page.until("$('#refused')?.textContent.includes('another linesman is writing to it')");
    page.switch_to(&bob);
    drop(file);
    page.until("linesman.hello !== before && $('#lost').hidden");
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    page.enter("d4");
    page.switch_to(&ann);
    page.click("#try-again");
    page.wait_for_ply(2);
    // The lobby lists the table that the guest's link has opened.
    page.open(&page.server.address);
    page.until("$('.kept-list')?.textContent.includes('open now')");
    page.click(".kept-list button");
    page.wait_for_ply(2);
    assert!(page.wait_for_turn());
    page.enter("e5");
    page.switch_to(&bob);
    page.wait_for_ply(3);
}

/// The claim is refused for the first minute.
#[test]
fn the_game_of_a_guest_who_leaves_is_claimed() {
    full_only!();
    let seats = ["susan", "--p1", "human name=Ann", "--p2", "remote name=Bob"];
    let page = or_skip!(Game::start(&seats));
    let [ann, bob] = page.join(Some("p2"));
    page.switch_to(&ann);
    assert!(page.wait_for_turn());
    page.enter("c3");
    let is_claimed = page.value("$('#claim') !== null");
    assert_eq!(is_claimed, false, "Bob is there");
    page.switch_to(&bob);
    page.wait_for_ply(1);
    page.open("about:blank");
    page.switch_to(&ann);
    page.until("$('#claim-draw')");
    page.click("#claim");
    page.until("document.body.innerText.includes('can be claimed after')");
    let claim = "$('#claim')?.click(); \
                 return document.body.innerText.includes('Bob left the game')";
    while page.run(claim) != json!(true) {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    assert_eq!(page.moves(), ["c3"]);
}
