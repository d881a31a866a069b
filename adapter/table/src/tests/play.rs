//! Moves, clocks, and the ways a game ends.

use kit::Side;
use record::table::{NodeId, Role, SideSet};
use referee::client::Fault;
use referee::player::PlayerEvent;

use super::case::{Case, best_move};
use crate::request::TableCommand;

#[test]
fn a_person_and_an_engine_play_in_turn() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(
        case.play(&ann, "d4"),
        ["ledger begun", "p1 plays d4", "p2 thinks", "done"]
    );
    case.poll();
    assert_eq!(
        case.told("Bot").last().map(String::as_str),
        Some("position startpos moves d4")
    );
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(ann.events(), ["p2 plays c1", "turn of p1"]);
    assert_eq!(case.moves(), "d4 c1");
}

#[test]
fn requests_are_answered_while_an_engine_thinks() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    let say = TableCommand::Say {
        text: "hm".to_owned(),
    };
    assert_eq!(case.ask(&ann, say), ["Ann: hm", "done"]);
    assert_eq!(
        case.ask(&ann, TableCommand::Clock),
        ["clocks -1 -1", "done"]
    );
    assert_eq!(
        case.play(&ann, "c1"),
        ["refused: Bot (p2), an engine, is to move: wait"]
    );
    case.told("Bot");
    assert_eq!(case.ask(&ann, TableCommand::MoveNow), ["done"]);
    assert_eq!(case.told("Bot"), ["stop"]);
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(
        case.ask(&ann, TableCommand::MoveNow),
        ["refused: move-now: no engine is thinking"]
    );
}

#[test]
fn move_now_reaches_an_engine_that_is_not_ready_yet() {
    let mut case = Case::against_engine();
    case.scripts.of("Bot").lock().is_slow = true;
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.told("Bot");
    assert_eq!(case.ask(&ann, TableCommand::MoveNow), ["done"]);
    assert_eq!(case.told("Bot"), [""; 0]);
    case.says("Bot", Ok(PlayerEvent::Ready));
    assert_eq!(case.told("Bot"), ["position startpos moves d4", "stop"]);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(case.play(&ann, "a2"), ["refused: a2: that heap holds 1"]);
    assert_eq!(case.moves(), "");
}

#[test]
fn a_move_for_another_node_is_refused() {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "a1");
    let late = TableCommand::Play {
        code: "b1".to_owned(),
        from: Some(NodeId::ROOT),
    };
    assert_eq!(
        case.ask(&ann, late),
        ["refused: the position has changed: expected a move from the current position"]
    );
}

#[test]
fn the_rules_end_a_game_and_it_is_recorded_once() {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    for code in ["a1", "b2", "c3"] {
        case.play(&ann, code);
    }
    let end = case.play(&ann, "d4");
    assert_eq!(end.last().map(String::as_str), Some("done"));
    assert!(end[1].starts_with("over: 0-1"), "{end:?}");
    case.ask(&ann, TableCommand::Undo);
    case.play(&ann, "d4");
    let ledger = case.ledger();
    assert_eq!(ledger.matches("\"result\"").count(), 1, "{ledger}");
    assert_eq!(
        case.play(&ann, "d4"),
        ["refused: the game is over: new starts another, undo takes a move back"]
    );
}

#[test]
fn a_clock_runs_only_in_its_own_turn() {
    let (mut case, ann, bob) = Case::two_people_with("tc=10");
    case.wait(3000);
    case.play(&ann, "a1");
    case.wait(1000);
    assert_eq!(case.ask(&bob, TableCommand::Clock), ["clocks 7 9", "done"]);
}

#[test]
fn a_flag_falls_at_its_time() {
    let (mut case, ann, bob) = Case::two_people_with("tc=10");
    assert_eq!(
        case.table.deadline(case.now),
        Some(case.now + std::time::Duration::from_secs(10))
    );
    case.wait(9_999);
    assert_eq!(ann.events(), [""; 0]);
    case.wait(1);
    assert_eq!(
        bob.events(),
        ["over: 0-1 {p1 loses on time: 10.000 s}", "no turn"]
    );
    assert_eq!(case.ask(&bob, TableCommand::Clock), ["clocks 0 10", "done"]);
}

#[test]
fn a_clock_keeps_the_time_of_the_turn_in_which_the_game_ended() {
    let (mut case, ann, bob) = Case::two_people_with("tc=10");
    case.wait(3000);
    case.play(&ann, "a1");
    case.wait(1000);
    case.ask(&ann, TableCommand::Resign);
    case.wait(5000);
    assert_eq!(case.ask(&bob, TableCommand::Clock), ["clocks 7 9", "done"]);
}

#[test]
fn a_move_that_came_in_time_is_taken_before_the_clock_is_looked_at() {
    let (mut case, ann, _bob) = Case::two_people_with("tc=10");
    let came = case.now + std::time::Duration::from_secs(9);
    case.now += std::time::Duration::from_secs(11);
    let request = crate::request::Request {
        client: ann.id,
        id: record::table::RequestId(99),
        command: TableCommand::Play {
            code: "a1".to_owned(),
            from: None,
        },
        at: came,
    };
    case.table.poll(case.now, true).expect("nothing is due");
    case.table.handle(request, case.now).expect("it is in time");
    assert_eq!(case.moves(), "a1");
    assert!(case.table.over.is_none());
}

#[test]
fn an_engine_that_fails_in_its_turn_loses() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    ann.events();
    case.says("Bot", Err(Fault::Unreadable("bestmove".to_owned())));
    assert_eq!(
        ann.events(),
        ["over: 1-0 {Bot sent no readable move: bestmove}", "no turn"]
    );
    assert!(case.told("Bot").contains(&"blame".to_owned()));
    case.ask(&ann, TableCommand::Undo);
    case.play(&ann, "d3");
    case.poll();
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(case.moves(), "d3 c1", "it plays on after an undo");
}

#[test]
fn an_illegal_move_of_an_engine_loses() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    ann.events();
    case.says("Bot", Ok(best_move("d1")));
    let events = ann.events();
    assert!(
        events[0].starts_with("over: 1-0 {Bot made an illegal move: d1"),
        "{events:?}"
    );
    assert_eq!(case.table.side(), Side::P2);
}

#[test]
fn a_player_resigns() {
    let (mut case, ann, bob) = Case::two_people();
    assert_eq!(
        case.ask(&bob, TableCommand::Resign),
        ["over: 1-0 {p2 resigns}", "no turn", "done"]
    );
    assert_eq!(
        case.ask(&ann, TableCommand::Resign),
        ["refused: the game is over"]
    );
}
