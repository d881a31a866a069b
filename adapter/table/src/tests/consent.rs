//! Proposals that need the other person's consent.

use super::case::Case;

#[test]
fn two_people_get_hints_only_if_both_agree_before_the_first_move() {
    let (mut case, ..) = Case::two_people();
    case.table.allows_hints = false;
    case.talk(
        "Bob: hint => *hints* | *is asked to allow them* | ..
        Ann: accept / Ann hears .. / Bob hears .. / Ann: hint => Ann asked for Hint",
    );
    // Another game begins without them, and a move ends the time to agree.
    let (mut case, ..) = Case::two_people();
    case.table.allows_hints = false;
    case.talk(
        "Ann plays a1 / Ann: eval => *before the first move* | ..
        Ann: resign / Ann: review 0.01 => Ann begins a review | done",
    );
}
