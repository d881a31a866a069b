//! Restarting engines: for each game, after a fault, or only after a crash.

use crate::support::Folder;

/// Number of processes of engine `A` in a match of four games, and the termination reasons of the games.
fn processes(test: &str, words: &str) -> (usize, Vec<String>) {
    let folder = Folder::new(test);
    folder
        .linesman(&format!(
            "match susan --engine cmd=SCRIPTED name=A {words} --engine cmd=SCRIPTED name=B st=60 --games 4 --openings none \
             --ledger l --log log"
        ))
        .exits(0);
    let (_, games) = folder.ledger("l");
    assert_eq!(games.len(), 4);
    let log = folder.read("log");
    let starts = log.lines().filter(|line| line.ends_with(" A > ugi"));
    let reason = |game: &serde_json::Value| game["reason"].as_str().expect("a reason").to_owned();
    (starts.count(), games.iter().map(reason).collect())
}

fn all_hold(reasons: &[String], words: &str) {
    let holds = |reason: &String| reason.contains(words);
    assert!(reasons.iter().all(holds), "{words:?} in {reasons:?}");
}

#[test]
fn a_sound_engine_keeps_its_process() {
    assert_eq!(processes("restart-default", "st=60").0, 1);
    assert_eq!(processes("restart-auto", "st=60 restart=auto").0, 1);
    assert_eq!(processes("restart-off", "st=60 restart=off").0, 1);
}

#[test]
fn an_engine_may_have_a_fresh_process_for_each_game() {
    let (n_processes, reasons) = processes("restart-on", "st=60 restart=on");
    assert_eq!(n_processes, 4);
    all_hold(&reasons, " wins");
}

#[test]
fn a_fault_ends_the_process_unless_it_is_to_be_kept() {
    let (n_processes, reasons) = processes("fault-auto", "st=60 arg=illegal");
    assert_eq!(n_processes, 4);
    all_hold(&reasons, "A made an illegal move: z9");
    let (n_processes, reasons) = processes("fault-off", "st=60 arg=illegal restart=off");
    assert_eq!(n_processes, 1);
    all_hold(&reasons, "A made an illegal move: z9");
}

#[test]
fn a_dead_engine_is_started_again_in_any_case() {
    for restart in ["auto", "on", "off"] {
        let words = format!("st=60 arg=exit restart={restart}");
        let (n_processes, reasons) = processes(&format!("dead-{restart}"), &words);
        assert_eq!(n_processes, 4, "{restart}");
        all_hold(&reasons, "A exited with status 3 before sending bestmove");
    }
}

#[test]
fn a_late_answer_of_a_kept_engine_is_no_unasked_move() {
    let (n_processes, reasons) = processes("late-off", "st=0.05 arg=late restart=off");
    assert_eq!(n_processes, 1);
    all_hold(&reasons, "A loses on time");
}

#[test]
fn a_kept_engine_that_stays_silent_loses_each_game() {
    let words = "st=0.05 arg=silent-go restart=off --ping-ms 1000";
    let folder = Folder::new("silent-off");
    folder
        .linesman(&format!(
            "match susan --engine cmd=SCRIPTED name=A {words} --engine cmd=SCRIPTED name=B st=60 --games 4 --openings none --ledger l"
        ))
        .exits(0);
    let (_, games) = folder.ledger("l");
    assert_eq!(games.len(), 4);
    for game in &games {
        let a_wins = if game["p1"] == "A" { "1-0" } else { "0-1" };
        assert_ne!(game["result"], a_wins, "{}", game["reason"]);
        assert_eq!(game["fault"]["engine"], "A");
    }
}
