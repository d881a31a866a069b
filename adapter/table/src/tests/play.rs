//! Moves, clocks, and the ways a game ends.

use kit::Side;
use record::table::{NodeId, Role, SideSet};
use referee::player::PlayerEvent;

use super::case::Case;
use crate::request::TableCommand;

#[test]
fn a_person_and_an_engine_play_in_turn() {
    Case::against_engine().talk(
        "host Ann joins / Ann: play d4 => ledger begun | p1 plays d4 | p2 thinks | done
        poll / Bot is told .. | position startpos moves d4
        Bot moves c1 / Ann hears p2 plays c1 | turn of p1
        moves d4 c1",
    );
}

#[test]
fn requests_are_answered_while_an_engine_thinks() {
    Case::against_engine().talk(
        "host Ann joins / Ann plays d4 / poll / Ann: say hm => Ann: hm | done
        Ann: clock => clocks -1 -1 | done
        Ann: play c1 => refused: Bot (p2), an engine, is to move: wait
        Bot is told .. / Ann: move-now => done
        Bot is told stop
        Bot moves c1 / Ann: move-now => refused: move-now: no engine is thinking",
    );
}

#[test]
fn move_now_reaches_an_engine_that_is_not_ready_yet() {
    let mut case = Case::against_engine();
    case.scripts.of("Bot").lock().is_slow = true;
    case.talk(
        "host Ann joins / Ann plays d4 / Bot is told .. / Ann: move-now => done
        Bot is told nothing",
    );
    case.says("Bot", Ok(PlayerEvent::Ready));
    assert_eq!(case.told("Bot"), ["position startpos moves d4", "stop"]);
}

#[test]
fn an_illegal_move_changes_nothing() {
    Case::against_engine().talk(
        "host Ann joins / Ann: play a2 => refused: a2: that heap holds 1
        moves",
    );
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
    case.talk(
        "host Ann joins / Ann plays a1 b2 c3 / Ann: play d4 => * | over: 0-1* | .. | done
        Ann: undo / Ann plays d4",
    );
    let ledger = case.ledger();
    assert_eq!(ledger.matches("\"result\"").count(), 1, "{ledger}");
    case.talk(
        "Ann: play d4 => refused: the game is over: new starts another, undo takes a move back",
    );
}

#[test]
fn a_clock_runs_only_in_its_own_turn() {
    Case::two_people_with("tc=10")
        .0
        .talk("wait 3000 / Ann plays a1 / wait 1000 / Bob: clock => clocks 7 9 | done");
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
fn a_clock_keeps_the_time_of_the_turn_in_which_the_game_ended() {
    Case::two_people_with("tc=10").0.talk(
        "wait 3000 / Ann plays a1 / wait 1000 / Ann: resign / wait 5000
        Bob: clock => clocks 7 9 | done",
    );
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
    Case::against_engine().talk(
        "host Ann joins / Ann plays d4 / poll / Ann hears .. / Bot is unreadable
        Ann hears over: 1-0 {Bot sent no readable move: bestmove} | no turn
        Bot is told .. | blame | ..
        Ann: undo / Ann plays d3 / Bot moves c1
        // it plays on after an undo
        moves d3 c1",
    );
}

#[test]
fn an_illegal_move_of_an_engine_loses() {
    let mut case = Case::against_engine();
    case.talk(
        "host Ann joins / Ann plays d4 / poll / Ann hears .. / Bot moves d1
        Ann hears over: 1-0 {Bot made an illegal move: d1* | ..",
    );
    assert_eq!(case.table.side(), Side::P2);
}

#[test]
fn a_player_resigns() {
    Case::two_people().0.talk(
        "Bob: resign => over: 1-0 {p2 resigns} | no turn | done
        Ann: resign => refused: the game is over",
    );
}
