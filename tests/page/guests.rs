//! Several people and windows at one table.

use serde_json::json;

use crate::game::Game;

#[test]
fn two_people_in_two_windows_and_a_move_is_taken_back_by_consent() {
    let seats = ["susan", "--p1", "human name=Ann", "--p2", "remote name=Bob"];
    let page = or_skip!(Game::start(&seats));
    let browser = &page.browser;
    browser.click("[data-side=p2] .seat-button");
    browser.click("#invite");
    let old = browser.until("document.querySelector('#guest-link')?.value");
    browser.click("#guest-link-replace");
    let is_new = format!("(document.querySelector('#guest-link').value !== {old})");
    browser.until(&is_new);
    let link = browser.until("document.querySelector('#guest-link')?.value");
    let n_dialogs = browser.value("document.querySelectorAll('dialog[open]').length");
    assert_eq!(n_dialogs, json!(1), "the dialog of the seat is closed");
    let (ann, bob) = (browser.window(), browser.new_window());
    browser.open(link.as_str().expect("a link"));
    page.wait_for_board();
    browser.switch_to(&ann);
    browser.close_dialogs();
    assert!(page.wait_for_turn());
    page.click("c3");
    browser.switch_to(&bob);
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    page.click("d4");
    // Bob chooses another name for the others.
    browser.click("[data-side=p2] .seat-button");
    browser.fill("#player-name", "Robert");
    browser.click("#name-change");
    page.wait_for_ply(2);
    browser.until("linesman.view.table.clients?.some(({ name }) => name === 'Robert')");
    // Bob asks to undo his move. Ann declines the first request and accepts the second.
    browser.click("#undo");
    browser.until("/^Waiting for an answer: /.test(document.querySelector('#banner').textContent)");
    browser.switch_to(&ann);
    let banner = browser.text("#banner");
    let is_asked = banner.contains("asks to take back") && !banner.contains("Waiting");
    assert!(is_asked, "{banner}");
    browser.click("#decline");
    page.wait_for_ply(2);
    browser.switch_to(&bob);
    browser.until("!document.querySelector('#decline')");
    // The page reports that it was declined.
    browser
        .until("document.querySelector('.toast')?.textContent === 'Your proposal was declined.'");
    browser.click("#undo");
    browser.switch_to(&ann);
    browser.click("#accept");
    page.wait_for_ply(1);
    browser.switch_to(&bob);
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    page.click("e5");
    browser.switch_to(&ann);
    page.wait_for_ply(2);
    assert_eq!(page.moves(), ["c3", "e5"]);
    // In the rematch, Bob moves first, also after a reload.
    browser.run("linesman.command('resign')");
    browser.click("#rematch");
    browser.until("linesman.view.look.fields.flipped");
    browser.switch_to(&bob);
    page.wait_for_ply(0);
    browser.until("!linesman.view.look.fields.flipped");
    browser.reload();
    page.wait_for_board();
    assert!(page.wait_for_turn());
    page.click("c3");
    browser.switch_to(&ann);
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    // The guest's rematch is a proposal.
    browser.switch_to(&bob);
    browser.run("linesman.command('resign')");
    browser.click("#rematch");
    browser.switch_to(&ann);
    browser.click("#accept");
    page.wait_for_ply(0);
    browser.until("!linesman.view.look.fields.flipped");
}

#[test]
fn a_link_opened_in_a_second_window_moves_the_game_there_and_back() {
    let seats = ["susan", "--p1", "human name=Ann", "--p2", "remote name=Bob"];
    let page = or_skip!(Game::start(&seats));
    let browser = &page.browser;
    let [ann, first] = page.join(Some("p2"));
    browser.switch_to(&ann);
    let [_, second] = page.join(Some("p2"));
    browser.switch_to(&first);
    assert!(browser.text("#banner").contains("in another window"));
    browser.switch_to(&ann);
    assert!(page.wait_for_turn());
    page.click("c3");
    browser.switch_to(&second);
    page.wait_for_ply(1);
    browser.switch_to(&first);
    browser.click("#take-back");
    page.wait_for_ply(1);
    assert!(page.wait_for_turn());
    page.click("d4");
    browser.switch_to(&second);
    assert!(browser.text("#banner").contains("in another window"));
    browser.switch_to(&ann);
    page.wait_for_ply(2);
}

#[test]
fn a_watcher_sees_each_move_and_can_make_none() {
    full_only!();
    let page = or_skip!(Game::by_hand("gobblet"));
    let browser = &page.browser;
    let [player, watcher] = page.join(None);
    assert_eq!(browser.value("linesman.view.isUsable"), false);
    assert_eq!(
        browser.value("document.querySelector('#resign').checkVisibility()"),
        json!(false)
    );
    // Actions reserved for the host are not offered to a guest.
    browser.click("#records-button");
    browser.until("document.querySelector('#save-pgn')");
    for id in [
        "save-ledger",
        "open-other-file",
        "open-other-text",
        "copy-link",
    ] {
        let offered = browser.value(&format!("document.querySelector('#{id}') !== null"));
        assert_eq!(offered, json!(false), "{id}");
    }
    browser.close_dialogs();
    browser.switch_to(&player);
    page.click_first();
    let position = page.position();
    browser.switch_to(&watcher);
    page.wait_for_ply(1);
    assert_eq!(page.position(), position);
}

#[test]
fn a_guest_keeps_the_board_before_his_eyes_when_the_table_is_closed() {
    full_only!();
    let page = or_skip!(Game::by_hand("gobblet"));
    let browser = &page.browser;
    let [host, guest] = page.join(None);
    let position = page.position();
    browser.switch_to(&host);
    browser.promise("linesman.command('quit')");
    // The table is closed, and the host may choose another game.
    browser.until("document.querySelector('[data-play]')");
    browser.switch_to(&guest);
    assert!(browser.text("#banner").starts_with("The table is closed"));
    assert_eq!(page.position(), position);
    assert_eq!(browser.value("linesman.view.isUsable"), false);
    browser.click("#brand");
    assert_eq!(page.position(), position);
}

/// The claim is refused for the first minute.
#[test]
fn the_game_of_a_guest_who_leaves_is_claimed() {
    full_only!();
    let seats = ["susan", "--p1", "human name=Ann", "--p2", "remote name=Bob"];
    let page = or_skip!(Game::start(&seats));
    let browser = &page.browser;
    let [ann, bob] = page.join(Some("p2"));
    browser.switch_to(&ann);
    assert!(page.wait_for_turn());
    page.click("c3");
    assert_eq!(
        browser.value("document.querySelector('#claim') !== null"),
        json!(false),
        "Bob is there"
    );
    browser.switch_to(&bob);
    page.wait_for_ply(1);
    browser.open("about:blank");
    browser.switch_to(&ann);
    browser.until("document.querySelector('#claim-draw')");
    browser.click("#claim");
    browser.until("document.body.innerText.includes('expected 60 s')");
    let claim = "document.querySelector('#claim')?.click(); \
                 return document.body.innerText.includes('Bob left the game')";
    while browser.run(claim) != json!(true) {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    assert_eq!(page.moves(), ["c3"]);
}
