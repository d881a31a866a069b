//! Delivery of e-mails: by a mail program, or as files.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use protocol::text::{excerpt, without_error_number};

use crate::platform;

/// Timeout of the mail program for one e-mail, and the interval at which its end is checked.
const TIMEOUT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);

/// Maximum size of its error output in reports, in bytes, and the time to wait for that output after its end.
const MAX_ERROR: u64 = 400;
const ERROR_TIMEOUT: Duration = Duration::from_secs(2);

/// Delivery method.
#[derive(Debug, Clone)]
pub enum Post {
    /// A program and its arguments, followed by `-f ADDRESS -- RECIPIENT`. It runs without a shell.
    Sendmail(Vec<String>),
    /// A folder that receives one `.eml` file per e-mail.
    Folder(PathBuf),
}

impl Post {
    /// Parses a command line, as in `/usr/sbin/sendmail -i`.
    ///
    /// # Errors
    /// The command line is empty, or a quotation mark is not closed.
    pub fn sendmail(command: &str) -> Result<Post, String> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words =
            words.ok_or_else(|| format!("{command:?}: expected a program and its arguments"))?;
        Ok(Post::Sendmail(words))
    }

    /// Delivers an e-mail. `number` is its row id in the store.
    ///
    /// # Errors
    /// The reason of the failure; the e-mail remains pending.
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

/// Writes a file atomically. If it was written before, its contents are the same.
fn write(folder: &std::path::Path, path: &std::path::Path, raw: &[u8]) -> io::Result<()> {
    let unfinished = folder.join(format!(".{}.tmp", std::process::id()));
    fs::create_dir_all(folder)?;
    // Left over from an earlier process with the same id.
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
    let email = raw.to_vec();
    let stdin = child.stdin.take();
    let stderr = child.stderr.take();
    // Both threads end when the program ends or is killed; a program that reads no input blocks neither.
    let writer = thread::spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(&email)));
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
        // A program that succeeds has accepted the e-mail, even if it closed its input early.
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
            let why = format!("not finished after {} s", TIMEOUT.as_secs());
            return Err(io::Error::other(why));
        }
        thread::sleep(POLL);
    }
}
