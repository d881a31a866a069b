//! Outgoing e-mails: 7-bit text of at most 76 columns, quoted-printable only where a name needs other characters.

use mail_builder::MessageBuilder;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::date::Date;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::raw::Raw;
use mail_builder::mime::MimePart;
use protocol::text::visible;

use crate::{Answer, Draft};

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
    let body = trimmed(&draft.body);
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

/// Removes spaces at the ends of lines, which some mail programs drop or encode.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
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
