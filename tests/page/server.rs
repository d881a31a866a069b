//! A running `linesman gui`.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
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
        Server::run(program, "gui", args)
    }

    /// Starts a match with these arguments, and its page.
    pub(crate) fn of_match(args: &[&str]) -> Server {
        let args = [args, &["--gui", "--quiet"]].concat();
        Server::run(env!("CARGO_BIN_EXE_linesman-test"), "match", &args)
    }

    fn run(program: &str, word: &str, args: &[&str]) -> Server {
        let folder = tempfile::Builder::new().prefix("linesman-page-").tempdir();
        let folder = folder.expect("a folder for the test");
        let (process, address) = launch(program, folder.path(), word, args);
        Server {
            process,
            folder,
            address,
        }
    }

    /// The path of a file in its folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
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
        let program = env!("CARGO_BIN_EXE_linesman-test");
        (self.process, self.address) = launch(program, self.folder.path(), "gui", args);
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

/// Starts a program in a folder, and waits for the address of its page: a match prints it on its standard error.
fn launch(program: &str, folder: &Path, word: &str, args: &[&str]) -> (Child, String) {
    let [stdout, stderr] = if word == "match" {
        [Stdio::null(), Stdio::piped()]
    } else {
        [Stdio::piped(), Stdio::inherit()]
    };
    let mut process = Command::new(program)
        .arg(word)
        .args(args)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .expect("linesman starts");
    let output: Box<dyn Read + Send> = match (process.stdout.take(), process.stderr.take()) {
        (Some(stdout), _) => Box::new(stdout),
        (None, stderr) => Box::new(stderr.expect("piped")),
    };
    let mut output = BufReader::new(output);
    let mut line = String::new();
    output
        .read_line(&mut line)
        .expect("linesman prints the address of its page");
    // Later output is discarded, so that the program never blocks on it.
    thread::spawn(move || io::copy(&mut output, &mut io::sink()));
    (process, line.trim().to_owned())
}

impl Drop for Server {
    /// A killed server leaves no engines behind: they read the end of their input.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
