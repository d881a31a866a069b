//! Access control: checks the `Host` and `Origin` of a request and the token in its address.
//!
//! The tokens protect the engines of this machine. `Host` is checked because a foreign page could otherwise reach the
//! server under the page's own host name (DNS rebinding), `Origin` because any page may open a WebSocket to any
//! address.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};
use kit::Side;
use parking_lot::Mutex;

/// Rights that a token grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rights {
    /// All actions.
    Host,
    /// Playing one side of one table.
    Player { table: String, side: Side },
    /// Watching one table.
    Watcher { table: String },
}

/// Tokens and addresses of a server.
#[derive(Debug)]
pub(crate) struct Access {
    host_token: String,
    guests: Mutex<Vec<(String, Rights)>>,
    addresses: Vec<SocketAddr>,
}

impl Access {
    /// Creates the access control of a server that listens at these addresses.
    pub(crate) fn new(addresses: Vec<SocketAddr>) -> std::io::Result<Access> {
        Ok(Access {
            host_token: new_token()?,
            guests: Mutex::default(),
            addresses,
        })
    }

    pub(crate) fn host_token(&self) -> &str {
        &self.host_token
    }

    /// Returns the token of a guest, always the same one for the same rights.
    pub(crate) fn guest_token(&self, rights: &Rights) -> std::io::Result<String> {
        let mut guests = self.guests.lock();
        if let Some((token, _)) = guests.iter().find(|(_, known)| known == rights) {
            return Ok(token.clone());
        }
        let token = new_token()?;
        guests.push((token.clone(), rights.clone()));
        Ok(token)
    }

    /// Removes the tokens of a table that has ended.
    pub(crate) fn forget(&self, ended: &str) {
        let is_other = |rights: &Rights| match rights {
            Rights::Host => true,
            Rights::Player { table, .. } | Rights::Watcher { table } => table != ended,
        };
        self.guests.lock().retain(|(_, rights)| is_other(rights));
    }

    /// Returns the rights of the token in an address. The host's token is valid only on this machine.
    pub(crate) fn rights(&self, uri: &Uri, peer: IpAddr) -> Option<Rights> {
        let token = token(uri)?;
        if is_equal(token, &self.host_token) {
            return peer.to_canonical().is_loopback().then_some(Rights::Host);
        }
        let guests = self.guests.lock();
        let found = guests.iter().find(|(known, _)| is_equal(token, known));
        found.map(|(_, rights)| rights.clone())
    }

    /// `true` if the request's `Host` is this server.
    pub(crate) fn is_own_host(&self, headers: &HeaderMap) -> bool {
        host(headers).is_some_and(|host| self.is_own(host))
    }

    /// `true` if the request comes from a page of this server, or from a client that sends no `Origin`.
    pub(crate) fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        let Some(origin) = headers.get(ORIGIN) else {
            return true;
        };
        let origin = origin.to_str().ok();
        origin.and_then(|origin| origin.strip_prefix("http://")) == host(headers)
    }

    fn is_own(&self, host: &str) -> bool {
        self.addresses
            .iter()
            .any(|address| is_address(host, *address))
    }
}

/// `true` if a `Host` header denotes this address. A server that listens on every address accepts any numeric one,
/// because a foreign page cannot use a numeric host name.
fn is_address(host: &str, address: SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port),
        _ => (host, "80"),
    };
    if port.parse() != Ok(address.port()) {
        return false;
    }
    let ip = address.ip().to_canonical();
    let is_local = ip.is_loopback() || ip.is_unspecified();
    if name.eq_ignore_ascii_case("localhost") {
        return is_local;
    }
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let Ok(named) = bare.unwrap_or(name).parse::<IpAddr>() else {
        return false;
    };
    named == ip || ip.is_unspecified() || (is_local && is_usual_loopback(named))
}

fn is_usual_loopback(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip == std::net::Ipv4Addr::LOCALHOST,
        IpAddr::V6(ip) => ip == std::net::Ipv6Addr::LOCALHOST,
    }
}

pub(crate) fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(HOST)?.to_str().ok()
}

/// Returns the value of `token` in the query. Tokens consist of letters and digits, so nothing is escaped.
fn token(uri: &Uri) -> Option<&str> {
    let mut words = uri.query()?.split('&');
    words.find_map(|word| word.strip_prefix("token="))
}

/// Compares in a time that depends only on the lengths.
fn is_equal(given: &str, known: &str) -> bool {
    let pairs = given.bytes().zip(known.bytes());
    let difference = pairs.fold(0, |all, (one, other)| all | (one ^ other));
    std::hint::black_box(difference) == 0 && given.len() == known.len()
}

/// Returns 128 random bits from the system as hex digits.
fn new_token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("a header"));
        }
        headers
    }

    fn access(address: &str) -> Access {
        Access::new(vec![address.parse().expect("an address")]).expect("random numbers")
    }

    #[test]
    fn a_foreign_host_is_told_from_our_own() {
        let access = access("127.0.0.1:7000");
        for host in [
            "127.0.0.1:7000",
            "localhost:7000",
            "LOCALHOST:7000",
            "[::1]:7000",
        ] {
            assert!(access.is_own_host(&headers(host, None)), "{host}");
        }
        for host in [
            "example.org:7000",
            "127.0.0.1",
            "127.0.0.1:7001",
            "localhost.example.org:7000",
            "192.168.1.5:7000",
            "127.0.0.1:7000:7000",
            "",
        ] {
            assert!(!access.is_own_host(&headers(host, None)), "{host}");
        }
        assert!(!access.is_own_host(&HeaderMap::new()));
    }

    #[test]
    fn a_server_on_every_address_takes_any_in_numbers_and_no_name() {
        let access = access("0.0.0.0:7000");
        for host in ["192.168.1.5:7000", "[fe80::1]:7000", "localhost:7000"] {
            assert!(access.is_own_host(&headers(host, None)), "{host}");
        }
        assert!(!access.is_own_host(&headers("example.org:7000", None)));
    }

    #[test]
    fn a_page_of_another_origin_is_foreign() {
        let access = access("127.0.0.1:7000");
        let is_own =
            |origin: Option<&str>| access.is_own_origin(&headers("127.0.0.1:7000", origin));
        assert!(is_own(None) && is_own(Some("http://127.0.0.1:7000")));
        for origin in [
            "http://example.org",
            "null",
            "https://127.0.0.1:7000",
            "http://localhost:7000",
        ] {
            assert!(!is_own(Some(origin)), "{origin}");
        }
    }

    #[test]
    fn tokens_give_rights_and_the_host_s_is_for_this_machine() {
        let access = access("127.0.0.1:7000");
        let rights = Rights::Watcher {
            table: "t".to_owned(),
        };
        let guest = access.guest_token(&rights).expect("random numbers");
        assert_eq!(access.guest_token(&rights).ok(), Some(guest.clone()));
        let at = |token: &str, peer: &str| {
            let uri = format!("/ws?token={token}").parse().expect("an address");
            access.rights(&uri, peer.parse().expect("an address"))
        };
        let host = access.host_token().to_owned();
        assert_eq!(at(&host, "127.0.0.1"), Some(Rights::Host));
        assert_eq!(at(&host, "::ffff:127.0.0.1"), Some(Rights::Host));
        assert_eq!(at(&host, "192.168.1.7"), None);
        assert_eq!(at(&guest, "192.168.1.7"), Some(rights));
        for wrong in ["", "x", &host[1..], &format!("{host}0")] {
            assert_eq!(at(wrong, "127.0.0.1"), None);
        }
        access.forget("t");
        assert_eq!(at(&guest, "127.0.0.1"), None);
    }
}
