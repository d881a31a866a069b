//! Whole dialogues, compared line by line.

use super::Bridge;
use crate::support::Folder;

/// Sends lines and checks every line of the answers; `*` in an expected line matches anything.
fn check(bridge: &mut Bridge, transcript: &str) {
    let mut lines = transcript
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .peekable();
    while let Some(line) = lines.next() {
        let sent = line.strip_prefix("> ").expect("a line that is sent");
        bridge.send(sent);
        let expected: Vec<&str> =
            std::iter::from_fn(|| lines.next_if(|line| !line.starts_with("> "))).collect();
        if expected.is_empty() {
            continue;
        }
        for expected in expected {
            let start = expected.split('*').next().expect("a first part");
            let line = bridge.line_after_thinking(start);
            let fits = expected.ends_with('*') || line == expected;
            assert!(fits, "{sent}: {line:?}, expected {expected:?}");
        }
    }
}

/// Each starts with its own bridge, `bridge GAME, ENGINE`, set up as XBoard does or not.
#[test]
fn dialogues() {
    for dialogue in include_str!("../../data/cecp.txt")
        .split("\nbridge ")
        .skip(1)
    {
        let dialogue = dialogue.split("\n== ").next().unwrap_or_default();
        let (start, mut lines) = dialogue.split_once('\n').expect(dialogue);
        let (game, engine) = start.split_once(", ").expect(start);
        let mut bridge = Bridge::start(game, engine);
        if let Some(rest) = lines.strip_prefix("set up ") {
            let (variant, rest) = rest.split_once('\n').expect(rest);
            bridge.set_up(variant);
            lines = rest;
        }
        check(&mut bridge, lines);
    }
}

#[test]
fn a_line_of_any_length_is_refused_and_quit_ends_it() {
    let mut bridge = Bridge::start("entropy", "builtin nodes=200");
    bridge.set_up("entropy");
    bridge.send(&"a".repeat(2 << 20));
    let too_long = "Error (line too long: expected at most 1048576 bytes): ...";
    assert_eq!(bridge.line_after_thinking("Error"), too_long);
    bridge.send("quit");
    assert_eq!(bridge.0.close(), (Vec::new(), Some(0)));
}

#[test]
fn options_of_the_engine_are_offered_and_reach_it() {
    let folder = Folder::new("cecp-options");
    let (path, seen) = (folder.path("engine"), folder.path("seen"));
    let engine = format!(
        "while read -r a b; do echo $a $b >> {}; case $a in ugi) echo option name Style type combo default calm var calm var wild; \
         echo option name Book type check default true; echo option name Clear type button; echo ugiok;; \
         isready) echo readyok;; go) echo bestmove a2-a3;; quit) exit;; esac; done",
        seen.display()
    );
    std::fs::write(&path, engine).expect("a script");
    let engine = format!("cmd=bash arg={} option.Style=wild", path.display());
    let mut bridge = Bridge::start("entropy", &engine);
    check(
        &mut bridge,
        r#"
        > xboard
        > protover 2
        feature done=0
        feature myname="bash" *
        feature option="Style -combo calm /// *wild"
        feature option="Book -check 1"
        feature done=1
        > variant entropy
        setup *
        piece *
        > option Book=0
        > option Clear
        Error (expected NAME=VALUE): option Clear
        > option Nonsense=1
        Error (unknown option): option Nonsense=1
        > option Style=calm
        > go
        move a2a3
        > force
        > option Style=nonsense
        Error (*
        > quit
        "#,
    );
    let seen = std::fs::read_to_string(seen).expect("the engine's lines");
    for line in [
        "setoption name Book value false",
        "setoption name Style value calm",
    ] {
        assert!(seen.lines().any(|own| own == line), "{line}: {seen}");
    }
}

#[test]
fn each_limit_ends_a_search() {
    // `st 1000` alone would exceed the test's timeout.
    for (engine, limits) in [
        ("builtin nodes=300", "st 1000"),
        ("builtin", "st 1000\nnps 1"),
        ("builtin", "st 1000\nsd 2"),
        ("builtin", "st 0.05"),
        ("builtin", "level 0 0:01 0\ntime 20\notim 20"),
        ("builtin", "level 40 5 0\nsd 1"),
    ] {
        let mut bridge = Bridge::start("entropy", engine);
        bridge.set_up("entropy");
        bridge.send(&format!("{limits}\ngo"));
        let mv = bridge.line_after_thinking("move ");
        assert_eq!(mv.len(), "move a1b1".len(), "{limits}: {mv}");
    }
}

/// The engine reports its last depth with the move: that line follows the others at once, and is sent before the move.
#[test]
fn the_last_line_of_a_short_search_is_sent_before_its_move() {
    let folder = Folder::new("cecp-last-line");
    let engine = "while read -r a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) \
                  echo info depth 1 score cp 1 nodes 10 pv a2-a3; echo info depth 2 score cp 2 nodes 20 pv a2-a3; \
                  echo info depth 7 score cp -33 nodes 70 pv a2-a3 a4-b3; echo bestmove a2-a3;; quit) exit;; esac; done";
    let path = folder.path("engine");
    std::fs::write(&path, engine).expect("a script");
    let mut bridge = Bridge::start("entropy", &format!("cmd=bash arg={}", path.display()));
    bridge.set_up("entropy");
    bridge.send("st 0.05\ngo");
    let mut before = String::new();
    let mv = loop {
        match bridge.line() {
            line if line.starts_with("move ") => break line,
            line => before = line,
        }
    };
    assert_eq!(mv, "move a2a3");
    let words: Vec<&str> = before.split(' ').collect();
    assert_eq!(
        (words[0], words[1], words[3]),
        ("7", "-33", "70"),
        "{before}"
    );
    assert_eq!(words[4..], ["a2a3", "a4b3"], "{before}");
}

#[test]
fn an_engine_that_searches_moves_when_it_is_told_to() {
    let mut bridge = Bridge::start("entropy", "builtin");
    bridge.set_up("entropy");
    bridge.send("st 1000\ngo\n?");
    bridge.line_after_thinking("move ");
    // An abandoned search sends nothing.
    bridge.send("force\nundo\ngo\nforce\nping 1");
    bridge.line_after_thinking("pong 1");
    bridge.send("go\n?");
    bridge.line_after_thinking("move ");
}

#[test]
fn an_analysis_follows_the_game() {
    let mut bridge = Bridge::start("gobblet", "builtin");
    bridge.set_up("gobblet");
    bridge.send("analyze");
    let is_thinking = |line: &str| {
        line.split(' ')
            .take(4)
            .all(|word| word.parse::<i64>().is_ok())
    };
    let pv = |bridge: &Bridge| loop {
        let line = bridge.line();
        if is_thinking(&line) {
            return line.split(' ').nth(4).expect("a move").to_owned();
        }
    };
    let first = pv(&bridge);
    assert!(first.contains('@'), "{first}");
    bridge.send("usermove C@g2");
    bridge.send("ping 7");
    while bridge.line() != "pong 7" {}
    let reply = pv(&bridge);
    assert_ne!(reply, "C@g2", "the square is taken");
    bridge.send(".");
    while !bridge.line().starts_with("stat01: ") {}
    bridge.send("undo\nsetboard 3*3*3/3*3*3/3*3*3[ABCabc] b - - 0 1\nexit\nping 8");
    while bridge.line() != "pong 8" {}
    bridge.send(".");
    assert_eq!(bridge.line(), "Error (command not legal now): .");
}

#[test]
fn an_engine_that_dies_resigns() {
    let folder = Folder::new("cecp-death");
    let engine = "cmd=SCRIPTED arg=exit".replace("SCRIPTED", crate::support::SCRIPTED);
    let mut bridge = Bridge::start("susan", &engine);
    bridge.set_up("susan");
    bridge.send("go");
    let line = bridge.line_after_thinking("tellusererror");
    assert!(line.len() > "tellusererror ".len(), "{line}");
    assert_eq!(bridge.line(), "resign");
    drop(folder);
}

#[test]
fn a_pass_is_told_both_ways() {
    let placement = "s1S1S/S2s1/3S1/s1sss/1SsSS";
    let mut bridge = Bridge::start("entropy", "builtin nodes=60");
    bridge.set_up("entropy");
    bridge.send(&format!(
        "computer\nforce\nsetboard {placement} w - - 0 1\ngo"
    ));
    assert_eq!(bridge.line_after_thinking("move "), "move @@@@");
    // XBoard sends a pass as the same board with the other side to move. The bridge then moves without `go`.
    bridge.send(&format!("force\nsetboard {placement} w - - 0 1\nplayother"));
    bridge.send(&format!("setboard {placement} b - - 0 1"));
    let reply = bridge.line_after_thinking("move ");
    assert_ne!(reply, "move @@@@");
    // The pass is a move of the game: `remove` takes back both.
    bridge.send("force\nremove\ngo");
    assert_eq!(bridge.line_after_thinking("move "), "move @@@@");
}
