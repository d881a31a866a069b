//! The program exits on request, also when the engines or the terminal hang.

use std::io::{PipeReader, PipeWriter, Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::pty::Terminal;
use crate::support::{Folder, SCRIPTED, has};

/// Far longer than the exit takes: a hung engine is killed after one second, a blocked terminal is abandoned after
/// five.
const BOUND: Duration = Duration::from_secs(60);

fn tell(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    kill_process(pid.expect("a process"), signal).expect("it runs");
}

fn ends(child: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + BOUND;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    panic!("the program does not end");
}

#[test]
fn an_engine_that_ignores_stop_does_not_keep_the_program() {
    for signal in [Signal::TERM, Signal::HUP] {
        let folder = Folder::new(&format!("console-deaf-engine-{}", signal.as_raw()));
        let mut command = folder.command(env!("CARGO_BIN_EXE_linesman-test"));
        let seat = format!("cmd={SCRIPTED} arg=flood st=86400");
        let command = command
            .args(["play", "susan", "--p1", &seat, "--ledger", "l"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        // The players are listed when the engines run; then the flood begins.
        let mut shown = child.stdout.take().expect("a pipe");
        shown.read_exact(&mut [0]).expect("the players");
        tell(child.id(), signal);
        assert_eq!(ends(&mut child), Some(0));
    }
}

#[test]
fn a_terminal_that_takes_no_output_does_not_keep_the_program() {
    let folder = Folder::new("console-stuck");
    folder.write("in", "?\n".repeat(10_000));
    let script = std::fs::File::open(folder.path("in")).expect("a script");
    let (_reader, writer) = full_pipe();
    let mut command = folder.command(env!("CARGO_BIN_EXE_linesman-test"));
    let command = command
        .args(["play", "susan", "--p1", "builtin", "--p2", "human"])
        .args(["--st", "0.02", "--ledger", "l"])
        .stdin(script)
        .stdout(writer);
    let mut child = command.spawn().expect("it starts");
    // The engine has moved; the move cannot be shown.
    while !folder.has("l") {
        std::thread::sleep(Duration::from_millis(5));
    }
    tell(child.id(), Signal::TERM);
    assert_eq!(ends(&mut child), Some(1));
}

/// A full pipe: writes to it block as long as it is not read.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    rustix::io::ioctl_fionbio(&writer, true).expect("a pipe");
    while writer.write(b"x").is_ok() {}
    rustix::io::ioctl_fionbio(&writer, false).expect("a pipe");
    (reader, writer)
}

#[test]
fn a_terminal_is_left_as_it_was() {
    let mut terminal =
        Terminal::after("play susan --p2 human --ledger l", "=> 1. x> / e5 => 2. o>");
    terminal.terminates();
    let rest = terminal.leaves();
    has(&rest, "to resume: linesman play susan --continue l");
}
