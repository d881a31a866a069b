//! Openings and pairings.

use crate::support::{Folder, begins, has};

const PLAY: &str = "match susan --each nodes=50 --ledger l --openings";

#[test]
fn openings_come_from_a_file() {
    let folder = Folder::new("file");
    std::fs::write(
        folder.path("book"),
        "# two\nstartpos moves e5 b2\n\n3/4/5/4/3 x 0\nstartpos moves a1 b1 c1\n",
    )
    .unwrap();
    folder
        .linesman(&format!("{PLAY} file=book start=2 --games 6"))
        .exits(0);
    let (_, games) = folder.ledger("l");
    let openings: Vec<&str> = games
        .iter()
        .map(|game| game["opening"].as_str().expect("an opening"))
        .collect();
    let (fen, three, two) = (
        "fen 3/4/5/4/3 x 0",
        "startpos moves a1 b1 c1",
        "startpos moves e5 b2",
    );
    assert_eq!(openings, [fen, fen, three, three, two, two]);
    let moves = games[2]["moves"].to_string();
    assert!(moves.starts_with(r#"["a1","b1","c1","#), "{moves}");
}

#[test]
fn a_position_stands_in_the_tags() {
    let folder = Folder::new("fen");
    std::fs::write(folder.path("book"), "3/4/5/4/3 x 0\n").unwrap();
    folder
        .linesman(&format!("{PLAY} file=book --games 1 --pgn p"))
        .exits(0);
    let pgn = folder.read("p");
    has(&pgn, "[Variant \"Size=3\"]\n");
    has(&pgn, "[SetUp \"1\"]\n[FEN \"3/4/5/4/3 x 0\"]\n[Termination");
}

#[test]
fn moves_are_numbered_from_the_player_who_begins() {
    let folder = Folder::new("numbers");
    std::fs::write(
        folder.path("book"),
        "3/4/5/4/3 x 0\n3/4/2x2/4/3 o 0 moves a1\n",
    )
    .unwrap();
    folder
        .linesman(&format!("{PLAY} file=book --games 3 --pgn p"))
        .exits(0);
    let pgn = folder.read("p");
    let games: Vec<&str> = pgn.split("\n\n").skip(1).step_by(2).collect();
    begins(games[0], "1. ");
    has(&games[0], " 2. ");
    begins(games[2], "1... a1 {book} 2. ");
}

#[test]
fn a_bad_line_is_named_before_the_first_game() {
    let folder = Folder::new("bad-line");
    for (line, why) in [
        ("startpos moves e5 e5", "e5"),
        ("5/6 x 0", ""),
        ("startpos moves zz", "zz"),
    ] {
        std::fs::write(folder.path("book"), format!("startpos\n{line}\n")).unwrap();
        let done = folder
            .linesman(&format!("{PLAY} file=book"))
            .fails(2, "book, line 2: ");
        has(&done.stderr, why);
        assert!(!folder.path("l").exists());
    }
    // A file that cannot be read is no error of the command line.
    for (words, named, status) in [
        ("file=missing", "missing: No such file", 1),
        ("book=missing", "missing: No such file", 1),
        ("file=book order=up", "order=up", 2),
        ("file=book start=0", "start=0", 2),
    ] {
        let done = folder
            .linesman(&format!("{PLAY} {words}"))
            .fails(status, "--openings");
        has(&done.stderr, named);
    }
}

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
    std::fs::write(folder.path("book"), &lines).unwrap();
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

#[test]
fn formats_say_who_meets_whom() {
    let folder = Folder::new("formats");
    let engines = "--engine builtin name=A --engine builtin name=B --engine builtin name=C";
    let pairs = |format: &str| {
        let done = folder
            .linesman(&format!(
                "match susan {engines} --format {format} --games 2 --openings none --dry-run"
            ))
            .done();
        let games = done.lines("Game ");
        games
            .iter()
            .map(|line| {
                line.split([':', ','])
                    .nth(1)
                    .expect("players")
                    .trim()
                    .to_owned()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(pairs("gauntlet"), ["A vs B", "B vs A", "A vs C", "C vs A"]);
    assert_eq!(
        pairs("round-robin"),
        ["A vs B", "B vs A", "A vs C", "C vs A", "B vs C", "C vs B"]
    );
    let done = folder
        .linesman(&format!(
            "match susan {engines} --games 2 --each nodes=20 --ledger l"
        ))
        .exits(0);
    done.shows(6, "Finished game ");
    done.shows(2, " 3  ");
    folder
        .linesman(&format!("match susan {engines} --sprt elo0=0 elo1=5"))
        .exits(2);
}

#[test]
fn openings_of_another_board_are_refused() {
    let folder = Folder::new("other-board");
    let words = "match susan:Size=4 --each nodes=20 --games 2 --ledger l --pgn p";
    folder.linesman(words).exits(0);
    let other = "match susan:Size=5 --each nodes=20 --games 2 --ledger m --openings file=p plies=2";
    let done = folder.linesman(other).exits(2);
    let why = "p, line 1: a game with Size=4: expected Size=5";
    has(&done.stderr, why);
    let gobblet = folder
        .linesman("match gobblet --ledger m --openings file=p plies=2")
        .done();
    has(&gobblet.stderr, "a game of susan: expected gobblet");
    let same = "match susan:Size=4 --each nodes=20 --games 2 --ledger m --openings file=p plies=2";
    folder.linesman(same).exits(0);
}

#[test]
fn what_is_no_file_holds_no_openings() {
    let folder = Folder::new("no-file");
    folder.shell("mkfifo fifo").exits(0);
    for file in ["/dev/zero", "fifo", "."] {
        folder
            .linesman(&format!("match susan --ledger l --openings file={file}"))
            .fails(1, "not a regular file");
        let done = folder.linesman(&format!("lab solve {file}")).done();
        has(&done.stderr, "not a regular file");
    }
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
