//! Engines that start slowly, hang, crash or ignore commands.

use kit::Side;
use record::table::{Role, SideSet};
use referee::client::Fault;

use super::case::{Case, best_move};
use crate::request::TableCommand;

#[test]
fn requests_are_answered_while_engines_start() {
    let mut case = Case::starting(["human", "Bot"], "depth=3", SideSet::NONE);
    case.scripts.of("Bot").lock().says.clear();
    let ann = case.join("Ann", Role::Host);
    assert_eq!(ann.events(), ["welcome Host", "snapshot", "done"]);
    assert_eq!(
        case.play(&ann, "a1"),
        ["refused: play: the engines are starting: wait"]
    );
    let say = TableCommand::Say {
        text: "well".to_owned(),
    };
    assert_eq!(case.ask(&ann, say), ["Ann: well", "done"]);
    let pace = TableCommand::SetPace { seconds: 2.0 };
    assert_eq!(case.ask(&ann, pace), ["pace 2", "done"]);
    case.says("Bot", Ok(referee::player::PlayerEvent::Started));
    assert_eq!(ann.events(), ["snapshot", "turn of p1"]);
}

#[test]
fn an_engine_that_does_not_start_ends_the_table_before_a_ledger_is_begun() {
    let mut case = Case::starting(["human", "Bot"], "depth=3", SideSet::NONE);
    let script = case.scripts.of("Bot");
    script.lock().says.clear();
    script.lock().says.push_back(Err(Fault::Silent("ugiok")));
    let error = case
        .table
        .poll(case.now, false)
        .expect_err("it cannot go on");
    assert_eq!(error.to_string(), "engine Bot: no ugiok in time");
    assert!(!case.folder.path().join("game.jsonl").exists());
}

#[test]
fn an_engine_that_ignores_stop_is_started_again() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    ann.events();
    assert_eq!(
        case.ask(&ann, TableCommand::Undo),
        ["went to 0", "turn of p1", "done"],
        "nobody waits for it"
    );
    case.play(&ann, "d3");
    case.poll();
    ann.events();
    case.told("Bot");
    case.wait(5000);
    case.says("Bot", Err(Fault::Silent("bestmove")));
    assert_eq!(
        ann.events(),
        ["fault: Bot did not stop in time and was restarted"]
    );
    assert_eq!(case.told("Bot"), ["begin", "position startpos moves d3"]);
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(case.moves(), "d3 c1");
}

#[test]
fn an_engine_that_is_silent_in_its_turn_loses() {
    let mut case = Case::with(["human", "Bot"], "st=1", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    ann.events();
    case.wait(1000);
    case.says("Bot", Err(Fault::Silent("bestmove")));
    let events = ann.events();
    assert!(
        events[0].starts_with("over: 1-0 {Bot loses on time"),
        "{events:?}"
    );
}

#[test]
fn a_stand_in_that_fails_costs_the_person_nothing() {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    let sides = Side::P1.into();
    case.ask(&ann, TableCommand::SetAuto { sides });
    case.poll();
    ann.events();
    case.says("helper", Err(Fault::Silent("bestmove")));
    assert_eq!(
        ann.events(),
        [
            "fault: helper no bestmove in time",
            "p1: Person Host",
            "turn of p1"
        ]
    );
    case.play(&ann, "a1");
    assert_eq!(case.moves(), "a1");
}

#[test]
fn an_engine_that_dies_in_its_turn_is_started_again_where_the_table_is_set_up_so() {
    let died = || {
        let death = referee::process::Death::Killed(9);
        Err(Fault::Died {
            death,
            due: Some("bestmove"),
            memory: None,
        })
    };
    let mut case = Case::against_engine();
    case.table.restarts_engines = true;
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    ann.events();
    case.told("Bot");
    case.says("Bot", died());
    let events = ann.events();
    let [fault] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert!(fault.starts_with("fault: Bot "), "{fault}");
    assert!(
        fault.ends_with(": restarted, and continues the game"),
        "{fault}"
    );
    assert_eq!(case.told("Bot"), ["begin", "position startpos moves d4"]);
    case.says("Bot", died());
    let events = ann.events();
    assert!(
        events[0].ends_with(" again: the game is paused; go starts the engine once more"),
        "{events:?}"
    );
    assert_eq!(events[1..], ["p2 is held"]);
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(case.moves(), "d4 c1");
}

#[test]
fn an_engine_that_cannot_be_started_again_is_held() {
    let mut case = Case::with(["human", "Bot"], "tc=60", SideSet::NONE);
    case.table.restarts_engines = true;
    let ann = case.join("Ann", Role::Host);
    let fail = |case: &Case, n| {
        let gone = || Fault::Start("no such file".to_owned());
        let faults = &case.scripts.begin_faults;
        faults.lock().extend((0..n).map(|_| gone()));
    };
    case.play(&ann, "d4");
    case.poll();
    ann.events();
    fail(&case, 1);
    let death = referee::process::Death::Killed(9);
    let due = Some("bestmove");
    case.says(
        "Bot",
        Err(Fault::Died {
            death,
            due,
            memory: None,
        }),
    );
    let events = ann.events();
    assert!(
        events[1].ends_with(" again: the game is paused; go starts the engine once more"),
        "{events:?}"
    );
    assert_eq!(events[2..], ["p2 is held"]);
    case.wait(90_000);
    assert_eq!(
        case.ask(&ann, TableCommand::Clock),
        ["clocks 60 60", "done"]
    );
    fail(&case, 1);
    let events = case.ask(&ann, TableCommand::Go { limit: None });
    assert_eq!(events[1..], ["done"], "{events:?}");
    assert_eq!(case.table.turn(), record::table::Turn::Held(Side::P2));
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(case.moves(), "d4 c1");
}

#[test]
fn a_shortage_is_nobodys_loss() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.poll();
    ann.events();
    case.says(
        "Bot",
        Err(Fault::Shortage("Too many open files".to_owned())),
    );
    let events = ann.events();
    assert_eq!(events[1], "p2 is held", "{events:?}");
    assert!(case.table.over.is_none());
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("Bot", Ok(best_move("c1")));
    assert_eq!(case.moves(), "d4 c1");
}

#[test]
fn a_paused_engine_waits_after_its_move() {
    let mut case = Case::with(["Bot", "Box"], "depth=3", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.poll();
    ann.events();
    case.ask(&ann, TableCommand::Pause);
    case.says("Bot", Ok(best_move("a1")));
    assert_eq!(ann.events(), ["ledger begun", "p1 plays a1", "p2 is held"]);
    case.ask(&ann, TableCommand::Go { limit: None });
    case.poll();
    case.says("Box", Ok(best_move("b1")));
    assert_eq!(case.moves(), "a1 b1");
}

#[test]
fn equal_names_are_told_apart() {
    let case = Case::with(["human", "human"], "-", SideSet::NONE);
    let names = case
        .table
        .seats
        .each_ref()
        .map(|seats| seats[0].name().to_owned());
    assert_eq!(names, ["human", "human #2"]);
}

#[test]
fn engines_that_play_alone_pause_between_moves() {
    let mut case = Case::with(["Bot", "Pal"], "depth=3", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    case.told("Bot");
    ann.events();
    let pace = |seconds| TableCommand::SetPace { seconds };
    assert_eq!(case.ask(&ann, pace(2.0)), ["pace 2", "done"]);
    case.says("Bot", Ok(best_move("d4")));
    let thinks = |case: &Case| case.told("Pal").iter().any(|told| told.contains("d4"));
    case.wait(1999);
    assert!(!thinks(&case), "it pauses");
    case.wait(1);
    assert!(thinks(&case));
    // `move-now` ends the pause.
    case.says("Pal", Ok(best_move("c1")));
    case.ask(&ann, TableCommand::MoveNow);
    let told = case.told("Bot");
    assert!(told.contains(&"stop".to_owned()), "{told:?}");
    for seconds in [-1.0, f64::NAN, 1e9] {
        let refused = case.ask(&ann, pace(seconds));
        assert!(refused[0].starts_with("refused: pace "), "{refused:?}");
    }
}
