//! Matches that end early: interrupted, killed, or decided.

use laws::testing::full;
use linesman::GAMES;
use record::game_spec::GameSpec;
use record::opening::Opening;
use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Folder, begins, has, wait_until};

const LONG: &str = "match susan --games 2000 --each nodes=300 --seed 4 --ledger l --pgn p";

#[test]
fn an_interrupt_lets_the_game_finish() {
    let folder = Folder::new("interrupt");
    let run = folder.linesman(LONG);
    run.finishes(1);
    run.signal(Signal::INT);
    run.fails(3, "linesman match --resume l");
    let (_, games) = folder.ledger("l");
    assert!(!games.is_empty() && games.len() < 2000);
}

#[test]
fn a_second_interrupt_and_a_termination_do_not_wait() {
    for (signal, twice) in [(Signal::INT, true), (Signal::TERM, false)] {
        let folder = Folder::new("at-once");
        let run = folder.linesman("match susan --engine cmd=SCRIPTED arg=silent-go --openings none --each st=1000 --ledger l --json");
        run.until("game-started");
        run.signal(signal);
        if twice {
            // Two signals in quick succession may be delivered as one.
            let told = run.error_line().expect("the first one is told");
            assert!(told.ends_with("interrupt again to stop at once"), "{told}");
            run.signal(signal);
        }
        run.fails(3, "linesman match --resume l");
        let (_, games) = folder.ledger("l");
        assert!(games.is_empty());
    }
}

#[test]
fn a_termination_before_the_first_game_says_that_no_ledger_was_begun() {
    let folder = Folder::new("start-up");
    let words = "match susan --engine cmd=SCRIPTED arg=silent-handshake --startup-ms 600000 --ledger l --log log";
    let run = folder.linesman(words);
    let has_begun =
        || std::fs::read_to_string(folder.path("log")).is_ok_and(|log| log.contains(" > ugi"));
    wait_until("the handshake begins", has_begun);
    run.signal(Signal::TERM);
    let line = "interrupted before the first game: no ledger was created\n";
    assert_eq!(run.exits(3).stderr, line);
    assert!(!folder.has("l"));
}

/// Number and moves of each game, by number.
fn by_number(folder: &Folder, ledger: &str) -> Vec<(u64, String)> {
    let games = folder.games(ledger);
    let told = |game: &Value| {
        (
            game["game"].as_u64().expect("a number"),
            game["moves"].to_string(),
        )
    };
    let mut all: Vec<(u64, String)> = games.iter().map(told).collect();
    all.sort_unstable();
    all
}

/// The final position of a recorded game.
fn final_position(game: &Value) -> String {
    let rules = GAMES.rules(&GameSpec::parse("susan").expect("a game"));
    let rules = rules.expect("susan is known").expect("it has rules");
    let moves = game["moves"].as_array().expect("moves").iter();
    let moves = moves.map(|code| code.as_str().expect("a code").to_owned());
    let line = Opening {
        fen: None,
        moves: moves.collect(),
    };
    rules.open(&line).expect("they are legal").fen()
}

/// Its ledger was begun here, so that its command is not asked for. The last writes of all files may be torn, or may not
/// have reached the disk.
#[test]
fn a_killed_match_is_resumed_without_loss() {
    let folder = Folder::new("killed");
    let (n_games, kills) = match full() {
        true => (1000, [2, 50, 300, 10]),
        false => (120, [2, 10, 40, 5]),
    };
    folder
        .linesman("match susan --games 2 --each nodes=50 --ledger old --pgn p")
        .exits(0);
    let old = folder.read("p");
    let plan = format!(
        "match susan --engine cmd=SCRIPTED --engine builtin --games {n_games} --each nodes=300 --seed 4 --concurrency 2 \
         --openings random:plies=3"
    );
    folder.linesman(&format!("{plan} --ledger whole")).exits(0);

    let outputs = "--pgn p --pgn-comments pv --epdout e";
    let mut words = format!("{plan} --ledger l --pgn-append {outputs}");
    let resume = format!("match --resume l {outputs}");
    for n_finished in kills {
        let run = folder.linesman(&words);
        run.finishes(n_finished);
        run.signal(Signal::KILL);
        assert_eq!(run.done().status, None);
        words.clone_from(&resume);
        folder.write("l", folder.read("l") + "{\"game\":9,\"pa");
        folder.write("e", folder.read("e").trim_end());
        folder.write("p", &folder.read("p")[..old.len() + 20]);
    }
    folder.linesman(&words).exits(0);
    assert_eq!(by_number(&folder, "l"), by_number(&folder, "whole"));
    check_twins(&folder, &old, n_games);
    let again = folder.linesman(&resume).exits(0);
    again.shows(0, "Finished");
    check_twins(&folder, &old, n_games);
    folder
        .linesman(&format!("{resume} --games {}", n_games + 2))
        .exits(0);
    check_twins(&folder, &old, n_games + 2);
}

/// Checks that each game is once in the PGN file, after the old games, and once in the file of positions.
fn check_twins(folder: &Folder, old: &str, n_games: usize) {
    let games = folder.games("l");
    assert_eq!(games.len(), n_games);
    let positions: Vec<String> = games.iter().map(final_position).collect();
    assert_eq!(folder.read("e").lines().collect::<Vec<_>>(), positions);
    let pgn = folder.read("p");
    let own = pgn.strip_prefix(old).expect("what stood there");
    let rounds = own.lines().filter(|line| line.starts_with("[Round "));
    let wanted = games.iter();
    let wanted = wanted.map(|game| format!("[Round \"{}.{}\"]", game["pair"], game["game"]));
    assert_eq!(Vec::from_iter(rounds), Vec::from_iter(wanted));
    begins(own, "[Event ");
    has(own, ", pv=\"");
}

#[test]
fn events_are_json_lines() {
    let folder = Folder::new("json");
    let done = folder
        .linesman("match susan --games 2 --each nodes=60 --ledger l --json")
        .exits(0);
    let events = done.events();
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    let counts = ["match-started", "game-started", "game-over", "standing"].map(count);
    assert_eq!(counts, [1, 2, 2, 2]);
    let games = folder.games("l");
    let plies = games
        .iter()
        .map(|game| game["moves"].as_array().map_or(0, Vec::len));
    // The opening's two plies are not played.
    assert_eq!(count("move-played"), plies.sum::<usize>() - 4);
}

/// Number of processes with this argument.
fn alive(word: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("a list of processes");
    let called = |entry: std::io::Result<std::fs::DirEntry>| {
        let line = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        String::from_utf8_lossy(&line)
            .split('\0')
            .any(|arg| arg == word)
            .then_some(())
    };
    processes.filter_map(called).count()
}

/// The first engine ignores the end of its input, or computes; the other one is sound.
#[test]
fn no_engine_outlives_the_referee() {
    let folder = Folder::new("orphans");
    for (name, signal, fault) in [
        ("int", Signal::INT, "silent-quit"),
        ("term", Signal::TERM, "silent-quit"),
        ("kill", Signal::KILL, "silent-quit"),
        ("kill-mute", Signal::KILL, "mute"),
    ] {
        let mark = format!("at=9{}", std::process::id());
        let run = folder.linesman(&format!(
            "match susan --engine cmd=SCRIPTED arg={fault} arg={mark} --engine cmd=SCRIPTED arg={mark} --openings none --games 100000 --ledger {name}"
        ));
        run.finishes(1);
        assert_eq!(alive(&mark), 2);
        run.signal(signal);
        run.done();
        if signal == Signal::KILL {
            // The engines read the end of their input a little later, or are ended by the watchdog.
            wait_until("the engines end", || alive(&mark) == 0);
        }
        assert_eq!(alive(&mark), 0, "{name}");
    }
}

/// The child of a wrapper that computes in its own session and reads nothing learns of no closed pipe and of no signal.
#[test]
fn a_deaf_child_of_a_wrapper_does_not_outlive_a_killed_referee() {
    let folder = Folder::new("wrapper");
    let mark = format!("at=8{}", std::process::id());
    let wrapper = "setsid sh -c 'while :; do :; done' \"$1\" &\nexec \"$2\"\n";
    folder.write("wrapper", wrapper);
    let words = format!(
        "match susan --engine cmd=sh arg=wrapper arg={mark} arg=SCRIPTED --engine cmd=SCRIPTED --openings none --games 100000 --ledger l"
    );
    let run = folder.linesman(&words);
    run.finishes(1);
    assert_eq!(alive(&mark), 1);
    run.signal(Signal::KILL);
    run.done();
    wait_until("the child ends", || alive(&mark) == 0);
}

/// A pipe holds 64 KiB: without a reader the moves of a few games fill it.
#[test]
fn a_reader_that_does_not_read_delays_nothing_and_gets_every_finished_game() {
    let folder = Folder::new("slow-reader");
    let script = "LINESMAN match susan --games 60 --each nodes=20 --json --ledger l | { \
        while test \"$(wc -l < l)\" != 61; do sleep 0.05; done; cat > events; }";
    folder.shell(script).exits(0);
    let (first, mut events) = folder.ledger("events");
    events.insert(0, first);
    let numbers = |name: &str, field: &str| -> Vec<Option<u64>> {
        let named = events.iter().filter(|event| event["event"] == name);
        named.map(|event| event[field].as_u64()).collect()
    };
    let dropped: u64 = numbers("lagged", "dropped").into_iter().flatten().sum();
    assert!(dropped > 0, "the queue is short");
    let games = numbers("game-over", "game").into_iter();
    assert!(games.eq((1..=60).map(Some)), "each game once, in order");
}
