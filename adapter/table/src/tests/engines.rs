//! Engines that start slowly, hang, crash or ignore commands.

use crate::model::{Role, SideSet};
use kit::Side;
use referee::engine::Fault;

use super::case::{Case, best_move};

#[test]
fn requests_are_answered_while_engines_start() {
    let mut case = Case::starting(["human", "Bot"], "depth=3", SideSet::NONE);
    case.scripts.of("Bot").lock().says.clear();
    let ann = case.join("Ann", Role::Host);
    case.talk(
        "Ann hears welcome Host | snapshot | done
        Ann: play a1 => refused: The engines are starting. Wait a moment.
        Ann: say well => Ann: well | done
        Ann: pace 2.0 => pace 2 | done",
    );
    case.says("Bot", Ok(referee::engine::EngineEvent::Started));
    assert_eq!(ann.events(), ["snapshot", "turn of p1"]);
}

#[test]
fn an_engine_that_does_not_start_ends_the_table_before_a_ledger_is_begun() {
    let mut case = Case::starting(["human", "Bot"], "depth=3", SideSet::NONE);
    let script = case.scripts.of("Bot");
    script.lock().says.clear();
    script.lock().says.push_back(Err(Fault::Silent("ugiok")));
    let polled = case.table.poll(case.now, false);
    let error = polled.expect_err("it cannot go on");
    assert_eq!(error.to_string(), "engine Bot: no ugiok in time");
    assert!(!case.folder.path().join("game.jsonl").exists());
}

#[test]
fn an_engine_that_cannot_be_started_again_is_held() {
    let mut case = Case::with(["human", "Bot"], "tc=60", SideSet::NONE);
    let fail = |case: &Case| {
        let gone = Fault::Start("no such file".to_owned());
        case.scripts.begin_faults.lock().push_back(gone);
    };
    case.talk("engines restart / host Ann joins / Ann plays d4 / poll / Ann hears ..");
    fail(&case);
    case.talk(
        "Bot dies
        Ann hears * | * again: the game is paused; go starts the engine once more | p2 is held
        wait 90000 / Ann: clock => clocks 60 60 | done",
    );
    fail(&case);
    case.talk("Ann: go => * | done");
    assert_eq!(case.table.turn(), crate::model::Turn::Held(Side::P2));
    case.talk("Ann: go / Bot moves c1 / moves d4 c1");
}

#[test]
fn a_shortage_is_nobodys_loss() {
    let mut case = Case::against_engine();
    case.talk("host Ann joins / Ann plays d4 / poll / Ann hears ..");
    let shortage = Fault::Shortage("Too many open files".to_owned());
    case.says("Bot", Err(shortage));
    case.talk(
        "Ann hears * | p2 is held | ..
        the game goes on
        Ann: go / Bot moves c1 / moves d4 c1",
    );
}

#[test]
fn equal_names_are_told_apart() {
    let case = Case::with(["human", "human"], "-", SideSet::NONE);
    let names = case
        .table
        .seats
        .each_ref()
        .map(|seats| seats[0].name.clone());
    assert_eq!(names, ["human", "human #2"]);
}

#[test]
fn engines_that_play_alone_pause_between_moves() {
    let mut case = Case::with(["Bot", "Pal"], "depth=3", SideSet::NONE);
    case.talk("host Ann joins / Bot is told .. / Ann hears .. / Ann: pace 2 => pace 2 | done");
    case.says("Bot", Ok(best_move("d4")));
    let thinks = |case: &Case| case.told("Pal").iter().any(|told| told.contains("d4"));
    case.wait(1999);
    assert!(!thinks(&case), "it pauses");
    case.wait(1);
    assert!(thinks(&case));
    case.talk(
        "// `move-now` ends the pause.
        Pal moves c1 / Ann: move-now / Bot is told .. | stop | ..
        Ann: pace -1 => refused: The pause must be * | ..
        Ann: pace NaN => refused: The pause must be * | ..
        Ann: pace 1e9 => refused: The pause must be * | ..",
    );
}
