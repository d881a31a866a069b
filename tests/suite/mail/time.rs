//! Days a move: reminders, forfeits, vacation.

use super::{Case, address};

const DAY: i64 = 86_400;

fn tick(case: &mut Case) -> Vec<String> {
    case.club.tick(case.now).expect("the store is there")
}

#[test]
fn time_reminds_and_then_ends_the_game() {
    let (mut case, ann, _) = Case::playing("mail-time", "susan:Size=3 days=3");
    assert!(
        ann.text.contains("ann has until 2026-11-25"),
        "{}",
        ann.text
    );
    assert!(tick(&mut case).is_empty());
    case.now += 2 * DAY + 10;
    assert_eq!(tick(&mut case), ["board 1: ann is reminded"]);
    let reminder = case.letter_to("ann");
    assert!(
        reminder.subject.contains("a reminder: your move 1"),
        "{}",
        reminder.subject
    );
    assert!(tick(&mut case).is_empty(), "once");
    case.answer("ann", &reminder, "b2\n");
    case.letters();
    assert!(tick(&mut case).is_empty());
    case.now += 3 * DAY;
    assert_eq!(tick(&mut case), ["board 1: bob loses on time."]);
    for letter in case.letters() {
        assert!(
            letter.text.contains("1-0 {bob loses on time}"),
            "{}",
            letter.text
        );
    }
    assert!(tick(&mut case).is_empty());
    let ledger = case.folder.read("club.db.games/susan-1.jsonl");
    assert!(
        ledger.contains("\"termination\":\"time forfeit\""),
        "{ledger}"
    );
}

#[test]
fn no_time_runs_on_vacation() {
    let (mut case, _, _) = Case::playing("mail-vacation", "susan:Size=3 days=1");
    case.send("ann", "signup ann", "");
    let ann = case.letter_to("ann").token();
    for days in ["61", "x", "-1"] {
        let told = case.ask("ann", &format!("vacation {days} {ann}"));
        assert!(told.contains("expected vacation DAYS"), "{told}");
    }
    let told = case.ask("ann", &format!("vacation 10 {ann}"));
    assert!(told.contains("on vacation until 2026-12-02"), "{told}");
    case.now += 9 * DAY;
    assert!(tick(&mut case).is_empty());
    let told = case.ask("ann", &format!("vacation off {ann}"));
    assert!(told.contains("Your vacation is over"), "{told}");
    assert!(tick(&mut case).is_empty(), "a whole day is left");
    let told = case.ask("ann", &format!("vacation 10 {ann}"));
    assert!(
        told.replace('\n', " ")
            .contains("expected a wait of 30 days after it"),
        "{told}"
    );
    case.now += DAY;
    assert_eq!(tick(&mut case), ["board 1: ann loses on time."]);
}

#[test]
fn what_nobody_answers_is_forgotten() {
    let (mut case, ann, bob) = Case::with_two("mail-forgotten");
    case.send("ann", &format!("challenge susan bob {ann}"), "");
    case.send("carl", "signup carl", "");
    case.letters();
    case.now += 31 * DAY;
    tick(&mut case);
    let told = case.ask("bob", &format!("accept 1 {bob}"));
    assert!(told.contains("no longer a challenge"), "{told}");
    case.send("eve", "signup carl", "");
    assert_eq!(
        case.letter_to("eve").to,
        address("eve"),
        "the name is free again"
    );
}
