//! The page of a running match, in two windows.

use serde_json::json;

use crate::browser::{Browser, Device, MIDDLE, press};
use crate::server::Server;
use crate::stops::Stops;

/// The status of the match on the page.
const STATE: &str = "$('#match [role=status]').textContent";

/// Counts the reports that arrive from now on.
const COUNT_REPORTS: &str = "
    const parse = JSON.parse;
    window.reports = 0;
    JSON.parse = text => {
        const told = parse(text);
        window.reports += told.event === 'report';
        return told;
    }";

/// The finished games that a window shows.
const RESULTS: &str = "[$('#match .progress').innerText, $('#match-report').innerText]";

#[test]
fn two_windows_watch_a_match_replay_a_game_and_keep_its_end() {
    watch("wide", Device::Desktop(1280, 900));
}

#[test]
fn a_phone_watches_a_match() {
    full_only!();
    watch("narrow", Device::Phone);
}

fn watch(width: &str, device: Device) {
    let browser = or_skip!(Browser::start(device));
    // The default names of the engines are long, and differ only in a number. A slow engine leaves the processor to the
    // page.
    let slow = format!("cmd={}", env!("CARGO_BIN_EXE_scripted-engine"));
    let name = format!("name=Linesman susan {}", env!("CARGO_PKG_VERSION"));
    let engines = ["susan", "--engine", "builtin", "--engine", &slow, &name];
    let words =
        "arg=late arg=late-ms=100 --each nodes=2000 --games 1000 --concurrency 2 --ledger m.jsonl";
    let words = engines.into_iter().chain(words.split(' '));
    let mut server = Server::of_match(&words.collect::<Vec<_>>());
    browser.open(&server.address);
    let (first, second) = (browser.window(), browser.new_window());
    browser.open(&server.address);
    for window in [&first, &second] {
        browser.switch_to(window);
        browser.until("$$('[data-running] svg').length === 2");
        browser.until("$('[data-replay]')");
        // No game can be begun here, and the names are people's words.
        let shown = "[$('#new-game').checkVisibility(), $('h1').textContent, $('#match').innerText.includes('Linesman susan')]";
        let expected = json!([false, "SUSAN: Linesman vs Linesman #2", false]);
        assert_eq!(browser.value(shown), expected);
        assert_eq!(browser.value("$('#title').textContent"), "");
    }
    let wide = browser.value("$$('[data-running] *').filter((it) => it.getBoundingClientRect().right > it.closest('[data-running]').getBoundingClientRect().right).length");
    assert_eq!(wide, 0, "parts of cards stick out");
    let names =
        browser.run("return document.title + document.querySelector('[data-running]').textContent");
    let names = names.as_str().expect("a text");
    assert!(
        names.contains("Linesman #2") && !names.contains("Linesman susan"),
        "{names}"
    );
    let mut stops = Stops::new(&browser, width);
    stops.look("match");
    if device == Device::Phone {
        // A resting finger does not click.
        browser.click("[data-replay]");
    } else {
        click_across_a_report(&browser);
    }
    browser.until("$('#replay .replay-board svg')");
    let n_moves = browser.value("$$('#replay [data-ply]').length");
    browser.keys("\u{e011}");
    browser.until(&format!(
        "$('#replay [aria-live]').textContent === '0 of {n_moves} moves'"
    ));
    stops.look("replay");
    // The game has an address, for a reload and for Back.
    browser.reload();
    browser.until("$('#replay .replay-board svg')");
    browser.back();
    browser.until("!$('dialog') && /^.match.[0-9a-f]+$/.test(location.pathname)");
    browser.until("$('[data-replay]')");
    server.interrupt();
    let mut shown = Vec::new();
    for window in [&first, &second] {
        browser.switch_to(window);
        browser.until(&format!("{STATE}.startsWith('The match was interrupted.')"));
        let state = browser.string(STATE);
        assert!(state.contains("match --resume m.jsonl"), "{state}");
        assert_eq!(browser.value("$('#lost').hidden"), true);
        assert_eq!(browser.value("$('[data-replay]')"), json!(null));
        shown.push(browser.value(RESULTS));
    }
    assert_eq!(shown[0], shown[1]);
    stops.look("match-over");
    // The report and the replays outlive the match.
    server.restart(&[]);
    browser.open(&server.address);
    browser.click("[data-match]");
    browser.until("$('#match-report svg')");
    browser.click("[data-replay]");
    browser.until("$('#replay .replay-board svg')");
    browser.reload();
    browser.until("$('#replay .replay-board svg')");
    browser.back();
    browser.until("$('[data-replay]') && !$('dialog')");
    stops.look("match-later");
    browser.back();
    browser.until("$('[data-play]')");
    stops.assert_clean();
}

/// Its games are over before their boards are drawn.
#[test]
fn the_boards_of_a_fast_match_show_how_its_games_ended() {
    let browser = or_skip!(Browser::start(Device::Desktop(1280, 900)));
    let words = "susan --engine builtin --engine builtin --each nodes=1 --games 100000 --concurrency 2 --ledger m.jsonl";
    let server = Server::of_match(&words.split(' ').collect::<Vec<_>>());
    browser.open(&server.address);
    browser.until("$$('[data-running] svg').length === 2");
    browser.run(
        "window.games = new Set();
         window.nEmpty = 0;
         const look = () => {
             for (const card of $$('[data-running]')) {
                 window.games.add(card.dataset.running);
                 window.nEmpty += card.querySelector('svg') ? 0 : 1;
             }
             requestAnimationFrame(look);
         };
         look()",
    );
    browser.until("window.games.size > 6");
    browser.until("/1-0|0-1/.test($('[data-running]').innerText)");
    assert_eq!(browser.value("window.nEmpty"), 0);
}

/// Clicks the button of a finished game; a new report arrives between press and release.
fn click_across_a_report(browser: &Browser) {
    browser.run("$('[data-replay]').scrollIntoView({ block: 'center' })");
    browser.run(COUNT_REPORTS);
    browser.mouse("[data-replay]", MIDDLE, &[press()]);
    browser.until("window.reports > 0");
    browser.release();
}
