//! `--listen`: people on other machines join the table with nc or telnet.
//!
//! This module parses the flag, `server` accepts connections, `join` parses the line with which a guest joins and checks
//! its password, and `connection` is the screen of a guest. What a stranger can use is limited: connections, guesses, the
//! time to join, and the bytes and lines of input.

mod connection;
mod join;
mod server;

use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};

use protocol::text::excerpt;

pub(crate) use join::Door;
pub(crate) use server::Server;

/// The forms of an address, for errors.
const FORMS: &str =
    "give a port, or an address in numbers and a port, as in 4000, 127.0.0.1:4000 or [::1]:4000";

/// Parses an address. A port without an address is on this machine only. An address that other machines can reach must
/// be numeric, so that no port is opened to them by accident.
///
/// # Errors
/// A text that names the forms.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    if let Some(port) = parse_port(text.strip_prefix(':').unwrap_or(text)) {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(address) = text.trim_matches(['[', ']']).parse() {
        let example = SocketAddr::new(address, 4000);
        return Err(format!("{text:?} has no port: write {example}"));
    }
    // A host name must be this machine's.
    let is_named = |(name, port): (&str, &str)| {
        !name.is_empty() && !name.contains([':', '[', ']']) && parse_port(port).is_some()
    };
    let found = match text.rsplit_once(':').is_some_and(is_named) {
        true => text.to_socket_addrs().ok().and_then(|mut all| all.next()),
        false => None,
    };
    match found {
        Some(address) if address.ip().is_loopback() => Ok(address),
        Some(address) => Err(format!(
            "{text} is {address}, which other machines can reach: write {address} if they may"
        )),
        None => Err(format!("\"{}\": {FORMS}", excerpt(text))),
    }
}

/// Parses digits; `str::parse` would also accept a sign.
fn parse_port(text: &str) -> Option<u16> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::parse_address as parse;

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
            ("::1", "\"::1\" has no port: write [::1]:4000"),
            ("[::1]", "\"[::1]\" has no port: write [::1]:4000"),
            ("::", "\"::\" has no port: write [::]:4000"),
            (
                "127.0.0.1",
                "\"127.0.0.1\" has no port: write 127.0.0.1:4000",
            ),
            // The whole text is an address: to have a port, `[::1]:4000` needs the brackets.
            (
                "::1:4000",
                "\"::1:4000\" has no port: write [::1:4000]:4000",
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
            assert!(
                why.contains(": give ") || why.contains(": write "),
                "{text}: {why}"
            );
        }
    }
}
