//! Outgoing e-mails: stored in the transaction that causes them, and sent after it, by a mail program or as files. They are
//! 7-bit text of at most 76 columns, quoted-printable only where a name needs other characters.

use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use kit::fen::counted;
use linesman::platform::PRIVATE;
use mail_builder::MessageBuilder;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::date::Date;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::raw::Raw;
use mail_builder::mime::MimePart;
use protocol::text::{excerpt, visible, without_error_number};
use rusqlite::{Connection, OptionalExtension};

use crate::{Answer, User, store};

/// Time for which sending an e-mail is retried, in seconds: five days, as mail servers do.
const MAX_AGE: i64 = 5 * 86_400;

/// Delay after the first failed attempt to send an e-mail, doubled after each further one, and its maximum, in seconds.
const FIRST_DELAY: i64 = 60;
const MAX_DELAY: i64 = 6 * 3600;

/// An e-mail without id and thread.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub(crate) to: String,
    /// The recipient's account.
    pub(crate) user: Option<i64>,
    /// The board, and its number of moves.
    pub(crate) board: Option<(i64, usize)>,
    /// `true` if an answer authenticates like the account token.
    pub(crate) grants_account: bool,
    pub(crate) subject: String,
    pub(crate) body: String,
}

impl Draft {
    /// An e-mail to a user.
    pub(crate) fn to(user: &User, subject: String, body: String) -> Draft {
        Draft {
            to: user.address.clone(),
            user: Some(user.id),
            subject,
            body,
            ..Draft::default()
        }
    }
}

/// An e-mail of the club that a message answers. Only its recipient knows its id.
pub(crate) struct Sent {
    pub(crate) recipient: String,
    user: Option<i64>,
    board: Option<(i64, usize)>,
    grants_account: bool,
    /// Its text.
    pub(crate) raw: Vec<u8>,
}

/// Returns the e-mails of the club with these ids, in their order.
pub(crate) fn sent(db: &Connection, ids: &[String]) -> rusqlite::Result<Vec<Sent>> {
    let mut query = db.prepare(
        "SELECT recipient, user, grants_account, raw, board, plies FROM outbox WHERE message_id = ?1",
    )?;
    let mut emails = Vec::new();
    for id in ids {
        let found = query.query_row([id], |row| {
            let (board, plies): (Option<i64>, Option<usize>) = (row.get(4)?, row.get(5)?);
            Ok(Sent {
                recipient: row.get(0)?,
                user: row.get(1)?,
                board: board.zip(plies),
                grants_account: row.get(2)?,
                raw: row.get(3)?,
            })
        });
        emails.extend(found.optional()?);
    }
    Ok(emails)
}

/// The user and board of the e-mail that a message answers.
#[derive(Clone, Copy)]
pub(crate) struct Answered {
    pub(crate) user: i64,
    /// A board, and its number of moves.
    pub(crate) board: Option<(i64, usize)>,
    pub(crate) grants_account: bool,
}

impl Answered {
    /// Of e-mails, the nearest first: the recipient of the nearest one, and the nearest board among those to the same
    /// recipient.
    pub(crate) fn of(emails: &[Sent]) -> Option<Answered> {
        let user = emails.iter().find_map(|email| email.user)?;
        let mut own = emails.iter().filter(|email| email.user == Some(user));
        Some(Answered {
            user,
            board: own.clone().find_map(|email| email.board),
            grants_account: own.any(|email| email.grants_account),
        })
    }
}

/// Sends the e-mails that are due. One that cannot be sent is retried later, without delay for the others. Returns
/// the last failure as text.
///
/// # Errors
/// The store cannot be used.
pub(crate) fn hand_over(db: &mut Connection, post: &Post, now: i64) -> Answer<Option<String>> {
    let from = store::get(db, "address")?;
    let mut failure = None;
    loop {
        let next = db.query_row(
            "SELECT id, tries, message_id, recipient, raw FROM outbox
             WHERE sent IS NULL AND at > ?1 AND due <= ?2 ORDER BY tries, id LIMIT 1",
            [now - MAX_AGE, now],
            |row| row.try_into(),
        );
        let next: Option<Unsent> = next.optional()?;
        let Some(email) = next else { break };
        let (id, tries, ..) = email;
        match post.hand_over(&from, &email) {
            Ok(()) => {
                db.execute("UPDATE outbox SET sent = ?2 WHERE id = ?1", [id, now])?;
            }
            Err((kind, why)) => {
                failure = Some(why);
                if kind == FailureKind::Unusable {
                    break;
                }
                let delay = (FIRST_DELAY << tries.min(20)).min(MAX_DELAY);
                let update = "UPDATE outbox SET tries = tries + 1, due = ?2 WHERE id = ?1";
                db.execute(update, [id, now + delay])?;
                if kind == FailureKind::TimedOut {
                    break;
                }
            }
        }
    }
    let n_left = n_waiting(db, now)?;
    let verb = if n_left == 1 { "is" } else { "are" };
    let waiting = format!("{} {verb}", counted(n_left, "e-mail"));
    Ok(failure.map(|why| format!("{waiting} waiting for a later run: {why}")))
}

/// Number of pending e-mails.
pub(crate) fn n_waiting(db: &Connection, now: i64) -> rusqlite::Result<usize> {
    let query = "SELECT count(*) FROM outbox WHERE sent IS NULL AND at > ?1";
    db.query_row(query, [now - MAX_AGE], |row| row.get(0))
}

/// `true` if an e-mail can be sent now.
pub(crate) fn is_due(db: &Connection, now: i64) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM outbox WHERE sent IS NULL AND at > ?1 AND due <= ?2)";
    db.query_row(query, [now - MAX_AGE, now], |row| row.get(0))
}

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
type Unsent = (i64, u32, String, String, Vec<u8>);

/// Failure to deliver an e-mail, and its reason.
type Undelivered = (FailureKind, String);

/// Consequence of a failure for other e-mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailureKind {
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
            words.ok_or_else(|| format!("{command:?}: name a program and its arguments"))?;
        Ok(Post::Sendmail(words))
    }

    /// Delivers an e-mail.
    ///
    /// # Errors
    /// The e-mail remains pending.
    fn hand_over(&self, from: &str, email: &Unsent) -> Result<(), Undelivered> {
        let (number, _, id, to, raw) = email;
        match self {
            Post::Sendmail(words) => send(words, from, to, raw),
            Post::Folder(folder) => {
                let random: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
                let random = &random[..random.len().min(24)];
                let path = folder.join(format!("{number:06}-{random}.eml"));
                store::replace(&path, raw, PRIVATE).map_err(|error: io::Error| {
                    let why = without_error_number(&error.to_string());
                    (FailureKind::Unusable, format!("{}: {why}", path.display()))
                })
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

/// Header field by which clubs recognize each other's e-mails.
pub(crate) const OWN_HEADER: &str = "X-Linesman";

/// Maximum line width; quoted once, a line still fits 78 columns.
pub(crate) const WIDTH: usize = 76;

/// Builds the whole message of a draft from the club's address `from`. Its lines end with a line feed. `id` is its message
/// id without angle brackets, `references` are those of its thread, the oldest first; it answers the last one. `date` is in
/// Unix seconds.
///
/// # Errors
/// The message cannot be built.
pub(crate) fn compose(
    draft: &Draft,
    from: &str,
    id: &str,
    references: &[String],
    is_reply: bool,
    date: i64,
) -> Answer<Vec<u8>> {
    let submitted = match is_reply {
        true => "auto-replied",
        false => "auto-generated",
    };
    let mut message = MessageBuilder::new()
        .from(("Linesman", from))
        .to(draft.to.as_str())
        .subject(draft.subject.as_str())
        .date(Date::new(date))
        .message_id(id)
        .header("Auto-Submitted", Raw::new(submitted))
        .header("X-Auto-Response-Suppress", Raw::new("All"))
        .header(OWN_HEADER, Raw::new("club"));
    if let Some(last) = references.last() {
        message = message.in_reply_to(last.as_str());
        message = message.references(MessageId::new_list(references.iter().map(String::as_str)));
    }
    // Some mail programs drop or encode spaces at the ends of lines.
    let lines: Vec<&str> = draft.body.trim_end().lines().map(str::trim_end).collect();
    let body = lines.join("\n") + "\n";
    let is_ascii = body.is_ascii();
    let charset = if is_ascii { "us-ascii" } else { "utf-8" };
    let kind = ContentType::new("text/plain").attribute("charset", charset);
    let mut part = MimePart::new(kind, body);
    if is_ascii {
        part = part.transfer_encoding("7bit");
    }
    let mut bytes = message.body(part).write_to_vec()?;
    bytes.retain(|byte| *byte != b'\r');
    Ok(bytes)
}

/// The text of an e-mail: paragraphs, commands to copy, and the recipient's token; each part but the first may be empty.
pub(crate) fn letter(paragraphs: &[&str], commands: &[impl AsRef<str>], token: &str) -> String {
    let paragraphs = paragraphs.iter().filter(|text| !text.is_empty());
    let mut parts: Vec<String> = paragraphs.map(|text| wrap(text)).collect();
    if !commands.is_empty() {
        let commands: Vec<&str> = commands.iter().map(AsRef::as_ref).collect();
        parts.push(format!("    {}", commands.join("\n    ")));
    }
    if !token.is_empty() {
        parts.push(format!("Token: {token}"));
    }
    parts.join("\n\n") + "\n"
}

/// Wraps a paragraph at [`WIDTH`] characters, between words where possible.
pub(crate) fn wrap(text: &str) -> String {
    let pieces = text.split_whitespace().flat_map(|word| {
        let chars: Vec<char> = word.chars().collect();
        let pieces = chars.chunks(WIDTH).map(|piece| piece.iter().collect());
        pieces.collect::<Vec<String>>()
    });
    protocol::text::wrap(&pieces.collect::<Vec<_>>(), WIDTH)
}

/// Wraps each line of a text, and removes control characters.
pub(crate) fn wrap_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| wrap(&visible(line))).collect();
    lines.join("\n")
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

    fn compose(subject: &str, body: &str) -> String {
        let references = ["a@b".to_owned(), "c@d".to_owned()];
        let draft = Draft {
            to: "ann@example.org".to_owned(),
            subject: subject.to_owned(),
            body: body.to_owned(),
            ..Draft::default()
        };
        let from = "club@example.org";
        let letter = super::compose(&draft, from, "x@example.org", &references, true, 0);
        String::from_utf8(letter.expect("an e-mail")).expect("text")
    }

    #[test]
    fn a_letter_is_plain_text() {
        let text = compose(
            "[susan 12] your move",
            "1. e5  \n\n    move 12 ann abc MOVE#2\n\n\n",
        );
        let (head, body) = text.split_once("\n\n").expect("a header and a body");
        assert_eq!(body, "1. e5\n\n    move 12 ann abc MOVE#2\n");
        assert!(head.contains("Content-Transfer-Encoding: 7bit"), "{head}");
        assert!(head.contains("In-Reply-To: <c@d>"), "{head}");
        assert!(head.contains("References: <a@b> <c@d>"), "{head}");
        assert!(head.contains("Auto-Submitted: auto-replied"), "{head}");
        assert!(
            head.contains("Date: Thu, 1 Jan 1970 00:00:00 +0000"),
            "{head}"
        );
        assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78));
    }

    #[test]
    fn a_name_alone_asks_for_quoted_printable() {
        let text = compose("Zo\u{eb} plays e5", "Zo\u{eb} plays e5.\n");
        assert!(text.is_ascii(), "{text}");
        assert!(
            text.contains("quoted-printable") && text.contains("Zo=C3=AB plays e5."),
            "{text}"
        );
        assert!(text.contains("Subject: =?utf-8?"), "{text}");
    }

    #[test]
    fn no_subject_makes_a_header() {
        let text = compose("hi\nBcc: eve@example.org", "x");
        assert!(!text.lines().any(|line| line.starts_with("Bcc")), "{text}");
    }

    #[test]
    fn lines_are_folded() {
        let text = wrap(&format!("{} {}", "word ".repeat(40), "x".repeat(200)));
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(
            text.split_whitespace()
                .filter(|word| *word == "word")
                .count(),
            40
        );
        assert_eq!(wrap_lines("a\u{1b}[31m\n\nb"), "a[31m\n\nb");
    }
}
