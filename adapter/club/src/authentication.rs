//! `Authentication-Results` (RFC 8601): whether the host's mail server has verified the sender's domain.
//!
//! Senders choose parts of this field: an envelope sender, a selector, a reason. Servers put such text into quoted
//! strings or comments, so neither is compared. A field that breaks the syntax proves nothing.

use std::str::Chars;

/// `true` if the results that this server added say that the sender is authentic: DMARC passes for the domain of the
/// address, or a DKIM signature of exactly this domain is valid. `value` is the topmost field of this name; fields below
/// it may be forged.
pub(crate) fn is_authentic(value: &str, server: &str, address: &str) -> bool {
    let domain = address.rsplit_once('@').map(|(_, domain)| domain);
    let results = bare(value).and_then(|bare| results_of(&bare, server));
    domain
        .zip(results)
        .is_some_and(|(domain, results)| results.iter().any(|result| passes_for(result, domain)))
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

/// The field without comments, and with a quotation mark in place of each quoted string, which no name and no domain
/// contains. `None` if one of them does not end, or if there are signs that no field has.
fn bare(value: &str) -> Option<String> {
    let mut bare = String::new();
    let mut text = value.chars();
    while let Some(c) = text.next() {
        match c {
            '"' => {
                skip_delimited(&mut text, '"')?;
                bare.push('"');
            }
            '(' => {
                skip_delimited(&mut text, ')')?;
                bare.push(' ');
            }
            // The line breaks of a folded field are blanks.
            ' ' | '\t' | '\r' | '\n' => bare.push(' '),
            c if c == ')' || c.is_control() || c.is_whitespace() => return None,
            c => bare.push(c),
        }
    }
    Some(bare)
}

/// Skips the rest of a quoted string, or of a comment, in which others may stand. `None` if it does not end.
fn skip_delimited(text: &mut Chars<'_>, end: char) -> Option<()> {
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

/// The results of this server. `None` if they are another's, break the syntax or have an unknown version.
fn results_of(bare: &str, server: &str) -> Option<Vec<MethodResult>> {
    let mut parts = bare.split(';');
    let mut words = parts.next()?.split(' ').filter(|word| !word.is_empty());
    let is_own = is_same(words.next()?, server);
    let is_known = words.next().is_none_or(|version| version == "1") && words.next().is_none();
    (is_own && is_known).then_some(parts.map(properties).collect::<Option<_>>()?)
}

/// Splits `dkim=pass header.d=example.com`, with blanks around `=`, `.` and `/`. A name alone, as in `none`, has an empty
/// value.
fn properties(result: &str) -> Option<MethodResult> {
    let mut pairs: Vec<String> = Vec::new();
    for word in result.split(' ').filter(|word| !word.is_empty()) {
        let continues = |last: &&mut String| match last.split_once('=') {
            Some((_, value)) => value.is_empty(),
            None => last.ends_with(['.', '/']) || word.starts_with(['.', '/', '=']),
        };
        match pairs.last_mut().filter(continues) {
            Some(last) => last.push_str(word),
            None => pairs.push(word.to_owned()),
        }
    }
    let is_sign = |c: char| c.is_alphanumeric() || "-_./@+".contains(c);
    let is_name =
        |name: &str| !name.is_empty() && !name.starts_with(['.', '/']) && name.chars().all(is_sign);
    let pairs = pairs.iter().map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        is_name(name).then(|| (name.to_owned(), value.to_owned()))
    });
    pairs.collect()
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

    /// The field with `xx` in place of quoted strings and a blank in place of comments, found by a separate scan.
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
