//! Matches that end early: interrupted, killed, or decided.

use laws::testing::full;
use serde_json::Value;

use crate::support::{Folder, Run, begins, has, signal, wait_until};

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
fn what_is_no_ledger_cannot_be_resumed() {
    let folder = Folder::new("no-ledger");
    std::fs::write(folder.path("empty"), "").unwrap();
    std::fs::write(folder.path("junk"), "{}\n").unwrap();
    for file in ["missing", "empty", "junk"] {
        folder
            .linesman(&format!("match --resume {file}"))
            .fails(1, file);
    }
}

#[test]
fn a_test_stops_the_match_when_it_is_decided() {
    let folder = Folder::new("sprt");
    let words = "match susan --engine cmd=SCRIPTED arg=illegal name=Bad --engine builtin name=Good --games 1000 --each nodes=20 \
                 --sprt elo0=0 elo1=30 --ledger l";
    let done = folder.linesman(words).exits(0);
    let (_, games) = folder.ledger("l");
    assert!(games.len() < 1000, "{} games", games.len());
    let verdict = done.lines("SPRT elo0=0 elo1=30 (logistic): ");
    assert_eq!(verdict.len(), 1, "{:?}", done.stdout);
    has(&verdict[0], "H0 accepted");
    folder.linesman("match --resume l").exits(0);
}

#[test]
fn numbers_come_from_records_alone() {
    let folder = Folder::new("stats");
    let done = folder
        .linesman("match susan --games 6 --each nodes=60 --ledger l --pgn p --seed 2")
        .exits(0);
    let table = |words: &str| {
        let done = folder.linesman(words).exits(0);
        done.stdout
    };
    let shown = table("stats l");
    let blank = done
        .stdout
        .iter()
        .position(String::is_empty)
        .expect("a blank line before the standing");
    assert_eq!(
        done.stdout[blank + 1..],
        shown,
        "the match ends with the same numbers"
    );
    assert_eq!(table("stats p"), shown, "the PGN twin tells the same");
    let other = "match susan --games 6 --each nodes=60 --ledger m --seed 3";
    folder.linesman(other).exits(0);
    assert!(
        table("stats l m").iter().any(|line| line.contains(" 12 ")),
        "files are merged"
    );
    folder.linesman("stats missing").exits(1);
}

#[test]
fn a_game_is_replayed_board_by_board() {
    let folder = Folder::new("show");
    folder
        .linesman("match susan --games 2 --each nodes=60 --ledger l --pgn p --seed 2")
        .exits(0);
    let (_, games) = folder.ledger("l");
    let n_moves = games[1]["moves"].as_array().map_or(0, Vec::len);
    for file in ["l", "p"] {
        let shown = folder.linesman(&format!("show {file} 2")).exits(0);
        let is_move = |line: &&String| line.contains(". x (") || line.contains(". o (");
        assert_eq!(shown.stdout.iter().filter(is_move).count(), n_moves);
        shown.shows(1, "Finished game 2 ");
    }
    folder.linesman("show l 3").exits(2);
}

#[test]
fn a_game_is_drawn_ply_by_ply() {
    let folder = Folder::new("draw");
    folder
        .linesman("match susan:Size=3 --games 1 --each nodes=60 --ledger l --seed 2")
        .exits(0);
    let (_, games) = folder.ledger("l");
    let n_plies = games[0]["moves"].as_array().map_or(0, Vec::len);
    let picture = |name: &str| std::fs::read_to_string(folder.path(name)).expect(name);
    let draw = |words: &str| folder.linesman(&format!("show l 1 {words}")).done();
    assert_eq!(draw("--svg ply-%d.svg").status, Some(0));
    assert_eq!(draw("--svg last.svg").status, Some(0));
    assert_eq!(draw("--svg start.svg --ply 0").status, Some(0));
    assert_eq!(picture("last.svg"), picture(&format!("ply-{n_plies}.svg")));
    assert_eq!(picture("start.svg"), picture("ply-0.svg"));
    has(&picture("start.svg"), "<title>x to move</title>");
    assert!(!folder.path(&format!("ply-{}.svg", n_plies + 1)).exists());
    let beyond = draw(&format!("--svg a.svg --ply {}", n_plies + 1));
    assert_eq!(beyond.status, Some(2));
    has(&beyond.stderr, "expected 0 to");
    assert_eq!(draw("--ply 1").status, Some(2), "a ply of which picture?");
    // A drawing is replaced; any other file is kept, and then no file is written.
    assert_eq!(draw("--svg last.svg --ply 0").status, Some(0));
    assert_eq!(picture("last.svg"), picture("start.svg"));
    let ledger = picture("l");
    std::fs::write(folder.path("notes-1"), "notes").expect("a file");
    for (words, kept) in [("--svg l", "l"), ("--svg notes-%d", "notes-1")] {
        let done = draw(words);
        assert_eq!(done.status, Some(1), "{words}");
        let why = format!("error: {kept}: not a file of this kind, so it is not overwritten");
        begins(&done.stderr, &why);
    }
    assert_eq!(
        (picture("l"), picture("notes-1")),
        (ledger, "notes".to_owned())
    );
    assert!(!folder.path("notes-0").exists());
    let nowhere = draw("--svg no/such/folder.svg");
    assert_eq!(nowhere.status, Some(1));
    has(&nowhere.stderr, "no/such/folder.svg: ");
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

#[test]
fn every_line_is_logged_both_ways() {
    let folder = Folder::new("log");
    let words = "match susan --engine cmd=SCRIPTED name=A --engine cmd=SCRIPTED name=B --games 1 --openings none --ledger l --log log";
    folder.linesman(words).exits(0);
    let log = folder.read("log");
    for line in [
        " A > ugi\n",
        " A < ugiok\n",
        " B > uginewgame\n",
        " A > position startpos moves\n",
        " A < bestmove a1\n",
        " B > position startpos moves a1\n",
        " B > quit\n",
    ] {
        has(&log, line);
    }
}

#[test]
fn thinking_on_the_others_time_changes_no_rule() {
    let folder = Folder::new("ponder");
    let done = folder
        .linesman(
            "match susan --games 4 --each tc=0.4+0.01 ponder timemargin=60000 --ledger l --log log",
        )
        .exits(0);
    let (_, games) = folder.ledger("l");
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{:?}",
        done.stdout
    );
    let log = folder.read("log");
    has(&log, "> go ponder");
    has(&log, "> ponderhit");
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

#[test]
fn a_match_goes_on_when_its_reader_goes_away() {
    let folder = Folder::new("head");
    let linesman = env!("CARGO_BIN_EXE_linesman-test");
    let script = format!(
        "{linesman} match susan --games 100 --each nodes=20 --ledger l | head -1; echo ${{PIPESTATUS[0]}}"
    );
    let output = folder.command("bash").args(["-c", &script]).output();
    let output = output.expect("bash is there");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.ends_with("\n0\n"), "{stdout}");
    assert_eq!(folder.ledger("l").1.len(), 100);
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
