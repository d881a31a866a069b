//! A running `linesman gui`.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

/// The program under test. Its games are recorded in a folder that is deleted on drop.
pub(crate) struct Server {
    process: Child,
    folder: TempDir,
    /// The address of the host's page.
    pub(crate) address: String,
}

impl Server {
    /// Starts `linesman gui` with these arguments.
    pub(crate) fn start(args: &[&str]) -> Server {
        Server::of(env!("CARGO_BIN_EXE_linesman-test"), args)
    }

    /// Starts another program that has a `gui` command.
    pub(crate) fn of(program: &str, args: &[&str]) -> Server {
        let (folder, mut command) = command(program);
        command.arg("gui").args(args).stdout(Stdio::piped());
        let mut process = command.spawn().expect("linesman starts");
        let address = first_line(process.stdout.take());
        Server {
            process,
            folder,
            address,
        }
    }

    /// Starts a match with these arguments, and its page.
    pub(crate) fn of_match(args: &[&str]) -> Server {
        let (folder, mut command) = command(env!("CARGO_BIN_EXE_linesman-test"));
        command.arg("match").args(args).args(["--gui", "--quiet"]);
        let mut process = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("linesman starts");
        let mut stderr = BufReader::new(process.stderr.take().expect("piped"));
        let address = first_line(Some(&mut stderr));
        // Later output is discarded, so that the program never blocks on it.
        thread::spawn(move || io::copy(&mut stderr, &mut io::sink()));
        Server {
            process,
            folder,
            address,
        }
    }

    /// Process ids of its engines.
    pub(crate) fn engines(&self) -> Vec<String> {
        let parent = self.process.id().to_string();
        // By their program, since the watchdog is a child too.
        let mut list = Command::new("pgrep");
        let list = list.args(["-P", &parent, "-x", "linesman-test"]).output();
        let list = list.expect("pgrep").stdout;
        let list = String::from_utf8_lossy(&list);
        list.lines().map(str::to_owned).collect()
    }

    /// Kills all its engines.
    pub(crate) fn kill_engines(&self) {
        send("-KILL", &self.engines());
    }

    /// Stops the server, so that its page waits for it, until `resume`.
    pub(crate) fn pause(&self) {
        send("-STOP", &[self.process.id().to_string()]);
    }

    pub(crate) fn resume(&self) {
        send("-CONT", &[self.process.id().to_string()]);
    }

    /// Kills the server, and starts it again in the same folder.
    pub(crate) fn restart(&mut self, args: &[&str]) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let mut command = command_in(env!("CARGO_BIN_EXE_linesman-test"), self.folder.path());
        command.arg("gui").args(args).stdout(Stdio::piped());
        self.process = command.spawn().expect("linesman starts");
        self.address = first_line(self.process.stdout.take());
    }

    /// Interrupts a match as Ctrl-C does, and waits for the exit.
    pub(crate) fn interrupt(&mut self) {
        self.end("-INT", 3);
    }

    /// Terminates the program as a service manager does, and waits for the exit.
    pub(crate) fn terminate(mut self) {
        self.end("-TERM", 0);
    }

    fn end(&mut self, signal: &str, code: i32) {
        send(signal, &[self.process.id().to_string()]);
        let status = self.process.wait().expect("it can be waited for");
        assert_eq!(status.code(), Some(code));
    }
}

/// Sends a signal to processes.
fn send(signal: &str, processes: &[String]) {
    let sent = Command::new("kill").arg(signal).args(processes).status();
    assert!(sent.expect("kill").success());
}

/// A program in a new temporary folder.
fn command(program: &str) -> (TempDir, Command) {
    let folder = tempfile::Builder::new()
        .prefix("linesman-page-")
        .tempdir()
        .expect("a folder for the test");
    let command = command_in(program, folder.path());
    (folder, command)
}

fn command_in(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .stdin(Stdio::null());
    command
}

/// The address in the first line of the output.
fn first_line(output: Option<impl Read>) -> String {
    let mut line = String::new();
    BufReader::with_capacity(1, output.expect("piped"))
        .read_line(&mut line)
        .expect("linesman prints the address of its page");
    line.trim().to_owned()
}

impl Drop for Server {
    /// A killed server leaves no engines behind: they read the end of their input.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
