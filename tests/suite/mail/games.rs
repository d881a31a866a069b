//! Whole games of all five games between two mailboxes, with messages made by Python's `email` package.

use std::process::Command;
use std::thread;

use kit::DynHistory;
use record::game_spec::GameSpec;
use record::ledger::read_ledger;

use crate::support::{Folder, program, python};

/// The longest game accepted, and the number of attempts.
const MAX_PLIES: usize = 60;
const MAX_TRIES: u64 = 3000;

/// A short game of random moves, the same in each run.
fn short_game(game: &str) -> Vec<String> {
    let spec = GameSpec::parse(game).expect("a game");
    let rules = linesman::GAMES
        .rules(&spec)
        .expect("its options")
        .expect("rules");
    let play = |seed: u64| {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut board: Box<dyn DynHistory> = rules.start();
        let mut codes = Vec::new();
        while board.outcome().is_none() && codes.len() < MAX_PLIES {
            let moves = board.moves();
            let code = moves[random.usize(..moves.len())].clone();
            codes.push(board.play(&code).expect("a legal move"));
        }
        board.outcome().map(|_| codes)
    };
    let found = (0..MAX_TRIES).find_map(play);
    found.unwrap_or_else(|| panic!("no short game of {game}"))
}

/// Plays a game by mail, with one process per message, and checks its ledger.
fn play_by_mail(game: &str, python: &str) {
    let moves = short_game(game);
    let folder = Folder::new("mail-game");
    folder.copy_data_as("mail/players.py", "players.py");
    let mut command = Command::new(python);
    let done = command
        .current_dir(folder.path(""))
        .arg("players.py")
        .arg(program("linesman-club"))
        .arg(game)
        .args(&moves)
        .output()
        .expect("python runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{game}: {moves:?}\n{said}");
    let name = game.split(':').next().expect("a name");
    let path = folder.path(&format!("club.db.games/{name}-1.jsonl"));
    let ledger = read_ledger(&path).expect("a ledger");
    assert_eq!(ledger.games[0].moves, moves, "{game}");
    let spec = GameSpec::parse(game).expect("a game");
    let rules = linesman::GAMES
        .rules(&spec)
        .expect("its options")
        .expect("rules");
    let mut board = rules.start();
    for code in &moves {
        board.play(code).expect("a legal move");
    }
    let outcome = board.outcome().expect("it is over");
    assert_eq!(ledger.games[0].result, outcome.into(), "{game}");
    // Other commands can read the ledger.
    for words in ["show", "stats"] {
        folder
            .linesman(&format!("{words} club.db.games/{name}-1.jsonl"))
            .exits(0);
    }
}

#[test]
fn whole_games_between_two_mailboxes() {
    let python = or_skip!(python());
    let games = [
        "graph-hockey:Side=1,Gap=1",
        "gobblet",
        "susan:Size=3",
        "projex:Size=3",
        "entropy",
    ];
    thread::scope(|scope| {
        let players = games.map(|game| {
            let python = &python;
            scope.spawn(move || play_by_mail(game, python))
        });
        for player in players {
            player.join().expect("a whole game");
        }
    });
}
