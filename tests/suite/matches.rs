//! Whole matches between sound engines.

use crate::support::Folder;

#[test]
fn lines_and_records_agree() {
    let folder = Folder::new("agree");
    let done = folder
        .linesman("match susan --engine builtin name=A --engine builtin name=B --games 4 --each nodes=100 --ledger l --pgn p --seed 5").exits(0);
    let (_, games) = folder.ledger("l");
    let pgn = folder.read("p");
    for (index, game) in games.iter().enumerate() {
        let text = |key: &str| game[key].as_str().expect(key).to_owned();
        assert_eq!(game["game"], index + 1);
        assert_eq!(game["pair"], index / 2 + 1);
        let players = if index % 2 == 0 {
            ("A", "B")
        } else {
            ("B", "A")
        };
        assert_eq!((text("p1").as_str(), text("p2").as_str()), players);
        let line = format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            index + 1,
            players.0,
            players.1,
            text("result"),
            text("reason")
        );
        assert!(done.stdout.contains(&line), "{line}");
        let n_moves = game["moves"].as_array().expect("moves").len();
        assert_eq!(game["plies"].as_array().expect("plies").len(), n_moves);
        let tags = format!(
            "[Round \"{}.{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{}\"]\n",
            index / 2 + 1,
            index + 1,
            players.0,
            players.1,
            text("result")
        );
        assert!(pgn.contains(&tags), "{tags}");
        assert!(pgn.contains(&format!("[PlyCount \"{n_moves}\"]\n")));
    }
}

#[test]
fn more_games_at_once_than_cores_are_warned_of() {
    let folder = Folder::new("crowd");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let concurrency = cores + 1;
    for (words, busy) in [
        ("st=0.01", Some(concurrency)),
        ("st=0.01 ponder", Some(2 * concurrency)),
        ("st=0.01 option.Threads=3", Some(3 * concurrency)),
        ("nodes=20", None),
    ] {
        let words =
            format!("match susan:Size=4 --games 2 --concurrency {concurrency} --each {words}");
        let done = folder.linesman(&words).exits(0);
        match busy {
            Some(busy) => assert!(
                done.stderr.starts_with(&format!(
                    "warning: --concurrency {concurrency} keeps {busy} cores busy, but this machine has {cores}: "
                )),
                "{words}: {}",
                done.stderr
            ),
            None => assert_eq!(done.stderr, "", "{words}"),
        }
    }
}
