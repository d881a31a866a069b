//! Doors: the addresses at which the server listens, those of guests' links, the requests that belong there, and tokens,
//! which give rights.
//!
//! `Host` is checked because a foreign page could otherwise reach the server under the page's own host name (DNS
//! rebinding), `Origin` because any page may open a WebSocket to any address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;
use std::{fmt, io};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Uri};
use kit::Side;
use parking_lot::Mutex;
use table::token::{TOKEN, is_same, random_word};

use crate::GuestLink;
use crate::limits::MAX_LINKS;

/// One address at which the server listens.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    /// `true` for the address that the program prints. It is on this machine, and the host's token is valid there alone.
    pub(crate) is_host: bool,
    pub(crate) address: SocketAddr,
    pub(crate) is_tls: bool,
    /// Address by which guests reach this one, if it has another name or is behind a proxy.
    pub(crate) public: Option<Origin>,
}

/// A scheme and a host name, with its port unless that is the usual one: `https://games.example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    scheme: String,
    host: String,
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Origin, &'static str> {
        let parse = || {
            let uri: Uri = text.parse().ok()?;
            let (scheme, host) = (uri.scheme_str()?, uri.authority()?.as_str());
            let is_bare = uri.path() == "/" && uri.query().is_none() && !text.contains(['#', '@']);
            let is_origin = is_bare && matches!(scheme, "http" | "https");
            is_origin.then(|| Origin {
                scheme: scheme.to_owned(),
                host: host.to_ascii_lowercase(),
            })
        };
        parse().ok_or(
            "expected a scheme and a name, as in https://games.example.org or http://10.0.0.7:7000",
        )
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)
    }
}

impl Door {
    /// `true` if the request's `Host` is this address.
    pub(crate) fn is_own_host(&self, headers: &HeaderMap) -> bool {
        host(headers).is_some_and(|host| self.public(host).is_some() || self.is_address(host))
    }

    /// `true` if the request comes from a page of this address, or from a client that sends no `Origin`.
    pub(crate) fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        if !headers.contains_key(ORIGIN) {
            return true;
        }
        let host = host(headers).unwrap_or_default();
        let public = self.public(host);
        let scheme = public.map_or(self.scheme(), |public| &public.scheme);
        let own = format!("{scheme}://{host}");
        only(headers, &ORIGIN) == Some(&own)
    }

    /// Returns the origin of guests' links, and whether it is valid on this machine alone.
    ///
    /// # Errors
    /// This machine has no network address; the text says what to do.
    pub(crate) fn link(&self) -> Result<(String, bool), String> {
        if let Some(public) = &self.public {
            return Ok((public.to_string(), false));
        }
        let address = reachable(self.address, own_address)?;
        Ok((
            format!("{}://{address}", self.scheme()),
            address.ip().is_loopback(),
        ))
    }

    fn scheme(&self) -> &'static str {
        if self.is_tls { "https" } else { "http" }
    }

    /// The public address if it has this `Host`.
    fn public(&self, host: &str) -> Option<&Origin> {
        let public = self.public.as_ref();
        public.filter(|public| public.host.eq_ignore_ascii_case(host))
    }

    /// `true` if a `Host` header denotes this address. A server that listens on every address accepts any numeric one,
    /// because a foreign page cannot use a numeric host name.
    fn is_address(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port),
            _ => (host, if self.is_tls { "443" } else { "80" }),
        };
        if port.parse() != Ok(self.address.port()) {
            return false;
        }
        let ip = self.address.ip().to_canonical();
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
        named == ip || ip.is_unspecified() || is_local && LOOPBACKS.contains(&named)
    }
}

const LOOPBACKS: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::LOCALHOST),
    IpAddr::V6(Ipv6Addr::LOCALHOST),
];

pub(crate) fn host(headers: &HeaderMap) -> Option<&str> {
    only(headers, &HOST)
}

/// Returns the value of a field that is given once. A proxy may read another of two fields than this server.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok()
}

/// Documentation addresses, which no machine has, so the route to them leaves this machine.
const ELSEWHERE_V4: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const ELSEWHERE_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// Returns the address for guests' links. If the server listens on every address, `own` determines the machine's own
/// address.
///
/// # Errors
/// This machine has no such address; the text says what to do.
fn reachable(
    listens: SocketAddr,
    own: impl Fn(SocketAddr) -> io::Result<IpAddr>,
) -> Result<SocketAddr, String> {
    if !listens.ip().is_unspecified() {
        return Ok(listens);
    }
    let no_address = |error: io::Error| {
        format!(
            "No network address of this machine was found ({error}). Use --listen with one of its addresses \
             instead of {}",
            listens.ip()
        )
    };
    let ip = own(listens).map_err(no_address)?;
    Ok(SocketAddr::new(ip, listens.port()))
}

/// Returns the address of this machine on its outgoing network. Nothing is sent: connecting a UDP socket only selects
/// the route.
fn own_address(listens: SocketAddr) -> io::Result<IpAddr> {
    let found = leaving_from(Ipv4Addr::UNSPECIFIED.into(), ELSEWHERE_V4.into());
    match listens {
        SocketAddr::V4(_) => found,
        // An IPv6 server also serves guests over IPv4.
        SocketAddr::V6(_) => {
            leaving_from(Ipv6Addr::UNSPECIFIED.into(), ELSEWHERE_V6.into()).or(found)
        }
    }
}

fn leaving_from(any: IpAddr, elsewhere: IpAddr) -> io::Result<IpAddr> {
    let socket = UdpSocket::bind((any, 0))?;
    socket.connect((elsewhere, 9))?;
    let ip = socket.local_addr()?.ip();
    match ip.is_loopback() || ip.is_unspecified() {
        true => Err(io::Error::other("only loopback addresses")),
        false => Ok(ip),
    }
}

/// Rights that a token grants.
#[derive(Debug, Clone)]
pub(crate) enum Rights {
    /// All actions.
    Host,
    /// Playing one side of one table, or watching it.
    Guest(Arc<Invitation>),
}

/// A link for a guest, valid until it is revoked.
#[derive(Debug)]
pub(crate) struct Invitation {
    pub(crate) table: String,
    /// Without a seat, the link is for watching.
    pub(crate) seat: Option<Mutex<LinkedSeat>>,
    /// The time of the last search for the ledger of its table, if that found none.
    pub(crate) missed: Mutex<Option<Instant>>,
    token: String,
}

/// The seat to which a link leads.
#[derive(Debug)]
pub(crate) struct LinkedSeat {
    /// A rematch exchanges the sides of the guests.
    pub(crate) side: Side,
    /// The table's token, with which the guest reclaims the seat.
    pub(crate) token: Option<String>,
}

impl Invitation {
    /// The side that the guest of the link plays.
    pub(crate) fn side(&self) -> Option<Side> {
        self.seat.as_ref().map(|seat| seat.lock().side)
    }

    fn new(GuestLink { token, table, side }: GuestLink) -> Arc<Invitation> {
        Arc::new(Invitation {
            table,
            seat: side.map(|side| Mutex::new(LinkedSeat { side, token: None })),
            missed: Mutex::default(),
            token,
        })
    }
}

/// The tokens of a server.
pub(crate) struct Access {
    pub(crate) host_token: String,
    guests: Mutex<Vec<Arc<Invitation>>>,
}

impl Access {
    /// Without a `host_token`, the host gets a new one.
    pub(crate) fn new(host_token: Option<String>, links: Vec<GuestLink>) -> io::Result<Access> {
        let links = links.into_iter().map(Invitation::new);
        Ok(Access {
            host_token: host_token.map_or_else(random_word::<TOKEN>, Ok)?,
            guests: Mutex::new(links.collect()),
        })
    }

    /// The links that are valid.
    pub(crate) fn links(&self) -> Vec<GuestLink> {
        let link = |known: &Arc<Invitation>| GuestLink {
            token: known.token.clone(),
            table: known.table.clone(),
            side: known.side(),
        };
        self.guests.lock().iter().map(link).collect()
    }

    /// Returns the token of the link to a side, or to watch; always the same one until it is revoked.
    pub(crate) fn guest_token(&self, table: &str, side: Option<Side>) -> io::Result<String> {
        let mut guests = self.guests.lock();
        let mut known = guests.iter();
        if let Some(known) = known.find(|known| known.table == table && known.side() == side) {
            return Ok(known.token.clone());
        }
        let (token, table) = (random_word::<TOKEN>()?, table.to_owned());
        let too_many = (guests.len() + 1).saturating_sub(MAX_LINKS);
        guests.drain(..too_many);
        guests.push(Invitation::new(GuestLink {
            token: token.clone(),
            table,
            side,
        }));
        Ok(token)
    }

    /// Makes links invalid.
    pub(crate) fn revoke(&self, is_revoked: impl Fn(&Invitation) -> bool) {
        self.guests.lock().retain(|guest| !is_revoked(guest));
    }

    /// `true` if the link was not revoked.
    pub(crate) fn is_valid(&self, link: &Arc<Invitation>) -> bool {
        let guests = self.guests.lock();
        guests.iter().any(|known| Arc::ptr_eq(known, link))
    }

    /// Returns the rights of the token in an address. The host's token is valid at the host's door only.
    pub(crate) fn rights(&self, uri: &Uri, is_host_door: bool) -> Option<Rights> {
        let token = token(uri)?;
        if is_same(&self.host_token, token) {
            return is_host_door.then_some(Rights::Host);
        }
        let guests = self.guests.lock();
        let found = guests.iter().find(|known| is_same(&known.token, token));
        found.map(|known| Rights::Guest(Arc::clone(known)))
    }
}

/// Returns the value of `token` in the query. Tokens consist of letters and digits, so nothing is escaped.
fn token(uri: &Uri) -> Option<&str> {
    let mut words = uri.query()?.split('&');
    words.find_map(|word| word.strip_prefix("token="))
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

    fn door(address: &str) -> Door {
        Door {
            is_host: false,
            address: address.parse().expect("an address"),
            is_tls: false,
            public: None,
        }
    }

    #[test]
    fn a_foreign_host_is_told_from_our_own() {
        let door = door("127.0.0.1:7000");
        for host in [
            "127.0.0.1:7000",
            "localhost:7000",
            "LOCALHOST:7000",
            "[::1]:7000",
        ] {
            assert!(door.is_own_host(&headers(host, None)), "{host}");
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
            assert!(!door.is_own_host(&headers(host, None)), "{host}");
        }
        assert!(!door.is_own_host(&HeaderMap::new()));
    }

    #[test]
    fn a_server_on_every_address_takes_any_in_numbers_and_no_name() {
        let door = door("0.0.0.0:7000");
        for host in ["192.168.1.5:7000", "[fe80::1]:7000", "localhost:7000"] {
            assert!(door.is_own_host(&headers(host, None)), "{host}");
        }
        assert!(!door.is_own_host(&headers("example.org:7000", None)));
    }

    #[test]
    fn a_page_of_another_origin_is_foreign() {
        let door = door("127.0.0.1:7000");
        let is_own = |origin: Option<&str>| door.is_own_origin(&headers("127.0.0.1:7000", origin));
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
    fn a_field_that_is_given_twice_is_foreign() {
        let door = door("127.0.0.1:7000");
        let own = || headers("127.0.0.1:7000", Some("http://127.0.0.1:7000"));
        assert!(door.is_own_host(&own()) && door.is_own_origin(&own()));
        for other in ["127.0.0.1:7000", "example.org"] {
            let mut twice = own();
            twice.append(HOST, other.parse().expect("a header"));
            assert!(!door.is_own_host(&twice) && !door.is_own_origin(&twice));
            let mut twice = own();
            twice.append(ORIGIN, "http://example.org".parse().expect("a header"));
            assert!(!door.is_own_origin(&twice));
        }
    }

    #[test]
    fn behind_tls_the_page_and_its_links_are_https() {
        let door = Door {
            is_tls: true,
            ..door("127.0.0.1:443")
        };
        let own = headers("127.0.0.1", Some("https://127.0.0.1"));
        assert!(door.is_own_host(&own) && door.is_own_origin(&own));
        assert!(!door.is_own_origin(&headers("127.0.0.1", Some("http://127.0.0.1"))));
        assert_eq!(door.link(), Ok(("https://127.0.0.1:443".to_owned(), true)));
    }

    #[test]
    fn a_public_address_is_accepted_beside_the_own_one() {
        let door = Door {
            public: "https://Games.example.org/".parse().ok(),
            ..door("127.0.0.1:7000")
        };
        for (host, origin, is_own) in [
            ("games.example.org", "https://games.example.org", true),
            ("127.0.0.1:7000", "http://127.0.0.1:7000", true),
            ("games.example.org", "http://games.example.org", false),
            ("games.example.org", "https://example.org", false),
        ] {
            let headers = headers(host, Some(origin));
            assert!(door.is_own_host(&headers));
            assert_eq!(door.is_own_origin(&headers), is_own, "{origin}");
        }
        assert!(!door.is_own_host(&headers("example.org", None)));
        let link = "https://games.example.org".to_owned();
        assert_eq!(door.link(), Ok((link, false)));
    }

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        for text in ["http://a", "https://a.b:8443", "http://[::1]:7000/"] {
            let origin: Origin = text.parse().expect(text);
            assert_eq!(origin.to_string(), text.trim_end_matches('/'));
        }
        for text in [
            "",
            "a",
            "a.b:80",
            "ftp://a",
            "https://",
            "https://a/b",
            "https://a?b",
            "https://a@b",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }

    fn address(text: &str) -> SocketAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_link_names_an_address_that_others_can_reach() {
        let own = |_| Ok(IpAddr::from([10, 0, 0, 7]));
        for (listens, expected) in [
            ("0.0.0.0:7000", "10.0.0.7:7000"),
            ("[::]:7000", "10.0.0.7:7000"),
            ("127.0.0.1:7000", "127.0.0.1:7000"),
            ("192.168.1.5:7000", "192.168.1.5:7000"),
        ] {
            let link = reachable(address(listens), own);
            assert_eq!(link, Ok(address(expected)), "{listens}");
        }
    }

    #[test]
    fn a_machine_without_a_network_is_told_what_to_do() {
        let own = |_| Err(io::Error::other("no way"));
        let why = reachable(address("0.0.0.0:7000"), own).expect_err("no address");
        assert!(why.contains("no way") && why.contains("--listen"), "{why}");
    }

    #[test]
    fn the_address_that_is_found_is_one_of_this_machine() {
        for any in ["0.0.0.0:0", "[::]:0"] {
            // A machine without a network has no such address.
            if let Ok(ip) = own_address(address(any)) {
                assert!(!ip.is_loopback() && !ip.is_unspecified());
                UdpSocket::bind((ip, 0)).expect("an own address can be bound");
            }
        }
    }

    #[test]
    fn tokens_give_rights_and_the_host_s_is_for_one_door() {
        let access = Access::new(None, Vec::new()).expect("random numbers");
        let token = |side| access.guest_token("t", side).expect("random numbers");
        let guest = token(Some(Side::P2));
        assert_eq!(token(Some(Side::P2)), guest);
        assert_ne!(token(None), guest);
        let at = |token: &str, is_host_door: bool| {
            let uri = format!("/ws?token={token}").parse().expect("an address");
            access.rights(&uri, is_host_door)
        };
        let host = access.host_token.clone();
        assert!(matches!(at(&host, true), Some(Rights::Host)));
        assert!(at(&host, false).is_none());
        let Some(Rights::Guest(link)) = at(&guest, false) else {
            panic!("no rights");
        };
        assert_eq!((link.table.as_str(), link.side()), ("t", Some(Side::P2)));
        for wrong in ["", "x", &host[1..], &format!("{host}0")] {
            assert!(at(wrong, true).is_none());
        }
        access.revoke(|link| link.side() == Some(Side::P2));
        assert!(at(&guest, true).is_none() && !access.is_valid(&link));
        assert!(at(&token(None), false).is_some());
        assert_ne!(token(Some(Side::P2)), guest, "a new link");
        // Another server with the same links gives the same rights.
        let other = Access::new(None, access.links()).expect("random numbers");
        assert_eq!(other.links(), access.links());
        let known = other.guest_token("t", Some(Side::P2));
        assert_eq!(known.expect("it is known"), token(Some(Side::P2)));
    }
}
