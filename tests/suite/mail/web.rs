//! The pages of a club.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::{Case, create, to};
use crate::support::{Folder, signal};

/// The page at a path, which must exist.
#[track_caller]
fn page(case: &mut Case, path: &str) -> String {
    let page = case.club.page(path, case.now).expect("a store");
    assert_eq!(page.status, 200, "{path}: {}", page.html);
    page.html
}

#[test]
fn readers_see_boards_users_and_standings() {
    let (mut case, ann, bob) = Case::playing("mail-web", "susan:Size=3");
    assert!(!ann.text.contains("On the web"), "{}", ann.text);
    for url in [
        "games.example.org",
        "ftp://a",
        "https://",
        "https://a\"><b",
        "https://a b",
    ] {
        assert!(case.club.set_url(url).is_err(), "{url}");
    }
    case.club
        .set_url("https://games.example.org/")
        .expect("a store");
    case.answer("ann", &ann, "b2\n");
    let letters = case.letters();
    let letter = to(&letters, "bob").clone();
    assert!(
        letter
            .text
            .contains("\nOn the web: https://games.example.org/board/1\n"),
        "{}",
        letter.text
    );
    let note = format!("note 1 ann {} <script>alert(1)</script>", ann.token());
    case.send("ann", &note, "");
    case.letters();
    let front = page(&mut case, "/");
    assert!(
        front.contains("<base href=\"https://games.example.org/\">"),
        "{front}"
    );
    assert!(
        front.contains("<a href=\"board/1\">1 susan:Size=3 ann - bob: move 2 is for bob"),
        "{front}"
    );
    let board = page(&mut case, "/board/1");
    assert!(
        board.contains("<svg") && board.contains(">1. b2</a>"),
        "{board}"
    );
    assert!(
        board.contains("&lt;script&gt;") && !board.contains("<script"),
        "{board}"
    );
    assert_ne!(page(&mut case, "/board/1/0"), board);
    // Nothing that is secret is in a page.
    for secret in [ann.token(), bob.token(), "ann@example.org".to_owned()] {
        for path in ["/", "/board/1", "/user/ann", "/finished", "/standings"] {
            assert!(!page(&mut case, path).contains(&secret), "{path}: {secret}");
        }
    }
    case.answer("bob", &letter, "resign 1\n");
    assert!(page(&mut case, "/").contains("None."));
    assert!(page(&mut case, "/finished").contains("ann - bob: 1-0"));
    assert!(page(&mut case, "/user/%61nn").contains("ann - bob: 1-0"));
    assert!(page(&mut case, "/standings/susan").contains("points  games"));
    for path in [
        "/board/2",
        "/board/1/9",
        "/board/-1",
        "/user/",
        "/user/carol",
        "/../club.db",
        "/%",
        "/standings/go",
    ] {
        let page = case.club.page(path, case.now).expect("a store");
        assert_eq!(page.status, 404, "{path}: {}", page.html);
    }
}

#[test]
fn pages_are_served_and_nothing_else() {
    let folder = Folder::new("mail-web-server");
    create(&folder);
    let run = folder.linesman("club club.db web --listen 127.0.0.1:0");
    let line = run.line().unwrap_or_default();
    let address = line
        .strip_prefix("http://")
        .and_then(|line| line.strip_suffix('/'));
    let address = address.unwrap_or_else(|| panic!("{line}"));
    let send = |request: &[u8]| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(request).expect("it reads");
        let mut answer = String::new();
        // A request that is refused may end with a reset.
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    let answer = send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(
        answer.contains("default-src 'none'") && answer.contains("<h1>Games of club@example.org"),
        "{answer}"
    );
    let head = send(b"HEAD /standings?x=1 HTTP/1.1\r\n\r\n");
    assert!(
        head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    assert!(send(b"GET /nothing HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
    assert!(send(b"POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
    assert!(send(b"GET ../club.db HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(send(b"\r\nGET\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(send(&[b'x'; 20_000]).starts_with("HTTP/1.1 431"));
    // A client that sends nothing holds nobody up.
    let silent = TcpStream::connect(address).expect("it listens");
    assert!(send(b"GET /finished HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 200"));
    drop(silent);
    signal(&run, "-TERM");
    run.done();
    let bad = folder.linesman("club club.db web --listen nowhere").done();
    assert_eq!(bad.status, Some(2), "{:?}", bad.stdout);
}
