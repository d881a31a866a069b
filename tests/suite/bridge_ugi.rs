//! `linesman bridge ugi`: lines passed through, logged and translated.

use std::fs;

use crate::support::{Done, Folder, has, lacks};

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
        has(&log, part);
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
    done.shows(1, "uciok");
    done.shows(0, "ugiok");
    let log = folder.read("to-ugi");
    for part in [
        " > ugi\n",
        " > setoption name Size value 3\n",
        " > uginewgame\n",
        " > go p1time 1000 p2time 1000 p1inc 5\n",
    ] {
        has(&log, part);
    }
    let lines = "ugi\\nuginewgame\\nposition startpos\\ngo p1time 1000 p2time 900\\nquit\\n";
    let done = relay(
        &folder,
        lines,
        "susan --engine builtin proto=uci --log to-uci",
    );
    done.shows(1, "ugiok");
    let log = folder.read("to-uci");
    has(&log, " > go wtime 1000 btime 900\n");
    has(&log, " > ucinewgame\n");
}

#[test]
fn a_client_that_does_not_wait_for_the_handshake_plays_on_the_board_of_the_bridge() {
    let folder = Folder::new("relay-board");
    for lines in [
        "ugi\\nposition startpos\\nquery game\\n",
        "position startpos\\nquery game\\n",
        "ugi\\nugi\\nposition startpos\\nquery game\\n",
    ] {
        let done = relay(&folder, lines, "susan:Size=3");
        assert_eq!(
            done.lines("response "),
            ["response susan Size=3"],
            "{lines}"
        );
    }
    // An option of the client counts.
    let lines = "ugi\\nsetoption name Size value 4\\nposition startpos\\nquery game\\n";
    let done = relay(&folder, lines, "susan:Size=3 --engine builtin proto=uci");
    assert_eq!(done.lines("response "), ["response susan Size=4"]);
    let lines = "uci\\nposition startpos\\ngo nodes 20\\n";
    let done = relay(&folder, lines, "susan:Size=3 --log board");
    done.shows(1, "bestmove ");
    let log = folder.read("board");
    let place = |part: &str| log.find(part).expect(part);
    assert!(place(" > setoption name Size value 3\n") < place(" > position startpos\n"));
    assert_eq!(log.matches(" > setoption ").count(), 1, "{log}");
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
    done.shows(1, "bestmove ");
    let log = folder.read("log");
    has(&log, " > go nodes 30\n");
    has(&log, " > setoption name Seed value 7\n");
    let done = relay(&folder, lines, "susan --engine builtin tc=10");
    assert_eq!(done.status, Some(2));
    has(&done.stderr, "expected st=, depth= or nodes=");
}

#[test]
fn an_engine_that_ends_by_itself_is_an_error_of_one_line() {
    let folder = Folder::new("relay-death");
    let done = relay(&folder, "ugi\\n", "susan --engine cmd=false");
    assert_eq!(done.status, Some(1), "{:?}", done.stdout);
    assert_eq!(done.stderr, "error: false exited with status 1\n");
    let done = relay(&folder, "ugi\\n", "susan --engine cmd=./absent");
    assert_eq!(done.status, Some(1));
    has(&done.stderr, "absent");
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}

/// A UCI engine that ends with status 3 at any line that is not of UCI.
const STRICT_UCI: &str = "while read -r a b; do case $a in uci) echo uciok;; isready) echo readyok;; ucinewgame|position|setoption|stop) ;; \
                          go) echo info depth 1 score cp 5; echo bestmove a1;; quit) exit;; *) exit 3;; esac; done";

#[test]
fn questions_about_the_game_of_a_uci_engine_are_answered_from_the_rules() {
    let folder = Folder::new("relay-query");
    fs::write(folder.path("uci"), STRICT_UCI).expect("a script");
    let lines = "ugi\\nquery p1turn\\nsetoption name Size value 3\\nuginewgame\\nquery game\\nposition startpos moves e1\\n\
                 query p1turn\\nquery gameover\\nquery fen\\nposition startpos moves z9\\nquery result\\n\
                 position startpos\\ngo nodes 1\\n";
    let done = relay(
        &folder,
        lines,
        "susan:Size=4 --engine cmd=bash arg=uci proto=uci --log log",
    );
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.lines("response "),
        [
            "response true",
            "response susan Size=3",
            "response false",
            "response false",
            "response 3/4/5/4/x2 o 0",
            "response none",
        ]
    );
    done.shows(1, "info error");
    assert_eq!(done.lines("bestmove "), ["bestmove a1"]);
    lacks(&folder.read("log"), " > query");
}

#[test]
fn any_is_relayed_and_logged_without_rules() {
    let folder = Folder::new("relay-any");
    let lines = "ugi\\nposition startpos moves some words\\ngo nodes 5\\n";
    let done = relay(
        &folder,
        lines,
        "any --engine cmd=SCRIPTED arg=counts --log log",
    );
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    done.shows(1, "bestmove ");
    let log = folder.read("log");
    has(&log, " > position startpos moves some words\n");
    fs::write(folder.path("uci"), STRICT_UCI).expect("a script");
    let lines = "ugi\\nquery p1turn\\ngo nodes 1\\n";
    let done = relay(&folder, lines, "any --engine cmd=bash arg=uci proto=uci");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.lines("info error"),
        ["info error query: any has no rules"]
    );
    assert_eq!(done.lines("bestmove "), ["bestmove a1"]);
    for (words, why) in [
        ("any", "expected --engine cmd=PROGRAM"),
        ("any --engine cmd=bash proto=gtp", "any has no rules"),
        ("any:Size=3 --engine cmd=bash", "Size"),
    ] {
        let done = relay(&folder, "ugi\\n", words);
        assert_eq!(done.status, Some(2), "{words}");
        has(&done.stderr, why);
    }
}
