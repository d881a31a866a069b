//! The address in guests' links, at which they can reach this machine.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Documentation addresses, which no machine has, so the route to them leaves this machine.
const ELSEWHERE_V4: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const ELSEWHERE_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// Returns the address for guests' links. If the server listens on every address, `own` determines the machine's own
/// address.
///
/// # Errors
/// This machine has no such address; the text says what to do.
pub(crate) fn reachable(
    listens: SocketAddr,
    own: impl Fn(SocketAddr) -> io::Result<IpAddr>,
) -> Result<SocketAddr, String> {
    if !listens.ip().is_unspecified() {
        return Ok(listens);
    }
    let no_address = |error: io::Error| {
        format!(
            "no network address of this machine was found ({error}): expected --listen with one of its addresses \
             instead of {}",
            listens.ip()
        )
    };
    let ip = own(listens).map_err(no_address)?;
    Ok(SocketAddr::new(ip, listens.port()))
}

/// Returns the address of this machine on its outgoing network. Nothing is sent: connecting a UDP socket only selects
/// the route.
pub(crate) fn own_address(listens: SocketAddr) -> io::Result<IpAddr> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
