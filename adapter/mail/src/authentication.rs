//! `Authentication-Results` (RFC 8601): whether the host's mail server has verified the sender's domain.

/// `true` if the results that this server added say that the sender is authentic: DMARC passes for the domain of the
/// address, or a DKIM signature of exactly this domain is valid. `value` is the topmost field of this name; fields below
/// it may be forged.
pub(crate) fn is_authentic(value: &str, server: &str, address: &str) -> bool {
    let value = without_comments(value).to_ascii_lowercase();
    let mut results = value.split(';');
    let mut id = results.next().unwrap_or_default().split_whitespace();
    let is_server = id.next() == Some(server) && id.next().is_none_or(|version| version == "1");
    let Some((_, domain)) = address.rsplit_once('@').filter(|_| is_server) else {
        return false;
    };
    results.any(|result| {
        let mut words = result.split_whitespace();
        let field = match words.next() {
            Some("dmarc=pass") => "header.from",
            Some("dkim=pass") => "header.d",
            _ => return false,
        };
        words.any(|word| word.split_once('=') == Some((field, domain)))
    })
}

/// Removes text in parentheses; after an unclosed one, nothing is left.
fn without_comments(text: &str) -> String {
    let mut depth = 0_usize;
    let is_outside = |c: &char| match c {
        '(' => {
            depth += 1;
            false
        }
        ')' => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    };
    text.chars().filter(is_outside).collect()
}

#[cfg(test)]
mod tests {
    use super::is_authentic;

    #[test]
    fn only_the_own_server_and_the_same_domain_count() {
        let check = |value: &str| is_authentic(value, "mx.example.org", "ann@example.com");
        for value in [
            "mx.example.org; dkim=pass (2048-bit key) header.d=example.com header.i=@example.com",
            "mx.example.org 1;\r\n\tspf=fail smtp.mailfrom=x.test;\r\n\tdmarc=pass (p=none) header.from=Example.com",
            "MX.example.org; dkim=fail header.d=example.com; dkim=pass header.d=example.com",
        ] {
            assert!(check(value), "{value}");
        }
        for value in [
            "",
            "mx.example.org",
            "mx.example.org; none",
            "mx.evil.test; dkim=pass header.d=example.com",
            "mx.example.org.evil.test; dkim=pass header.d=example.com",
            "mx.example.org; dkim=pass header.d=evil.test header.i=@example.com",
            "mx.example.org; dkim=pass header.d=evil.test (header.d=example.com)",
            "mx.example.org; dkim=fail header.d=example.com",
            "mx.example.org; dkim=pass header.d=sub.example.com",
            "mx.example.org; spf=pass smtp.mailfrom=example.com; dkim=none",
            "mx.example.org; dkim=fail (x; dkim=pass header.d=example.com) header.d=example.com",
        ] {
            assert!(!check(value), "{value}");
        }
    }
}
