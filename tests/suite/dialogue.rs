//! An engine behind two pipes, line by line, as a client sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::support::ended;

/// Timeout of an answer; nothing takes nearly as long.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A running engine; killed on drop.
pub(crate) struct Dialogue {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    /// Starts the engine.
    pub(crate) fn new(mut command: Command) -> Dialogue {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let stdin = child.stdin.take();
        Dialogue {
            child,
            stdin,
            lines,
        }
    }

    /// Writes bytes without changes.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).expect("the engine reads");
    }

    /// Writes a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// The engine's next line; `None` after it has closed its output.
    pub(crate) fn line(&self) -> Option<String> {
        match self.lines.recv_timeout(TIME_LIMIT) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine is silent"),
        }
    }

    /// Closes the input. Returns the last lines of the engine and its exit status.
    pub(crate) fn close(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.stdin.take());
        let lines = std::iter::from_fn(|| self.line()).collect();
        (lines, ended(&mut self.child))
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
