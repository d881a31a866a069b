//! How letters leave: by a program that takes mail, or as files.

use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use protocol::text::{excerpt, without_error_number};

use crate::platform;

/// How long the program may take for one letter, and how often it is looked at.
const TIMEOUT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);

/// How much of its error output is repeated, in bytes, and how long after its end that is waited for.
const MAX_ERROR: u64 = 400;
const ERROR_TIMEOUT: Duration = Duration::from_secs(2);

/// Where letters go.
#[derive(Debug, Clone)]
pub enum Post {
    /// A program and its arguments, to which `-f ADDRESS -- RECIPIENT` is added. No shell runs it.
    Sendmail(Vec<String>),
    /// One `.eml` file a letter in this folder.
    Folder(PathBuf),
}

impl Post {
    /// The program of a command line, as `/usr/sbin/sendmail -i`.
    ///
    /// # Errors
    /// There is no program in it, or a quotation mark is not closed.
    pub fn sendmail(command: &str) -> Result<Post, String> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words =
            words.ok_or_else(|| format!("{command:?}: expected a program and its arguments"))?;
        Ok(Post::Sendmail(words))
    }

    /// Hands a letter over. `number` is its own in the store.
    ///
    /// # Errors
    /// Says what went wrong; the letter is still ours.
    pub(crate) fn hand_over(
        &self,
        number: i64,
        id: &str,
        from: &str,
        to: &str,
        raw: &[u8],
    ) -> Result<(), String> {
        match self {
            Post::Sendmail(words) => send(words, from, to, raw),
            Post::Folder(folder) => {
                let random: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
                let random = &random[..random.len().min(24)];
                let path = folder.join(format!("{number:06}-{random}.eml"));
                let named = |error: io::Error| {
                    let why = without_error_number(&error.to_string());
                    format!("{}: {why}", path.display())
                };
                write(folder, &path, raw).map_err(named)
            }
        }
    }
}

/// Writes a file under its name only when it is whole. A letter that was written before is the same.
fn write(folder: &std::path::Path, path: &std::path::Path, raw: &[u8]) -> io::Result<()> {
    let unfinished = folder.join(format!(".{}.tmp", std::process::id()));
    fs::create_dir_all(folder)?;
    // What a process of the same number left behind.
    let _ = fs::remove_file(&unfinished);
    let mut file = platform::create_private(&unfinished)?;
    file.write_all(raw)?;
    file.sync_data()?;
    fs::rename(&unfinished, path)
}

fn send(words: &[String], from: &str, to: &str, raw: &[u8]) -> Result<(), String> {
    let named = |error: &dyn std::fmt::Display| {
        let why = without_error_number(&error.to_string());
        format!("{}: {why}", words[0])
    };
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .args(["-f", from, "--", to])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| named(&error))?;
    let letter = raw.to_vec();
    let stdin = child.stdin.take();
    let stderr = child.stderr.take();
    // Both end when the program does, or when it is killed; a program that reads nothing holds up neither.
    let writer = thread::spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(&letter)));
    let (reader, said) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(stderr) = stderr {
            let _ = stderr.take(MAX_ERROR).read_to_end(&mut text);
        }
        let _ = reader.send(String::from_utf8_lossy(&text).into_owned());
    });
    let status = wait(&mut child).map_err(|error| named(&error))?;
    if status.success() {
        // A program that succeeds has taken the letter, even if it closed its input early.
        return Ok(());
    }
    drop(writer);
    // A process that the program left behind may hold its standard error open.
    let said = said.recv_timeout(ERROR_TIMEOUT).unwrap_or_default();
    let said = excerpt(said.lines().next().unwrap_or_default());
    Err(named(&format!("{status} {said}").trim()))
}

fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!(
                "no end after {} s",
                TIMEOUT.as_secs()
            )));
        }
        thread::sleep(POLL);
    }
}
