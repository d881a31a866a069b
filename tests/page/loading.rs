//! The first load of the page, and a reload.

use serde_json::Value;

use crate::browser::TRANSFERRED;
use crate::game::Game;

/// Largest number of requests of the first load, and of bytes that they transfer.
const MAX_REQUESTS: u64 = 8;
const MAX_BYTES: u64 = 100_000;

/// Largest size of a response without content, in bytes.
const MAX_HEAD: u64 = 300;

#[test]
fn the_page_is_loaded_by_few_requests_and_revalidated() {
    let page = or_skip!(Game::from_lobby());
    let first = page.run(TRANSFERRED);
    let [requests, bytes] = [0, 1].map(|i| first[i].as_u64().expect("a number"));
    assert!(requests <= MAX_REQUESTS && bytes <= MAX_BYTES, "{first}");
    page.reload();
    page.until("$('[data-play]')");
    let sizes = page.value("performance.getEntriesByType('resource').filter(({ name }) => name.includes('/page/')).map(({ transferSize }) => transferSize)");
    let sizes = sizes.as_array().expect("sizes");
    let is_head = |size: &Value| size.as_u64().is_some_and(|size| size <= MAX_HEAD);
    assert!(!sizes.is_empty() && sizes.iter().all(is_head), "{sizes:?}");
}

/// The buttons of a game need its position, which comes after the page.
#[test]
fn a_game_cannot_be_used_before_its_position_is_there() {
    let page = or_skip!(Game::by_hand("susan"));
    let is_inert = |view: &str| page.value(&format!("{view}.element.inert"));
    let new = "new linesman.view.constructor(linesman.view.app)";
    assert_eq!([is_inert(new), is_inert("linesman.view")], [true, false]);
}
