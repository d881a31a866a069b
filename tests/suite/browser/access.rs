//! Access control of the server.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::json;

use super::page::{Gui, Page, http};
use crate::support::{Folder, begins, has, wait_until};

#[test]
fn the_page_needs_the_token_and_our_own_host() {
    let gui = Gui::alone("");
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
        (&whole, &format!("{host}Host: example.org\r\n")),
        (&whole, &format!("{host}{host}")),
    ] {
        assert_eq!(status(path, headers), "403", "{path} {headers}");
    }
    for shell in [
        "/page/index.html",
        "/game/7",
        "/puzzle/susan/1",
        "/match/7/1",
    ] {
        assert_eq!(status(shell, "Host: example.org\r\n"), "403");
        assert_eq!(status(shell, &host), "200");
    }
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
        has(&head, header);
    }
}

#[test]
fn a_foreign_origin_or_host_opens_no_web_socket() {
    let gui = Gui::alone("");
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
    let second = folder.linesman(&format!("gui --port {port}")).exits(1);
    assert!(second.stdout.is_empty());
    has(&second.stderr, gui.address());
    assert_eq!(second.stderr.lines().count(), 1, "{}", second.stderr);
}

/// A stand-in for the program that opens the browser: it writes down its arguments.
fn put_opener(folder: &Folder) {
    let path = folder.path("bin/xdg-open");
    fs::create_dir(folder.path("bin")).expect("a folder");
    fs::write(
        &path,
        "#!/bin/sh\necho \"$*\" >opened.new && mv opened.new opened\n",
    )
    .expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it may run");
}

/// The file that the stand-in has written.
fn opened(folder: &Folder) -> PathBuf {
    wait_until("it is opened", || folder.has("opened"));
    PathBuf::from(folder.read("opened").trim_end())
}

#[test]
fn the_browser_is_opened_by_a_file_that_only_this_user_reads() {
    let folder = Folder::new("open");
    put_opener(&folder);
    let line = "PATH=$PWD/bin:$PATH XDG_RUNTIME_DIR=$PWD exec LINESMAN gui --open";
    let gui = Gui::of(folder.shell(line));
    let file = opened(&folder);
    assert_eq!(file.parent(), Some(folder.path("").as_path()));
    let mode = fs::metadata(&file)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let page = fs::read_to_string(&file).expect("it can be read");
    has(&page, format!("url={}\"", gui.link));
    let done = gui.terminate();
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    assert!(!Path::new(&file).exists(), "it is left");
}

#[test]
fn where_no_browser_can_be_opened_a_note_says_so_and_the_page_is_served() {
    let folder = Folder::new("no-opener");
    let gui = Gui::of(folder.shell("PATH=/nowhere exec LINESMAN gui --open"));
    gui.page();
    let done = gui.terminate();
    assert_eq!(done.status, Some(0));
    begins(&done.stderr, "note: --open: xdg-open: ");
    assert_eq!(done.stderr.lines().count(), 1);
}

/// Sends a request by TLS, trusting the certificate of `tests/data/tls.pem`. Returns the status.
fn https(address: &str, path: &str, headers: &str) -> String {
    let pem = concat!(env!("CARGO_MANIFEST_DIR"), "/data/tls.pem");
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_file(pem).expect("a certificate");
    roots.add(certificate).expect("a certificate");
    let config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "127.0.0.1".try_into().expect("a name");
    let client = ClientConnection::new(Arc::new(config), name).expect("a client");
    let stream = TcpStream::connect(address).expect("the server listens");
    let mut stream = StreamOwned::new(client, stream);
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut status = [0; 12];
    stream.read_exact(&mut status).expect("it answers");
    String::from_utf8_lossy(&status[9..]).into_owned()
}

#[test]
fn guests_come_in_by_tls() {
    let folder = Folder::new("tls");
    folder.copy_data("tls.pem");
    let gui = Gui::start(&folder, "--listen 127.0.0.1:0 --tls tls.pem tls.pem");
    let mut host = gui.page();
    host.begin_game("susan", "human", "remote");
    let link = host.ask(json!({"ask": "invite", "side": "p2"}))["link"].clone();
    let link = link.as_str().expect("a link");
    let (address, token) = link
        .strip_prefix("https://")
        .and_then(|rest| rest.split_once("/?token="))
        .expect("a link by TLS");
    assert_eq!(https(address, &format!("/?token={token}"), ""), "200");
    let socket = |origin: &str| {
        let headers = format!(
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: {origin}\r\n"
        );
        https(address, &format!("/ws?token={token}"), &headers)
    };
    assert_eq!(socket(&format!("https://{address}")), "101");
    assert_eq!(socket(&format!("http://{address}")), "403");
    // The host's token is for the printed address alone.
    let path = format!("/?token={}", gui.token());
    assert_eq!(https(address, &path, ""), "403");
}

#[test]
fn the_link_of_a_guest_has_the_public_address() {
    let folder = Folder::new("url");
    let gui = Gui::start(
        &folder,
        "--listen 127.0.0.1:0 --url https://games.example.org",
    );
    let mut host = gui.page();
    host.begin_game("susan", "human", "remote");
    let done = host.ask(json!({"ask": "invite", "side": "p2"}));
    let link = done["link"].as_str().expect("a link");
    begins(link, "https://games.example.org/?token=");
    assert_eq!(done["is_local"], false);
}

#[test]
fn files_of_tls_that_cannot_be_used_are_named() {
    let folder = Folder::new("tls-files");
    folder.copy_data("tls.pem");
    let pem = folder.read("tls.pem");
    let (certificate, _) = pem.split_once("-----BEGIN PRIVATE").expect("both");
    folder.write("cert.pem", certificate);
    folder.write("junk.pem", "junk");
    for (files, why) in [
        ("none.pem tls.pem", "error: none.pem: "),
        ("tls.pem none.pem", "error: none.pem: "),
        (
            "junk.pem tls.pem",
            "error: junk.pem: expected a certificate in PEM (",
        ),
        (
            "tls.pem cert.pem",
            "error: cert.pem: expected a private key in PEM (",
        ),
    ] {
        let done = folder
            .linesman(&format!("gui --listen 127.0.0.1:0 --tls {files}"))
            .exits(1);
        begins(&done.stderr, why);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
    folder.linesman("gui --tls tls.pem tls.pem").exits(2);
}
