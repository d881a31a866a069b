//! Tests of an engine as a separate process: panics, threads that cannot start, little memory, much input.
//!
//! The engines are this test program, started again to run one of its ignored tests.

use std::io::Write;
use std::process::{Child, Command, ExitCode, Output, Stdio};

use crate::fuse;
use kit::{Game, Options};
use nim::Nim;

#[test]
#[ignore = "an engine that the other tests start"]
fn engine_of_fuse() {
    exit(fuse::GAME.serve(&Options::new(Vec::new())));
}

#[test]
#[ignore = "an engine that the other tests start"]
fn engine_of_nim() {
    exit(nim::GAME.serve(&Options::new(Nim::options())));
}

fn exit(code: ExitCode) {
    std::process::exit(i32::from(code != ExitCode::SUCCESS));
}

/// Starts one of the engines above, with its standard streams piped.
fn start(engine: &str, prepare: impl FnOnce(&mut Command)) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--ignored", "--nocapture", "--exact", engine])
        .env_remove("RUST_BACKTRACE")
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    prepare(&mut command);
    command.spawn().expect("it starts")
}

/// The complete output of an engine for this input, which is then closed.
fn answers(mut child: Child, input: &str) -> Output {
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The last lines of standard error after a panic.
fn crash_report(input: &str) -> String {
    let output = answers(start("process::engine_of_fuse", |_| {}), input);
    assert!(!output.status.success(), "{output:?}");
    let said = text(&output.stderr);
    let (_, report) = said
        .split_once("error: fuse panicked. These lines led to it:\n")
        .unwrap_or_else(|| panic!("no report in {said}"));
    report.to_owned()
}

#[test]
fn a_panic_in_a_search_names_position_and_go() {
    let input = "position fen 5 moves tick\ngo depth 5\nisready\n";
    assert_eq!(
        crash_report(input),
        "position fen 5 moves tick\ngo depth 5\n"
    );
}

#[test]
fn a_panic_in_the_session_names_position_and_command() {
    assert_eq!(crash_report("position fen 3\nd\n"), "position fen 3\nd\n");
    let input = "position fen 3\nposition fen 4 moves tick bang\n";
    assert_eq!(
        crash_report(input),
        "position fen 3\nposition fen 4 moves tick bang\n"
    );
}

/// Prevents threads with the default stack size from starting.
fn without_threads(command: &mut Command) {
    command.env("RUST_MIN_STACK", (1_u64 << 56).to_string());
    // Otherwise the test harness would run the engine in a thread.
    command.env("RUST_TEST_THREADS", "1");
}

#[test]
fn without_a_search_thread_the_engine_answers_and_says_so() {
    for end in ["quit\n", ""] {
        let input = format!("position fen 1/3 p1\ngo infinite\nisready\ngo perft 3\n{end}");
        let output = answers(start("process::engine_of_nim", without_threads), &input);
        assert!(output.status.success(), "{output:?}");
        let said = text(&output.stdout);
        let told = "info string cannot start a search thread: ";
        assert_eq!(said.matches(told).count(), 2, "{said}");
        assert!(said.contains("\nbestmove "), "{said}");
        assert!(said.contains("\nreadyok\n"), "{said}");
        assert!(said.contains("\ninfo string perft stopped\n"), "{said}");
    }
}

/// Starts the engine of Nim by a shell, behind these words.
fn start_nim_limited(words: &str) -> Child {
    let engine = std::env::current_exe().expect("this program");
    let engine = engine.display();
    let script =
        format!("{words} exec '{engine}' --ignored --nocapture --exact process::engine_of_nim");
    let mut child = Command::new("sh");
    child.args(["-c", &script]).env("RUST_TEST_THREADS", "1");
    child.stdin(Stdio::piped()).stdout(Stdio::piped());
    child.spawn().expect("a shell")
}

#[test]
fn a_hash_beyond_the_memory_is_refused_and_the_old_table_stays() {
    let child = start_nim_limited("ulimit -v 3000000;");
    let input = "go depth 5\ngo depth 5\nsetoption name Hash value 8192\ngo depth 5\ngo mate 3\n";
    let said = text(&answers(child, input).stdout);
    assert_eq!(said.matches("\nbestmove ").count(), 4, "{said}");
    let refused = "\ninfo error Hash: 8192 MiB cannot be allocated\n";
    assert_eq!(said.matches(refused).count(), 1, "{said}");
    let searches = said.split("\nbestmove ");
    let nodes: Vec<u32> = searches
        .filter_map(|search| search.rsplit_once(" nodes ")?.1.split(' ').next())
        .map(|nodes| nodes.parse().expect("a number"))
        .collect();
    assert!(nodes[1] < nodes[0] / 2 && nodes[2] <= nodes[1], "{said}");
}

/// With memory for the stacks of the search thread and of a few helpers.
#[test]
fn a_search_goes_on_with_the_threads_that_start() {
    let child = start_nim_limited("ulimit -v 2000000; RUST_MIN_STACK=300000000");
    let input = "setoption name Threads value 40\nsetoption name Heaps value 9\nuginewgame\ngo nodes 400000\nisready\n";
    let output = answers(child, input);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}");
    let told = "info string Threads: only ";
    assert_eq!(said.matches(told).count(), 1, "{said}");
    assert_eq!(said.matches("\nbestmove ").count(), 1, "{said}");
}

#[test]
fn blank_lines_are_passed_over_quickly() {
    let n_lines = 5_000_000;
    let mut input = "\n".repeat(n_lines);
    input += "isready\nquit\n";
    let output = answers(start("process::engine_of_nim", |_| {}), &input);
    assert!(text(&output.stdout).contains("readyok\n"));
}
