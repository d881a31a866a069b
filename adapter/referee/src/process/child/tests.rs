//! Tests with the standard programs `cat`, `sleep` and `sh`.

use super::*;
use crate::process::transport::Filtered;
use protocol::line::RawLine;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, waitpid};

/// Passes on every line unchanged.
struct Everything;

impl LineFilter for Everything {
    type Message = Vec<u8>;

    fn filter(&mut self, line: RawLine<'_>) -> Filtered<Vec<u8>> {
        let message = match line {
            RawLine::Bytes(bytes) => Some(bytes.to_owned()),
            RawLine::TooLong(_) => None,
        };
        Filtered {
            message,
            is_noise: false,
        }
    }
}

fn launch(program: &str, args: &[&str]) -> Launch {
    Launch {
        name: program.to_owned(),
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        ..Launch::default()
    }
}

fn start(program: &str, args: &[&str]) -> Process<Vec<u8>> {
    let process = Process::start(&launch(program, args), Everything, Reading::Direct);
    process.expect("a program that is everywhere")
}

fn in_ms(ms: u64) -> Instant {
    Instant::now() + Duration::from_millis(ms)
}

#[test]
fn a_full_pipe_does_not_block_and_nothing_is_lost() {
    let mut sleep = start("sleep", &["600"]);
    sleep.send(&vec![b'\n'; 1 << 20]);
    assert!(sleep.has_unsent());
    let mut cat = start("cat", &[]);
    let line = [vec![b'x'; 1 << 19], vec![b'\n']].concat();
    cat.send(&line);
    cat.send(b"end\n");
    let mut n_bytes = 0;
    loop {
        cat.wait(in_ms(60_000));
        let received = cat.receive().expect("cat repeats what it was told");
        if received.message == b"end" {
            break;
        }
        n_bytes += received.message.len();
    }
    assert_eq!(n_bytes, 1 << 19);
}

#[test]
fn what_is_never_read_is_bounded() {
    let mut sleep = start("sleep", &["600"]);
    for _ in 0..40 {
        sleep.send(&vec![b'\n'; 1 << 19]);
    }
    assert!(sleep.is_input_closed() && !sleep.has_unsent());
}

#[test]
fn a_child_that_quits_is_waited_for_and_one_that_does_not_is_killed() {
    let mut cat = start("cat", &[]);
    cat.close_input();
    assert!(cat.end(in_ms(60_000)), "cat ends with its input");
    let mut sleep = start("sleep", &["600"]);
    sleep.close_input();
    assert!(!sleep.end(in_ms(20)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_descendant_in_another_session_is_killed_too() {
    let mut process = start("sh", &["-c", "setsid sleep 600 & echo $!; exec sleep 600"]);
    process.wait(in_ms(60_000));
    let line = process.receive().expect("a process id").message;
    let id: i32 = String::from_utf8_lossy(&line).parse().expect("a number");
    drop(process);
    let left = rustix::process::test_kill_process(Pid::from_raw(id).expect("an id"));
    assert_eq!(left, Err(Errno::SRCH));
}

#[test]
fn a_line_without_an_end_is_heard() {
    let mut process = start("sh", &["-c", "printf ugiok; exec sleep 600"]);
    while process.last_heard().is_none() {
        process.wait(in_ms(1));
    }
    let heard = process.last_heard();
    assert_eq!(heard.as_deref(), Some("ugiok (no end of line)"));
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_child_is_limited() {
    let memory = Some(64);
    let launch = Launch {
        memory,
        ..launch("sh", &["-c", "read go; ulimit -d"])
    };
    let mut process = Process::start(&launch, Everything, Reading::Direct).expect("a shell");
    process.send(b"go\n");
    process.wait(in_ms(60_000));
    assert_eq!(process.receive().expect("a limit").message, b"65536");
}

/// Simulates a reader thread that cannot be started.
#[test]
fn a_start_that_fails_half_way_leaves_no_child() {
    let launch = launch("sh", &["-c", "echo $$; exec sleep 60"]);
    let mut pid = None;
    let started = Process::start_reading(&launch, Everything, |intake| {
        let mut intake = intake.lock();
        while intake.received().is_empty() {
            intake.wait(in_ms(60_000));
        }
        let line = intake.received().pop_front().expect("a line").message;
        pid = String::from_utf8_lossy(&line).parse().ok();
        Err(io::Error::from(ErrorKind::WouldBlock))
    });
    let error = started.expect_err("nobody reads");
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
    let pid = pid.and_then(Pid::from_raw);
    // The killed child may not have been reaped yet.
    match waitpid(Some(pid.expect("a process")), WaitOptions::empty()) {
        Err(error) => assert_eq!(error, Errno::CHILD),
        Ok(ended) => {
            let status = ended.map(|(_, status)| status);
            let signal = status.and_then(|status| status.terminating_signal());
            assert_eq!(signal, Some(Signal::KILL.as_raw()));
        }
    }
}

#[test]
fn standard_error_is_read_while_the_answer_is_awaited() {
    let command = "head -c 1000000 /dev/zero >&2; echo end >&2; echo done";
    let mut process = start("sh", &["-c", command]);
    process.wait(in_ms(60_000));
    let answer = process.receive().expect("nothing blocks the child");
    assert_eq!(answer.message, b"done");
    assert!(process.stderr().ends_with("end\n"));
}

#[test]
fn a_death_has_its_cause() {
    let mut process = start("sh", &["-c", "echo last words; exit 9"]);
    process.wait(in_ms(60_000));
    let last = process.receive().expect("a line");
    assert_eq!(last.message, b"last words");
    assert_eq!(process.await_exit(in_ms(60_000)), Some(Death::Exited(9)));
    process.wait(in_ms(60_000));
    assert!(process.receive().is_none() && process.is_output_closed());
}

#[test]
fn a_pipe_that_no_program_reads_is_no_file_for_standard_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo").success());
    let launch = Launch {
        stderr: Some(path.clone()),
        ..launch("true", &[])
    };
    let started = Process::start(&launch, Everything, Reading::Direct);
    let why = started.expect_err("it would wait").to_string();
    let named = format!("stderr={}: ", path.display());
    assert!(why.starts_with(&named), "{why}");
}
