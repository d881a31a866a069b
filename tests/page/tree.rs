//! Reloads, earlier positions, branches.

use serde_json::json;

use crate::game::{Game, random_moves};

#[test]
fn a_reload_in_the_middle_of_a_game_goes_on_with_it_and_a_move_is_taken_back() {
    full_only!();
    let page = or_skip!(Game::by_hand("susan"));
    let moves = random_moves("susan", 6);
    page.click_all(&moves[..4]);
    let position = page.position();
    page.reload();
    page.wait_for_board();
    page.wait_for_ply(4);
    assert_eq!(page.position(), position);
    page.click_all(&moves[4..]);
    assert_eq!(page.moves(), moves);
    page.click("#undo");
    page.wait_for_ply(5);
    assert_eq!(page.moves(), moves[..5]);
}

#[test]
fn a_move_from_an_earlier_position_begins_a_branch_and_nothing_is_lost() {
    let page = or_skip!(Game::by_hand("susan"));
    let moves = random_moves("susan", 4);
    page.click_all(&moves);
    let main = page.position();
    // A row has a number and a column for each side.
    let places = page.run(
        "const at = (it) => it.getBoundingClientRect();
         const [one, two, three, four] = $$('.main-line .move').map(at);
         const [first, second] = $$('.main-line .number').map(at);
         return [one.x === three.x, two.x === four.x, one.y === two.y, three.y === four.y, one.right < two.x, first.x === second.x, first.y < second.y];",
    );
    assert_eq!(places, json!(vec![true; 7]));
    page.click("#back");
    page.wait_for_ply(3);
    page.click("#back");
    page.wait_for_ply(2);
    let other = page.gestures().into_iter().find(|it| it.code != moves[2]);
    let other = other.expect("another move").code;
    page.enter(&other);
    page.wait_for_ply(3);
    assert_eq!(page.moves(), [&moves[..2], &[other]].concat());
    let branches = page.value("$$('.branch').length");
    assert_eq!(branches, 1);
    // A move behind a branch has its number.
    page.click_first();
    page.wait_for_ply(4);
    let number = "$$('.main-line > .ply').at(-1).querySelector('.number')?.textContent";
    page.until(&format!("{number} === '2…'"));
    // Returns to the main line, and moves to its end.
    let third = format!("[data-node=\"{}\"]", 3);
    page.click(&third);
    page.wait_for_ply(3);
    page.click("#last");
    page.wait_for_ply(4);
    assert_eq!(page.position(), main);
    page.click("#first");
    page.wait_for_ply(0);
    page.click("#forward");
    page.wait_for_ply(1);
}
