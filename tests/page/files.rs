//! Games and boards saved from the page, and records opened in it.

use laws::testing::full;
use serde_json::json;

use crate::game::{Game, spot};
use crate::stops::Stops;

/// Keeps the files that the page offers for download.
const CATCH_FILES: &str = r"
const blobs = new Map();
const make = URL.createObjectURL;
globalThis.saved = [];
URL.createObjectURL = (blob) => {
  const url = make.call(URL, blob);
  blobs.set(url, blob);
  return url;
};
HTMLAnchorElement.prototype.click = function () {
  saved.push({ name: this.download, blob: blobs.get(this.href) });
};
";

#[test]
fn a_game_is_saved_in_all_forms_and_opened_again() {
    let page = or_skip!(Game::by_hand("susan"));
    let browser = &page.browser;
    page.click_all(&["c3".to_owned(), "d4".to_owned()]);
    let position = page.position();
    browser.run(CATCH_FILES);
    browser.click("#records-button");
    let ledger = save(&page, "ledger", ".jsonl");
    let pgn = save(&page, "pgn", ".pgn");
    let svg = save(&page, "svg", ".svg");
    assert!(
        svg.starts_with("<svg") && pgn.contains("[White \""),
        "{pgn}"
    );
    browser.close_dialogs();
    browser.click("#share-button");
    // A link in the network, of which this server has none.
    let link = browser.text("#share-dialog .local-only");
    assert!(link.contains("--listen"), "{link}");
    let link = browser.string("document.querySelector('#share-link').value");
    let is_whole = link.contains("token=") && link.ends_with("#node=2");
    assert!(is_whole, "{link}");
    save(&page, "png", ".png");
    let size =
        "createImageBitmap(saved.at(-1).blob).then(({ width, height }) => Math.min(width, height))";
    assert!(browser.promise(size).as_u64() > Some(100));
    if full() {
        browser.click("#save-video");
        browser.until("saved.at(-1).name === 'susan.webm'");
        let start = "saved.at(-1).blob.slice(0, 4).arrayBuffer().then((bytes) => [...new Uint8Array(bytes)])";
        assert_eq!(browser.promise(start), json!([0x1A, 0x45, 0xDF, 0xA3]));
        page.wait_for_ply(2);
    }
    for text in [ledger, pgn] {
        browser.close_dialogs();
        // A ledger contains the id of its game.
        browser.run("globalThis.before = linesman.view");
        browser.click("#brand");
        browser.click("#open-text");
        browser.until("document.querySelector('#record-text')");
        let text = json!(text);
        browser.run(&format!(
            "document.querySelector('#record-text').value = {text}"
        ));
        browser.click("#open-record [type=submit]");
        browser.until("linesman.view !== before && linesman.view.table?.isReady");
        page.wait_for_ply(2);
        assert_eq!(page.position(), position);
        assert_eq!(page.moves(), ["c3", "d4"]);
    }
}

/// Saves the game in one form and returns its text.
fn save(page: &Game, form: &str, ending: &str) -> String {
    let browser = &page.browser;
    let n_saved = browser.value("saved.length");
    browser.click(&format!("#save-{form}"));
    browser.until(&format!("saved.length > {n_saved}"));
    let name = browser.string("saved.at(-1).name");
    let is_named = name.starts_with("susan-") && name.ends_with(ending);
    assert!(is_named, "{name}");
    let text = browser.promise("saved.at(-1).blob.text()");
    text.as_str().expect("a text").to_owned()
}

#[test]
fn a_link_to_a_position_has_no_token_and_opens_in_this_browser() {
    let page = or_skip!(Game::by_hand("susan"));
    let browser = &page.browser;
    page.click_all(&["c3".to_owned()]);
    page.wait_for_ply(1);
    let position = browser.value("linesman.view.view.fen");
    browser.click("#records-button");
    let link = browser.string("document.querySelector('#position-link')?.value");
    assert!(!link.contains("token"), "{link}");
    browser.new_window();
    browser.open(&link);
    let opening = browser.until("document.querySelector('#field-opening')?.value");
    assert_eq!(opening, position);
}

#[test]
fn the_page_copies_without_the_clipboard_api_and_says_so_if_it_may_not_copy() {
    let page = or_skip!(Game::by_hand("susan"));
    let browser = &page.browser;
    browser.run(
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
         document.addEventListener('copy', () => (globalThis.copied = getSelection().toString()));",
    );
    let copy_position = |message: &str| {
        browser.click("#copy-position");
        // A message is shown above the dialog.
        browser.until(&format!(
            "[...document.querySelectorAll('dialog[open] .toast')].some((toast) => toast.textContent === '{message}')"
        ));
    };
    browser.click("#records-button");
    copy_position("The position is copied");
    let position = browser.value("linesman.view.view.fen");
    assert_eq!(browser.value("copied"), position);
    browser.run("document.execCommand = () => false");
    copy_position("The browser does not let this page copy");
}

#[test]
fn a_board_is_set_up_by_clicks() {
    let page = or_skip!(Game::from_lobby());
    let browser = &page.browser;
    let place = |tool: &str, id: &str| {
        browser.click(&format!("[data-tool=\"{tool}\"]"));
        browser.click(&format!(".editor {}", spot(id)));
    };
    let set_up = |game: &str| {
        browser.click("#new-game");
        browser.choose("#field-game", game);
        browser.choose("#field-p2-kind", "person");
        browser.click("#new-game-dialog details summary");
        browser.click("#set-up");
    };
    let note = |is_right: &str| {
        browser.until(&format!(
            "(({{ textContent: why }}) => {is_right})(document.querySelector('#set-up-note'))"
        ))
    };
    set_up("gobblet");
    place("r2", "b2");
    place("y3", "b2");
    browser.click("[data-turn=y]");
    place("y1", "b2");
    note("why.includes('b2')");
    place("", "b2");
    note("why === ''");
    let mut stops = Stops::new(browser, "wide");
    stops.look("set-up");
    stops.assert_clean();
    // The whole board is in view, and tools and pieces are those of the game: discs with their signs.
    let shown = browser.run(
        "const { top, bottom } = document.querySelector('.editor > .board').getBoundingClientRect();
         const pieces = [...document.querySelectorAll('[data-tool] .chip, .editor .hand > g')].map((it) => it.querySelectorAll('.piece').length * it.querySelectorAll('.sign').length);
         return [top >= 0 && bottom <= innerHeight, pieces.length, Math.min(...pieces)];",
    );
    assert_eq!(shown, json!([true, 7, 1]));
    browser.click("#set-up-done");
    browser.click("#start-game");
    page.wait_until_usable();
    assert_eq!(page.position(), ".,.,./.,r2y3,./.,.,. y");
    set_up("susan");
    place("x", "a1");
    place("x", "e9");
    place("o", "c4");
    place("x", "e9");
    note("why === ''");
    browser.click("#set-up-done");
    browser.click("#start-game");
    browser.until("linesman.view.view?.fen === 'x4/6/3o3/8/9/8/7/6/5 x 0'");
    // The editor reports position strings that list no cells.
    set_up("graph-hockey");
    note("why.includes('by moves')");
}
