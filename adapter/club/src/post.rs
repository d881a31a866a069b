//! Delivery of e-mails: by a mail program, or as files.

use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use linesman::platform::PRIVATE;
use protocol::text::{excerpt, without_error_number};

use crate::store;

/// Timeout of the mail program for one e-mail, and the interval at which its end is checked.
const TIMEOUT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);

/// Maximum size of its error output in reports, in bytes.
const MAX_ERROR: u64 = 400;

/// Delivery method.
#[derive(Debug, Clone)]
pub enum Post {
    /// A program and its arguments, followed by `-f ADDRESS -- RECIPIENT`. It runs without a shell.
    Sendmail(Vec<String>),
    /// A folder that receives one `.eml` file per e-mail.
    Folder(PathBuf),
}

/// Row id, number of failed attempts, message id, recipient and contents of a pending e-mail.
pub(crate) type Unsent = (i64, u32, String, String, Vec<u8>);

/// Failure to deliver an e-mail, and its reason.
pub(crate) type Undelivered = (FailureKind, String);

/// Consequence of a failure for other e-mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The program rejected this e-mail; it may accept others.
    Rejected,
    /// The program did not end; others could take as long.
    TimedOut,
    /// The program or the folder cannot be used for any e-mail.
    Unusable,
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

    /// Delivers an e-mail.
    ///
    /// # Errors
    /// The e-mail remains pending.
    pub(crate) fn hand_over(&self, from: &str, email: &Unsent) -> Result<(), Undelivered> {
        let (number, _, id, to, raw) = email;
        match self {
            Post::Sendmail(words) => send(words, from, to, raw),
            Post::Folder(folder) => {
                let random: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
                let random = &random[..random.len().min(24)];
                let path = folder.join(format!("{number:06}-{random}.eml"));
                let named = |error: io::Error| {
                    let why = without_error_number(&error.to_string());
                    (FailureKind::Unusable, format!("{}: {why}", path.display()))
                };
                store::replace(&path, raw, PRIVATE).map_err(named)
            }
        }
    }
}

fn send(words: &[String], from: &str, to: &str, raw: &[u8]) -> Result<(), Undelivered> {
    let failed = |kind, why: &str| {
        let why = without_error_number(why);
        (kind, format!("{}: {why}", words[0]))
    };
    let not_started = |error: io::Error| failed(FailureKind::Unusable, &error.to_string());
    // A file, so that a process that the program leaves behind cannot hold it open.
    let mut stderr = tempfile::tempfile().map_err(not_started)?;
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .args(["-f", from, "--", to])
        .stdin(whole(raw).map_err(not_started)?)
        .stdout(Stdio::null())
        .stderr(stderr.try_clone().map_err(not_started)?)
        .spawn()
        .map_err(not_started)?;
    let status = wait(&mut child);
    let status = status.map_err(|error| failed(FailureKind::TimedOut, &error.to_string()))?;
    if status.success() {
        return Ok(());
    }
    let mut said = Vec::new();
    let read = stderr.rewind();
    let _ = read.and_then(|()| stderr.take(MAX_ERROR).read_to_end(&mut said));
    let said = String::from_utf8_lossy(&said);
    let said = excerpt(said.lines().next().unwrap_or_default());
    let why = format!("{status} {said}");
    Err(failed(FailureKind::Rejected, why.trim()))
}

/// Returns an e-mail as a file without a name. From a pipe, a program would send an empty or cut e-mail if this process
/// were killed.
fn whole(raw: &[u8]) -> io::Result<fs::File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(raw)?;
    file.rewind()?;
    Ok(file)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_the_whole_email_even_if_this_process_is_killed() {
        let post = Post::sendmail("sh -c 'test -f /dev/stdin && test $(wc -c) = 5'");
        let post = post.expect("a command");
        let email = (1, 0, "id".to_owned(), "c@d".to_owned(), b"whole".to_vec());
        let sent = post.hand_over("a@b", &email);
        assert!(sent.is_ok(), "{sent:?}");
    }
}
