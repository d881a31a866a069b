//! Records of abandoned games, and continuing them.

use super::pty::{Terminal, talk};
use crate::support::{Folder, begins, has, lacks};

#[test]
fn a_killed_game_goes_on() {
    let folder = Folder::new("console-kill");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human --ledger game.jsonl --pgn p");
    terminal.talk(
        "=> 1. x> / e5 => 2. o> / b2 => 3. x> / c3 => 4. o> / undo => 3. x (back)> / c4 => 4. o>",
    );
    terminal.kills();
    // A line that was only partly written when the process was killed.
    let torn = folder.read("game.jsonl") + "{\"journal\":{\"mo";
    std::fs::write(folder.path("game.jsonl"), torn).expect("the ledger can be written");
    let mut terminal = Terminal::new(&folder, "play susan --pgn p --continue");
    terminal.talk(
        "=> ledger: game.jsonl | 4. o>
        back => 3. c4 was taken back; move 3 is next; c3, c4 were played from here | 3. x (back)>
        forward => 4. o> / resign => 4. o>
        resign => Game over: x wins, 1-0 | game over>",
    );
    terminal.quits();
    let record = folder.read("game.jsonl");
    let last = record.lines().last().expect("a record");
    has(&last, "\"moves\":[\"e5\",\"b2\",\"c4\"],\"result\":\"1-0\"");
    assert_eq!(record.matches("\"result\"").count(), 1);
    has(&folder.read("p"), "[PlyCount \"3\"]");
    folder
        .linesman("play susan --continue")
        .fails(2, "--continue: no unfinished game in this folder");
}

/// Names of the files in a folder that contain games.
fn files(folder: &Folder) -> Vec<String> {
    let files = std::fs::read_dir(folder.path(".")).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "state").collect()
}

/// Looking at a game without making a move creates no file.
#[test]
fn a_game_without_moves_leaves_no_file() {
    let folder = Folder::new("console-moveless");
    let script = "flip\\nmoves\\nundo\\nauto off\\nnew\\nsetup startpos moves e5 b2\\n?\\n";
    let line = format!("printf '{script}' | LINESMAN play susan --p2 human --pgn p");
    let done = folder.shell(&line).exits(0);
    done.shows(0, "ledger: ");
    done.shows(0, "the game is saved");
    assert_eq!(files(&folder), Vec::<String>::new());
    folder
        .linesman("play susan --p2 human --ledger missing/l")
        .fails(1, "missing/l: No such file");
    folder
        .linesman("play susan --p2 human --pgn missing/p")
        .fails(1, "missing/p: No such file");
    assert_eq!(files(&folder), Vec::<String>::new());
}

/// The ledger also has what was set before the first move: the position and the players.
#[test]
fn the_ledger_is_made_at_the_first_move_with_what_came_before() {
    let folder = Folder::new("console-first-move");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human --ledger l --pgn p");
    terminal.talk("=> 1. x> / setup startpos moves e5 b2 => 3. x>");
    assert_eq!(files(&folder), Vec::<String>::new());
    terminal.talk("c3 => ledger: l | 4. o>");
    assert_eq!(files(&folder), ["l"]);
    terminal.kills();
    let mut terminal = Terminal::new(&folder, "play --continue l --pgn p");
    terminal.talk("=> 4. o> / resign => Type resign again / resign => game over> / q");
    terminal.leaves();
    has(&folder.read("p"), "1. e5 {book} b2 {book} 2. c3");
}

/// The game that makes the first move gets the ledger, and none of its moves is lost.
#[test]
fn two_games_that_name_one_ledger_do_not_share_it() {
    let folder = Folder::new("console-two");
    let mut first = Terminal::new(&folder, "play susan --p2 human --ledger l");
    first.sees("1. x> ");
    let mut second = Terminal::new(&folder, "play susan --p2 human --ledger l");
    talk!(
        [second, first],
        "second => 1. x> / first: e5 => 2. o> / second: b2 => l: File exists"
    );
    second.leaves_with(1);
    first.talk("c3 => 3. x>");
    folder
        .linesman("play --continue l")
        .fails(1, "another linesman is writing to it");
    first.types("q");
    first.leaves();
    let ledger = folder.read("l");
    assert_eq!(
        ledger.matches("{\"journal\":{\"move\"").count(),
        2,
        "{ledger}"
    );
}

/// A disk that is full at the first move leaves no file that looks like a game.
#[test]
fn a_ledger_that_cannot_be_written_is_no_file() {
    let folder = Folder::new("console-full");
    let line = "printf 'e5\\n' | (trap '' XFSZ; ulimit -f 0; exec LINESMAN play susan --p2 human --ledger l)";
    let done = folder.shell(line).exits(1);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    begins(&done.stderr, "error: l: File too large");
    assert!(!folder.path("l").exists());
}

#[test]
fn a_bare_continue_takes_the_newest_game_that_was_begun() {
    let folder = Folder::new("console-newest");
    let play = |line: &str| {
        folder.shell(line).exits(0);
    };
    play("printf 'e5\\n' | LINESMAN play susan --p2 human --ledger a.jsonl");
    play("printf '3@b2\\n' | LINESMAN play gobblet --p2 human --ledger b.jsonl");
    play("printf 'e5\\nb2\\n' | LINESMAN play susan:Size=4 --p2 human --ledger c.jsonl");
    // Older versions created the ledger before the first move.
    let text = folder.read("c.jsonl");
    let moveless: String = text.split_inclusive('\n').take(4).collect();
    lacks(&moveless, "\"move\"");
    std::fs::write(folder.path("d.jsonl"), moveless).expect("a ledger");
    for (words, prompt) in [
        ("play --continue", "3. x> "),
        ("play susan --continue", "3. x> "),
        ("play SUSAN:Size=5 --continue", "2. o> "),
        ("play gob --continue", "2. yellow> "),
        ("play susan --continue d.jsonl", "1. x> "),
    ] {
        let mut terminal = Terminal::new(&folder, words);
        terminal.sees(prompt);
        terminal.quits();
    }
    let done = folder.linesman("play susan --continue b.jsonl").exits(2);
    assert_eq!(
        done.stderr,
        "error: GAME: b.jsonl contains a game of gobblet, not of susan: leave the game out\n"
    );
    folder.linesman("play entropy --continue").exits(2);
}

#[test]
fn a_resumed_game_may_be_written_as_pgn() {
    let folder = Folder::new("console-resumed-pgn");
    let play = |line: &str, status| folder.shell(line).exits(status);
    play(
        "printf '3@b2\\nresign\\nundo\\n3@b2\\n1@a1\\n' | LINESMAN play gobblet --p2 human --ledger l",
        0,
    );
    play(
        "printf '3@a3\\n1@b1\\n2@c1\\n' | LINESMAN play --continue l --pgn p",
        0,
    );
    assert_eq!(
        folder.read("p").matches("[Round ").count(),
        2,
        "the games before too"
    );
    // The same PGN file is rewritten with the same games; another file is left unchanged.
    play("printf 'quit\\n' | LINESMAN play --continue l --pgn p", 0);
    std::fs::write(folder.path("other"), "mine").expect("a file");
    let done = play(
        "printf 'quit\\n' | LINESMAN play --continue l --pgn other",
        1,
    );
    has(&done.stderr, "name another file with --pgn");
    assert_eq!(folder.read("other"), "mine");
    play(
        "printf 'quit\\n' | LINESMAN play --continue l --ledger m",
        2,
    );
    for (line, flag) in [
        ("--continue l --pgn l", "--pgn"),
        ("susan --p2 'builtin stderr=m' --ledger m", "stderr="),
    ] {
        let done = play(&format!("LINESMAN play {line}"), 2);
        let why = format!("error: {flag} and --ledger name the same file: name two");
        begins(&done.stderr, &why);
    }
    assert!(!folder.path("m").exists());
}

#[test]
fn a_game_that_is_over_is_recorded_once() {
    let folder = Folder::new("console-once");
    let script = "3@b2\\n1@a1\\n3@a3\\n1@b1\\n2@c1\\nback\\nforward\\nundo\\n2@c1\\n";
    let line = format!("printf '{script}' | LINESMAN play gobblet --p2 human --ledger l");
    folder.shell(&line).exits(0);
    let done = folder
        .shell("printf 'undo\\n2@c1\\n' | LINESMAN play --continue l")
        .exits(0);
    done.shows(2, "Game over: red wins: line c1 b2 a3, 1-0");
    assert_eq!(folder.read("l").matches("\"result\"").count(), 1);
}

#[test]
fn an_engine_takes_a_seat_and_hands_it_back() {
    let folder = Folder::new("console-auto");
    let script = "e5\\ngo\\nauto p1\\nauto off\\nresign\\n";
    let line = format!("printf '{script}' | LINESMAN play susan --p2 human --st 0.02 --ledger l");
    folder.shell(&line).exits(0);
    let text = folder.read("l");
    let last = text.lines().last().expect("a record");
    for part in [
        "human #2: an engine played the moves 2",
        "human: an engine played the moves 3",
    ] {
        has(&last, part);
    }
}

#[test]
fn the_ledger_of_a_match_is_no_game_to_go_on_with() {
    let folder = Folder::new("console-foreign");
    folder
        .linesman("match susan --games 2 --each nodes=50 --ledger m")
        .exits(0);
    folder
        .linesman("play susan --continue m")
        .fails(1, "the ledger of a match");
    let done = folder
        .shell("printf 'e5\\nload m\\n' | LINESMAN play susan --p2 human --ledger l")
        .done();
    has(&done.stdout.join("\n"), "> load m");
    done.shows(1, "Game over: ");
    let rejected = |ledger: &str| {
        let kept = folder.read(ledger);
        let done = folder
            .linesman(&format!("match --resume {ledger}"))
            .exits(1);
        let why = format!(
            "error: {ledger}: a game of linesman play, which `linesman play --continue FILE` resumes"
        );
        begins(&done.stderr, &why);
        assert_eq!(folder.read(ledger), kept);
    };
    rejected("l");
    // A finished game, and a table of engines alone.
    let line = "printf 'e5\\nresign\\n' | LINESMAN play susan --p2 human --ledger over";
    folder.shell(line).exits(0);
    rejected("over");
    let seats = "--p1 'builtin nodes=20' --p2 'builtin nodes=20'";
    let line = format!("printf 'go\\nback 1\\n' | LINESMAN play susan {seats} --ledger engines");
    folder.shell(&line).exits(0);
    rejected("engines");
}
