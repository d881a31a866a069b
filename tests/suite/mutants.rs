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

/// Mutants of every game.
const ANYWHERE: &[Mutant] = &[
    ("mate-in-moves", "mate-distances", "but it is not forced"),
    ("mate-one-more", "mate-distances", "which wins at once"),
    ("mate-one-less", "mate-distances", "which wins at once"),
    ("mate-for-the-other", "mate-distances", "which wins at once"),
    ("no-mate-in-1", "mate", "no mate in 1 although a move wins"),
    (
        "dies-after-60-plies",
        "long-games",
        "before sending bestmove after position startpos moves ",
    ),
    (
        "silent-after-60-plies",
        "long-games",
        "no bestmove in time after position startpos moves ",
    ),
    (
        "illegal-40th",
        "long-games",
        "search 40 of a process: bestmove is illegal after position ",
    ),
    ("position-in-part", "bad-position", "changes the position"),
];

const fn rule(name: &'static str, rule: &'static str) -> Mutant {
    (name, "rules-positions", rule)
}

#[test]
fn mutants_of_graph_hockey_are_found() {
    are_found(
        "graph-hockey",
        &[
            rule(
                "goal-for-the-mover",
                "A puck in a goal wins for that goal's player, whoever moved.",
            ),
            rule(
                "goal-against-the-mover",
                "A puck inside a goal wins for the player of that goal",
            ),
            rule(
                "goals-exchanged",
                "A puck inside a goal wins for the player of that goal",
            ),
            rule("outline-is-goal", "A puck on a goal's outline"),
            rule("goal-in-passing", "jump through a goal, does not count."),
            rule(
                "blocked-puck-loses",
                "the puck may cross lines; neither player loses.",
            ),
            rule(
                "blocked-puck-draws",
                "the puck may cross lines; neither player loses.",
            ),
            rule(
                "no-strangeness",
                "If no free jump is legal, every move inside the boundary is.",
            ),
            rule(
                "jump-along-lines",
                "A free jump may not run along a line or an outline.",
            ),
            rule(
                "lines-crossed",
                "A move neither crosses a line nor touches one on its way.",
            ),
            rule("outline-closed", "A move may cross a goal's outline"),
            rule(
                "boundary-open",
                "A move ends inside the boundary, and not on it.",
            ),
            rule(
                "long-moves-missing",
                "A move ends inside the boundary, and not on it.",
            ),
            rule(
                "repetition-of-the-puck",
                "The third occurrence of a position draws the game",
            ),
            rule(
                "repetition-ignored",
                "The third occurrence of a position draws the game",
            ),
        ],
    );
}

#[test]
fn mutants_of_gobblet_are_found() {
    are_found(
        "gobblet",
        &[
            rule(
                "own-line-first",
                "The opponent's line comes before the mover's own.",
            ),
            rule(
                "lifted-line-ignored",
                "A line of the opponent that a lifted piece reveals wins",
            ),
            rule(
                "no-diagonals",
                "A full row, column or diagonal of visible pieces wins",
            ),
            rule(
                "no-antidiagonal",
                "A full row, column or diagonal of visible pieces wins",
            ),
            rule("equal-sizes-in-line", "whatever their sizes."),
            rule(
                "placement-covers-anything",
                "On 4x4 a placement may cover only an opponent's piece",
            ),
            rule(
                "placement-covers-nothing",
                "On 4x4 a placement may cover only an opponent's piece",
            ),
            rule(
                "three-with-a-free-fourth",
                "the fourth square may be taken.",
            ),
            rule(
                "covered-count-in-three",
                "On 4x4 covered pieces do not count towards the line of three",
            ),
            rule("stacks-ignored", "only after the larger one of its stack."),
            rule(
                "moves-bound-like-placements",
                "On 4x4 a move on the board may cover any smaller piece.",
            ),
            rule(
                "own-pieces-not-covered",
                "covers smaller pieces, including own ones.",
            ),
            rule(
                "equal-pieces-covered",
                "A piece lands on an empty square or covers smaller pieces",
            ),
            rule(
                "second-occurrence",
                "The third occurrence of a position draws the game.",
            ),
            rule(
                "fourth-occurrence",
                "The third occurrence of a position draws the game.",
            ),
        ],
    );
}

#[test]
fn mutants_of_susan_are_found() {
    are_found(
        "susan",
        &[
            rule(
                "slides-before-surround",
                "decides the game before the slides are counted.",
            ),
            rule("slide-limit-late", "Six slides in a row draw the game."),
            rule("slide-limit-early", "Six slides in a row draw the game."),
            rule("slides-never-reset", "A placement ends a row of slides."),
            rule(
                "slides-of-string-lost",
                "Six slides in a row draw the game.",
            ),
            rule(
                "no-slide-limit-ignored",
                "With SlideLimit=0 slides never draw",
            ),
            rule("repetition-late", "With Repetition=N the N-th occurrence"),
            rule("repetition-early", "With Repetition=N the N-th occurrence"),
            rule(
                "repetition-always",
                "With Repetition=off no repetition draws.",
            ),
            rule(
                "repetition-of-either-side",
                "with the other player to move are another position.",
            ),
            rule(
                "both-surrounded-wins",
                "A move that surrounds stones of both players loses",
            ),
            rule(
                "own-stones-are-safe",
                "An own stone without an empty neighbour loses",
            ),
            rule(
                "edge-is-room",
                "An opponent's stone without an empty neighbour wins",
            ),
            rule("enemies-alone-surround", "Stones of both players surround."),
            rule(
                "losing-move-illegal",
                "An own stone without an empty neighbour loses",
            ),
        ],
    );
}

#[test]
fn mutants_of_projex_are_found() {
    are_found(
        "projex",
        &[
            rule(
                "swap-as-third",
                "Swap is legal as the fourth move of the game, and only then.",
            ),
            rule(
                "swap-as-fourth-or-later",
                "Swap is legal as the fourth move of the game, and only then.",
            ),
            rule(
                "swap-never",
                "Swap is legal as the fourth move of the game, and only then.",
            ),
            rule("swap-off-ignored", "With Swap=false swap is never legal."),
            rule(
                "swap-keeps-the-turn",
                "After swap player 1 owns o and is to move.",
            ),
            rule("swap-keeps-the-owner", "for the new owner of its colour."),
            rule("full-board-draws", "A full board has a winner."),
            rule(
                "inner-loop-wins",
                "A loop that does not cross the edge wins nothing.",
            ),
            rule(
                "even-crossings-win",
                "an even number of times wins nothing.",
            ),
            rule(
                "one-far-neighbour",
                "A border cell has exactly two neighbours across the edge",
            ),
            rule(
                "far-side-ignored-below",
                "A border cell has exactly two neighbours across the edge",
            ),
            rule("taken-cell-legal", "A stone is placed on an empty cell."),
        ],
    );
}

#[test]
fn mutants_of_entropy_are_found() {
    are_found(
        "entropy",
        &[
            rule("pass-at-will", "Where another move is legal, pass is not."),
            rule("no-move-loses", "the only legal move is pass."),
            rule(
                "one-isolated-is-enough",
                "must give each of them a neighbour in one move.",
            ),
            rule(
                "check-ignored",
                "must give each of them a neighbour in one move.",
            ),
            rule(
                "no-isolated-after-move",
                "A move that clears the check may isolate another piece.",
            ),
            rule("two-passes-go-on", "Two passes in a row draw the game."),
            rule(
                "passes-of-string-lost",
                "Passes in the position string count",
            ),
            rule(
                "all-passes-count",
                "A slide between two passes resets their count.",
            ),
            rule(
                "both-goals-win",
                "The game is drawn where both players reach the goal at once.",
            ),
            rule(
                "goal-of-the-mover-alone",
                "A player who reaches the goal wins, whoever moved.",
            ),
            rule(
                "contact-ignored",
                "With Goal=contact a piece without an enemy neighbour",
            ),
            rule(
                "apart-ignored",
                "With Goal=apart a player without own neighbours wins",
            ),
            rule(
                "diagonal-neighbours-ignored",
                "an enemy neighbour and no own neighbour.",
            ),
            rule(
                "one-step-slides",
                "A piece slides any number of empty squares",
            ),
            rule(
                "second-occurrence",
                "The third occurrence of a position draws the game.",
            ),
            rule(
                "fourth-occurrence",
                "The third occurrence of a position draws the game.",
            ),
        ],
    );
}

/// Checks that the mutants of a game are found, and that the sound engine passes. Without `LINESMAN_TEST_FULL` it is one
/// mutant in [`STEP`]; the games together still check each of [`ANYWHERE`].
fn are_found(game: &str, own: &[Mutant]) {
    assert_eq!(missed(game, None), None);
    let all: Vec<Mutant> = own.iter().chain(ANYWHERE).copied().collect();
    let listed = listed(game);
    for name in &listed {
        let is_tested = all.iter().any(|(known, ..)| known == name);
        assert!(is_tested, "{game}: {name} is not tested");
    }
    let (first, step) = if full() { (0, 1) } else { (index(game), STEP) };
    let share = |list: &[Mutant]| list.iter().copied().skip(first).step_by(step).collect();
    let checked: [Vec<Mutant>; 2] = [share(own), share(ANYWHERE)];
    let missed = in_parallel(&checked.concat(), |mutant| missed(game, Some(*mutant)));
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
    let is_anywhere = |mutant: &String| ANYWHERE.iter().any(|(name, ..)| name == mutant);
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
