//! `Authentication-Results` (RFC 8601): whether the host's mail server has verified the sender's domain.
//!
//! Senders choose parts of this field: an envelope sender, a selector, a reason. Servers put such text into quoted
//! strings or comments, so neither is compared. A field that breaks the syntax proves nothing.

use std::iter::Peekable;
use std::str::Chars;

/// `true` if the results that this server added say that the sender is authentic: DMARC passes for the domain of the
/// address, or a DKIM signature of exactly this domain is valid. `value` is the topmost field of this name; fields below
/// it may be forged.
pub(crate) fn is_authentic(value: &str, server: &str, address: &str) -> bool {
    let Some((id, results)) = parse(value) else {
        return false;
    };
    let domain = address.rsplit_once('@').map(|(_, domain)| domain);
    domain.is_some_and(|domain| {
        is_same(&id, server) && results.iter().any(|result| passes_for(result, domain))
    })
}

fn is_same(one: &str, other: &str) -> bool {
    !one.is_empty() && one.eq_ignore_ascii_case(other)
}

/// The result of one method, as in `dmarc=pass header.from=example.com`: its properties by name.
type MethodResult = Vec<(String, String)>;

fn passes_for(result: &MethodResult, domain: &str) -> bool {
    let Some(((method, result), properties)) = result.split_first() else {
        return false;
    };
    let method = method.split('/').next().unwrap_or_default();
    let name = match method.to_ascii_lowercase().as_str() {
        "dmarc" => "header.from",
        "dkim" => "header.d",
        _ => return false,
    };
    // Which one of two values the server has verified is unknown.
    let mut named = properties.iter().filter(|(other, _)| is_same(other, name));
    let value = named.next().filter(|_| named.next().is_none());
    is_same(result, "pass") && value.is_some_and(|(_, value)| is_same(value, domain))
}

/// The name of the server, and its results. `None` if the field breaks the syntax, or has an unknown version.
fn parse(value: &str) -> Option<(String, Vec<MethodResult>)> {
    let mut text = value.chars().peekable();
    skip_blanks(&mut text)?;
    let id = word(&mut text)?;
    skip_blanks(&mut text)?;
    if text.peek().is_some_and(|c| *c != ';') && word(&mut text)? != "1" {
        return None;
    }
    let mut results = Vec::new();
    skip_blanks(&mut text)?;
    while let Some(c) = text.peek() {
        if *c == ';' {
            text.next();
            results.push(MethodResult::default());
        } else {
            results.last_mut()?.push(property(&mut text)?);
        }
        skip_blanks(&mut text)?;
    }
    Some((id, results))
}

/// `name=value`, with blanks and comments around `=`, `.` and `/`. A name alone, as in `none`, has an empty value.
fn property(text: &mut Peekable<Chars<'_>>) -> Option<(String, String)> {
    let mut name = String::new();
    loop {
        let part = word(text)?;
        if part.is_empty() {
            return None;
        }
        name += &part;
        skip_blanks(text)?;
        match text.peek() {
            Some(&c @ ('.' | '/')) => name.push(c),
            Some('=') => break,
            _ => return Some((name, String::new())),
        }
        text.next();
        skip_blanks(text)?;
    }
    text.next();
    skip_blanks(text)?;
    Some((name, value(text)?))
}

/// A run of characters of a name; the dots and slashes within it belong to it.
fn word(text: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut word = String::new();
    while let Some(c) = text.next_if(|c| c.is_alphanumeric() || "-_./@+".contains(*c)) {
        word.push(c);
    }
    (word.is_empty() || !word.starts_with(['.', '/'])).then_some(word)
}

/// A value up to a blank, a comment or the end of the result: empty if any part of it is quoted.
fn value(text: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut value = String::new();
    let mut is_quoted = false;
    while let Some(c) =
        text.next_if(|c| !matches!(c, ';' | '(' | ')') && !c.is_whitespace() && !c.is_control())
    {
        if c == '"' {
            is_quoted = true;
            skip_delimited(text, '"')?;
        } else {
            value.push(c);
        }
    }
    if is_quoted {
        value.clear();
    }
    Some(value)
}

/// Skips blanks, the line breaks of a folded field, and comments.
fn skip_blanks(text: &mut Peekable<Chars<'_>>) -> Option<()> {
    while let Some(c) = text.next_if(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '(')) {
        if c == '(' {
            skip_delimited(text, ')')?;
        }
    }
    Some(())
}

/// Skips the rest of a quoted string, or of a comment, in which others may stand. `None` if it does not end.
fn skip_delimited(text: &mut Peekable<Chars<'_>>, end: char) -> Option<()> {
    let mut depth = 1_usize;
    while depth > 0 {
        match text.next()? {
            '\\' => _ = text.next()?,
            c if c == end => depth -= 1,
            '(' if end == ')' => depth += 1,
            _ => {}
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::is_authentic;

    const SERVER: &str = "mx.example.org";

    fn check(value: &str) -> bool {
        is_authentic(value, SERVER, "ann@example.com")
    }

    #[test]
    fn only_the_own_server_and_the_same_domain_count() {
        for value in [
            "mx.example.org; dkim=pass (2048-bit key) header.d=example.com header.i=@example.com",
            "mx.example.org 1;\r\n\tspf=fail smtp.mailfrom=x.test;\r\n\tdmarc=pass (p=none) header.from=Example.com",
            "MX.example.org; dkim=fail header.d=example.com; dkim=pass header.d=example.com",
            "(a (nested) comment) mx.example.org (x) 1 (y); dkim / 1 = pass header . d = example.com",
            "mx.example.org; dkim/1=pass reason=\"good; signature\" header.d=example.com header.b=\"Hk5/+=\"",
            "mx.example.org; spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=x.test;dmarc=pass action=none \
             header.from=example.com;compauth=pass reason=100",
            "mx.example.org;\n dkim=pass header.i=@example.com header.s=20230601 header.b=Hk5/ab+c= header.d=example.com;",
        ] {
            assert!(check(value), "{value}");
        }
        for value in [
            "",
            ";",
            "mx.example.org",
            "mx.example.org; none",
            "mx.example.org 2; dkim=pass header.d=example.com",
            "mx.evil.test; dkim=pass header.d=example.com",
            "mx.example.org.evil.test; dkim=pass header.d=example.com",
            "mx.example.org; dkim=pass header.d=evil.test header.i=@example.com",
            "mx.example.org; dkim=pass header.d=evil.test (header.d=example.com)",
            "mx.example.org; dkim=fail header.d=example.com",
            "mx.example.org; dkim=pass header.d=sub.example.com",
            "mx.example.org; spf=pass smtp.mailfrom=example.com; dkim=none",
            "mx.example.org; dkim=fail (x; dkim=pass header.d=example.com) header.d=example.com",
            "mx.example.org; dkim=pass header.d=",
            "mx.example.org; dkim header.d=example.com",
        ] {
            assert!(!check(value), "{value}");
        }
    }

    #[test]
    fn text_of_the_sender_grants_nothing() {
        for value in [
            // An envelope sender with a quoted local part.
            "mx.example.org; spf=pass smtp.mailfrom=\"x; dmarc=pass header.from=example.com; y\"@evil.test",
            "mx.example.org; spf=pass smtp.mailfrom=\"x\\\"; dmarc=pass header.from=example.com; y\"@evil.test",
            "mx.example.org; dkim=fail reason=\"; dmarc=pass header.from=example.com\" header.d=evil.test",
            "mx.example.org; dkim=pass header.i=\"x; dmarc=pass header.from=example.com \"@evil.test header.d=evil.test",
            // Escapes and quotes in comments.
            "mx.example.org; spf=pass (\\) ; dmarc=pass header.from=example.com) smtp.mailfrom=x@evil.test",
            "mx.example.org; spf=pass (\"); dmarc=pass header.from=example.com (\") smtp.mailfrom=\"x",
            "mx.example.org; spf=pass (\\(); dmarc=pass (header.from=example.com) smtp.mailfrom=x",
            // A quote that does not end, and brackets of no comment.
            "mx.example.org; dmarc=pass header.from=example.com reason=\"",
            "mx.example.org; dmarc=pass header.from=example.com (",
            "mx.example.org; dmarc=pass header.from=example.com )",
            // Repeated properties.
            "mx.example.org; dmarc=pass header.from=evil.test header.from=example.com",
            "mx.example.org; dmarc=pass header.from=example.com header.from=evil.test",
            "mx.example.org; dkim=pass header.d=example.com header.D=evil.test",
            // A method is the first word of its result.
            "mx.example.org; spf=pass dmarc=pass header.from=example.com",
            "mx.example.org; dmarc=pass header.from=\"example.com\"",
            "\"mx.example.org\"; dmarc=pass header.from=example.com",
            "mx.example.org; dmarc=pass header.from=example.com\0",
        ] {
            assert!(!check(value), "{value}");
        }
    }

    /// Pieces of a field, with text of the sender in place of `%`.
    const PARTS: [&str; 14] = [
        "; dmarc=pass",
        "; dkim=pass",
        "; dkim=fail",
        "; spf=pass",
        " header.from=example.com",
        " header.d=example.com",
        " header.from=evil.test",
        " (%)",
        " reason=\"%\"",
        " smtp.mailfrom=\"%\"@evil.test",
        " header.i=a\"%\"",
        "; none",
        " (a (%) b)",
        "(%)\r\n ",
    ];

    const HOSTILE: [&str; 10] = [
        "; dmarc=pass header.from=example.com",
        "; dkim=pass header.d=example.com ",
        " header.from=example.com",
        "\\\\",
        "x",
        "\\\"",
        "\\(",
        "\\)",
        "; ",
        "\r\n ",
    ];

    #[test]
    fn quoted_text_and_comments_never_count() {
        let mut n_authentic = 0;
        for seed in 0..20_000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut pick = |of: &[&'static str]| of[random.usize(..of.len())];
            let (mut hostile, mut harmless) = (SERVER.to_owned(), SERVER.to_owned());
            for _ in 0..6 {
                let part = pick(&PARTS);
                let text = [pick(&HOSTILE), pick(&HOSTILE), pick(&HOSTILE)].concat();
                hostile += &part.replace('%', &text);
                harmless += &part.replace('%', "x");
            }
            n_authentic += usize::from(check(&harmless));
            assert_eq!(check(&hostile), check(&harmless), "seed {seed}: {hostile}");
        }
        assert!(n_authentic > 500, "only {n_authentic} fields are authentic");
    }

    #[test]
    fn random_text_that_counts_also_counts_without_quotes_and_comments() {
        let pieces: Vec<&str> = PARTS
            .into_iter()
            .chain(HOSTILE)
            .chain(["(", ")", "\"", "\\", "=", ".", "/", "1"])
            .collect();
        let mut n_authentic = 0;
        for seed in 0..100_000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let n_pieces = random.usize(1..6);
            let tail: String = (0..n_pieces)
                .map(|_| pieces[random.usize(..pieces.len())])
                .collect();
            let field = SERVER.to_owned() + &tail;
            if check(&field) {
                n_authentic += 1;
                assert!(check(&bare(&field)), "seed {seed}: {field}");
            }
        }
        assert!(n_authentic > 100, "only {n_authentic} fields are authentic");
    }

    /// The field with `xx` in place of quoted strings and a blank in place of comments, found by a scan of its own.
    fn bare(field: &str) -> String {
        let (mut bare, mut depth, mut is_quoted, mut is_escaped) = (String::new(), 0, false, false);
        for c in field.chars() {
            let is_inside = depth > 0 || is_quoted;
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' if is_inside => is_escaped = true,
                '"' if depth == 0 => {
                    is_quoted = !is_quoted;
                    bare.push('x');
                }
                '(' if !is_quoted => depth += 1,
                ')' if depth > 0 => {
                    depth -= 1;
                    bare.push(' ');
                }
                _ if is_inside => {}
                c => bare.push(c),
            }
        }
        bare
    }
}
