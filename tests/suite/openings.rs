//! Openings and pairings.

use crate::support::Folder;

const PLAY: &str = "match susan --each nodes=50 --ledger l --openings";

#[test]
fn games_of_ours_are_openings_too() {
    let folder = Folder::new("pgn-book");
    folder
        .linesman("match susan --each nodes=50 --games 4 --ledger first --pgn book")
        .exits(0);
    folder
        .linesman(&format!("{PLAY} file=book plies=3 --games 8"))
        .exits(0);
    let (_, old) = folder.ledger("first");
    let (_, new) = folder.ledger("l");
    for (index, game) in new.iter().enumerate() {
        let moves =
            |game: &serde_json::Value| game["moves"].as_array().expect("moves")[..3].to_vec();
        assert_eq!(moves(game), moves(&old[index / 2]));
    }
}

#[test]
fn random_order_depends_on_the_seed_alone() {
    let folder = Folder::new("shuffled");
    let lines: String = (1..=5)
        .map(|cell| format!("startpos moves a{cell}\n"))
        .collect();
    folder.write("book", &lines);
    let dry = |seed: u32| {
        let done = folder
            .linesman(&format!(
                "{PLAY} file=book order=random --games 10 --seed {seed} --dry-run"
            ))
            .exits(0);
        done.stdout
    };
    assert_eq!(dry(1), dry(1));
    assert!((2..10).any(|seed| dry(seed) != dry(1)));
    let mut seen = dry(1);
    assert_eq!(seen.len(), 10);
    seen.sort_unstable_by_key(|line| line.rsplit(' ').next().map(str::to_owned));
    seen.dedup_by_key(|line| line.rsplit(' ').next().map(str::to_owned));
    assert_eq!(seen.len(), 5, "each opening is played");
}

/// Generating all openings would take gigabytes, and so would the schedule.
#[test]
fn a_match_of_any_length_begins_at_once() {
    let folder = Folder::new("long-match");
    let run = folder.linesman("match susan --games 100000000 --each nodes=20 --ledger l");
    while !run
        .line()
        .expect("a game is finished")
        .starts_with("Finished")
    {}
    let killed = std::process::Command::new("kill")
        .arg(run.pid().to_string())
        .status();
    assert!(killed.expect("kill is everywhere").success());
    run.exits(3);
    let text = folder.read("l");
    let plan = text.lines().next().expect("a plan");
    assert!(plan.len() < 1_000_000, "{} bytes", plan.len());
}
