//! The address of `--listen`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use protocol::text::excerpt;

/// The forms of an address, for errors.
const EXPECTED: &str =
    "expected a port, or an address in numbers and a port: 4000, 127.0.0.1:4000 or [::1]:4000";

/// Parses an address. A port without an address is on this machine only. An address that other machines can reach must
/// be numeric, so that no port is opened to them by accident.
///
/// # Errors
/// A text that names the expected forms.
pub(crate) fn parse(text: &str) -> Result<SocketAddr, String> {
    if let Some(port) = parse_port(text.strip_prefix(':').unwrap_or(text)) {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Some(address) = parse_bare(text) {
        let example = SocketAddr::new(address, 4000);
        return Err(format!("{text:?} has no port: expected {example}"));
    }
    resolve(text)
}

/// Parses digits; `str::parse` would also accept a sign.
fn parse_port(text: &str) -> Option<u16> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// An address without a port, with or without the brackets of IPv6.
fn parse_bare(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    match bare {
        Some(bare) => bare.parse::<Ipv6Addr>().ok().map(IpAddr::from),
        None => text.parse().ok(),
    }
}

/// The address of a host name, which must be this machine.
fn resolve(text: &str) -> Result<SocketAddr, String> {
    let wrong = || format!("\"{}\": {EXPECTED}", excerpt(text));
    let (name, port) = text.rsplit_once(':').ok_or_else(wrong)?;
    parse_port(port).ok_or_else(wrong)?;
    let is_name = !name.is_empty() && !name.contains([':', '[', ']']);
    let found = is_name.then(|| text.to_socket_addrs().ok()).flatten();
    let address = found.and_then(|mut found| found.next()).ok_or_else(wrong)?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err(format!(
        "{text} is {address}, which other machines can reach: expected {address} itself, if they may"
    ))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn every_form_of_an_address_is_read() {
        for (text, address) in [
            ("4000", "127.0.0.1:4000"),
            (":4000", "127.0.0.1:4000"),
            ("0", "127.0.0.1:0"),
            ("127.0.0.1:0", "127.0.0.1:0"),
            ("0.0.0.0:4000", "0.0.0.0:4000"),
            ("[::1]:4000", "[::1]:4000"),
            ("[::]:4000", "[::]:4000"),
            ("[fe80::1%2]:4000", "[fe80::1%2]:4000"),
        ] {
            assert_eq!(
                parse(text).map(|address| address.to_string()),
                Ok(address.to_owned())
            );
        }
        assert!(parse("localhost:4000").is_ok_and(|address| address.ip().is_loopback()));
    }

    #[test]
    fn an_address_without_a_port_is_told_with_one() {
        for (text, expected) in [
            ("::1", "\"::1\" has no port: expected [::1]:4000"),
            ("[::1]", "\"[::1]\" has no port: expected [::1]:4000"),
            ("::", "\"::\" has no port: expected [::]:4000"),
            (
                "127.0.0.1",
                "\"127.0.0.1\" has no port: expected 127.0.0.1:4000",
            ),
            // The whole text is an address: to have a port, `[::1]:4000` needs the brackets.
            (
                "::1:4000",
                "\"::1:4000\" has no port: expected [::1:4000]:4000",
            ),
        ] {
            assert_eq!(parse(text), Err(expected.to_owned()));
        }
    }

    #[test]
    fn anything_else_is_told_what_is_expected() {
        for text in [
            "",
            ":",
            "::",
            ":::4000",
            "+4000",
            "70000",
            "-1",
            "localhost",
            "localhost:",
            "localhost:+1",
            "127.0.0.1:99999",
            "127.0.0.1:x",
            "[127.0.0.1]:4000",
            "*:4000",
            "nowhere.invalid:4000",
        ] {
            let why = parse(text).expect_err(text);
            assert!(why.contains("expected"), "{text}: {why}");
        }
    }
}
