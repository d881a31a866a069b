//! Whole dialogues, compared line by line.

use super::Bridge;
use crate::support::{Folder, has};

/// Sends lines and checks every line of the answers; `*` in an expected line matches anything.
fn check(bridge: &mut Bridge, transcript: &str) {
    let mut lines = transcript
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
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

#[test]
fn a_game_against_a_person() {
    let mut bridge = Bridge::start("entropy", "builtin nodes=200");
    check(
        &mut bridge,
        r#"
        > xboard
        > protover 2
        feature done=0
        feature myname="Linesman entropy *
        feature option="Hash -spin 16 1 65536"
        feature option="Threads -spin *
        feature option="Move Overhead -spin *
        feature option="Skill Level -spin 20 0 20"
        feature option="UCI_LimitStrength -check 0"
        feature option="UCI_Elo -spin *
        feature option="Seed -spin 0 0 2147483647"
        feature option="TablePath -string "
        feature option="Search -combo *best /// *
        feature option="Disable -combo *nothing *
        feature done=1
        > accepted setboard
        > new
        > variant entropy
        setup (.S.....s....) 5x5+0_fairy sssss/s3s/5/S3S/SSSSS w - - 0 1
        piece S& mQ
        > level 40 5 0
        > post
        > hard
        > ping 1
        pong 1
        > lift a2
        highlight 5/2Y2/YY3/1YYY1/5
        > put a4
        > usermove a2a5
        Illegal move (*
        > usermove z9
        Illegal move (expected a move such as e2e4, S@e4 or @@@@): z9
        > time 30000
        > otim 29000
        > usermove a2a3
        move *
        > undo
        > remove
        Error (2 moves to take back: expected at most 1): remove
        > force
        > usermove a5b4
        > undo
        > xyzzy
        Error (unknown command): xyzzy
        > usermove e2
        Illegal move (expected a move such as e2e4, S@e4 or @@@@): ?e2
        > sd deep
        Error (expected a number): sd deep
        > variant normal
        Error (unsupported variant): variant normal
        > setboard 8/8/8/8/8/8/8/8 w - - 0 1
        tellusererror Illegal position: expected 5 ranks of 5 files
        > setboard nonsense
        tellusererror Illegal position: no side to move: expected ranks, then w or b
        > ping 2
        pong 2
        > hint
        > ?
        > go
        move *
        "#,
    );
    bridge.send(&"a".repeat(2 << 20));
    let too_long = "Error (line too long: expected at most 1048576 bytes): ...";
    assert_eq!(bridge.line_after_thinking("Error"), too_long);
    bridge.send("quit");
    let (rest, status) = bridge.0.close();
    assert_eq!((rest, status), (Vec::new(), Some(0)));
}

#[test]
fn the_end_of_a_game_is_told_with_its_reason() {
    let mut bridge = Bridge::start("susan:Size=3", "builtin nodes=200");
    bridge.set_up("susan");
    check(
        &mut bridge,
        "
        > force
        > setboard **3/*4/5/4*/xx w - - 0 1
        tellusererror Illegal position: *
        > setboard **sS1/*S3/5/4*/s2**[SSSsss] w - - 0 1
        > usermove S@c4
        1-0 {White wins: Black is surrounded on c5}
        > go
        > usermove S@a1
        Illegal move (the game is over): S@a1
        > undo
        > go
        move S@c4
        1-0 {White wins: Black is surrounded on c5}
        ",
    );
}

#[test]
fn a_person_is_told_of_passes_and_their_pieces_are_marked() {
    let mut bridge = Bridge::start("entropy", "builtin nodes=200");
    bridge.set_up("entropy");
    check(
        &mut bridge,
        "
        > setboard s1S1S/S2s1/3S1/s1sss/1SsSS w - - 0 1
        highlight 2r1r/r4/3r1/5/1r1rr
        telluser White can only pass: *
        > ping 3
        pong 3
        > setboard s1S1S/S2s1/3S1/s1sss/1SsSS b - - 0 1
        move *
        ",
    );
    // The engine passes.
    let mut bridge = Bridge::start("entropy", "builtin nodes=200");
    bridge.set_up("entropy");
    check(
        &mut bridge,
        "
        > force
        > setboard s1S1S/S2s1/3S1/s1sss/1SsSS w - - 0 1
        > go
        move @@@@
        highlight 2r1r/r4/3r1/5/1r1rr
        telluser White has no move and passes
        ",
    );
}

/// After the swap, the players place the second kind of piece, which has the picture of the opponent's first.
#[test]
fn a_swap_leaves_the_board_and_exchanges_the_stones_in_hand() {
    let mut bridge = Bridge::start("projex:Size=3", "builtin nodes=50");
    bridge.set_up("projex");
    check(
        &mut bridge,
        "
        > force
        > usermove S@b2
        > usermove S@c3
        > go
        move S@*
        telluser To exchange the colours, type pass and Enter
        > usermove @@@@
        telluser The colours are exchanged: White places stones with a ring, Black with a cross
        move T@*
        > usermove S@b2
        Illegal move (against the rules): S@b2
        ",
    );
    // XBoard sends a swap like a pass. It is a move of the game, which `remove` takes back.
    let mut bridge = Bridge::start("projex:Size=3", "builtin nodes=50");
    bridge.set_up("projex");
    check(
        &mut bridge,
        "
        > force
        > setboard **2/*S2/1sS1/3*[STst] b - - 0 1
        > setboard **2/*S2/1sS1/3*[STst] w - - 0 1
        > go
        move T@*
        > force
        > remove
        > usermove S@b1
        > setboard **2/*S2/1TS1/3*[STst] w - - 0 1
        > go
        move T@*
        ",
    );
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
fn an_engine_that_cannot_be_started_is_named() {
    let mut bridge = Bridge::start("susan", "cmd=./absent");
    check(
        &mut bridge,
        "
        > protover 2
        feature done=0
        feature *
        tellusererror absent: cannot be started: *
        feature done=1
        ",
    );
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
fn what_does_not_fit_is_refused() {
    let folder = Folder::new("cecp-unfit");
    for (game, part) in [
        ("graph-hockey", "linesman gui graph-hockey"),
        ("projex:Size=8", "Size up to 7"),
        ("susan:Size=7", "Size up to 6"),
        ("nonsense", "unknown game"),
    ] {
        let done = folder
            .linesman(&format!("bridge cecp {game}"))
            .fails(2, part);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
        let shown = &done.stdout[..];
        assert!(
            shown.len() == 1 && shown[0].starts_with("tellusererror ") && shown[0].contains(part),
            "{shown:?}"
        );
    }
    for (words, part) in [
        ("susan --engine builtin nodes=many", "nodes"),
        ("susan --frob", "--frob"),
        ("susan ''", "unexpected argument"),
        ("susan --log absent/log", "absent/log"),
    ] {
        let done = folder.linesman(&format!("bridge cecp {words}")).done();
        assert_ne!(done.status, Some(0), "{words}");
        let shown = &done.stdout[..];
        assert!(
            shown.len() == 1 && shown[0].starts_with("tellusererror ") && shown[0].contains(part),
            "{words}: {shown:?}"
        );
    }
}

#[test]
fn the_command_of_xboard_is_shown_and_its_pieces_are_written() {
    let folder = Folder::new("cecp-command");
    let data = folder.path("data");
    let line = format!(
        "XDG_DATA_HOME={} LINESMAN bridge cecp gobblet:Size=4 --engine builtin nodes=2000 --print-command",
        data.display()
    );
    let done = folder.shell(&line).exits(0);
    let pieces = data.join("linesman/xboard/gobblet");
    for part in [
        "xboard -variant gobblet -size 93 -fcp '/",
        " bridge cecp gobblet:Size=4 --engine builtin nodes=2000' -scp '/",
        " -testLegality false -ruleMoves 0 -repeatsToDraw 0 -trueColors true",
        &format!("-pid {}", pieces.display()),
    ] {
        has(&done.stdout, part);
    }
    let n_files = std::fs::read_dir(&pieces)
        .expect("a folder of pieces")
        .count();
    assert_eq!(n_files, 8);
    folder.linesman("bridge cecp susan --pieces here").exits(0);
    assert!(folder.read("here/BlackKnight.svg").starts_with("<svg "));
    std::fs::write(folder.path("file"), "").expect("a file");
    folder
        .linesman("bridge cecp susan --pieces file")
        .fails(1, "file: File exists");
    folder.linesman("bridge gtp susan --pieces here").exits(2);
    // A quoted word is never the last one.
    let words = "bridge cecp susan --engine builtin 'name=My engine' --print-command";
    let done = folder.linesman(words).exits(0);
    let part = "--engine builtin \"name=My engine\" --search-timeout-ms ";
    has(&done.stdout, part);
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
