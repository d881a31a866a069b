//! `linesman check` at its defaults finds engines with one thing changed, and names the broken rule.

use std::process::Command;

use laws::testing::full;
use serde_json::Value;

use crate::support::{Folder, in_parallel};

const MUTANT: &str = env!("CARGO_BIN_EXE_mutant-engine");

/// The steps that find mutants; all others test things that the mutants leave unchanged.
const STEPS: [&str; 5] = [
    "bad-position",
    "mate",
    "mate-distances",
    "long-games",
    "rules-positions",
];

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

#[test]
fn mutants_of_graph_hockey_are_found() {
    are_found("graph-hockey");
}

#[test]
fn mutants_of_gobblet_are_found() {
    are_found("gobblet");
}

#[test]
fn mutants_of_susan_are_found() {
    are_found("susan");
}

#[test]
fn mutants_of_projex_are_found() {
    are_found("projex");
}

#[test]
fn mutants_of_entropy_are_found() {
    are_found("entropy");
}

/// Checks that the mutants of a game are found, and that the sound engine passes. Without `LINESMAN_TEST_FULL` it is one
/// mutant in [`STEP`]; the games together still check each of `any`.
fn are_found(game: &str) {
    assert_eq!(missed(game, None), None);
    for name in listed(game) {
        let is_tested = mutants(game)
            .chain(mutants("any"))
            .any(|(known, ..)| known == name);
        assert!(is_tested, "{game}: {name} is not tested");
    }
    let (first, step) = if full() { (0, 1) } else { (index(game), STEP) };
    let share = |of| mutants(of).skip(first).step_by(step);
    let checked: Vec<Mutant> = share(game).chain(share("any")).collect();
    let missed = in_parallel(&checked, |mutant| missed(game, Some(*mutant)));
    let missed: Vec<String> = missed.into_iter().flatten().collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// The place of a game among all.
fn index(game: &str) -> usize {
    let games = linesman::GAMES.games();
    let index = games.iter().position(|entry| entry.name == game);
    index.expect("one of the games")
}

/// The mutants that the engine lists for a game.
fn listed(game: &str) -> Vec<String> {
    let output = Command::new(MUTANT).args(["list", game]).output();
    let names = output.expect("it starts").stdout;
    let names = String::from_utf8(names).expect("text");
    names.lines().map(str::to_owned).collect()
}

/// An error message if the report on a mutant, or on the sound engine, is wrong.
fn missed(game: &str, mutant: Option<Mutant>) -> Option<String> {
    let name = mutant.map_or("sound", |(name, ..)| name);
    let folder = Folder::new(&format!("mutant-{game}-{name}"));
    let arg = mutant.map_or(String::new(), |(name, ..)| format!("arg={name}"));
    let steps = match mutant {
        None => STEPS.map(|step| format!("--only {step}")).join(" "),
        // Each step runs in a separate process, so leaving out the other steps changes nothing.
        Some((_, step, _)) => format!("--only {step}"),
    };
    let line = format!("check cmd={MUTANT} arg={game} {arg} {game} --json {steps}");
    let done = folder.linesman(&line).done();
    let failed = done.failed_steps();
    let is_right = match mutant {
        None => done.status == Some(0) && failed.is_empty(),
        Some((_, step, words)) => {
            let is_named = |report: &Value| report["step"] == step && says(report, words);
            done.status == Some(1) && failed.iter().any(is_named)
        }
    };
    (!is_right).then(|| {
        format!(
            "{game} {name}: {:?} {failed:?} {}",
            done.status, done.stderr
        )
    })
}

/// `true` if a report contains these words, and lines to paste.
fn says(report: &Value, words: &str) -> bool {
    let text = report["text"].as_str().unwrap_or_default();
    text.contains(words) && report["lines"][0] == "ugi"
}

/// The lines to paste for a mutant: those needed in a fresh process, and no others.
fn pasted(game: &str, mutant: &str, step: &str) -> Vec<String> {
    let folder = Folder::new(&format!("pasted-{game}-{mutant}"));
    let line =
        format!("check cmd={MUTANT} arg={game} arg={mutant} {game} --json --seed 1 --only {step}");
    let (_, lines) = folder.linesman(&line).done().failed_step();
    lines
}

#[test]
fn a_crash_in_a_long_game_is_shown_by_one_position() {
    let lines = pasted("gobblet", "dies-after-60-plies", "long-games");
    let [ugi, position, go] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    let n_moves = position.split(' ').count() - 3;
    assert_eq!(
        (ugi.as_str(), n_moves, go.as_str()),
        ("ugi", 61, "go depth 1")
    );
}

#[test]
fn a_fault_of_the_fortieth_search_is_shown_by_forty_searches() {
    let lines = pasted("gobblet", "illegal-40th", "long-games");
    assert_eq!(lines[0], "ugi");
    assert_eq!(lines[1..], ["go depth 1"; 40]);
}

#[test]
fn a_line_carried_out_in_part_is_shown_by_two_positions() {
    let lines = pasted("susan", "position-in-part", "bad-position");
    let commands: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(commands[..3], ["ugi", "position", "position"], "{lines:?}");
    assert!(
        commands[3..].iter().all(|word| *word == "query"),
        "{lines:?}"
    );
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
    (is_compared != mutant.is_some()).then(|| {
        let compared = compared.stdout.join("\n") + &compared.stderr;
        format!("{game} {name}: compared {is_compared}: {compared}")
    })
}

/// Every fault in the rules is found by a sound opponent. Without `LINESMAN_TEST_FULL` one mutant in [`STEP`].
#[test]
fn sound_opponents_find_mutants() {
    let is_anywhere = |mutant: &String| mutants("any").any(|(name, ..)| name == mutant);
    let mut pairs: Vec<(&str, Option<String>)> = Vec::new();
    for entry in linesman::GAMES.games() {
        pairs.push((entry.name, None));
        let own = listed(entry.name)
            .into_iter()
            .filter(|name| !is_anywhere(name));
        let own = own
            .skip(if full() { 0 } else { index(entry.name) })
            .step_by(if full() { 1 } else { STEP });
        pairs.extend(own.map(|name| (entry.name, Some(name))));
    }
    let missed = in_parallel(&pairs, |(game, mutant)| {
        missed_by_opponent(game, mutant.as_deref())
    });
    let missed: Vec<String> = missed.into_iter().flatten().collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
