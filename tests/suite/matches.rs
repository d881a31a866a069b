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
fn both_games_of_a_pair_begin_alike() {
    let folder = Folder::new("pairs");
    folder
        .linesman("match susan --games 5 --each nodes=50 --ledger l --openings random:plies=4")
        .exits(0);
    let (_, games) = folder.ledger("l");
    let opening = |index: usize| games[index]["opening"].as_str().expect("an opening");
    assert_eq!(opening(0), opening(1));
    assert_eq!(opening(2), opening(3));
    assert_ne!(opening(0), opening(2));
    assert_ne!(opening(2), opening(4));
    assert!(opening(4).starts_with("startpos moves "));
}

/// The games of a PGN file without what may differ: dates, and seconds in comments.
fn timeless(pgn: &str) -> Vec<String> {
    pgn.split_whitespace()
        .filter(|word| !word.ends_with("s}"))
        .scan(false, |is_date, word| {
            let shown = if *is_date { "DATE" } else { word };
            *is_date = word == "[Date";
            Some(shown.to_owned())
        })
        .collect()
}

#[test]
fn equal_seeds_give_equal_games() {
    let folder = Folder::new("equal");
    let play = |name: &str, srand: u32| {
        let words = format!(
            "match susan --games 6 --each nodes=300 --openings random:plies=4 --seed {srand} --ledger {name}.l --pgn {name}"
        );
        folder.linesman(&words).exits(0);
        timeless(&folder.read(name))
    };
    let first = play("first", 7);
    assert_eq!(first, play("second", 7));
    assert_ne!(first, play("third", 8));
}

/// Games at a level are repeatable by `--seed`, and unlike each other.
#[test]
fn levels_play_the_same_match_again() {
    let folder = Folder::new("levels");
    let play = |name: &str, srand: u32| {
        let words = format!(
            "match susan --games 6 --each nodes=300 'option.Skill Level=5' --openings none --seed {srand} --ledger {name}.l --pgn {name}"
        );
        folder.linesman(&words).exits(0);
        timeless(&folder.read(name))
    };
    let first = play("first", 7);
    assert_eq!(first, play("second", 7));
    assert_ne!(first, play("third", 8));
    let (_, games) = folder.ledger("first.l");
    let moves: std::collections::BTreeSet<String> =
        games.iter().map(|game| game["moves"].to_string()).collect();
    assert_eq!(moves.len(), games.len());
}

#[test]
fn games_at_once_are_the_same_games() {
    let folder = Folder::new("at-once");
    let play = |name: &str, concurrency: u32| {
        let words = format!(
            "match susan --games 12 --each nodes=100 --seed 3 --concurrency {concurrency} --ledger {name}"
        );
        folder.linesman(&words).exits(0);
        let (_, games) = folder.ledger(name);
        let mut games: Vec<(u64, String)> = games
            .iter()
            .map(|game| {
                (
                    game["game"].as_u64().expect("a number"),
                    game["moves"].to_string(),
                )
            })
            .collect();
        games.sort_unstable();
        games
    };
    assert_eq!(play("one", 1), play("three", 3));
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

/// A program may have written the file. The whole test takes minutes if each engine or game is compared with all others.
#[test]
fn a_file_of_many_engines_is_read_at_once() {
    let folder = Folder::new("many-engines");
    let many = |text: &dyn Fn(usize) -> String| (1..=20_000).map(text).collect::<String>();
    let engines = many(&|n| format!("[[engine]]\nname = 'e{n}'\nbuiltin = true\n"));
    let games = many(&|n| format!("[[game]]\nname = 'g{n}'\nrules = 'x'\n"));
    folder.write("many", format!("{engines}{games}"));
    let words = "match susan --dry-run --engines many --engine conf=e2";
    let began = std::time::Instant::now();
    let done = folder.linesman(&format!("{words} --engine conf=e20000"));
    done.exits(0).shows(10, "Game ");
    let seconds = began.elapsed().as_secs();
    assert!(seconds < 20, "{seconds} s");
    let twice = "[[engine]]\nname = 'e20000'\nbuiltin = true\n";
    folder.write("many", format!("{engines}{twice}"));
    let why =
        "many: line 60001: name: \"e20000\" is also the engine of line 59998: give it another name";
    folder.linesman(words).fails(2, why);
}
