//! `linesman check` at its defaults finds engines with one thing changed, and names the broken rule.

use std::process::Command;

use laws::testing::full;
use serde_json::Value;

use crate::support::{Folder, MUTANT, in_parallel};

/// Without `LINESMAN_TEST_FULL` one mutant in this many is checked; the number of games.
const STEP: usize = 5;

/// A mutant, the step that must find it, and words that its report must contain.
type Mutant = (&'static str, &'static str, &'static str);

/// The mutants of a game, or of `any`.
fn mutants(game: &str) -> impl Iterator<Item = Mutant> {
    let lines = include_str!("../data/mutants.txt").lines();
    let fields = lines.map(|line| line.split(" | ").collect::<Vec<_>>());
    fields.filter_map(move |fields| match fields[..] {
        [of, name, step, words] if of == game => Some((name, step, words)),
        _ => None,
    })
}

/// Without `LINESMAN_TEST_FULL` it is one mutant in [`STEP`]; the games together still check each of `any`.
#[test]
fn mutants_are_found() {
    let mut cases: Vec<(&str, Mutant)> = Vec::new();
    for (index, entry) in linesman::GAMES.games().iter().enumerate() {
        let game = entry.name;
        let all: Vec<Mutant> = mutants(game).chain(mutants("any")).collect();
        for name in listed(game) {
            let is_tested = all.iter().any(|(known, ..)| *known == name);
            assert!(is_tested, "{game}: {name} is not tested");
        }
        cases.extend(
            share(index, game)
                .chain(share(index, "any"))
                .map(|mutant| (game, mutant)),
        );
    }
    are_none(in_parallel(&cases, |(game, mutant)| missed(game, *mutant)));
}

/// The mutants of a game, or of `any`, that are tested with the game of this index.
fn share(index: usize, of: &str) -> impl Iterator<Item = Mutant> {
    let (first, step) = if full() { (0, 1) } else { (index, STEP) };
    mutants(of).skip(first).step_by(step)
}

#[track_caller]
fn are_none(missed: Vec<Option<String>>) {
    let missed: Vec<String> = missed.into_iter().flatten().collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// The mutants that the engine lists for a game.
fn listed(game: &str) -> Vec<String> {
    let output = Command::new(MUTANT).args(["list", game]).output();
    let names = output.expect("it starts").stdout;
    let names = String::from_utf8(names).expect("text");
    names.lines().map(str::to_owned).collect()
}

/// An error message if the report on a mutant has not these words, or no lines to paste.
fn missed(game: &str, (name, step, words): Mutant) -> Option<String> {
    let folder = Folder::new(&format!("mutant-{game}-{name}"));
    // The time of the step is a multiple of it: no position is left out on a loaded machine.
    let line = format!(
        "check cmd={MUTANT} arg={game} arg={name} {game} --json --ping-ms 60000 --only {step}"
    );
    let done = folder.linesman(&line).done();
    let is_named = |report: &Value| {
        let text = report["text"].as_str().unwrap_or_default();
        report["step"] == step && text.contains(words) && report["lines"][0] == "ugi"
    };
    let is_found = done.status == Some(1) && done.failed_steps().iter().any(is_named);
    (!is_found).then(|| format!("{game} {name}: {:?} {}", done.status, done.said()))
}

/// The options of the board on which a mutant shows its fault.
fn board(mutant: &str) -> &'static str {
    match mutant {
        "no-slide-limit-ignored" | "repetition-always" => "SlideLimit=0",
        "repetition-late" | "repetition-of-either-side" => "SlideLimit=0 Repetition=2",
        "repetition-early" => "SlideLimit=0 Repetition=3",
        "swap-off-ignored" => "Swap=false",
        "apart-ignored" => "Goal=apart",
        _ => "",
    }
}

/// An error message if `check --against` a sound engine does not find a mutant, or finds a difference from another sound
/// one.
fn missed_by_opponent(game: &str, mutant: Option<&str>) -> Option<String> {
    let name = mutant.unwrap_or("sound");
    let folder = Folder::new(&format!("opponent-{game}-{name}"));
    let options = board(name).split_whitespace();
    let options: String = options.map(|pair| format!(" option.{pair}")).collect();
    let sound = format!("cmd={MUTANT} arg={game}{options}");
    let arg = mutant.map_or(String::new(), |name| format!("arg={name}"));
    let broken = format!("cmd={MUTANT} arg={game} {arg}{options}");
    // All games are played where nothing is found, and few do for that.
    let n_games = if full() || mutant.is_some() { 8 } else { 2 };
    let line = format!("check {sound} --against {broken} --games {n_games} --seed 1");
    let compared = folder.linesman(&line).done();
    let is_compared = compared.lines("  position ").len() == 1;
    (is_compared != mutant.is_some())
        .then(|| format!("{game} {name}: compared {is_compared}: {}", compared.said()))
}

/// Every fault in the rules is found by a sound opponent. Without `LINESMAN_TEST_FULL` one mutant in [`STEP`].
#[test]
fn sound_opponents_find_mutants() {
    let mut pairs: Vec<(&str, Option<&str>)> = Vec::new();
    for (index, entry) in linesman::GAMES.games().iter().enumerate() {
        let own = share(index, entry.name).map(|(name, ..)| Some(name));
        pairs.extend(
            [None]
                .into_iter()
                .chain(own)
                .map(|mutant| (entry.name, mutant)),
        );
    }
    are_none(in_parallel(&pairs, |(game, mutant)| {
        missed_by_opponent(game, *mutant)
    }));
}
