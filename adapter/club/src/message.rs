//! Incoming e-mails: from bytes to sender, subject and plain text.
//!
//! All sizes are checked before parsing. An invalid message is rejected individually.

use mail_parser::{Addr, Address, HeaderValue, Message, MessageParser, PartType};
use sha2::{Digest, Sha256};

use crate::OWN_HEADER;

/// Maximum size of a message, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Maximum size of the text that is read, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// Maximum number of MIME parts and of their boundaries. Each nesting level declares a boundary, so this bounds the
/// depth too.
const MAX_PARTS: usize = 100;
const MAX_BOUNDARIES: usize = 16;

/// Maximum size of the header section, in bytes.
const MAX_HEADERS: usize = 1 << 16;

/// Maximum length of a message id that an answer repeats, and maximum number of such ids.
const MAX_ID: usize = 200;
const MAX_REFERENCES: usize = 20;

/// A parsed message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Incoming {
    /// Claimed sender address, in lower case.
    pub(crate) sender: String,
    /// Message id without angle brackets; empty if it is missing or invalid.
    pub(crate) id: String,
    /// Ids of the messages that it answers, the nearest first.
    pub(crate) answers: Vec<String>,
    /// Ids of the thread so far, the oldest first.
    pub(crate) references: Vec<String>,
    /// Subject, on one line.
    pub(crate) subject: String,
    /// Plain text of the body.
    pub(crate) text: String,
    /// Topmost `Authentication-Results`; empty if there is none, or if the signature may be that of another message.
    pub(crate) authentication: String,
    /// Reason why only its header could be read.
    pub(crate) fault: Option<&'static str>,
    /// Sign that a program sent the message, so it must not be answered; `None` if a person seems to have sent it.
    pub(crate) automatic: Option<&'static str>,
}

/// Reason why a message cannot be parsed.
pub(crate) type Damage = &'static str;

/// Returns the key that identifies duplicates: the hash of Message-ID and sender, or of all bytes if there is no
/// Message-ID.
pub(crate) fn key(bytes: &[u8], read: &Result<Incoming, Damage>) -> Vec<u8> {
    let mut hash = Sha256::new();
    match read {
        Ok(message) if !message.id.is_empty() => {
            hash.update(b"id\0");
            hash.update(&message.sender);
            hash.update(b"\0");
            hash.update(&message.id);
        }
        _ => {
            hash.update(b"bytes\0");
            hash.update(bytes);
        }
    }
    hash.finalize().to_vec()
}

impl Incoming {
    /// Parses a message that was sent to `own`, the club's address.
    ///
    /// # Errors
    /// The fault of the message.
    pub(crate) fn parse(bytes: &[u8], own: &str) -> Result<Incoming, Damage> {
        let parser = MessageParser::default();
        let parse = |bytes| match parser.parse(bytes) {
            Some(message) if message.parts.len() <= MAX_PARTS => Ok(message),
            Some(_) => Err("too many parts"),
            None => Err("no header"),
        };
        let (message, fault) = match check_bounds(bytes).and_then(|()| parse(bytes)) {
            Ok(message) => (message, None),
            Err(why) => {
                let header = header_length(bytes).min(MAX_HEADERS);
                (parse(&bytes[..header])?, Some(why))
            }
        };
        let sender = message.from().and_then(Address::first);
        let sender = sender.and_then(|sender| sender.address().map(str::to_ascii_lowercase));
        let sender = sender.filter(|address| is_address(address));
        let sender = sender.ok_or("no sender that can receive a reply")?;
        let references = ids(message.references());
        let mut answers = ids(message.in_reply_to());
        answers.extend(references.iter().rev().cloned());
        let id = message.message_id().filter(|id| is_id(id));
        Ok(Incoming {
            id: id.unwrap_or_default().to_owned(),
            answers,
            references,
            subject: one_line(message.subject().unwrap_or_default()),
            text: text(&message),
            authentication: authentication(&message, own),
            fault,
            automatic: automatic(&message, &sender, own),
            sender,
        })
    }
}

/// Rejects messages that would take long to parse.
fn check_bounds(bytes: &[u8]) -> Result<(), Damage> {
    if bytes.len() > MAX_BYTES {
        return Err("too long");
    }
    if header_length(bytes) > MAX_HEADERS {
        return Err("a header that is too long");
    }
    let text = bytes.to_ascii_lowercase();
    let is_parameter = |(at, window): &(usize, &[u8])| {
        let mut next = text[at + window.len()..].iter().take(8);
        let mut is_sign = || next.find(|byte| !byte.is_ascii_whitespace());
        *window == b"boundary" && is_sign().is_some_and(|byte| b"=*".contains(byte))
    };
    let windows = text.windows(b"boundary".len()).enumerate();
    match windows.filter(is_parameter).nth(MAX_BOUNDARIES) {
        Some(_) => Err("too many parts within parts"),
        None => Ok(()),
    }
}

fn header_length(bytes: &[u8]) -> usize {
    let is_end = |pair: &[u8]| pair == b"\n\n" || pair == b"\n\r";
    let end = bytes.windows(2).position(is_end);
    end.map_or(bytes.len(), |at| at + 1)
}

/// Returns the first text part that is not an attachment. HTML is converted to text.
fn text(message: &Message<'_>) -> String {
    let is_plain = |index: &usize| {
        let part = message.text_part(u32::try_from(*index).unwrap_or(u32::MAX));
        part.is_some_and(|part| matches!(part.body, PartType::Text(_)))
    };
    let n_texts = message.text_body_count().min(MAX_PARTS);
    let plain = (0..n_texts).find(is_plain).unwrap_or(0);
    let text = message.body_text(plain).unwrap_or_default();
    let end = text.floor_char_boundary(MAX_TEXT);
    text[..end].to_owned()
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    line[..line.floor_char_boundary(MAX_ID * 2)].to_owned()
}

/// Returns the field `Authentication-Results` of a message with a single sender that is addressed to the club. A second
/// `From` would not be signed, and a message to others may be signed but not meant as commands.
fn authentication(message: &Message<'_>, own: &str) -> String {
    let headers = message.headers_raw();
    let n_from = headers.filter(|(name, _)| name.eq_ignore_ascii_case("From"));
    let senders = message.from().into_iter().flat_map(Address::iter);
    let recipients = message.to().into_iter().flat_map(Address::iter);
    let mut recipients = recipients.filter_map(Addr::address);
    let is_to_club = recipients.any(|address| address.eq_ignore_ascii_case(own));
    match n_from.count() == 1 && senders.count() == 1 && is_to_club {
        true => field(message, "Authentication-Results").unwrap_or_default(),
        false => String::new(),
    }
}

/// Returns the topmost field of this name, in lower case.
fn field(message: &Message<'_>, name: &str) -> Option<String> {
    let mut fields = message.headers_raw();
    let found = fields.find(|(other, _)| other.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.trim().to_ascii_lowercase())
}

/// Returns the sign that a program sent a message (RFC 3834).
fn automatic(message: &Message<'_>, sender: &str, own: &str) -> Option<&'static str> {
    let field = |name: &str| field(message, name);
    let first_word = |name: &str| field(name)?.split([';', ' ']).next().map(str::to_owned);
    let is_program = |precedence: String| ["bulk", "junk", "list"].contains(&&*precedence);
    let is_report = field("Content-Type").is_some_and(|kind| kind.starts_with("multipart/report"));
    let is_reply = field("X-Autoreply").is_some() || field("X-Autorespond").is_some();
    let signs = [
        (field(OWN_HEADER).is_some(), "an e-mail of a club"),
        (sender.eq_ignore_ascii_case(own), "our own address"),
        (
            first_word("Auto-Submitted").is_some_and(|value| value != "no"),
            "Auto-Submitted",
        ),
        (
            first_word("Precedence").is_some_and(is_program),
            "Precedence",
        ),
        (
            field("Return-Path").is_some_and(|path| is_empty_path(&path)),
            "an empty return path",
        ),
        (field("List-Id").is_some(), "a mailing list"),
        (
            is_report || sender.starts_with("mailer-daemon@"),
            "a report of delivery",
        ),
        (is_reply, "an automatic reply"),
    ];
    signs
        .into_iter()
        .find_map(|(is_sign, what)| is_sign.then_some(what))
}

/// `true` if a return path is that of a delivery report; Postfix writes `<MAILER-DAEMON>` unless set otherwise.
fn is_empty_path(path: &str) -> bool {
    let path = path.trim_matches(['<', '>', ' ']);
    path.is_empty() || path.split('@').next() == Some("mailer-daemon")
}

/// Returns the valid message ids of a header, at most the last [`MAX_REFERENCES`].
fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    let all = value.as_text_list().unwrap_or_default().iter();
    let sound: Vec<String> = all
        .filter(|id| is_id(id))
        .map(ToString::to_string)
        .collect();
    sound[sound.len().saturating_sub(MAX_REFERENCES)..].to_vec()
}

fn is_id(id: &str) -> bool {
    let is_sound = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>');
    (1..=MAX_ID).contains(&id.len()) && id.chars().all(is_sound)
}

/// `true` if an address is safe to use: plain characters only, and neither an option nor a pattern for any mail
/// program.
pub(crate) fn is_address(address: &str) -> bool {
    let Some((local, domain)) = address.rsplit_once('@') else {
        return false;
    };
    let is_local = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
    let is_domain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    address.len() <= 254
        && !local.is_empty()
        && !domain.is_empty()
        && !local.starts_with(['-', '.', '|', '/'])
        && !domain.starts_with(['-', '.'])
        && local.chars().all(is_local)
        && domain.chars().all(is_domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Incoming, Damage> {
        Incoming::parse(text.as_bytes(), "club@example.org")
    }

    fn read(text: &str) -> Incoming {
        parse(text).expect("a message")
    }

    #[test]
    fn a_plain_message_is_read() {
        let message = read(
            "From: Ann <Ann@Example.org>\r\nSubject: =?iso-8859-1?Q?caf=E9?=\r\n\
             Message-ID: <a@b>\r\nIn-Reply-To: <c@d>\r\nReferences: <x@y>\r\n <c@d>\r\n\r\nshow 1\r\n",
        );
        assert_eq!(message.sender, "ann@example.org");
        assert_eq!(message.subject, "caf\u{e9}");
        assert_eq!(message.id, "a@b");
        assert_eq!(message.answers, ["c@d", "c@d", "x@y"]);
        assert_eq!(message.references, ["x@y", "c@d"]);
        assert_eq!(message.text.trim(), "show 1");
        assert_eq!(message.automatic, None);
    }

    #[test]
    fn bodies_are_decoded() {
        for (header, body, text) in [
            ("Content-Transfer-Encoding: base64", "c2hvdyAx", "show 1"),
            (
                "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable",
                "signup Zo=EB=\n!",
                "signup Zo\u{eb}!",
            ),
            ("Content-Type: text/html", "<p>show <b>1</b></p>", "show 1"),
        ] {
            let message = read(&format!("From: a@b\n{header}\n\n{body}\n"));
            assert_eq!(message.text.trim(), text, "{header}");
        }
    }

    #[test]
    fn the_plain_part_comes_first_and_attachments_do_not_count() {
        let message = read(
            "From: a@b\nContent-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: text/plain\n\
             Content-Disposition: attachment\n\nresign 1\n--X\nContent-Type: multipart/alternative; boundary=Y\n\n\
             --Y\nContent-Type: text/html\n\n<p>show 3</p>\n--Y\nContent-Type: text/plain\n\nshow 2\n--Y--\n--X--\n",
        );
        assert_eq!(message.text.trim(), "show 2");
    }

    #[test]
    fn what_programs_send_is_told_apart() {
        for header in [
            "Auto-Submitted: auto-replied",
            "Auto-Submitted: auto-generated (rejected)",
            "Precedence: bulk",
            "Precedence: List",
            "Return-Path: <>",
            "Return-Path: <MAILER-DAEMON>",
            "Return-Path: MAILER-DAEMON@example.org",
            "List-Id: <players.example.org>",
            "Content-Type: multipart/report; boundary=b",
            "X-Linesman: club",
            "X-Autoreply: yes",
        ] {
            let message = read(&format!("{header}\nFrom: a@b\n\nhelp\n"));
            assert!(message.automatic.is_some(), "{header}");
        }
        for header in [
            "Auto-Submitted: no",
            "Precedence: first-class",
            "Return-Path: <a@b>",
        ] {
            let message = read(&format!("{header}\nFrom: a@b\n\nhelp\n"));
            assert_eq!(message.automatic, None, "{header}");
        }
        assert!(read("From: CLUB@example.org\n\nhelp\n").automatic.is_some());
        assert!(
            read("From: MAILER-DAEMON@example.org\n\nx\n")
                .automatic
                .is_some()
        );
    }

    #[test]
    fn bounds_are_kept() {
        assert!(parse(&"x".repeat(MAX_BYTES + 1)).is_err());
        let message = read(&format!(
            "From: a@b\nMessage-ID: <x@y>\n\n{}",
            "x".repeat(MAX_BYTES)
        ));
        assert_eq!((message.fault, &*message.text), (Some("too long"), ""));
        assert_eq!((&*message.sender, &*message.id), ("a@b", "x@y"));
        let long = format!("From: a@b\nX: {}\n\nhelp\n", "x".repeat(MAX_HEADERS));
        assert_eq!(read(&long).fault, Some("a header that is too long"));
        let mut nested = "From: a@b\n".to_owned();
        for level in 0..30 {
            nested += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
        }
        assert_eq!(read(&nested).fault, Some("too many parts within parts"));
        let parts = "--b\n\nx\n".repeat(200);
        let many = format!("From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n{parts}");
        assert_eq!(read(&many).fault, Some("too many parts"));
        let long = format!("From: a@b\n\n{}", "\u{e9}".repeat(MAX_TEXT));
        assert!(read(&long).text.len() <= MAX_TEXT);
    }

    #[test]
    fn addresses_are_no_options() {
        for sound in ["ann@example.org", "a.b+c@d-e.f", "root@localhost"] {
            assert!(is_address(sound), "{sound}");
        }
        for bad in [
            "",
            "ann",
            "@b",
            "a@",
            "-oQ/tmp@b",
            "a b@c",
            "a@b c",
            "a@-b",
            "|sh@b",
            "a@b\n",
            "\u{e9}@b",
            "/etc@b",
        ] {
            assert!(!is_address(bad), "{bad}");
        }
        assert!(parse("From: <-oX@b>\n\nhelp\n").is_err());
        assert!(parse("Subject: x\n\nhelp\n").is_err());
    }

    #[test]
    fn the_same_message_has_the_same_key() {
        let of = |text: &str| key(text.as_bytes(), &parse(text));
        let one = of("From: a@b\nMessage-ID: <x@y>\n\nhelp\n");
        assert_eq!(
            one,
            of("Received: by z\nFrom: A@b\nMessage-ID: <x@y>\n\nhelp\n")
        );
        assert_ne!(one, of("From: c@b\nMessage-ID: <x@y>\n\nhelp\n"));
        let bare = of("From: a@b\n\nhelp\n");
        assert_ne!(bare, of("From: a@b\n\nhelp \n"));
        assert_eq!(bare, of("From: a@b\n\nhelp\n"));
    }
}
