//! Days a move: reminders, forfeits.

use super::{Case, DAY, address};
use crate::support::{begins, has};

const HOUR: i64 = 3600;

fn tick(case: &mut Case) -> Vec<String> {
    let (done, faults) = case.club.tick(case.now).expect("the store is there");
    assert!(faults.is_empty(), "{faults:?}");
    done
}

#[test]
fn time_reminds_and_then_ends_the_game() {
    let (mut case, ann, _) = Case::playing("mail-time", "susan:Size=3 days=3");
    has(&ann, "ann has until 2026-11-25");
    assert!(tick(&mut case).is_empty());
    case.now += 2 * DAY + 10;
    assert_eq!(tick(&mut case), ["board 1: ann is reminded"]);
    let reminder = case.letter_to("ann");
    has(&reminder.subject, "a reminder: your move 1");
    assert!(tick(&mut case).is_empty(), "once");
    case.answers("ann", &reminder, "b2\n");
    assert!(tick(&mut case).is_empty());
    case.now += 5 * DAY / 2;
    assert_eq!(tick(&mut case), ["board 1: bob is reminded"]);
    case.letters();
    case.now += DAY / 2 - 60;
    assert!(tick(&mut case).is_empty(), "a minute is left");
    case.now += 120;
    assert_eq!(tick(&mut case), ["board 1: bob loses on time."]);
    case.all_have("1-0 {bob loses on time}");
    assert!(tick(&mut case).is_empty());
    let ledger = case.folder.read("club.db.games/susan-1.jsonl");
    has(&ledger, "\"termination\":\"time forfeit\"");
}

#[test]
fn what_nobody_answers_is_forgotten() {
    let (mut case, ann, bob) = Case::with_two("mail-forgotten");
    case.send("ann", &format!("challenge susan bob {ann}"), "");
    case.sends("carl", "signup carl");
    case.now += 31 * DAY;
    tick(&mut case);
    has(
        &case.ask("bob", &format!("accept 1 {bob}")),
        "no longer a challenge",
    );
    case.send("eve", "signup carl", "");
    assert_eq!(
        case.letter_to("eve").to,
        address("eve"),
        "the name is free again"
    );
}

#[test]
fn after_an_outage_a_player_is_reminded_before_the_game_is_lost() {
    let (mut case, ann, _) = Case::playing("mail-outage", "susan:Size=3 days=3");
    case.now += 10 * DAY;
    assert_eq!(tick(&mut case), ["board 1: ann is reminded"]);
    let reminder = case.letter_to("ann");
    has(&reminder, "is due by 2026-12-03");
    case.now += 23 * HOUR;
    assert!(tick(&mut case).is_empty());
    // A second outage, over the new deadline: a move that waits in the mail server's queue still counts.
    case.now += 5 * DAY;
    assert!(tick(&mut case).is_empty(), "the mail server delivers first");
    case.answer("ann", &ann, "b2\n");
    assert_eq!(case.moves(1), "1. b2");
    case.now += 3 * DAY;
    assert_eq!(tick(&mut case), ["board 1: bob is reminded"]);
    case.now += 2 * DAY;
    assert!(tick(&mut case).is_empty(), "an outage again");
    case.now += HOUR;
    assert_eq!(tick(&mut case), ["board 1: bob loses on time."]);
}

#[test]
fn an_unreadable_board_stops_no_other() {
    let (mut case, _, _) = Case::playing("mail-unreadable", "susan:Size=3 days=1");
    for words in ["challenge susan:Size=3 days=1 bob ann", "accept 2 bob"] {
        assert!(case.command(words).1, "{words}");
    }
    case.letters();
    let db = rusqlite::Connection::open(case.folder.path("club.db")).expect("the store");
    db.execute_batch(
        "UPDATE journal SET lines = x'7b7d0a' WHERE board = 1; UPDATE boards SET reminded = 1",
    )
    .expect("the store");
    let tick = |case: &mut Case| case.club.tick(case.now).expect("the store is there");
    tick(&mut case);
    case.now += DAY;
    tick(&mut case);
    case.now += HOUR;
    let (done, faults) = tick(&mut case);
    assert_eq!(done, ["board 2: ann loses on time."]);
    assert_eq!(faults.len(), 1);
    begins(&faults[0], "board 1: ");
    assert_eq!(case.letters().len(), 2);
    // The host can delete it.
    let (told, is_done) = case.command("delete 1 ann");
    assert!(is_done, "{told}");
    case.now += HOUR;
    assert_eq!(tick(&mut case), (vec![], vec![]));
}
