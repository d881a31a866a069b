//! Who is let in.

use super::page::{Gui, Page, http};
use crate::support::Folder;

#[test]
fn the_page_needs_the_token_and_our_own_host() {
    let folder = Folder::new("access");
    let gui = Gui::start(&folder, "");
    let (address, token) = (gui.address(), gui.token());
    let host = format!("Host: {address}\r\n");
    let status = |path: &str, headers: &str| {
        let (head, _) = http(address, path, headers);
        head.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    let whole = format!("/?token={token}");
    assert_eq!(status(&whole, &host), "200");
    for (path, headers) in [
        ("/", host.as_str()),
        ("/?token=", &host),
        ("/?token=0123", &host),
        (&whole, "Host: example.org\r\n"),
        (&whole, "Host: 127.0.0.1:1\r\n"),
        (&whole, ""),
    ] {
        assert_eq!(status(path, headers), "403", "{path} {headers}");
    }
    assert_eq!(status("/page/index.html", "Host: example.org\r\n"), "403");
    assert_eq!(status("/page/index.html", &host), "200");
    assert_eq!(status("/page/none.js", &host), "404");
    assert_eq!(status("/page/../Cargo.toml", &host), "404");
    let (head, _) = http(address, &whole, &host);
    let head = head.to_lowercase();
    for header in [
        "content-security-policy: default-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(head.contains(header), "{header}: {head}");
    }
}

#[test]
fn a_foreign_origin_or_host_opens_no_web_socket() {
    let folder = Folder::new("origin");
    let gui = Gui::start(&folder, "");
    let (address, token) = (gui.address(), gui.token());
    let own = format!("http://{address}");
    assert!(Page::connect(address, token, &[("Origin", &own)]).is_ok());
    for headers in [
        [("Origin", "http://example.org")],
        [("Origin", "null")],
        [("Origin", "http://127.0.0.1:1")],
        [("Host", "example.org")],
    ] {
        assert_eq!(Page::connect(address, token, &headers).err(), Some(403));
    }
    for token in ["", "0", &token[1..]] {
        assert_eq!(Page::connect(address, token, &[]).err(), Some(403));
    }
}

#[test]
fn a_second_server_on_a_taken_port_is_an_error_that_names_it() {
    let folder = Folder::new("taken");
    let gui = Gui::start(&folder, "");
    let port = gui.address().rsplit(':').next().unwrap_or_default();
    let second = folder.linesman(&format!("gui --port {port}")).done();
    assert_eq!(second.status, Some(1));
    assert!(second.stdout.is_empty());
    assert!(second.stderr.contains(gui.address()), "{}", second.stderr);
    assert_eq!(second.stderr.lines().count(), 1, "{}", second.stderr);
}
