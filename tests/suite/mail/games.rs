//! Whole games of all five games between two mailboxes, with messages made by Python's `email` package.

use std::process::Command;

use record::game::GameResult;
use record::game_spec::GameSpec;
use record::ledger::LedgerReader;

use crate::support::{Folder, in_parallel, program, python};

/// The longest game accepted, and the number of attempts.
const MAX_PLIES: usize = 60;
const MAX_TRIES: u64 = 3000;

/// A short game of random moves, the same in each run, and its result.
fn short_game(game: &str) -> (Vec<String>, GameResult) {
    let spec = GameSpec::parse(game).expect("a game");
    let rules = linesman::GAMES.rules(&spec).expect("its options");
    let rules = rules.expect("rules");
    let play = |seed: u64| {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut board = rules.start();
        while board.outcome().is_none() && board.ply() < MAX_PLIES {
            let code = random.choice(board.moves()).expect("a legal move");
            board.play(&code).expect("a legal move");
        }
        Some((board.played(), board.outcome()?.into()))
    };
    let found = (0..MAX_TRIES).find_map(play);
    found.unwrap_or_else(|| panic!("no short game of {game}"))
}

/// Plays a game by mail, with one process per message, and checks its ledger.
fn play_by_mail(game: &str, python: &str) {
    let (moves, result) = short_game(game);
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
    let ledger = LedgerReader::open(&path)
        .and_then(LedgerReader::into_ledger)
        .expect("a ledger");
    assert_eq!(ledger.games[0].moves, moves, "{game}");
    assert_eq!(ledger.games[0].result, result, "{game}");
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
    in_parallel(&games, |game| play_by_mail(game, &python));
}
