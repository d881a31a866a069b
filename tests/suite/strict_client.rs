//! A client as strict as CuteGames, the match runner that defined UGI, plays whole games of all five games.
//!
//! It never sends `stop`. It sets options that no engine declared, sends `isready` before each `position`, and repeats
//! `position` before each `query`. At every ply it asks the first engine for the side to move. It understands only
//! `ugiok`, `readyok`, `bestmove`, and `response` with one word after it. Where CuteGames would wait forever, this
//! client panics with the line. It was compared with CuteGames at commit 409ac9f.

use std::process::Command;

use crate::dialogue::Dialogue;
use crate::support::in_parallel;

/// No game between engines that try to win is this long.
const MAX_PLIES: usize = 2000;

/// The limits that CuteGames can send. With the first one the game begins at the start position and is the same in each
/// run; with the others it begins at a position string.
const LIMITS: [&str; 4] = [
    "depth 1",
    "p1time 100 p2time 100 p1inc 1 p2inc 1",
    "nodes 50",
    "movetime 1",
];

struct Engine(Dialogue);

impl Engine {
    /// Handshake and options, as in the settings file that comes with CuteGames.
    fn start(game: &str) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linesman-test"));
        command.args(["engine", game]);
        let mut engine = Engine(Dialogue::new(command));
        engine.0.send("ugi");
        engine.wait_for(&["id", "option"], |words| words == ["ugiok"]);
        for (name, value) in [
            ("debug", "false"),
            ("threads", "1"),
            ("hash", "128"),
            ("ownbook", "false"),
        ] {
            engine
                .0
                .send(&format!("setoption name {name} value {value}"));
        }
        engine
    }

    /// Reads up to the expected line; only lines that begin with one of `others` may come before it.
    fn wait_for(&self, others: &[&str], is_it: impl Fn(&[&str]) -> bool) -> String {
        loop {
            let line = self.0.line().expect("the engine lives");
            let words: Vec<&str> = line.split(' ').collect();
            if is_it(&words) {
                return line;
            }
            assert!(
                others.contains(&words[0]),
                "CuteGames waits for ever: {line:?} is not what it waits for"
            );
        }
    }

    /// The second word of the next line with this first word and one other.
    fn word_after(&self, first: &str) -> String {
        let is_it =
            |words: &[&str]| matches!(words, [it, word] if *it == first && !word.is_empty());
        let line = self.wait_for(&["info"], is_it);
        line[first.len() + 1..].to_owned()
    }

    fn is_ready(&mut self) {
        self.0.send("isready");
        self.wait_for(&["info"], |words| words == ["readyok"]);
    }

    fn go(&mut self, limits: &str) -> String {
        self.0.send(&format!("go {limits}"));
        self.word_after("bestmove")
    }

    /// The answer to a query at a position. Every answer has two words.
    fn query(&mut self, position: &str, what: &str) -> String {
        self.0.send(position);
        self.0.send(&format!("query {what}"));
        self.word_after("response")
    }
}

/// Two engines play a game as under CuteGames. Returns the result that both report, and the number of plies.
fn play(engines: &mut [Engine; 2], start: &str, limits: &str) -> (String, usize) {
    for engine in engines.iter_mut() {
        engine.is_ready();
        engine.0.send("uginewgame");
    }
    let mut position = start.to_owned();
    for n_moves in 0..MAX_PLIES {
        let is_p1_turn = engines[0].query(&position, "p1turn") == "true";
        let [us, them] = if is_p1_turn { [0, 1] } else { [1, 0] };
        engines[us].is_ready();
        engines[us].0.send(&position);
        let answers = [us, them].map(|index| engines[index].query(&position, "gameover"));
        assert_eq!(answers[0], answers[1], "{position}");
        if answers[0] == "true" {
            return (result(engines, &position), n_moves);
        }
        let mv = engines[us].go(limits);
        assert_ne!(mv, "none", "{position}");
        position += if n_moves == 0 { " moves " } else { " " };
        position += &mv;
    }
    panic!("{start}: no end after {MAX_PLIES} plies")
}

/// The result of a finished game, which both engines must report.
fn result(engines: &mut [Engine; 2], position: &str) -> String {
    let answers = engines.each_mut().map(|engine| {
        engine.is_ready();
        engine.0.send(position);
        assert_eq!(engine.query(position, "gameover"), "true", "{position}");
        engine.query(position, "result")
    });
    assert_eq!(answers[0], answers[1], "{position}");
    answers[0].clone()
}

/// Plays `game` with every kind of limit; the seats are swapped each time.
fn play_all(game: &str, fen: &str) {
    let mut engines = [Engine::start(game), Engine::start(game)];
    let from_fen = format!("position fen {fen}");
    for limits in LIMITS {
        let is_first = limits == LIMITS[0];
        let start = if is_first {
            "position startpos"
        } else {
            &from_fen
        };
        let (result, n_moves) = play(&mut engines, start, limits);
        let known = ["p1win", "p2win", "draw"];
        assert!(
            known.contains(&result.as_str()),
            "{game} from {start}: {result}"
        );
        assert!(n_moves > 0, "{game} from {start}: no move was made");
        engines.reverse();
    }
    for engine in engines {
        let mut dialogue = engine.0;
        dialogue.send("quit");
        assert_eq!(dialogue.close(), (Vec::new(), Some(0)), "{game}");
    }
}

#[test]
fn a_strict_client_plays_every_game() {
    let games = [
        ("graph-hockey", "1x1 -"),
        ("gobblet", ".,.,./.,r1y3,./.,.,. r"),
        ("susan", "5/1o4/7/8/4xx3/8/7/6/5 o 0"),
        ("projex", "6/7/8/o1x6/10/5x5/12/11/10/9/8/7 o 1"),
        ("entropy", "sssss/s3s/5/1o2o/ooooo s 0"),
    ];
    in_parallel(&games, |(game, fen)| play_all(game, fen));
}
