//! Helpers of the tests: a temporary folder per test, and commands with a timeout.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use serde_json::Value;
use tempfile::TempDir;

pub(crate) use laws::needed::{installed, python};

pub(crate) use crate::said::{begins, has, lacks};

/// The engine that commits faults on request.
pub(crate) const SCRIPTED: &str = env!("CARGO_BIN_EXE_scripted-engine");

/// The engine of any game with one fault.
pub(crate) const MUTANT: &str = env!("CARGO_BIN_EXE_mutant-engine");

/// The programs under test, by the names that users know.
const PROGRAMS: [(&str, &str); 4] = [
    ("linesman", env!("CARGO_BIN_EXE_linesman-test")),
    ("linesman-club", env!("CARGO_BIN_EXE_linesman-club-test")),
    ("linesman-fleet", env!("CARGO_BIN_EXE_linesman-fleet-test")),
    ("linesman-lab", env!("CARGO_BIN_EXE_linesman-lab-test")),
];

/// The path of a program, such as `linesman-lab`. All programs are in one folder, where they find each other.
pub(crate) fn program(name: &str) -> PathBuf {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        fs::create_dir_all(&folder).expect("a folder for the programs");
        for (name, built) in PROGRAMS {
            // Another test run may use the old link: it is replaced, never absent. Where it is a link to the same file,
            // `rename` does nothing.
            let new = folder.join(format!("{name}.{}", process::id()));
            fs::hard_link(built, &new).expect("a link in target");
            fs::rename(&new, folder.join(name)).expect("the link is replaced");
            let _ = fs::remove_file(&new);
        }
        folder
    });
    FOLDER.join(name)
}

/// Closes in bash the descriptors that a program would inherit from other tests, before a limit of their number.
pub(crate) const CLOSE_INHERITED: &str =
    "for fd in /dev/fd/*; do fd=${fd##*/}; [ $fd -lt 3 ] || eval \"exec $fd>&-\"; done";

/// Timeout of a command; nothing takes nearly as long.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A folder that is deleted on drop. It also contains the state files of commands.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new(test: &str) -> Folder {
        let folder = tempfile::Builder::new()
            .prefix(&format!("linesman-{test}-"))
            .tempdir();
        Folder(folder.expect("a folder for the test"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Copies a file of `tests/data` into the folder.
    pub(crate) fn copy_data(&self, name: &str) {
        self.copy_data_as(name, name);
    }

    /// Copies a file of `tests/data` into the folder, under another name.
    pub(crate) fn copy_data_as(&self, name: &str, copy: &str) {
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("data")
            .join(name);
        fs::copy(from, self.path(copy)).expect("a file of tests/data");
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect("the folder is ours");
    }

    /// Writes a program. Another process does it: a file that this one has just written may be busy.
    pub(crate) fn write_program(&self, name: &str, text: &str) {
        self.write("text of a program", text);
        let line = format!("cat 'text of a program' > {name}; chmod +x {name}; rm text*");
        self.shell(&line).exits(0);
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the match wrote the file")
    }

    /// The lines of a ledger: the plan, then the games.
    pub(crate) fn ledger(&self, name: &str) -> (Value, Vec<Value>) {
        let text = self.read(name);
        let mut lines = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a JSON line"));
        let plan = lines.next().expect("a plan");
        (plan, lines.collect())
    }

    /// The finished games of a ledger.
    pub(crate) fn games(&self, name: &str) -> Vec<Value> {
        let (_, mut lines) = self.ledger(name);
        lines.retain(|line| line.get("result").is_some());
        lines
    }

    /// Writes a ledger with the plan and the first games of another one, or of itself.
    pub(crate) fn cut(&self, from: &str, to: &str, n_games: usize) {
        let text = self.read(from);
        let kept = text.split_inclusive('\n').take(1 + n_games);
        self.write(to, kept.collect::<String>());
    }

    /// Starts `linesman` with these arguments, split at blanks outside quotation marks; `SCRIPTED` is replaced by the
    /// path of the scripted engine.
    pub(crate) fn linesman(&self, words: &str) -> Run {
        let mut command = self.command(program("linesman"));
        let words = split(words);
        command.args(words.map(|word| word.replace("SCRIPTED", SCRIPTED)));
        Run::new(command)
    }

    /// Starts a bash command line, in which `LINESMAN` and `SCRIPTED` are replaced by the paths.
    pub(crate) fn shell(&self, line: &str) -> Run {
        let line = line
            .replace("LINESMAN", &program("linesman").display().to_string())
            .replace("SCRIPTED", SCRIPTED);
        let mut command = self.command("bash");
        command.args(["-c", &line]);
        Run::new(command)
    }

    /// A program that runs in the folder and keeps its state there.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.0.path())
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_DATA_HOME", self.path("data"));
        command
    }
}

/// Runs independent cases in several threads, because their processes mostly wait. Returns the results in the order of
/// the cases.
pub(crate) fn in_parallel<T: Sync, R: Send>(cases: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    const N_THREADS: usize = 4;
    let next = AtomicUsize::new(0);
    let work = || {
        let take = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            Some((index, run(cases.get(index)?)))
        };
        std::iter::from_fn(take).collect::<Vec<_>>()
    };
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..N_THREADS).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined
            .flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A running command; its output is read line by line.
pub(crate) struct Run {
    words: String,
    child: Child,
    lines: Receiver<String>,
    stderr: Receiver<String>,
    /// The first line of standard error, as soon as it is written.
    error_line: Receiver<String>,
}

/// Polls a condition that another process brings about, until it holds; what is missing is named after the timeout.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIME_LIMIT;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the exit of a process; its status is `None` if a signal killed it.
#[track_caller]
pub(crate) fn ended(child: &mut Child) -> Option<i32> {
    let mut status = None;
    wait_until("the process ends", || {
        status = child.try_wait().expect("it can be waited for");
        status.is_some()
    });
    status.and_then(|status| status.code())
}

/// Splits a line into words at blanks; text in single quotation marks is one word.
pub(crate) fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split('\'').enumerate().flat_map(|(index, part)| {
        let is_quoted = index % 2 == 1;
        let (quoted, bare) = if is_quoted { (part, "") } else { ("", part) };
        let quoted = is_quoted.then_some(quoted);
        quoted.into_iter().chain(bare.split_whitespace())
    })
}

/// The exit status and output of a finished command.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: Vec<String>,
    pub(crate) stderr: String,
}

impl Run {
    fn new(mut command: Command) -> Run {
        let words = format!("{:?}", command.get_args());
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let (sender, stderr) = channel();
        let (first, error_line) = channel();
        let mut pipe = BufReader::new(child.stderr.take().expect("piped"));
        thread::spawn(move || {
            let mut text = String::new();
            let _ = pipe.read_line(&mut text);
            let _ = first.send(text.trim_end().to_owned());
            let _ = pipe.read_to_string(&mut text);
            let _ = sender.send(text);
        });
        Run {
            words,
            child,
            lines,
            stderr,
            error_line,
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Allows it no file except those that are open.
    #[cfg(target_os = "linux")]
    pub(crate) fn opens_no_more(&self) {
        let limit = Rlimit {
            current: Some(3),
            maximum: Some(4096),
        };
        let pid = Some(Pid::from_child(&self.child));
        prlimit(pid, Resource::Nofile, limit).expect("our own child");
    }

    /// The next line of standard output; `None` at its end.
    pub(crate) fn line(&self) -> Option<String> {
        match self.lines.recv_timeout(TIME_LIMIT) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("linesman hangs"),
        }
    }

    /// Reads up to a line with this text, and returns it.
    #[track_caller]
    pub(crate) fn until(&self, text: &str) -> String {
        let mut lines = std::iter::from_fn(|| self.line());
        let found = lines.find(|line| line.contains(text));
        found.unwrap_or_else(|| panic!("{text:?} is not heard"))
    }

    /// Waits until `n_games` games are finished.
    #[track_caller]
    pub(crate) fn finishes(&self, n_games: usize) {
        (0..n_games).for_each(|_| drop(self.until("Finished game")));
    }

    /// The first line of standard error.
    pub(crate) fn error_line(&self) -> Option<String> {
        self.error_line.recv_timeout(TIME_LIMIT).ok()
    }

    /// Waits for the exit, which must have this status.
    #[track_caller]
    pub(crate) fn exits(mut self, status: i32) -> Done {
        let words = std::mem::take(&mut self.words);
        let done = self.done();
        assert_eq!(done.status, Some(status), "{words}: {done:#?}");
        done
    }

    /// Waits for the exit with this status, of which standard error has the reason: an error of one line, or the usage.
    #[track_caller]
    pub(crate) fn fails(self, status: i32, why: impl AsRef<str>) -> Done {
        let done = self.exits(status);
        has(&done.stderr, why);
        let is_more = |line: &&str| line.starts_with("note: ") || line.starts_with("warning: ");
        let mut errors = done.stderr.lines().filter(|line| !is_more(line));
        let is_error = errors
            .next()
            .is_some_and(|line| line.starts_with("error: "));
        let is_short = errors.next().is_none() || done.stderr.contains("try '--help'");
        assert!(status > 2 || is_error && is_short, "{}", done.stderr);
        done
    }

    /// Waits for the exit.
    pub(crate) fn done(mut self) -> Done {
        let stdout = std::iter::from_fn(|| self.line()).collect();
        let stderr = self
            .stderr
            .recv_timeout(TIME_LIMIT)
            .expect("linesman closes its output");
        Done {
            status: ended(&mut self.child),
            stdout,
            stderr,
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Done {
    /// Exactly `n` lines of the output begin with `start`.
    #[track_caller]
    pub(crate) fn shows(&self, n: usize, start: impl AsRef<str>) {
        let found = self.lines(start.as_ref()).len();
        assert_eq!(found, n, "lines {:?}: {self:#?}", start.as_ref());
    }

    /// The lines that begin with `start`.
    pub(crate) fn lines(&self, start: &str) -> Vec<&str> {
        let lines = self.stdout.iter().map(String::as_str);
        lines.filter(|line| line.starts_with(start)).collect()
    }

    /// All that was said.
    pub(crate) fn said(&self) -> String {
        self.stdout.join("\n") + &self.stderr
    }

    /// The output as one JSON value.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout.join("\n")).expect("JSON")
    }

    /// The output as JSON lines.
    pub(crate) fn events(&self) -> Vec<Value> {
        let read = |line: &String| serde_json::from_str(line).expect(line);
        self.stdout.iter().map(read).collect()
    }

    /// Reports of the failed steps in the output of `check --json`.
    pub(crate) fn failed_steps(&self) -> Vec<Value> {
        let reports = self.stdout.iter();
        let reports = reports.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        reports
            .filter(|report| report["verdict"] == "FAIL")
            .collect()
    }

    /// The text and the lines of the first failed step's report.
    #[track_caller]
    pub(crate) fn failed_step(&self) -> (String, Vec<String>) {
        let failed = self.failed_steps();
        let Some(report) = failed.first() else {
            panic!("{:?} {}", self.stdout, self.stderr);
        };
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let lines = report["lines"].as_array().expect("lines").iter();
        (text(&report["text"]), lines.map(text).collect())
    }
}

/// Peak memory of a running process in MiB.
pub(crate) fn peak_memory(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status"));
    let status = status.ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
