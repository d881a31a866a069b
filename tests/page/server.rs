//! A running `linesman gui`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The program under test, its games recorded in a folder that is deleted at the end.
pub(crate) struct Server {
    process: Child,
    _folder: TempDir,
    /// The address of the page for the host.
    pub(crate) address: String,
}

impl Server {
    /// Starts `linesman gui` with these arguments.
    pub(crate) fn start(args: &[&str]) -> Server {
        Server::of(env!("CARGO_BIN_EXE_linesman-test"), args)
    }

    /// Starts another program that has the command `gui`.
    pub(crate) fn of(program: &str, args: &[&str]) -> Server {
        let folder = tempfile::Builder::new()
            .prefix("linesman-page-")
            .tempdir()
            .expect("a folder for the test");
        let mut process = Command::new(program)
            .arg("gui")
            .args(args)
            .current_dir(folder.path())
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("linesman starts");
        let mut stdout = BufReader::new(process.stdout.take().expect("piped"));
        let mut address = String::new();
        stdout
            .read_line(&mut address)
            .expect("linesman prints the address of its page");
        Server {
            process,
            _folder: folder,
            address: address.trim().to_owned(),
        }
    }

    /// The processes of its engines.
    pub(crate) fn engines(&self) -> Vec<String> {
        let parent = self.process.id().to_string();
        let list = Command::new("pgrep").args(["-P", &parent]).output();
        let list = list.expect("pgrep").stdout;
        let list = String::from_utf8_lossy(&list);
        list.lines().map(str::to_owned).collect()
    }

    /// Kills all its engines.
    pub(crate) fn kill_engines(&self) {
        let killed = Command::new("kill")
            .arg("-KILL")
            .args(self.engines())
            .status();
        assert!(killed.expect("kill").success());
    }

    /// Ends it as a service manager does, and waits for the end.
    pub(crate) fn terminate(mut self) {
        let pid = self.process.id().to_string();
        let told = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(told.expect("kill").success());
        let status = self.process.wait().expect("it can be waited for");
        assert_eq!(status.code(), Some(0));
    }
}

impl Drop for Server {
    /// A server that is killed leaves no engine: they read the end of their input.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
