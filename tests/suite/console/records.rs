//! Records of abandoned games, and continuing them.

use super::pty::{Terminal, talk};
use crate::support::{Folder, has, lacks};

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
    folder.write("game.jsonl", torn);
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
    folder.write("d.jsonl", moveless);
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
