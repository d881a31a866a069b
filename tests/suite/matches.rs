//! Whole matches between sound engines.

use crate::support::{Folder, has};

#[test]
fn a_match_needs_nothing_but_a_game() {
    let folder = Folder::new("default");
    let done = folder.linesman("match susan --each nodes=50").exits(0);
    done.shows(10, "Finished game ");
    let ledger = done.lines("ledger: ")[0]
        .trim_start_matches("ledger: ")
        .to_owned();
    let (plan, games) = folder.ledger(&ledger);
    assert_eq!(plan["plan"]["games"], 10);
    assert_eq!(games.len(), 10);
    assert!(
        done.lines(" 1  ").len() == 1 && done.lines(" 2  ").len() == 1,
        "{:?}",
        done.stdout
    );
}

/// The opponent of `tests/strength.sh baseline`.
#[test]
fn the_baseline_plays_every_game() {
    let folder = Folder::new("baseline");
    let games = [
        "susan:Size=3",
        "entropy",
        "gobblet:Size=4",
        "graph-hockey:Side=1,Gap=1",
        "projex:Size=3",
    ];
    for game in games {
        let (name, uct) = (game.split(':').next(), env!("CARGO_BIN_EXE_uct-engine"));
        let players = format!(
            "--engine builtin name=best --engine cmd={uct} arg={} name=uct",
            name.unwrap_or_default()
        );
        let rest = "--games 2 --each nodes=300 --max-plies 40 --strict --ledger";
        let line = format!("match {game} {players} {rest} {}", game.replace(':', "-"));
        folder.linesman(&line).exits(0).shows(2, "Finished game ");
    }
}

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
fn a_long_game_is_a_draw_by_the_referee() {
    let folder = Folder::new("long");
    folder
        .linesman("match susan:SlideLimit=0 --engine cmd=SCRIPTED arg=shuttle --engine cmd=SCRIPTED arg=shuttle --each st=60 --games 1 --openings none --max-plies 60 --ledger l").exits(2);
    folder
        .linesman("match susan --games 1 --each nodes=10 --max-plies 5 --ledger l")
        .exits(0);
    let (_, games) = folder.ledger("l");
    assert_eq!(games[0]["termination"], "adjudication");
    assert_eq!(games[0]["result"], "1/2-1/2");
    assert_eq!(games[0]["moves"].as_array().map(Vec::len), Some(5));
}

#[test]
fn equal_names_are_told_apart() {
    let folder = Folder::new("names");
    let done = folder
        .linesman("match susan --engine builtin name=X --engine builtin name=X --games 1 --each nodes=10 --ledger l").exits(0);
    done.shows(1, "Finished game 1 (X vs X #2): ");
}

#[test]
fn an_engine_may_speak_chess_s_dialect() {
    let folder = Folder::new("uci");
    let words = "match susan --engine builtin proto=uci name=U --engine builtin name=G --games 2 --each st=1 depth=2 --ledger l";
    folder.linesman(words).exits(2);
    let words = "match susan --engine builtin proto=uci tc=1+0.01 timemargin=60000 name=U --engine builtin depth=2 name=G --games 2 --ledger l \
                 --max-plies 6 --log log";
    folder.linesman(words).exits(0);
    let log = folder.read("log");
    for line in [
        " U > uci\n",
        " U < uciok\n",
        " U > ucinewgame\n",
        " U > go wtime 1000 winc 10\n",
        " G > go depth 2\n",
    ] {
        has(&log, line);
    }
}

#[test]
fn without_swapping_the_first_engine_moves_first() {
    let folder = Folder::new("noswap");
    let words = "match susan --engine builtin name=A --engine builtin name=B --games 3 --each nodes=20 --noswap --ledger l";
    folder.linesman(words).exits(0);
    let (_, games) = folder.ledger("l");
    let pairs: Vec<_> = games.iter().map(|game| game["pair"].as_u64()).collect();
    assert_eq!(pairs, [Some(1), Some(2), Some(3)]);
    assert!(games.iter().all(|game| game["p1"] == "A"));
}

#[test]
fn the_referee_ends_games_by_their_scores() {
    let folder = Folder::new("adjudication");
    let play = |name: &str, rule: &str| {
        folder
            .linesman(&format!(
                "match susan --games 6 --each nodes=300 --seed 1 {rule} --ledger {name}"
            ))
            .exits(0);
        folder.ledger(name).1
    };
    for game in play("draw", "--draw movenumber=2 movecount=1 score=19999") {
        assert_eq!(
            (&game["termination"], &game["result"]),
            (&"adjudication".into(), &"1/2-1/2".into())
        );
        assert_eq!(
            game["moves"].as_array().map(Vec::len),
            Some(6),
            "two plies of opening, two moves of each"
        );
    }
    let resigned = play("resign", "--resign movecount=1 score=20000");
    let resigns = |game: &&serde_json::Value| {
        game["reason"].as_str().is_some_and(|reason| {
            reason.starts_with("adjudicated: ") && reason.ends_with(" wins by the scores")
        })
    };
    let lost: Vec<_> = resigned.iter().filter(resigns).collect();
    assert!(
        !lost.is_empty(),
        "whoever sees a mate against himself loses"
    );
    for game in lost {
        assert_eq!(game["termination"], "adjudication");
        assert_ne!(game["result"], "1/2-1/2");
    }
    for rule in [
        "--draw movenumber=1",
        "--draw movenumber=1 movecount=0 score=3",
        "--resign movecount=1 score=-5",
        "--resign movecount=1 score=5 three",
    ] {
        folder
            .linesman(&format!("match susan {rule}"))
            .fails(2, "movecount=N");
    }
}

#[test]
fn a_program_in_its_working_folder_starts_there() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("folder");
    let script = format!(
        "#!/bin/sh\npwd > here\necho complaint >&2\nexec {}\n",
        crate::support::SCRIPTED
    );
    std::fs::create_dir(folder.path("sub")).unwrap();
    std::fs::write(folder.path("sub/engine.sh"), script).unwrap();
    std::fs::set_permissions(
        folder.path("sub/engine.sh"),
        std::fs::Permissions::from_mode(0o755),
    )
    .unwrap();
    let words = "match susan --engine cmd=./engine.sh dir=sub stderr=heard --games 1 --each nodes=20 --ledger l";
    folder.linesman(words).exits(0);
    assert!(folder.read("sub/here").trim().ends_with("/sub"));
    assert_eq!(folder.read("heard"), "complaint\n");
}

const FAULTY: &str = "match susan --engine builtin name=A --engine cmd=SCRIPTED arg=illegal name=B --games 6 --each nodes=20 --ledger l";

#[test]
fn the_standing_is_told_every_so_many_games() {
    let folder = Folder::new("interval");
    let done = folder
        .linesman(&format!("{FAULTY} --rating-interval 2"))
        .done();
    assert_eq!(
        done.lines("Standing after "),
        [
            "Standing after 2 games, 4 left: A 2, B 0, 2 lost by faults",
            "Standing after 4 games, 2 left: A 4, B 0, 4 lost by faults",
        ],
        "the report tells the last one"
    );
    assert_eq!(done.lines("faults of "), ["faults of B: illegal moves 6"]);
    assert_eq!(done.lines("A vs B: "), ["A vs B: +6 =0 -0, 6 of 6"]);
    assert_eq!(
        done.lines("  no Elo: "),
        ["  no Elo: all pairs have the same score"]
    );
    let again = folder.linesman("stats l").done();
    assert_eq!(again.lines("faults of "), ["faults of B: illegal moves 6"]);
    let never = folder
        .linesman("match susan --each nodes=20 --games 2 --rating-interval 0")
        .done();
    never.shows(0, "Standing after ");
}

#[test]
fn strict_exits_with_4_where_an_engine_is_unsound() {
    let folder = Folder::new("strict");
    folder
        .linesman(&format!("{FAULTY} --strict --quiet"))
        .exits(4);
    // The match is complete, but it had a fault.
    for (flags, status) in [("--strict", 4), ("", 0)] {
        folder
            .linesman(&format!("match --resume l {flags}"))
            .exits(status);
    }
    folder
        .linesman("match susan --each nodes=20 --games 2 --strict")
        .exits(0);
    let late = "match susan --engine builtin name=A --engine cmd=SCRIPTED arg=late name=Late tc=0.1 --games 2 --each nodes=20 --strict";
    let late = folder.linesman(late).done();
    assert_eq!(late.lines("faults of "), ["faults of Late: lost on time 2"]);
    assert_eq!(
        late.status,
        Some(0),
        "a lost clock is no broken rule: {}",
        late.stderr
    );
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
