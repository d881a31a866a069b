//! A client as strict as CuteGames, the match runner that defined UGI, plays whole games of each game.
//!
//! It never sends `stop`, sets options that no engine declared, says `isready` before each `position`, repeats
//! `position` before each `query`, asks the first engine at every ply whose turn it is, and understands nothing but
//! `ugiok`, `readyok`, `bestmove` and `response` with one word after it. Where CuteGames would wait for ever, it
//! panics with the line.

use std::process::Command;

use crate::dialogue::Dialogue;

/// No game between engines that want to win takes so many plies.
const MAX_PLIES: usize = 2000;

/// What CuteGames can ask for. With the first the game begins at the start position, and is the same each time; with
/// the others at a position string.
const LIMITS: [&str; 4] = [
    "depth 1",
    "p1time 100 p2time 100 p1inc 1 p2inc 1",
    "nodes 50",
    "movetime 1",
];

struct Engine(Dialogue);

impl Engine {
    /// Handshake and options, as from the settings file that CuteGames comes with.
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

    /// Reads on until the line is the one waited for; lines that begin so may come before it, others may not.
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

    /// The second of the two words of a line that begins so.
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

    /// What is so at a position. Every answer is of two words.
    fn query(&mut self, position: &str, what: &str) -> String {
        self.0.send(position);
        self.0.send(&format!("query {what}"));
        self.word_after("response")
    }
}

/// Two engines at a game, as CuteGames has them play it: the result that both agree on, and the plies that it took.
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

/// The result of a finished game, the same by both engines.
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

/// Plays `game` with every kind of limit, seats swapped each time.
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
fn graph_hockey() {
    play_all("graph-hockey", "1x1 -");
}

#[test]
fn gobblet() {
    play_all("gobblet", ".,.,./.,r1y3,./.,.,. r");
}

#[test]
fn susan() {
    play_all("susan", "5/1o4/7/8/4xx3/8/7/6/5 o 0");
}

#[test]
fn projex() {
    play_all("projex", "6/7/8/o1x6/10/5x5/12/11/10/9/8/7 o 1");
}

#[test]
fn entropy() {
    play_all("entropy", "sssss/s3s/5/1o2o/ooooo s 0");
}
