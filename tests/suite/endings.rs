//! Matches that end early: interrupted, killed, or decided.

use laws::testing::full;
use serde_json::Value;

use crate::support::{Folder, Run, signal, wait_until};

fn finished(run: &Run) {
    while !run
        .line()
        .expect("a game is finished")
        .starts_with("Finished")
    {}
}

const LONG: &str = "match susan --games 2000 --each nodes=300 --seed 4 --ledger l --pgn p";

#[test]
fn an_interrupt_lets_the_game_finish() {
    let folder = Folder::new("interrupt");
    let run = folder.linesman(LONG);
    finished(&run);
    signal(&run, "-INT");
    run.fails(3, "linesman match --resume l");
    let (_, games) = folder.ledger("l");
    assert!(!games.is_empty() && games.len() < 2000);
}

#[test]
fn a_second_interrupt_and_a_termination_do_not_wait() {
    for (name, twice) in [("-INT", true), ("-TERM", false)] {
        let folder = Folder::new("at-once");
        let run = folder.linesman("match susan --engine cmd=SCRIPTED arg=silent-go --openings none --each st=1000 --ledger l --json");
        while !run.line().expect("a game begins").contains("game-started") {}
        signal(&run, name);
        if twice {
            // Two signals in quick succession may be delivered as one.
            let told = run.error_line().expect("the first one is told");
            assert!(told.ends_with("interrupt again to stop at once"), "{told}");
            signal(&run, name);
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
    signal(&run, "-TERM");
    let done = run.exits(3);
    let line = "interrupted before the first game: no ledger was created\n";
    assert_eq!(done.stderr, line);
    assert!(!folder.path("l").exists());
}

/// Moves of each game by its number; panics at a duplicate.
fn by_number(games: &[Value]) -> Vec<(u64, String)> {
    let mut all: Vec<(u64, String)> = games
        .iter()
        .map(|game| {
            (
                game["game"].as_u64().expect("a number"),
                game["moves"].to_string(),
            )
        })
        .collect();
    all.sort_unstable();
    assert!(
        all.windows(2).all(|two| two[0].0 != two[1].0),
        "a game twice"
    );
    all
}

/// One engine ignores the end of its input, the other one thinks.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_referee_leaves_no_engine() {
    let folder = Folder::new("killed-referee");
    let run = folder.linesman(
        "match susan --engine cmd=SCRIPTED arg=silent-quit --engine cmd=SCRIPTED arg=silent-go --openings none \
         --each st=1000 --ledger l --json",
    );
    while !run.line().expect("a game begins").contains("game-started") {}
    let tasks = std::fs::read_dir(format!("/proc/{}/task", run.pid())).expect("its threads");
    let children = tasks
        .flatten()
        .map(|task| std::fs::read_to_string(task.path().join("children")));
    let children: Vec<String> = children
        .flat_map(|ids| {
            ids.unwrap_or_default()
                .split(' ')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter(|id| !id.is_empty())
        .collect();
    assert!(children.len() >= 2, "{children:?}");
    signal(&run, "-KILL");
    run.done();
    // A process that has ended and was not waited for has no command line.
    let is_running = |id: &String| {
        let words = std::fs::read(format!("/proc/{id}/cmdline"));
        words.is_ok_and(|words| !words.is_empty())
    };
    wait_until("the engines end", || !children.iter().any(is_running));
}

#[test]
fn a_killed_match_is_resumed_without_loss() {
    let folder = Folder::new("killed");
    let (n_games, kills) = match full() {
        true => (1000, [0, 50, 300, 10]),
        false => (120, [0, 10, 40, 5]),
    };
    let plan = format!(
        "match susan --games {n_games} --each nodes=50 --seed 4 --concurrency 2 --openings random:plies=3"
    );
    folder.linesman(&format!("{plan} --ledger whole")).exits(0);

    let mut words = format!("{plan} --ledger l --pgn p");
    for n_lines in kills {
        let run = folder.linesman(&words);
        run.line();
        (0..n_lines).for_each(|_| finished(&run));
        signal(&run, "-KILL");
        assert_eq!(run.done().status, None);
        words = "match --resume l --pgn p".to_owned();
        tear(&folder);
    }
    folder.linesman(&words).exits(0);
    let (_, games) = folder.ledger("l");
    let (_, uninterrupted) = folder.ledger("whole");
    assert_eq!(by_number(&games), by_number(&uninterrupted));
    assert_eq!(folder.read("p").matches("[Event ").count(), n_games);

    let again = folder.linesman("match --resume l").exits(0);
    again.shows(0, "Finished");
}

/// Half a line at the end of a ledger, as a crash may leave it.
fn tear(folder: &Folder) {
    let mut text = folder.read("l");
    text.push_str("{\"game\":9,\"pa");
    std::fs::write(folder.path("l"), text).expect("the ledger is ours");
}

#[test]
fn events_are_json_lines() {
    let folder = Folder::new("json");
    let done = folder
        .linesman("match susan --games 2 --each nodes=60 --ledger l --json")
        .exits(0);
    let events: Vec<Value> = done
        .stdout
        .iter()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!(
        [
            count("match-started"),
            count("game-started"),
            count("game-over"),
            count("standing")
        ],
        [1, 2, 2, 2]
    );
    let (_, games) = folder.ledger("l");
    let plies: usize = games
        .iter()
        .map(|game| game["moves"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(
        count("move-played"),
        plies - 4,
        "the opening's two plies are not played"
    );
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

#[test]
fn no_engine_outlives_the_referee() {
    let folder = Folder::new("orphans");
    for (name, fault) in [
        ("-INT", "silent-quit"),
        ("-TERM", "silent-quit"),
        ("-KILL", "mute"),
    ] {
        let mark = format!("at=9{}", std::process::id());
        let words = format!(
            "match susan --engine cmd=SCRIPTED arg={fault} arg={mark} --engine cmd=SCRIPTED arg={mark} --openings none --games 100000 --ledger l{name}"
        );
        let run = folder.linesman(&words);
        finished(&run);
        assert_eq!(alive(&mark), 2);
        signal(&run, name);
        run.done();
        if name == "-KILL" {
            // The engines read the end of their input a little later.
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
    std::fs::write(folder.path("wrapper"), wrapper).expect("the folder is ours");
    let words = format!(
        "match susan --engine cmd=sh arg=wrapper arg={mark} arg=SCRIPTED --engine cmd=SCRIPTED --openings none --games 100000 --ledger l"
    );
    let run = folder.linesman(&words);
    finished(&run);
    assert_eq!(alive(&mark), 1);
    signal(&run, "-KILL");
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
    let events: Vec<Value> = folder
        .read("events")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    let named = |name: &str| {
        events
            .iter()
            .filter(|event| event["event"] == name)
            .collect::<Vec<_>>()
    };
    let dropped: u64 = named("lagged")
        .iter()
        .filter_map(|event| event["dropped"].as_u64())
        .sum();
    assert!(dropped > 0, "the queue is short");
    let games: Vec<_> = named("game-over")
        .iter()
        .map(|event| event["game"].as_u64())
        .collect();
    assert!(
        games.into_iter().eq((1..=60).map(Some)),
        "each game once, in order"
    );
}
