//! Slow clients, floods of requests, and announcements.

use crate::model::{RequestId, Role};

use super::case::{Case, Visitor};
use crate::model::TableCommand;
use crate::session::{Request, Wanted};

#[test]
fn a_slow_client_loses_events_and_gets_a_snapshot() {
    let (mut case, ann, _bob) = Case::two_people();
    let slow = case.join_with("Eve", Role::Spectator, None, 4);
    assert_eq!(slow.events(), ["welcome Spectator", "snapshot", "done"]);
    for n in 0..10 {
        let text = n.to_string();
        ann.events();
        case.send(&ann, TableCommand::Say { text });
    }
    assert!(
        case.table.deadline(case.now).is_some(),
        "it is looked whether it reads again"
    );
    assert_eq!(slow.events(), ["Ann: 0", "Ann: 1", "Ann: 2", "Ann: 3"]);
    case.poll();
    assert_eq!(slow.events(), ["lagged 6", "snapshot"]);
    case.play(&ann, "a1");
    assert_eq!(slow.events(), ["p1 plays a1", "turn of p2"]);
}

#[test]
fn a_flood_of_requests_is_refused() {
    let (mut case, _ann, bob) = Case::two_people();
    let mut n_said = 0;
    for _ in 0..1000 {
        let text = "x".to_owned();
        let said = case.ask(&bob, TableCommand::Say { text });
        match said[0].as_str() {
            "Bob: x" => n_said += 1,
            other => assert_eq!(other, "refused: Too many requests. Wait a moment."),
        }
    }
    assert!((20..40).contains(&n_said), "{n_said}");
    case.talk("wait 1000 / Bob: say y => Bob: y | done");
}

#[test]
fn a_script_of_the_hosts_is_not_slowed_down() {
    let (mut case, ..) = Case::two_people();
    (0..1000).for_each(|_| case.talk("Ann: clock => clocks -1 -1 | done"));
}

#[test]
fn a_hint_of_a_client_that_left_is_not_answered_to_another() {
    let (mut case, ann, bob) = Case::two_people();
    let ask = |case: &mut Case, visitor: &Visitor| {
        let request = Request {
            client: visitor.id,
            id: RequestId(7),
            what: Wanted::Command(TableCommand::Hint),
            at: case.now,
        };
        case.table.handle(request, case.now).expect("a question");
    };
    ask(&mut case, &bob);
    case.talk("poll / Ann plays a1");
    ask(&mut case, &ann);
    case.talk(
        "helper is told .. / Ann hears .. / Bob: leave / poll
        helper is told give up | position startpos moves a1
        Ann hears .. / helper moves b1 / Ann hears Hint: b1 | done",
    );
}

#[test]
fn names_and_chat_hide_nothing_and_forge_no_line() {
    let (mut case, ann, bob) = Case::two_people();
    ann.events();
    let _eve = case.join("E\x1b[2Jv\u{200b}e\n", Role::Spectator);
    assert_eq!(ann.events(), ["E[2Jve joined"]);
    let text = format!("a\u{200b}b\nGame over\u{202e} e{}", "\u{301}".repeat(6));
    let marks = format!("e{}", "\u{301}".repeat(4));
    case.send(&bob, TableCommand::Say { text });
    let shown = format!(r"Bob: a\u{{200b}}b\u{{a}}Game over\u{{202e}} {marks}\u{{301}}\u{{301}}");
    assert_eq!(ann.events(), [shown]);
}
