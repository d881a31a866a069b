//! `linesman-lab tune-options`, with an engine whose best option values are known.

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Folder, Run, begins, has};

const DUEL: &str = env!("CARGO_BIN_EXE_duel-engine");

/// Two options whose initial values are far from the best ones, 70 and 10.
const PARAMS: &str = "--param First=20,0,100,4 --param Second=60,0,100,4";

fn tune(folder: &Folder, words: &str) -> Run {
    let words = words.replace("DUEL", DUEL);
    folder.linesman(&format!("lab tune-options {words}"))
}

/// The lines of a state file after the first one.
fn iterations(text: &str) -> Vec<Value> {
    let lines = text.lines().skip(1);
    lines
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect()
}

/// The first line has a random id.
#[track_caller]
pub(crate) fn assert_same_iterations(folder: &Folder, states: [&str; 2]) {
    let [one, other] = states.map(|state| iterations(&folder.read(state)));
    assert!(!one.is_empty() && one == other, "{states:?}");
}

#[test]
fn the_values_move_to_the_best_ones() {
    let folder = Folder::new("tune-options");
    let words = format!(
        "any {PARAMS} --engine cmd=DUEL st=60 --iterations 400 --rate 0.04 --seed 1 --state s --interval 100"
    );
    let done = tune(&folder, &words).exits(0);
    done.shows(1, "any: tuning Duel, 400 iterations of 2 games, seed 1");
    done.shows(4, "Iteration ");
    // The last line can be pasted.
    let last = done.stdout.last().expect("a report");
    let values: Vec<i64> = last
        .split_whitespace()
        .zip(["option.First=", "option.Second="])
        .map(|(word, name)| {
            word.strip_prefix(name)
                .expect(last)
                .parse()
                .expect("a number")
        })
        .collect();
    assert!(
        (60..=80).contains(&values[0]) && (0..=20).contains(&values[1]),
        "{last}"
    );
    let kept = iterations(&folder.read("s"));
    assert_eq!(kept.len(), 400);
    for (line, number) in kept.iter().zip(1..) {
        assert_eq!(line["iteration"], number);
        let games =
            ["wins", "draws", "losses"].map(|field| line[field].as_u64().expect("a number"));
        assert_eq!(games.iter().sum::<u64>(), 2, "{line}");
    }
    // A finished tuning starts no engine.
    let again = tune(&folder, &words).exits(0);
    assert_eq!(again.stdout.last(), Some(last));
    again.shows(0, "any: tuning");
}

/// A tuning that is killed several times has the same course as one that is not.
#[test]
fn a_killed_tuning_goes_on_as_if_it_had_not_been() {
    let folder = Folder::new("tune-options-killed");
    let words = |state: &str| {
        format!(
            "any {PARAMS} --engine cmd=DUEL st=60 --iterations 120 --rate 0.05 --seed 3 --state {state} --interval 1"
        )
    };
    let whole = tune(&folder, &words("whole")).exits(0);
    for n_lines in [12, 25, 30] {
        let run = tune(&folder, &words("killed"));
        for _ in 0..n_lines {
            run.line().expect("it goes on");
        }
        // Dropping it sends SIGKILL.
        drop(run);
    }
    // Half a line, as a power cut may leave it.
    let torn = folder.read("killed") + "{\"iteration\":";
    folder.write("killed", torn);
    let rest = tune(&folder, &words("killed")).exits(0);
    has(&rest.stdout[0], " of them played");
    assert_same_iterations(&folder, ["killed", "whole"]);
    assert_eq!(rest.stdout.last(), whole.stdout.last());
}

/// The course does not depend on the order in which the games of an iteration finish.
#[test]
fn games_at_once_change_nothing() {
    let folder = Folder::new("tune-options-at-once");
    for (state, words) in [("one", ""), ("four", "--concurrency 4")] {
        let words = format!(
            "any {PARAMS} --engine cmd=DUEL st=60 --iterations 30 --pairs 2 --seed 5 --state {state} {words}"
        );
        tune(&folder, &words).exits(0);
    }
    assert_same_iterations(&folder, ["one", "four"]);
}

/// A game of the catalogue with the built-in engine and one of its options; an interrupt ends the tuning after the
/// iteration.
#[test]
fn the_built_in_engine_is_tuned_and_interrupted() {
    let folder = Folder::new("tune-options-builtin");
    let words = "susan:Size=3 --param 'Skill Level=5,0,20,2' --each nodes=20 --games 4000 --seed 1 --interval 1 --state s";
    let run = tune(&folder, words);
    run.until("Iteration 2 of 2000: Skill Level ");
    run.signal(Signal::INT);
    let done = run.fails(
        3,
        "interrupted; to resume: the same command, which continues with s",
    );
    let last = done.stdout.last().expect("a report");
    begins(last, "'option.Skill Level=");
    let n_played = iterations(&folder.read("s")).len();
    assert!((2..2000).contains(&n_played), "{n_played}");
}
