//! `linesman-lab tune-options`, with an engine whose best option values are known.

use serde_json::Value;

use crate::support::{Folder, Run, begins, has, signal};

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
    std::fs::write(folder.path("killed"), torn).expect("written");
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

#[test]
fn what_cannot_be_tuned_is_told_before_the_first_game() {
    let folder = Folder::new("tune-options-refused");
    for (params, wrong) in [
        (
            "--param Third=1,0,9,1",
            "--param Third: no spin option of the engine: name First or Second",
        ),
        (
            "--param Flag=1,0,9,1",
            "--param Flag: no spin option of the engine: name First or Second",
        ),
        (
            "--param First=1,0,101,1",
            "--param First: option First cannot be \"101\": expected a whole number from 0 to 100",
        ),
        (
            "--param First=1,0,9,1 --param first=1,0,9,1",
            "--param first: appears twice",
        ),
        (
            "--param First=1,0,9",
            "3 values: expected NAME=START,MIN,MAX,STEP",
        ),
        ("--param First=1,5,9,1", "not in this order"),
    ] {
        tune(
            &folder,
            &format!("any {params} --engine cmd=DUEL --state s"),
        )
        .fails(2, wrong);
        assert!(!folder.path("s").exists(), "{params}");
    }
    tune(&folder, "susan --param Size=5,4,5,1 --state s")
        .fails(2, "--param Size: an option of the board");
    tune(
        &folder,
        "susan --param First=1,0,9,1 --engine cmd=/nowhere --state s",
    )
    .exits(1);
    assert!(!folder.path("s").exists());
}

#[test]
fn a_state_of_another_tuning_is_refused() {
    let folder = Folder::new("tune-options-other");
    let words = format!("any {PARAMS} --engine cmd=DUEL --state s");
    tune(&folder, &format!("{words} --iterations 3 --seed 1")).exits(0);
    let text = folder.read("s");
    for (more, setting) in [
        ("--iterations 4", "iterations"),
        ("--seed 2", "srand"),
        ("--rate 0.5", "gains"),
        ("--pairs 2", "pairs"),
        ("--param Second=1,0,9,1", "params"),
        ("--each st=5", "engine"),
    ] {
        let words = match more.starts_with("--param") {
            true => words.replace("--param Second=60,0,100,4", more),
            false => format!("{words} {more}"),
        };
        let done = tune(&folder, &words).exits(2);
        let why = format!(
            "--state: s was started with another setting of {setting}: repeat that command, or name a new file"
        );
        has(&done.stderr, &why);
    }
    std::fs::write(folder.path("s"), "{\"plan\":{}}\n").expect("written");
    let done = tune(&folder, &words).fails(1, "s: line 1: ");
    has(
        &done.stderr,
        "expected the state of linesman-lab tune-options",
    );
    std::fs::write(folder.path("s"), text).expect("written");
}

/// A game of the catalogue with the built-in engine and one of its options; an interrupt ends the tuning after the
/// iteration.
#[test]
fn the_built_in_engine_is_tuned_and_interrupted() {
    let folder = Folder::new("tune-options-builtin");
    let words = "susan:Size=3 --param 'Skill Level=5,0,20,2' --each nodes=20 --games 4000 --seed 1 --interval 1 --state s";
    let run = tune(&folder, words);
    while !run
        .line()
        .expect("it goes on")
        .starts_with("Iteration 2 of 2000: Skill Level ")
    {}
    signal(&run, "-INT");
    let done = run.fails(
        3,
        "interrupted; to resume: the same command, which continues with s",
    );
    let last = done.stdout.last().expect("a report");
    begins(last, "'option.Skill Level=");
    let n_played = iterations(&folder.read("s")).len();
    assert!((2..2000).contains(&n_played), "{n_played}");
}

/// For a game that the referee does not know, the opening moves come from the engine.
#[test]
fn random_openings_of_an_unknown_game_are_asked_for() {
    let folder = Folder::new("tune-options-openings");
    let nim = env!("CARGO_BIN_EXE_nim-engine");
    let words = |state: &str| {
        format!(
            "any --param 'Skill Level=5,0,20,2' --engine cmd={nim} nodes=50 --openings random:plies=2 --iterations 3 --seed 1 \
             --state {state}"
        )
    };
    for state in ["s", "t"] {
        tune(&folder, &words(state)).exits(0);
    }
    assert_same_iterations(&folder, ["s", "t"]);
    let words = format!("any {PARAMS} --engine cmd=DUEL --openings random:plies=1 --state u");
    let done = tune(&folder, &words).done();
    assert!(matches!(done.status, Some(1 | 2)), "{:?}", done.status);
    has(&done.stderr, "no engine answers query moves");
    assert!(!folder.path("u").exists());
}
