//! The form of an e-mail: 7-bit characters and lines of at most 78 characters, for any content.

use linesman::GAMES;
use record::game_spec::GameSpec;
use record::opening::Opening;

use crate::support::Folder;

/// The longest names allowed: 60 characters; every character of the second one needs an escape.
const NAMES: [&str; 2] = [
    "1. e5 Game: susan 2. b2 Johann-Georg of the House by the Sea",
    "\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\
     \u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\
     \u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\
     \u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\
     \u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\
     \u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e}\u{1d11e} \\",
];

/// Games, with the lines that the sender types.
const LETTERS: [(&str, &str); 7] = [
    ("graph-hockey:Side=4,Gap=8", "B\\nG\\nH\\ndraw\\n"),
    ("graph-hockey:Side=8,Gap=16", "B\\nG\\n"),
    ("gobblet:Size=4", "3.1@b2\\n"),
    ("gobblet", "3@b2\\n1@a1\\n"),
    ("susan", "e5\\nb2\\nresign\\n"),
    ("projex:Size=10", "moves\\n"),
    ("entropy", "a2-c4\\n"),
];

fn check(letter: &str) {
    for line in letter.lines() {
        assert!(line.is_ascii() && line.len() <= 78, "{line:?} in\n{letter}");
    }
}

#[test]
fn a_letter_keeps_to_7_bits_and_78_columns() {
    for (game, typed) in LETTERS {
        let (ann, bob) = (Folder::new("letters-form"), Folder::new("letters-form-2"));
        let [p1, p2] = NAMES;
        std::fs::write(ann.path("typed"), typed.replace("\\n", "\n") + "mail out\n")
            .expect("a file");
        let line = format!(
            "LINESMAN play {game} --p1 'human name=\"{p1}\"' --p2 'human name=\"{}\"' --ledger l < typed",
            p2.replace('\\', "\\\\")
        );
        let done = ann.shell(&line).done();
        assert_eq!(done.status, Some(0), "{game}: {}", done.stderr);
        let letter = ann.read("out");
        check(&letter);
        // The other player reads the same game and names from it, also from a quoted e-mail. A quoted game that is over
        // ends without a new move.
        if typed.contains("resign") {
            continue;
        }
        let quoted: String = letter.lines().map(|line| format!("> {line}\n")).collect();
        for text in [letter, quoted] {
            std::fs::write(bob.path("in"), text).expect("a letter");
            let done = bob
                .shell("LINESMAN play --mail in --ledger l < /dev/null")
                .done();
            assert_eq!(done.status, Some(0), "{game}: {}", done.stderr);
            let out = done.stdout.join("\n");
            assert!(out.contains(p1) && out.contains(p2), "{game}: {out}");
            let _ = std::fs::remove_file(bob.path("l"));
        }
    }
}

#[test]
fn a_long_beginning_is_folded() {
    let game = GameSpec::parse("graph-hockey:Side=4").expect("a game");
    let rules = GAMES.rules(&game).ok().flatten().expect("it has rules");
    let long = Opening::random(&rules, 120, 1, 0)
        .expect("a line")
        .moves
        .concat();
    let (ann, bob) = (Folder::new("letters-start"), Folder::new("letters-start-2"));
    let line = format!(
        "printf 'setup 4x8 {long}\\nmail out\\n' | LINESMAN play graph-hockey:Side=4 --p2 human --ledger l"
    );
    let done = ann.shell(&line).done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let letter = ann.read("out");
    check(&letter);
    assert!(letter.contains("\\\n"), "nothing is folded: {letter}");
    std::fs::write(bob.path("in"), &letter).expect("a letter");
    let done = bob
        .shell("printf 'mail out\\n' | LINESMAN play --mail in")
        .done();
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(bob.read("out"), letter);
}
