//! Games whose rules are a program: matches, records, and what happens when the program fails.

use std::fs;

use rustix::process::Signal;

use crate::console::Terminal;
use crate::dialogue::Dialogue;
use crate::support::{Folder, has, in_parallel, wait_until};

/// A match by the rules of `tests/data/counts.py`; the engines do not know them better.
const COUNTS: &str = "LINESMAN match counts --rules cmd=python3 arg=counts.py \
                      --engine cmd=SCRIPTED arg=counts name=A --engine cmd=SCRIPTED arg=counts name=B \
                      --each st=60 --openings none --games 4 --ledger l";

fn counts(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.copy_data("counts.py");
    folder
}

/// A person may type to an engine, too: its options are shown without their escape sequences.
#[test]
fn options_of_a_program_reach_no_terminal_raw() {
    let folder = counts("rules-escapes");
    let line = "LINESMAN engine counts --rules cmd=python3 arg=counts.py arg=escapes";
    let mut terminal = Terminal::shell(&folder, line);
    terminal.talk("ugi => option name A\\u{1b}[31m type string default b\\u{1b}[5m | ugiok");
    terminal.quits();
}

/// A built-in engine answers the queries of its game, so it can be the rules of that game.
#[test]
fn a_program_judges_as_the_compiled_rules_do() {
    let games = [
        "susan",
        "gobblet",
        "projex:Size=4",
        "entropy",
        "graph-hockey",
    ];
    in_parallel(&games, |game| {
        let folder = Folder::new("rules-twin");
        let (name, _) = game.split_once(':').unwrap_or((game, ""));
        let play = |ledger: &str, rules: &str| {
            let line = format!(
                "LINESMAN match {game} {rules} --engine cmd=LINESMAN arg=engine arg={name} name=A \
                 --engine cmd=LINESMAN arg=engine arg={name} name=B --each nodes=30 option.Seed=1 \
                 --seed 5 --games 2 --max-plies 24 --ledger {ledger}"
            );
            folder.shell(&line).exits(0);
            let (_, games) = folder.ledger(ledger);
            let parts = [
                "moves",
                "result",
                "termination",
                "reason",
                "opening",
                "first",
            ];
            games
                .iter()
                .map(|game| parts.map(|part| game[part].clone()))
                .collect::<Vec<_>>()
        };
        let rules = format!("--rules cmd=LINESMAN arg=engine arg={name}");
        assert_eq!(play("compiled", ""), play("program", &rules), "{game}");
    });
}

/// No engine loses by a fault of the rules: the match stops, names the program, and can be resumed.
#[test]
fn a_fault_of_the_rules_ends_the_match() {
    let cases = [
        ("dies", "exited with status 1: out of order"),
        ("dies-late", "exited with status 1: out of order"),
        ("silent", "no answer to \"query moves\" in 2 s"),
        (
            "nonsense",
            "answers query result with \"perhaps\": expected none, p1win, p2win or draw",
        ),
        ("no-moves", "no moves in a game that is not over"),
        ("refuses", "lists m4 and rejects it"),
    ];
    in_parallel(&cases, |(fault, words)| {
        let folder = counts("rules-fault");
        folder.write("broken", "");
        let line = COUNTS.replace("arg=counts.py", &format!("arg=counts.py arg={fault}"));
        let done = folder.shell(&format!("{line} --ping-ms 2000")).done();
        let errors: Vec<&str> = done
            .stderr
            .lines()
            .filter(|line| line.starts_with("error: "))
            .collect();
        assert_eq!(done.status, Some(1), "{fault}: {}", done.stderr);
        assert_eq!(errors.len(), 1, "{fault}: {}", done.stderr);
        has(&errors[0], "the rules of python3: ");
        has(&errors[0], words);
        assert_eq!(folder.ledger("l").1.len(), 0, "{fault}");
        fs::remove_file(folder.path("broken")).expect("the file");
        folder.linesman("match --resume l").exits(0);
        assert_eq!(folder.ledger("l").1.len(), 4, "{fault}");
    });
}

/// The console asks for the drawing when the table is already waiting for a move.
#[test]
fn a_failure_while_the_board_is_drawn_ends_the_game() {
    let folder = counts("rules-drawing");
    folder.write("broken", "");
    let mut command = folder.command(env!("CARGO_BIN_EXE_linesman-test"));
    let rules = "cmd=python3 arg=counts.py arg=dies-drawing";
    command.args([
        "play", "counts", "--p1", "human", "--p2", "human", "--rules",
    ]);
    command.args(rules.split(' '));
    let mut console = Dialogue::new(command);
    console.write(b"m1\nm2\nm3\n");
    while console.line().is_some() {}
    assert_eq!(console.close().1, Some(1));
}

/// The program reads until its input ends, and answers nothing.
#[test]
fn a_signal_while_the_rules_start_is_an_interruption() {
    let folder = Folder::new("rules-signal");
    folder.write("mute.sh", "touch started; cat > ignored");
    let run = folder.linesman("match mute --rules cmd=sh arg=mute.sh");
    wait_until("it starts", || folder.has("started"));
    run.signal(Signal::INT);
    let done = run.done();
    let line = "interrupted before the first game: no ledger was created\n";
    assert_eq!((done.status, done.stderr.as_str()), (Some(3), line));
}

/// The programs of the templates, each with its moves: their counts, and a match that is judged by them.
#[test]
fn the_games_of_the_templates_are_played() {
    let games = [
        ("hex", "hex:Size=4", "hex.py"),
        ("connect4", "connect4", "connect4.py"),
        ("othello", "othello:Size=4", "othello.py"),
        (
            "breakthrough",
            "breakthrough:Columns=4,Rows=5",
            "breakthrough.py",
        ),
        ("domineering", "domineering:Size=4", "domineering.py"),
        ("amazons", "amazons:Size=4", "amazons.py"),
        ("ataxx", "ataxx", "ataxx.py"),
        ("draughts", "draughts", "draughts.py"),
    ];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    in_parallel(&games, |(name, game, file)| {
        let here = Folder::new("rules-game");
        let program = format!("cmd=python3 arg={folder}/{file}");
        let line = format!(
            "match {game} --rules {program} --engine {program} name=random --engine builtin name=tree \
             --each nodes=60 --games 2 --max-plies 40 --seed 2 --strict --ledger l --pgn p.pgn"
        );
        here.linesman(&line).exits(0);
        let (_, played) = here.ledger("l");
        assert_eq!(played.len(), 2, "{name}");
        let shown = here.linesman("show l 2").exits(0);
        assert!(shown.stdout.len() > 10, "{name}: {:?}", shown.stdout);
        here.linesman(&format!("show p.pgn 2 --svg b.svg --rules {program}"))
            .exits(0);
        assert!(here.read("b.svg").starts_with("<svg"), "{name}");
    });
}

/// The NBoard protocol, with a program that rejects any line that the protocol does not allow.
#[test]
fn an_nboard_program_plays_othello() {
    plays_by_bridge("othello", "nboard.py");
}

/// The Hub protocol, with such a program. It names captured squares in descending order.
#[test]
fn a_hub_program_plays_draughts() {
    plays_by_bridge("draughts", "hub.py");
}

/// Plays a match between a strict program behind a bridge, which searches to depth 3 with a score of -1.5, and random
/// moves.
fn plays_by_bridge(game: &str, bridge: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let here = Folder::new(bridge);
    here.copy_data(bridge);
    let rules = format!("{folder}/{game}.py");
    let line = format!(
        "match {game} --rules cmd=python3 arg={rules} --openings random:plies=5 --games 4 --seed 1 --strict --ledger l \
         --engine cmd=python3 arg={folder}/{bridge} arg=python3 arg={bridge} arg={rules} name=bridged depth=3 \
         --engine cmd=python3 arg={rules} name=random nodes=1"
    );
    here.linesman(&line).exits(0);
    let (_, games) = here.ledger("l");
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(game["termination"], "normal", "{game}");
        let plies = game["plies"].as_array().expect("plies");
        let n_scored = plies
            .iter()
            .filter(|ply| ply["score"]["cp"] == -150 && ply["depth"] == 3)
            .count();
        // Every second ply after the opening, in a game that can end early.
        assert!(3 * n_scored >= plies.len() - 5, "{game}");
    }
}

/// The lines that a Hub program receives and the moves that it makes, for lines of UGI.
#[test]
fn lines_of_ugi_become_lines_of_hub() {
    let start = "pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
    let kings = "pos pos=WWeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeweeeB moves=\"1-6 50-45\"";
    let cases: [(&[&str], String, &[&str]); 3] = [
        // Options before `init`; the moves before the last one by a man are part of the position; the increment is added
        // before the move; a search without a limit ends with the input.
        (
            &[
                "setoption name Threads value 2",
                "setoption name Book value a b",
                "isready",
                "setoption name Book value c",
                "uginewgame",
                "position startpos moves 32-28 19-23 28x19x23",
                "go p1time 9000 p2time 3500 p2inc 500 movestogo 3",
                "position fen W:WK1,46:BK50:H3 moves 1-6 50-45",
                "go depth 4",
                "go movetime 1500",
                "go infinite",
            ],
            format!(
                "set-param name=threads value=\"2\"\nset-param name=book value=\"a b\"\ninit\nping\nnew-game\n\
                 pos pos=Bbbbbbbbbbbbbbbbbbbwbeeeeeeeeeewewwwwwwwwwwwwwwwwww\nlevel moves=3 time=3 inc=0.5\ngo think\n\
                 {kings}\nlevel depth=4\ngo think\n{kings}\nlevel move-time=1.5\ngo think\n\
                 {kings}\nlevel infinite\ngo analyze\nstop\n"
            ),
            &["14x23x19", "46-41", "46-41", "46-41"],
        ),
        (
            &[
                "setoption name Ponder value true",
                "position startpos",
                "go ponder p1time 5000",
                "ponderhit",
            ],
            format!("init\n{start}\nlevel time=5 inc=0\ngo ponder\nponder-hit\n"),
            &["35-30 ponder 16-21"],
        ),
        // Wrong lines are not passed on.
        (
            &[
                "setoption name Nothing value 1",
                "position fen W:W1-51:B",
                "position startpos moves 32-28 0-1",
                "position startpos moves 32-28 x",
                "go",
                "go searchmoves 35-30",
            ],
            format!("init\n{start}\nlevel infinite\ngo analyze\nstop\n"),
            &["35-30"],
        ),
    ];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    in_parallel(&cases, |(lines, sent, moves)| {
        let here = Folder::new("rules-hub");
        here.copy_data("hub.py");
        here.write("in", format!("ugi\n{}\n", lines.join("\n")));
        let line = format!("python3 {folder}/hub.py python3 hub.py {folder}/draughts.py < in");
        let done = here.shell(&line).exits(0);
        assert_eq!(
            done.stderr,
            format!("hub\n{sent}quit\n"),
            "{:?}",
            done.stdout
        );
        let found = done.stdout.iter();
        let found = found.filter_map(|line| line.strip_prefix("bestmove "));
        assert_eq!(found.collect::<Vec<_>>(), *moves, "{:?}", done.stdout);
    });
}

/// Each line of the file is a program, its options, a position, a depth and the number of leaves.
#[test]
fn the_counts_of_the_templates_are_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let lines = include_str!("../data/games/perft.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let cases: Vec<Vec<&str>> = lines
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let is_quick = |case: &Vec<&str>| {
        let nodes: u64 = case[4].parse().expect("a number");
        case[0].ends_with(".py") && case[0] != "chess.py" && nodes <= 1000
    };
    let cases: Vec<Vec<&str>> = cases.into_iter().filter(is_quick).collect();
    assert!(cases.len() > 20, "{}", cases.len());
    let counted = in_parallel(&cases, |case| {
        let here = Folder::new("rules-perft");
        let options: Vec<&str> = case[1].split_whitespace().collect();
        let options = options
            .chunks(2)
            .map(|option| format!("setoption name {} value {}\n", option[0], option[1]));
        let options: String = options.collect();
        let lines = format!("{options}position {}\ngo perft {}\n", case[2], case[3]);
        here.write("in", lines);
        let name = case[0].trim_end_matches(".py");
        // The referee counts by the moves that the program lists.
        let line = format!(
            "LINESMAN engine {name} --rules cmd=python3 arg={folder}/{} < in",
            case[0]
        );
        here.shell(&line).exits(0).stdout.last().cloned()
    });
    for (case, counted) in cases.iter().zip(counted) {
        assert_eq!(
            counted.as_deref(),
            Some(format!("nodes {}", case[4]).as_str()),
            "{case:?}"
        );
    }
}
