//! Games whose rules are a program: matches, records, and what happens when the program fails.

use std::fs;

use crate::dialogue::Dialogue;
use crate::support::{Folder, has, in_parallel, signal, wait_until};

/// A match by the rules of `tests/data/counts.py`; the engines do not know them better.
const COUNTS: &str = "LINESMAN match counts --rules cmd=python3 arg=counts.py \
                      --engine cmd=SCRIPTED arg=counts name=A --engine cmd=SCRIPTED arg=counts name=B \
                      --each st=60 --openings none --games 4 --ledger l";

fn counts(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.copy_data("counts.py");
    folder
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

#[test]
fn records_of_a_program_s_game_are_read_back() {
    let folder = counts("rules-records");
    let done = folder.shell(&format!("{COUNTS} --pgn p.pgn")).exits(0);
    done.shows(1, "Finished game 4 (B vs A): 1-0 {B wins}");
    let (plan, games) = folder.ledger("l");
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game["termination"] == "normal"));
    assert_eq!(plan["plan"]["rules"]["words"][1], "arg=counts.py");
    // The ledger was written here, so its rules are run without asking.
    let shown = folder.linesman("show l 1").exits(0);
    assert!(
        shown
            .stdout
            .iter()
            .any(|line| line.contains("counts m1 m2 m3 m4 m5 m6")),
        "{:?}",
        shown.stdout
    );
    // Without `query diagram`, the position string is the picture.
    folder.linesman("show l 1 --svg picture").exits(0);
    has(&folder.read("picture"), ">6</text>");
    let shown = folder
        .linesman("show p.pgn 1 --rules cmd=python3 arg=counts.py")
        .exits(0);
    assert!(
        shown
            .stdout
            .iter()
            .any(|line| line.contains("counts m1 m2 m3")),
        "{:?}",
        shown.stdout
    );
    let rules =
        "printf 'rules\\n' | LINESMAN play counts --p2 human --rules cmd=python3 arg=counts.py";
    let told = folder.shell(rules).exits(0);
    told.shows(1, "counts has no text of its rules.");
    folder.linesman("match --resume l --games 6").exits(0);
    assert_eq!(
        folder.ledger("l").1.len(),
        7,
        "four games, the extension, two games"
    );
}

/// A resumed match keeps the rules of its ledger, and the built-in engine of these rules, where a compiled game has the
/// same name.
#[test]
fn a_program_with_the_name_of_a_compiled_game_keeps_its_match() {
    let folder = Folder::new("rules-name");
    let line = "LINESMAN match susan:Size=3 --rules cmd=LINESMAN arg=engine arg=susan \
                --each nodes=20 --games 2 --ledger l";
    folder.shell(line).exits(0);
    let names = |log: &str| {
        let log = folder.read(log);
        let names = log.lines().filter_map(|line| line.split_once("id name "));
        names.map(|(_, name)| name.to_owned()).collect::<Vec<_>>()
    };
    folder
        .linesman("match --resume l --games 4 --log log")
        .exits(0);
    let names = names("log");
    assert!(!names.is_empty());
    assert!(
        names.iter().all(|name| name.contains("tree search")),
        "{names:?}"
    );
}

/// The user's tables and levels are those of compiled games.
#[test]
fn tables_and_levels_do_not_disturb_a_program_s_game() {
    let folder = counts("rules-tables");
    fs::create_dir_all(folder.path("data/linesman/tables")).expect("a folder");
    let rules = "--rules cmd=python3 arg=counts.py";
    let line = format!("printf 'm1\\nquit\\n' | LINESMAN play counts {rules} --ledger l");
    let done = folder.shell(&line).exits(0);
    done.shows(1, "2. p2 (");
    folder.linesman("analyse l --nodes 20").exits(0);
    for level in ["--level 3", "--level adaptive"] {
        let line = format!(
            "printf 'e5\\nnew counts\\nm1\\nquit\\n' | LINESMAN play susan {rules} {level}"
        );
        let done = folder.shell(&line).exits(0);
        done.shows(1, "2. p2 (");
        for game in [format!("counts {rules}"), "--continue l".to_owned()] {
            folder
                .linesman(&format!("play {game} {level}"))
                .fails(2, "has no levels");
        }
    }
    folder
        .linesman(&format!("play counts {rules} --learn file"))
        .fails(2, "its engine does not learn");
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
            "query result: \"perhaps\": expected none, p1win, p2win or draw",
        ),
        ("no-moves", "no moves in a game that is not over"),
        ("refuses", "lists m4 and rejects it"),
    ];
    in_parallel(&cases, |(fault, words)| {
        let folder = counts("rules-fault");
        fs::write(folder.path("broken"), "").expect("a file");
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

/// An engine that does not move in time does not lose if the rules have failed meanwhile.
#[test]
fn a_late_fault_of_the_rules_comes_before_a_loss_on_time() {
    let folder = counts("rules-late");
    fs::write(folder.path("broken"), "").expect("a file");
    let line = COUNTS.replace("arg=counts.py", "arg=counts.py arg=silent-late");
    // In game 1, B moves fourth.
    let line = line.replace("name=B", "arg=silent-go arg=at=2 name=B");
    let line = line.replace("st=60", "st=0.1");
    folder
        .shell(&format!("{line} --ping-ms 1000"))
        .fails(1, "no answer to \"query moves\" in 1 s");
    assert_eq!(folder.ledger("l").1.len(), 0);
}

/// A program that fails is one error, at the start of any command, later, and in a game that people play.
#[test]
fn a_failure_of_the_rules_is_one_error() {
    let folder = counts("rules-failure");
    folder.shell(COUNTS).exits(0);
    fs::write(folder.path("broken"), "").expect("a file");
    let dies = "--rules cmd=python3 arg=counts.py arg=dies";
    let no_start = "--rules cmd=python3 arg=counts.py arg=no-start";
    let died = "error: the rules of python3: exited with status 1";
    let stuck = "position startpos: no moves in a game that is not over";
    let mute = "--rules cmd=python3 arg=counts.py arg=mute";
    let silent = "--rules cmd=python3 arg=counts.py arg=silent";
    let start = "error: --rules: python3: no answer to \"ugi\" in";
    let later = "the rules of python3: no answer to \"query moves\" in ";
    let cases = [
        (
            format!("LINESMAN match counts --startup-ms 500 {mute}"),
            start,
        ),
        (
            format!("LINESMAN check cmd=SCRIPTED arg=counts counts --startup-ms 500 {mute}"),
            start,
        ),
        (
            format!("LINESMAN check cmd=SCRIPTED arg=counts counts --ping-ms 2000 {silent}"),
            later,
        ),
        (
            format!(
                "printf 'm1\\nm2\\nm3\\nm4\\n' | LINESMAN play counts --p1 human --p2 human {dies}"
            ),
            died,
        ),
        (
            format!("LINESMAN match counts --openings random:plies=4 {dies}"),
            died,
        ),
        (format!("LINESMAN lab prove counts {dies}"), died),
        (format!("LINESMAN lab prove counts {no_start}"), stuck),
        (format!("LINESMAN lab mine counts {no_start}"), stuck),
        (
            format!("LINESMAN analyse l --nodes 20 {dies}"),
            "error: l: game 1: the rules of python3: exited with status 1",
        ),
        (
            "LINESMAN analyse l --nodes 20 --rules cmd=python3 arg=counts.py arg=dies-engine"
                .to_owned(),
            "error: --engine: the rules of python3: exited with status 1",
        ),
    ];
    in_parallel(&cases, |(line, error)| {
        let done = folder.shell(line).done();
        let errors: Vec<&str> = done
            .stderr
            .lines()
            .filter(|line| line.starts_with("error: "))
            .collect();
        assert_eq!(
            (done.status, errors.len()),
            (Some(1), 1),
            "{line}: {:?} {}",
            done.stdout,
            done.stderr
        );
        assert!(errors[0].contains(error), "{line}: {}", done.stderr);
        assert!(
            !done.stdout.iter().any(|line| line.contains("the rules of")),
            "{line}: {:?}",
            done.stdout
        );
    });
}

/// The console asks for the drawing when the table is already waiting for a move.
#[test]
fn a_failure_while_the_board_is_drawn_ends_the_game() {
    let folder = counts("rules-drawing");
    fs::write(folder.path("broken"), "").expect("a file");
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

/// The rules are asked about the reply that the last mover expects, while the other engine thinks; each position is asked
/// about once, and the final one twice.
#[test]
fn rules_are_asked_ahead() {
    let folder = counts("rules-ahead");
    fs::write(folder.path("asked"), "").expect("a file");
    let engine = "--engine cmd=python3 arg=counts.py arg=waits";
    let line = format!(
        "match counts --rules cmd=python3 arg=counts.py arg=logs {engine} name=A {engine} name=B --openings none \
         --games 2 --each st=30 --strict --ledger l"
    );
    let done = folder.linesman(&line).exits(0);
    done.shows(1, "Finished game 2 (B vs A): 1-0 {B wins}");
    let asked = folder.read("asked");
    // The introduction asks all queries about the start position once.
    let lengths: Vec<usize> = asked
        .lines()
        .map(|line| line.split_whitespace().count())
        .collect();
    assert_eq!(lengths, [0, 0, 1, 2, 3, 4, 5, 6, 6], "{asked}");
}

/// The built-in engine searches the program's moves, and reaches its failure before the referee does.
#[test]
fn a_fault_of_the_rules_is_no_loss_of_the_built_in_engine() {
    let cases = [
        ("dies", "nodes=50", "exited with status 1: out of order"),
        // The clock has run out before the failure is certain.
        (
            "silent-engine",
            "st=0.3",
            "no answer to \"query moves\" in 5 s",
        ),
    ];
    in_parallel(&cases, |(fault, limit, why)| {
        let folder = counts("rules-builtin");
        fs::write(folder.path("broken"), "").expect("a file");
        let line = format!(
            "match counts --rules cmd=python3 arg=counts.py arg={fault} --engine builtin name=A \
             --engine builtin name=B --each {limit} --openings none --games 4 --ledger l"
        );
        let done = folder.linesman(&line).exits(1);
        let failure = format!("error: the rules of python3: {why}");
        has(&done.stderr, &failure);
        let (_, games) = folder.ledger("l");
        assert!(games.is_empty(), "{fault}: {games:?}");
    });
}

#[test]
fn two_answers_for_one_position_are_a_fault() {
    let folder = counts("rules-fickle");
    folder
        .shell(&COUNTS.replace("arg=counts.py", "arg=counts.py arg=fickle"))
        .fails(1, "two answers for position startpos moves m1");
}

/// The program reads until its input ends, and answers nothing.
#[test]
fn a_signal_while_the_rules_start_is_an_interruption() {
    let folder = Folder::new("rules-signal");
    fs::write(folder.path("mute.sh"), "touch started; cat > ignored").expect("a program");
    let run = folder.linesman("match mute --rules cmd=sh arg=mute.sh");
    wait_until("it starts", || folder.path("started").exists());
    signal(&run, "-INT");
    let done = run.done();
    let line = "interrupted before the first game: no ledger was created\n";
    assert_eq!((done.status, done.stderr.as_str()), (Some(3), line));
}

#[test]
fn rules_that_cannot_be_used_are_one_error() {
    let folder = counts("rules-errors");
    for (words, error) in [
        (
            "match counts --rules cmd=./absent",
            "error: --rules: absent: cannot start: ",
        ),
        (
            "match counts --rules cmd=false",
            "--rules: false: exited with status 1",
        ),
        (
            "match counts --rules st=1",
            "st=1: expected cmd=PATH, arg=WORD, dir=PATH, name=GAME, option.NAME=VALUE or engine",
        ),
        (
            "match counts --rules engine",
            "--rules: engine: expected an engine with cmd=PATH",
        ),
        (
            "match chess --rules cmd=python3 arg=counts.py",
            "unknown game \"chess\": expected counts, ",
        ),
        (
            "lab table build counts --rules cmd=python3 arg=counts.py",
            "counts has no tables: expected ",
        ),
        (
            "match any --engine cmd=SCRIPTED proto=gtp --engine cmd=SCRIPTED",
            "proto=gtp has no queries, and any has no rules: expected --rules cmd=PROGRAM",
        ),
        (
            "match counts --rules cmd=python3 arg=counts.py --engine cmd=./absent proto=cecp --ledger absent",
            "absent: cannot be started: ",
        ),
        (
            "match counts --rules cmd=python3 arg=counts.py --engine cmd=false proto=gtp --ledger dead",
            "engine false: cannot be started: false exited with status 1",
        ),
        (
            "lab learn counts folder --rules cmd=python3 arg=counts.py",
            "counts: it has neither a network nor a policy to train",
        ),
    ] {
        let done = folder.linesman(words).done();
        let lines = done.stderr.lines().count();
        assert!(
            matches!(done.status, Some(1 | 2)) && lines == 1,
            "{words}: {:?} {}",
            done.status,
            done.stderr
        );
        has(&done.stderr, error);
    }
}

/// A ledger from elsewhere never runs its rules unasked.
#[test]
fn the_rules_of_a_foreign_ledger_are_not_run() {
    let folder = counts("rules-trust");
    folder.shell(COUNTS).exits(0);
    let text = folder.read("l").replace("arg=counts.py", "arg=other.py");
    fs::write(folder.path("foreign"), text).expect("a ledger");
    folder
        .linesman("show foreign 1")
        .fails(0, "was not begun on this machine: --rules");
    folder
        .linesman("match --resume foreign --games 8")
        .fails(2, "runs rules cmd=");
    // A program that has changed is not the one that judged the match.
    let rules = folder.read("counts.py");
    fs::write(folder.path("counts.py"), format!("{rules}# changed\n")).expect("a program");
    folder
        .linesman("match --resume l --games 6")
        .fails(2, "has changed since the match began");
    folder
        .linesman("match --resume l --games 6 --trust")
        .exits(0);
}

#[test]
fn the_engines_file_knows_games() {
    let folder = counts("rules-games");
    let file = folder.path("config/linesman/engines.toml");
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    let script = folder.path("counts.py").display().to_string();
    let game = format!("[[game]]\nname = \"six\"\nrules = \"python3\"\nargs = [{script:?}]\n");
    fs::write(&file, game).expect("a file");
    let listed = folder.linesman("games").exits(0);
    assert!(
        listed.stdout.iter().any(|line| line.starts_with("six ")),
        "{:?}",
        listed.stdout
    );
    let line = "match six --engine cmd=SCRIPTED arg=counts name=A --engine builtin nodes=50 name=B --openings none --games 2 --ledger m";
    let done = folder.linesman(line).exits(0);
    done.shows(1, "Finished game 2 (B vs A): 1-0 {B wins}");
    folder.linesman("show m 1").exits(0);
    fs::write(&file, "[[game]]\nname = \"six\"\nrule = 3\n").expect("a file");
    let done = folder.linesman("engines").done();
    has(&done.stderr, "line 3: rule");
}

/// A game of the file may have other defaults than its program.
#[test]
fn a_game_of_the_engines_file_has_its_options() {
    let folder = Folder::new("rules-options");
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../spec/templates/games/hex.py"
    );
    let write = |options: &str| {
        let game = format!(
            "[[game]]\nname = \"small\"\nrules = \"python3\"\nargs = [{script:?}]\noptions = {options}\n"
        );
        let file = folder.path("config/linesman/engines.toml");
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, game).expect("a file");
    };
    write("{ Size = 2, Swap = 0 }");
    for (game, last) in [
        ("small", "red (p1) to move wins; of 4 moves 2 won, 2 lost"),
        ("small:size=1", "red (p1) to move wins; of 1 moves 1 won"),
    ] {
        let proved = folder.linesman(&format!("lab prove {game}")).exits(0);
        assert_eq!(
            proved.stdout.last().map(String::as_str),
            Some(last),
            "{game}"
        );
    }
    folder
        .linesman("match small --each nodes=20 --games 2 --strict --ledger l")
        .exits(0);
    let (plan, games) = folder.ledger("l");
    assert_eq!(
        plan["plan"]["game"]["options"],
        serde_json::json!([["Size", "2"], ["Swap", "0"]])
    );
    assert!(
        games.iter().all(|game| game["moves"]
            .as_array()
            .is_some_and(|moves| moves.len() <= 4)),
        "{games:?}"
    );
    write("{ Sise = 2 }");
    folder.linesman("lab prove small").fails(1, "Sise");
}

/// Searches in a program's game: balanced openings, a proof, mined positions.
#[test]
fn games_of_programs_are_searched() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let program = format!("cmd=python3 arg={folder}/hex.py");
    let here = Folder::new("rules-searched");
    let run = |words: &str| {
        here.linesman(&format!("{words} --rules {program}"))
            .exits(0)
            .stdout
    };
    let openings = "match hex:Size=3,Swap=0 --dry-run --games 4 --seed 5 \
                    --openings balanced:plies=2 nodes=300 score=400";
    let drawn = run(openings);
    assert_eq!(drawn.len(), 4, "{drawn:?}");
    assert_eq!(run(openings), drawn);
    let proved = run("lab prove hex:Size=2,Swap=0");
    assert_eq!(
        proved.last().map(String::as_str),
        Some("red (p1) to move wins; of 4 moves 2 won, 2 lost")
    );
    let mined = run(
        "lab mine hex:Size=3,Swap=0 --games 3 --count 2 --seed 1 --nodes 2000 --shortest 1 --longest 3",
    );
    assert!(
        mined[0] == "game hex:Size=3,Swap=0" && mined.len() == 3,
        "{mined:?}"
    );
    fs::write(here.path("suite"), mined.join("\n")).expect("a file");
    let solved = run("lab solve suite --nodes 3000");
    assert_eq!(
        solved.last().map(String::as_str),
        Some("solved 2 of 2"),
        "{solved:?}"
    );
}

/// The program's own reason is shown, after the move as it was typed.
#[test]
fn an_illegal_move_is_explained_by_the_program() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let here = Folder::new("rules-illegal");
    let line = format!(
        "printf 'b2\\nb2\\nz9\\nquit\\n' | LINESMAN play hex:Size=3,Swap=0 --p1 human --p2 human \
         --rules cmd=python3 arg={folder}/hex.py"
    );
    let done = here.shell(&line).exits(0);
    let said: Vec<&str> = done.stderr.lines().collect();
    for code in ["b2", "z9"] {
        let line = format!("{code}: expected an empty cell; ? lists the commands");
        assert!(said.contains(&line.as_str()), "{said:?} {:?}", done.stdout);
    }
}

/// A game of squares is a board of GTP controllers.
#[test]
fn a_game_of_a_program_is_bridged_to_gtp() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let here = Folder::new("rules-gtp");
    let lines = "boardsize 3\\nplay b B2\\nplay w B2\\ngenmove w\\ngogui-rules_game_id\\n\
                 gogui-rules_side_to_move\\ngogui-rules_board\\nquit\\n";
    let line = format!(
        "printf '{lines}' | LINESMAN bridge gtp hex:Size=3,Swap=0 --rules cmd=python3 arg={folder}/hex.py \
         --engine builtin nodes=50"
    );
    let text = here.shell(&line).exits(0).stdout.join("\n");
    for part in ["? illegal move: B2", "= Hex", "= black", "X"] {
        has(&text, part);
    }
    let refused = here.linesman(&format!(
        "bridge gtp connect4 --rules cmd=python3 arg={folder}/connect4.py"
    ));
    let refused = refused.done().stderr;
    has(&refused, "a GTP board cannot show its moves");
    let refused = here.linesman(&format!(
        "bridge cecp hex --rules cmd=python3 arg={folder}/hex.py"
    ));
    let refused = refused.done().stderr;
    has(&refused, "hex does not fit XBoard's board of squares");
}

/// An engine whose `startpos` is not that of the rules receives the position string, and its games are judged.
#[test]
fn an_engine_with_another_start_receives_that_of_the_rules() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/templates/games");
    let here = Folder::new("rules-start");
    let rules = fs::read_to_string(format!("{folder}/ataxx.py")).expect("a template");
    let start = "x5o/7/7/7/7/7/o5x x 0 1";
    assert!(rules.contains(&format!("START = \"{start}\"")));
    let gaps = rules.replace(
        &format!("START = \"{start}\""),
        "START = \"x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1\"",
    );
    fs::write(here.path("gaps.py"), gaps).expect("a program");
    let line = format!(
        "match ataxx --rules cmd=python3 arg={folder}/ataxx.py --engine cmd=python3 arg={folder}/ataxx.py name=plain \
         --engine cmd=python3 arg=gaps.py name=gaps --each nodes=1 --games 4 --seed 1 --strict --ledger l"
    );
    let done = here.linesman(&line).exits(0);
    let note =
        format!("Note: gaps: startpos is not the start position of the rules: receives {start}");
    let notes = done
        .stdout
        .iter()
        .filter(|line| line.starts_with("Note: gaps"));
    assert_eq!(
        notes.collect::<Vec<_>>(),
        [&note.replacen("gaps: ", "gaps ", 1)],
        "{:?}",
        done.stdout
    );
    let (_, games) = here.ledger("l");
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{games:?}"
    );
}

/// The programs of the templates, each with moves of its own: their counts, and a match that is judged by them.
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

/// Plays a match between a strict program behind a bridge, which searches to depth 3 with a score of -1.5, and random moves.
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
        fs::write(here.path("in"), format!("ugi\n{}\n", lines.join("\n"))).expect("a file");
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
        let lines = format!(
            "{options}position {}\ngo perft {}\nquit\n",
            case[2], case[3]
        );
        fs::write(here.path("in"), lines).expect("a file");
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
