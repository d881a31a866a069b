//! Tests with the standard programs `cat`, `sleep` and `sh`.

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::*;
use crate::process::Launch;

fn launch(program: &str, args: &[&str]) -> Launch {
    Launch {
        name: program.to_owned(),
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        ..Launch::default()
    }
}

fn start(program: &str, args: &[&str]) -> Lines {
    started(&launch(program, args))
}

fn started(launch: &Launch) -> Lines {
    let process = Process::start(launch).expect("a program that is everywhere");
    Lines::of(process, Stop::default())
}

/// The next line.
fn line(lines: &mut Lines) -> Option<String> {
    match lines.receive("a line", in_ms(60_000)) {
        Ok((_, Line::Text(text))) => Some(text),
        _ => None,
    }
}

fn in_ms(ms: u64) -> Instant {
    Instant::now() + Duration::from_millis(ms)
}

#[test]
fn a_full_pipe_does_not_block_and_nothing_is_lost() {
    let mut sleep = start("sleep", &["600"]);
    sleep.process.send(&vec![b'\n'; 1 << 20]);
    assert!(!sleep.process.flush());
    assert!(!sleep.wait_for_room(in_ms(20)));
    let mut cat = start("cat", &[]);
    let long = "x".repeat(1 << 19);
    cat.process.send(format!("{long}\nend\n").as_bytes());
    assert_eq!(line(&mut cat), Some(long));
    assert_eq!(line(&mut cat).as_deref(), Some("end"));
}

/// A child that must write before it reads on.
#[test]
fn a_child_that_blocks_on_its_output_is_read_while_it_is_sent_more() {
    let mut cat = start("cat", &[]);
    let long = "x".repeat(1 << 19);
    for _ in 0..4 {
        cat.process.send(format!("{long}\n").as_bytes());
        assert!(cat.wait_for_room(in_ms(60_000)));
    }
    for _ in 0..4 {
        assert_eq!(line(&mut cat).as_ref(), Some(&long));
    }
}

#[test]
fn what_is_never_read_is_bounded() {
    let mut sleep = start("sleep", &["600"]).process;
    let line = "x".repeat(1 << 19) + "\n";
    for _ in 0..40 {
        sleep.send(line.as_bytes());
    }
    assert!(sleep.is_input_closed() && sleep.flush());
}

#[test]
fn a_child_that_quits_is_waited_for_and_one_that_does_not_is_killed() {
    let mut cat = start("cat", &[]).process;
    cat.close_input();
    assert_eq!(cat.await_exit(in_ms(60_000)), Some(Death::Exited(0)));
    let mut sleep = start("sleep", &["600"]).process;
    sleep.close_input();
    assert_eq!(sleep.await_exit(in_ms(20)), None);
}

/// A child whose output is not read can still exit when its pipe is full.
#[test]
fn what_a_child_writes_at_its_end_does_not_hold_it_up() {
    let command = "read quit; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; exit 7";
    let mut process = start("sh", &["-c", command]).process;
    process.send(b"quit\n");
    assert_eq!(process.await_exit(in_ms(60_000)), Some(Death::Exited(7)));
}

fn is_alive(id: &str) -> bool {
    let id = id.parse().expect("a number");
    test_kill_process(Pid::from_raw(id).expect("an id")) != Err(Errno::SRCH)
}

#[cfg(target_os = "linux")]
#[test]
fn a_descendant_in_another_session_is_killed_too() {
    let mut process = start("sh", &["-c", "setsid sleep 600 & echo $!; exec sleep 600"]);
    let id = line(&mut process).expect("a process id");
    assert!(is_alive(&id));
    drop(process);
    assert!(!is_alive(&id));
}

#[test]
fn a_line_without_an_end_is_heard() {
    let mut process = start("sh", &["-c", "printf ugiok; exec sleep 600"]);
    while process.process.last_heard().is_none() {
        process.read(in_ms(1));
    }
    let heard = process.process.last_heard();
    assert_eq!(heard.as_deref(), Some("ugiok (no end of line)"));
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_child_is_limited() {
    let mut process = started(&Launch {
        memory: Some(64),
        ..launch("sh", &["-c", "read go; ulimit -d"])
    });
    process.process.send(b"go\n");
    assert_eq!(line(&mut process).as_deref(), Some("65536"));
}

#[test]
fn standard_error_is_read_while_the_answer_is_awaited() {
    let command = "head -c 1000000 /dev/zero >&2; echo end >&2; echo done";
    let mut process = start("sh", &["-c", command]);
    let answer = line(&mut process);
    assert_eq!(answer.as_deref(), Some("done"), "nothing blocks the child");
    assert!(process.process.stderr().ends_with("end\n"));
}

/// The output of a process is read while another one is awaited.
#[test]
fn several_processes_are_waited_for_at_once() {
    let mut slow = start("sleep", &["600"]).process;
    let mut loud = start("sh", &["-c", "sleep 0.05; echo loud; exec sleep 600"]).process;
    let mut heard = 0;
    let deadline = in_ms(60_000);
    while heard == 0 && Instant::now() < deadline {
        wait_any(&mut [&mut slow, &mut loud], None, Some(deadline));
        loud.read(|_, _| {
            heard += 1;
            false
        });
    }
    assert_eq!(heard, 1);
}

#[test]
fn a_death_has_its_cause() {
    let mut process = start("sh", &["-c", "echo last words; exit 9"]);
    assert_eq!(line(&mut process).as_deref(), Some("last words"));
    assert_eq!(line(&mut process), None);
    assert!(process.process.is_output_closed());
    let death = process.process.await_exit(in_ms(60_000));
    assert_eq!(death, Some(Death::Exited(9)));
}

/// A child of the process holds its output open, so that the pipe does not tell.
#[test]
fn a_death_behind_an_open_pipe_ends_the_wait_for_a_line() {
    let mut process = start("sh", &["-c", "sleep 600 & exit 7"]);
    let missed = process.receive("a line", in_ms(60_000));
    let died = Fault::died(Death::Exited(7), Some("a line"));
    assert_eq!(missed.expect_err("none comes"), died);
}

#[test]
fn a_late_line_is_for_the_next_wait() {
    let mut process = start("sh", &["-c", "echo late; exec sleep 600"]);
    let missed = process.receive("a line", Instant::now());
    assert_eq!(missed.expect_err("no time"), Fault::Silent("a line"));
    assert_eq!(line(&mut process).as_deref(), Some("late"));
    process.stop.now();
    let missed = process.receive("a line", in_ms(60_000));
    assert_eq!(missed.expect_err("none comes"), Fault::Stopped);
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
    let why = Process::start(&launch)
        .expect_err("it would wait")
        .to_string();
    let named = format!("stderr={}: ", path.display());
    assert!(why.starts_with(&named), "{why}");
}
