//! A match's files besides its ledger: PGN with more comments, final positions, the log.

use linesman::GAMES;
use record::game_spec::GameSpec;
use record::opening::Opening;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::{Done, Folder, begins, has, lacks};

fn plays(folder: &Folder, words: &str) -> Done {
    folder.linesman(words).exits(0)
}

/// The final position of a recorded game.
fn final_position(game: &Value) -> String {
    let rules = GAMES.rules(&GameSpec::parse("susan").expect("a game"));
    let rules = rules.expect("susan is known").expect("it has rules");
    let moves = game["moves"].as_array().expect("moves").iter();
    let moves = moves.map(|code| code.as_str().expect("a code").to_owned());
    let line = Opening {
        fen: None,
        moves: moves.collect(),
    };
    rules.open(&line).expect("they are legal").fen()
}

/// Plays until two games are finished, then kills the program.
fn play_and_kill(folder: &Folder, words: &str) {
    let run = folder.linesman(words);
    let mut n_finished = 0;
    while n_finished < 2 {
        let line = run.line().expect("the match goes on");
        n_finished += usize::from(line.starts_with("Finished game "));
    }
    let pid = i32::try_from(run.pid()).ok().and_then(Pid::from_raw);
    kill_process(pid.expect("a process"), Signal::KILL).expect("it runs");
    assert_eq!(run.done().status, None, "it was killed");
}

#[test]
fn comments_tell_what_was_asked_for() {
    let folder = Folder::new("pgn-comments");
    let line = "match susan --each nodes=300 --games 2 --seed 4";
    plays(&folder, &format!("{line} --ledger a --pgn plain"));
    plays(
        &folder,
        &format!("{line} --ledger b --pgn p --pgn-comments pv,nodes,nps"),
    );
    let (plain, told) = (folder.read("plain"), folder.read("p"));
    has(&plain, "[Event \"Linesman match\"]\n[Site \"?\"]\n");
    lacks(&plain, ", n=");
    lacks(&plain, "pv=");
    lacks(&folder.read("a"), "\"pv\"");
    let (_, games) = folder.ledger("b");
    let joined = told.replace('\n', " ");
    for ply in games[0]["plies"].as_array().expect("plies").iter().skip(2) {
        let nodes = ply["nodes"].as_u64().expect("nodes");
        let pv = ply["pv"].as_array().expect("a line").iter();
        let pv: Vec<&str> = pv.map(|code| code.as_str().expect("a code")).collect();
        assert!(!pv.is_empty());
        has(&joined, format!("s, n={nodes}, nps="));
        has(&joined, format!(", pv=\"{}\"}}", pv.join(" ")));
    }
    // The moves are read from it as from a PGN without comments.
    let schedule = |file: &str| {
        let words = format!("match susan --openings file={file} plies=6 --games 4 --dry-run");
        plays(&folder, &words).stdout
    };
    assert_eq!(schedule("p"), schedule("plain"));
    let [n_told, n_plain] =
        ["p", "plain"].map(|file| plays(&folder, &format!("stats {file}")).lines(" 1  ").len());
    assert_eq!(n_told, n_plain);
    let mut widths = told.lines().map(|line| line.chars().count());
    assert!(widths.all(|width| width <= 80), "{told}");
}

#[test]
fn a_killed_match_loses_and_doubles_nothing() {
    let folder = Folder::new("killed");
    plays(
        &folder,
        "match susan --games 2 --each nodes=50 --ledger old --pgn p",
    );
    let old = folder.read("p");
    let outputs = "--pgn p --pgn-comments pv --epdout e";
    let words = "match susan --games 8 --concurrency 2 --each nodes=3000 --ledger l --pgn-append";
    play_and_kill(&folder, &format!("{words} {outputs}"));
    // The last writes may be torn, or may not have reached the disk.
    let text = folder.read("e");
    std::fs::write(folder.path("e"), &text[..text.len() - 3]).expect("it can be written");
    let text = folder.read("p");
    std::fs::write(folder.path("p"), &text[..old.len() + 20]).expect("it can be written");
    plays(&folder, &format!("match --resume l {outputs}"));
    check_twins(&folder, &old, 8);
    let (pgn, positions) = (folder.read("p"), folder.read("e"));
    plays(&folder, &format!("match --resume l {outputs}"));
    assert_eq!(
        (folder.read("p"), folder.read("e")),
        (pgn, positions),
        "it is complete"
    );
    plays(&folder, &format!("match --resume l --games 10 {outputs}"));
    check_twins(&folder, &old, 10);
}

/// Checks that each game is once in the PGN file, after the old games, and once in the file of positions.
fn check_twins(folder: &Folder, old: &str, n_games: usize) {
    let (_, lines) = folder.ledger("l");
    let is_game = |line: &Value| line.get("result").is_some();
    let games: Vec<Value> = lines.into_iter().filter(is_game).collect();
    assert_eq!(games.len(), n_games);
    let positions: Vec<String> = games.iter().map(final_position).collect();
    assert_eq!(folder.read("e").lines().collect::<Vec<_>>(), positions);
    let pgn = folder.read("p");
    let own = pgn.strip_prefix(old).expect("what stood there");
    let rounds = own.lines().filter(|line| line.starts_with("[Round "));
    let wanted = games.iter();
    let wanted = wanted.map(|game| format!("[Round \"{}.{}\"]", game["pair"], game["game"]));
    assert_eq!(Vec::from_iter(rounds), Vec::from_iter(wanted));
    begins(own, "[Event ");
    has(&own, ", pv=\"");
}
