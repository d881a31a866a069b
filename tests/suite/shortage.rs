//! A shortage of system resources loses no game: it is detected before the first game, or stops the match, which can be
//! resumed.

use crate::support::{Folder, SCRIPTED, begins, has, lacks};

const TWO: &str =
    "--engine cmd=SCRIPTED name=A --engine cmd=SCRIPTED name=B --openings none --ledger l";

#[test]
fn too_few_descriptors_are_found_before_the_first_game() {
    let folder = Folder::new("descriptors");
    let line = format!(
        "ulimit -Sn 64; LINESMAN match susan --concurrency 100 --games 100 {TWO} --log log"
    );
    let words =
        "open files are needed and 64 are allowed: lower --concurrency, or first run ulimit -n ";
    let stderr = folder.shell(&line).fails(1, words).stderr;
    begins(&stderr, "error: --concurrency 100: ");
    let needed = stderr
        .rsplit(' ')
        .next()
        .and_then(|word| word.trim().parse().ok());
    assert!(
        needed.is_some_and(|needed: usize| needed >= 600),
        "{stderr}"
    );
    for name in ["l", "log"] {
        assert!(!folder.has(name), "no engine was started: {name}");
    }
}

#[test]
fn too_few_descriptors_are_no_fault_of_an_engine_that_is_checked() {
    let folder = Folder::new("descriptors-check");
    let line = "ulimit -Sn 8; LINESMAN check cmd=SCRIPTED any --only handshake";
    let done = folder.shell(line).exits(1);
    let why = "cannot be started: Too many open files\n";
    assert!(done.stderr.ends_with(why), "{}", done.stderr);
    done.shows(0, "FAIL");
}

#[cfg(target_os = "linux")]
#[test]
fn descriptors_that_run_out_later_stop_the_match() {
    let folder = Folder::new("descriptors-later");
    let run = folder.linesman(&format!(
        "match susan --games 40 --max-plies 2 --each restart=on st=60 {TWO} --json"
    ));
    run.until("game-over");
    run.opens_no_more();
    let done = run.fails(1, "cannot be started: Too many open files");
    has(&done.stderr, "match --resume l");
    let n_games = folder.games("l").len();
    assert!((1..40).contains(&n_games), "{n_games}");
    folder.linesman("match --resume l").exits(0);
    let games = folder.games("l");
    assert_eq!(games.len(), 40);
    for game in games {
        assert_eq!(game["termination"], "adjudication", "{}", game["reason"]);
    }
}

#[test]
fn a_thread_that_cannot_be_started_stops_the_match() {
    let folder = Folder::new("threads");
    // No system has enough memory for this stack of a game's thread.
    let line =
        format!("RUST_MIN_STACK=1000000000000000 LINESMAN match susan --games 2 --quiet {TWO}");
    let done = folder
        .shell(&line)
        .fails(1, "error: cannot start a thread for a game: ");
    has(&done.stderr, "match --resume l");
    assert!(folder.games("l").is_empty());
    folder.linesman("match --resume l").exits(0);
}

/// The engine runs for ten minutes after its input is closed, and it holds descriptor 3, which is the test's pipe: if
/// it were left running, the output would not end.
#[test]
fn whoever_cannot_start_a_thread_leaves_no_engine_behind() {
    for words in [
        "match susan --engine cmd=bash arg=engine --engine cmd=bash arg=engine name=B --ledger l",
        "play susan --p2 'cmd=bash arg=engine' --ledger l",
    ] {
        let folder = Folder::new("threads-engine");
        let engine = format!("{SCRIPTED}\nsleep 600\n");
        folder.write("engine", engine);
        let line = format!("RUST_MIN_STACK=1000000000000000 LINESMAN {words} 3>&1 < /dev/null");
        let done = folder.shell(&line).exits(1);
        begins(&done.stderr, "error: ");
        has(&done.stderr, "thread");
        lacks(&done.stderr, "panicked");
    }
}
