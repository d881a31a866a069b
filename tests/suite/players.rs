//! CECP and GTP programs as players of a match: a bridge behind a bridge.

use crate::support::{Folder, has, in_parallel, lacks, python};

const OWN: &str = env!("CARGO_BIN_EXE_linesman-test");

/// With a bridge behind a bridge as one player, the games are the same as when the engine plays itself.
fn plays_as_the_engine_does(proto: &str, game: &str, nodes: u32) {
    let folder = Folder::new("bridged-player");
    let rest = format!("--each nodes={nodes} --games 2 --seed 5");
    let (limit, fields): (_, &[&str]) = match proto {
        "cecp" => (String::new(), &["moves", "result", "reason"]),
        // Its limits are those of the program, and the end of a game is a pass.
        _ => (
            format!("arg=--engine arg=builtin arg=nodes={nodes}"),
            &["moves"],
        ),
    };
    let bridged = format!("cmd={OWN} arg=bridge arg={proto} arg={game} {limit} proto={proto}");
    for (engine, ledger) in [("builtin", "plain"), (&*bridged, "bridged")] {
        let engines = format!("--engine builtin name=A --engine {engine} name=B");
        let words = format!("match {game} {engines} {rest} --ledger {ledger}");
        folder.linesman(&words).exits(0);
    }
    let (plain, bridged) = (folder.games("plain"), folder.games("bridged"));
    assert_eq!((plain.len(), bridged.len()), (2, 2), "{game}");
    for (plain, bridged) in plain.iter().zip(&bridged) {
        assert!(
            plain["moves"]
                .as_array()
                .is_some_and(|moves| moves.len() > 4),
            "{plain}"
        );
        for field in fields {
            assert_eq!(bridged[field], plain[field], "{game}");
        }
    }
}

#[test]
fn programs_play_as_their_engine_does() {
    let cases = [
        ("cecp", "entropy", 100),
        ("cecp", "gobblet", 100),
        ("cecp", "gobblet:Size=4", 60),
        ("cecp", "susan:Size=3", 100),
        ("cecp", "susan:Size=6", 60),
        ("cecp", "projex:Size=4", 60),
        // Boards with ten ranks number them from 0.
        ("cecp", "projex:Size=6,Swap=false", 40),
        ("gtp", "entropy", 100),
        ("gtp", "gobblet", 200),
        ("gtp", "gobblet:Size=4", 100),
        ("gtp", "susan:Size=4", 200),
        ("gtp", "projex:Size=4", 200),
    ];
    in_parallel(&cases, |(proto, game, nodes)| {
        plays_as_the_engine_does(proto, game, *nodes)
    });
}

#[test]
fn a_program_that_cannot_play_the_game_is_refused_before_the_first_one() {
    let size = "the program's board has 5 points a side, and susan Size=4 needs 7";
    let board = "the program's board is 5x5+1_fairy, not 7x7+1_fairy";
    let other = "the program plays entropy, not susan";
    for (proto, game, arg, why) in [
        ("cecp", "susan:Size=4", "susan:Size=3", board),
        ("cecp", "susan", "entropy", other),
        ("gtp", "susan:Size=4", "susan:Size=3", size),
    ] {
        let folder = Folder::new("other-board");
        let words = format!(
            "match {game} --engine builtin --engine cmd={OWN} arg=bridge arg={proto} arg={arg} proto={proto} name=B \
             --each nodes=50 --games 1 --openings none --ledger l"
        );
        folder.linesman(&words).fails(1, why);
        assert!(!folder.has("l"));
    }
}

/// The program announces the end of a game only when the next one has begun.
#[test]
fn a_late_announcement_is_that_of_the_game_before() {
    let Some(python) = python() else { return };
    let folder = Folder::new("late-announcement");
    let text = "import subprocess, sys\n\
        bridge = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, text=True)\n\
        for line in sys.stdin:\n    \
            if line == 'new\\n':\n        print('0-1 {White resigns}', flush=True)\n    \
            print(line, end='', file=bridge.stdin, flush=True)\n";
    folder.write("late.py", text);
    let late =
        format!("cmd={python} arg=late.py arg={OWN} arg=bridge arg=cecp arg=entropy proto=cecp");
    let rest = "--each nodes=50 --games 2 --noswap --ledger l";
    let words = format!("match entropy --engine {late} name=A --engine builtin {rest}");
    let done = folder.linesman(&words).exits(0);
    done.shows(2, "Finished game");
    lacks(&done.said(), "resigns");
}

#[test]
fn an_adapter_answers_what_the_rules_know() {
    let folder = Folder::new("gtp-adapter");
    let line = "printf 'ugi\\nisready\\nsetoption name Size value 4\\nposition startpos moves a1\\nquery moves\\nquery game\\n\
                query p1turn\\nposition startpos moves z9\\nquery fen\\ngo perft 2\\ngo movetime 50\\n' | \
                LINESMAN bridge ugi susan --engine cmd=LINESMAN arg=bridge arg=gtp arg=susan:Size=4 proto=gtp";
    let done = folder.shell(line).exits(0);
    for line in [
        "ugiok",
        "readyok",
        "response susan Size=4",
        "response false",
        "response x3/5/6/7/6/5/4 o 0",
        "info error go perft: this engine does not support perft",
    ] {
        assert!(
            done.stdout.iter().any(|own| own == line),
            "{line}: {done:?}"
        );
    }
    has(&done.stdout, "info error z9");
    done.shows(1, "id name Linesman Susan");
    let best = done.lines("bestmove ");
    assert_eq!(best.len(), 1, "{:?}", done.stdout);
    assert_ne!(best[0], "bestmove none");
}
