//! `linesman bridge ugi`: lines passed through, logged and translated.

use crate::support::{Done, Folder};

fn relay(folder: &Folder, lines: &str, words: &str) -> Done {
    let line = format!("printf '{lines}' | LINESMAN bridge ugi {words}");
    folder.shell(&line).done()
}

#[test]
fn lines_are_passed_on_and_logged_in_both_directions() {
    let folder = Folder::new("relay");
    let lines = "ugi\\nposition startpos moves e5\\nquery fen\\ngo nodes 50\\nnonsense\\nquit\\n";
    let done = relay(&folder, lines, "susan --log log");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for start in [
        "id name Linesman susan",
        "ugiok",
        "response 5/",
        "bestmove ",
        "info error",
    ] {
        assert!(!done.lines(start).is_empty(), "{start}: {:?}", done.stdout);
    }
    let log = folder.read("log");
    for part in [
        " gui < position startpos moves e5",
        " > position startpos moves e5",
        " < bestmove ",
        " gui > bestmove ",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let is_timed = |line: &str| {
        line.split(' ')
            .next()
            .is_some_and(|time| time.parse::<f64>().is_ok())
    };
    assert!(log.lines().all(is_timed), "{log}");
}

#[test]
fn dialects_are_translated_either_way() {
    let folder = Folder::new("relay-dialects");
    let position = "position startpos moves a1 e5\\n";
    let lines = format!("uci\\nucinewgame\\n{position}go wtime 1000 btime 1000 winc 5\\nquit\\n");
    let done = relay(
        &folder,
        &lines,
        "susan:Size=3 --engine builtin --log to-ugi",
    );
    assert_eq!(done.lines("uciok").len(), 1, "{:?}", done.stdout);
    assert!(done.lines("ugiok").is_empty());
    let log = folder.read("to-ugi");
    for part in [
        " > ugi\n",
        " > setoption name Size value 3\n",
        " > uginewgame\n",
        " > go p1time 1000 p2time 1000 p1inc 5\n",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let lines = "ugi\\nuginewgame\\nposition startpos\\ngo p1time 1000 p2time 900\\nquit\\n";
    let done = relay(
        &folder,
        lines,
        "susan --engine builtin proto=uci --log to-uci",
    );
    assert_eq!(done.lines("ugiok").len(), 1, "{:?}", done.stdout);
    let log = folder.read("to-uci");
    assert!(log.contains(" > go wtime 1000 btime 900\n"), "{log}");
    assert!(log.contains(" > ucinewgame\n"), "{log}");
}

#[test]
fn limits_of_the_engine_override_the_client_s() {
    let folder = Folder::new("relay-limits");
    let lines = "ugi\\nposition startpos\\ngo movetime 60000\\n";
    let done = relay(
        &folder,
        lines,
        "susan --engine builtin nodes=30 'option.Seed=7' --log log",
    );
    assert_eq!(done.lines("bestmove ").len(), 1, "{:?}", done.stdout);
    let log = folder.read("log");
    assert!(log.contains(" > go nodes 30\n"), "{log}");
    assert!(log.contains(" > setoption name Seed value 7\n"), "{log}");
    let done = relay(&folder, lines, "susan --engine builtin tc=10");
    assert_eq!(done.status, Some(2));
    assert!(
        done.stderr.contains("expected st=, depth= or nodes="),
        "{}",
        done.stderr
    );
}

#[test]
fn an_engine_that_ends_by_itself_is_an_error_of_one_line() {
    let folder = Folder::new("relay-death");
    let done = relay(&folder, "ugi\\n", "susan --engine cmd=false");
    assert_eq!(done.status, Some(1), "{:?}", done.stdout);
    assert_eq!(done.stderr, "error: false exited with status 1\n");
    let done = relay(&folder, "ugi\\n", "susan --engine cmd=./absent");
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.contains("absent"), "{}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}
