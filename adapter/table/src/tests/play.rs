//! Moves, clocks, and the ways a game ends.

use crate::model::{NodeId, Role, SideSet};
use referee::engine::EngineEvent;

use super::case::Case;
use crate::model::TableCommand;

#[test]
fn move_now_reaches_an_engine_that_is_not_ready_yet() {
    let mut case = Case::against_engine();
    case.scripts.of("Bot").lock().is_slow = true;
    case.talk(
        "host Ann joins / Ann plays d4 / Bot is told .. / Ann: move-now => done
        Bot is told nothing",
    );
    case.says("Bot", Ok(EngineEvent::Ready));
    assert_eq!(case.told("Bot"), ["position startpos moves d4", "stop"]);
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
        ["refused: The position has changed. Look at it and move again."]
    );
}

#[test]
fn the_rules_end_a_game_and_it_is_recorded_once() {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    case.talk(
        "host Ann joins / Ann plays a1 b2 c3 / Ann: play d4 => * | over: 0-1* | .. | done
        Ann: undo / Ann plays d4",
    );
    let ledger = case.ledger();
    assert_eq!(ledger.matches("\"result\"").count(), 1, "{ledger}");
    case.talk(
        "Ann: play d4 => refused: The game is over. Use new to start another, or undo to take a move back.",
    );
}

#[test]
fn a_flag_falls_at_its_time() {
    let (mut case, ..) = Case::two_people_with("tc=10");
    let falls = case.now + std::time::Duration::from_secs(10);
    assert_eq!(case.table.deadline(case.now), Some(falls));
    case.talk(
        "wait 9999 / Ann hears nothing
        wait 1 / Bob hears over: 0-1 {p1 loses on time: 10.000 s} | no turn
        Bob: clock => clocks 0 10 | done",
    );
}

#[test]
fn a_move_that_came_in_time_is_taken_before_the_clock_is_looked_at() {
    let (mut case, ann, _bob) = Case::two_people_with("tc=10");
    let came = case.now + std::time::Duration::from_secs(9);
    case.now += std::time::Duration::from_secs(11);
    let request = crate::session::Request {
        client: ann.id,
        id: crate::model::RequestId(99),
        what: crate::session::Wanted::Command(TableCommand::Play {
            code: "a1".to_owned(),
            from: None,
        }),
        at: came,
    };
    case.table.poll(case.now, true).expect("nothing is due");
    case.table.handle(request, case.now).expect("it is in time");
    assert_eq!(case.moves(), "a1");
    assert!(case.table.over.is_none());
}
