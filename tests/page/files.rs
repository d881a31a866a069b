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
    page.click_all(&["c3".to_owned(), "d4".to_owned()]);
    let position = page.position();
    page.run(CATCH_FILES);
    page.click("#records-button");
    let ledger = save(&page, "ledger", ".jsonl");
    let pgn = save(&page, "pgn", ".pgn");
    let svg = save(&page, "svg", ".svg");
    assert!(pgn.contains("[White \""), "{pgn}");
    assert!(svg.starts_with("<svg"), "{svg}");
    page.close_dialogs();
    page.click("#share-button");
    // A link in the network, of which this server has none.
    let link = page.text("#share-dialog .local-only");
    assert!(link.contains("--listen"), "{link}");
    save(&page, "png", ".png");
    let size =
        "createImageBitmap(saved.at(-1).blob).then(({ width, height }) => Math.min(width, height))";
    assert!(page.promise(size).as_u64() > Some(100));
    if full() {
        page.click("#save-video");
        page.until("saved.at(-1).name === 'susan.webm'");
        let start = "saved.at(-1).blob.slice(0, 4).arrayBuffer().then((bytes) => [...new Uint8Array(bytes)])";
        assert_eq!(page.promise(start), json!([0x1A, 0x45, 0xDF, 0xA3]));
        page.wait_for_ply(2);
    }
    for text in [ledger, pgn] {
        page.close_dialogs();
        // A ledger contains the id of its game.
        page.run("globalThis.before = linesman.view");
        page.click("#brand");
        page.click("#open-text");
        page.until("$('#record-text')");
        let text = json!(text);
        page.run(&format!("$('#record-text').value = {text}"));
        page.click("#open-record [type=submit]");
        page.until("linesman.view !== before && linesman.view.table?.isReady");
        page.wait_for_ply(2);
        assert_eq!(page.position(), position);
        assert_eq!(page.moves(), ["c3", "d4"]);
    }
}

/// Saves the game in one form and returns its text.
fn save(page: &Game, form: &str, ending: &str) -> String {
    let n_saved = page.value("saved.length");
    page.click(&format!("#save-{form}"));
    page.until(&format!("saved.length > {n_saved}"));
    let name = page.string("saved.at(-1).name");
    let is_named = name.starts_with("susan-") && name.ends_with(ending);
    assert!(is_named, "{name}");
    let text = page.promise("saved.at(-1).blob.text()");
    text.as_str().expect("a text").to_owned()
}

#[test]
fn a_link_opens_the_position_in_this_browser_and_for_guests_though_the_game_goes_on() {
    let page = or_skip!(Game::by_hand("susan"));
    page.enter("c3");
    page.wait_for_ply(1);
    let position = page.position();
    page.click("#records-button");
    let own = page.string("$('#position-link')?.value");
    assert!(!own.contains("token"), "{own}");
    page.close_dialogs();
    page.click("#share-button");
    let shared = page.string("$('#share-link')?.value");
    page.close_dialogs();
    page.enter("d4");
    page.new_window();
    page.open(&shared);
    page.wait_for_ply(1);
    assert_eq!(page.moves(), ["c3"]);
    page.click("#forward");
    page.wait_for_ply(2);
    page.open(&own);
    assert_eq!(page.string("$('#field-opening')?.value"), position);
}

#[test]
fn the_page_copies_without_the_clipboard_api_and_says_so_if_it_may_not_copy() {
    let page = or_skip!(Game::by_hand("susan"));
    page.run(
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
         document.addEventListener('copy', () => (globalThis.copied = getSelection().toString()));",
    );
    let copy_position = |message: &str| {
        page.click("#copy-position");
        // A message is shown above the dialog.
        page.until(&format!(
            "$$('dialog[open] .toast').some((toast) => toast.textContent === '{message}')"
        ));
    };
    page.click("#records-button");
    copy_position("The position is copied");
    let position = page.value("linesman.view.view.fen");
    assert_eq!(page.value("copied"), position);
    page.run("document.execCommand = () => false");
    copy_position("The browser does not let this page copy");
}

#[test]
fn a_board_is_set_up_by_clicks() {
    let page = or_skip!(Game::from_lobby());
    let place = |tool: &str, id: &str| {
        page.click(&format!("[data-tool=\"{tool}\"]"));
        page.click(&format!(".editor {}", spot(id)));
    };
    let set_up = |game: &str| {
        page.click("#new-game");
        page.choose("#field-game", game);
        page.choose("#field-p2-kind", "person");
        page.click("#new-game-dialog details summary");
        page.click("#set-up");
    };
    let note = |is_right: &str| {
        page.until(&format!(
            "(({{ textContent: why }}) => {is_right})($('#set-up-note'))"
        ))
    };
    set_up("gobblet");
    place("r2", "b2");
    place("y3", "b2");
    page.click("[data-turn=y]");
    place("y1", "b2");
    note("why.includes('b2')");
    // A board that Start would refuse is not taken over.
    page.until("$('#set-up-done').disabled");
    place("", "b2");
    note("why === ''");
    page.until("!$('#set-up-done').disabled");
    let mut stops = Stops::new(&page, "wide");
    stops.look("set-up");
    stops.assert_clean();
    // The whole board is in view, and tools and pieces are those of the game: discs with their signs.
    let shown = page.run(
        "const { top, bottom } = $('.editor > .board').getBoundingClientRect();
         const pieces = $$('[data-tool] .chip, .editor .hand > g').map((it) => it.querySelectorAll('.piece').length * it.querySelectorAll('.sign').length);
         return [top >= 0 && bottom <= innerHeight, pieces.length, Math.min(...pieces)];",
    );
    assert_eq!(shown, json!([true, 7, 1]));
    page.click("#set-up-done");
    page.click("#start-game");
    page.wait_until_usable();
    assert_eq!(page.position(), ".,.,./.,r2y3,./.,.,. y");
    set_up("susan");
    place("x", "a1");
    place("x", "e9");
    place("o", "c4");
    place("x", "e9");
    note("why === ''");
    page.click("#set-up-done");
    page.click("#start-game");
    page.until("linesman.view.view?.fen === 'x4/6/3o3/8/9/8/7/6/5 x 0'");
    // The editor reports position strings that list no cells.
    set_up("graph-hockey");
    note("why.includes('by moves')");
    page.until("$('.editor > .board polygon')");
}
