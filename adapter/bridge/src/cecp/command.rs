//! Parses lines from a GUI to an engine as [`Command`]s.

use std::str::FromStr;
use std::time::Duration;

use protocol::text::excerpt;

use super::reply::{Reply, ResultLine};

/// The time control of a `level` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Level {
    /// Moves per session, after which the base time is added again; 0 means the whole game.
    pub(crate) moves: u32,
    /// Time of a session.
    pub(crate) base: Duration,
    /// Increment per move.
    pub(crate) increment: Duration,
}

/// A line of a GUI in protocol version 2. Squares and moves are kept as text, because their meaning depends on the
/// board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// A line without effect: blank, or one that an engine may ignore, such as `random` or `draw`.
    Skipped,
    /// `protover N`: requests the features.
    ProtoVer(u32),
    /// `new`: starts a game in which the engine plays Black.
    New,
    /// `computer`: the opponent is a program.
    Computer,
    /// `variant NAME`.
    Variant(String),
    /// `quit`.
    Quit,
    /// `force`: the engine plays neither side.
    Force,
    /// `go`: the engine plays the side to move, and moves.
    Go,
    /// `playother`: the engine plays the side that is not to move.
    PlayOther,
    /// `level MOVES BASE INCREMENT`.
    Level(Level),
    /// `st SECONDS`: time per move.
    MoveTime(Duration),
    /// `sd DEPTH`: maximum depth.
    Depth(u32),
    /// `nps NODES`: measures time in nodes, with this number of nodes per second; 0 restores real time.
    NodeRate(u64),
    /// `time CENTISECONDS`: remaining time of the engine.
    Time(Duration),
    /// `otim CENTISECONDS`: remaining time of the opponent.
    OpponentTime(Duration),
    /// `usermove MOVE`, or just the move.
    UserMove(String),
    /// `?`: move at once.
    MoveNow,
    /// `ping N`.
    Ping(String),
    /// `result RESULT {COMMENT}`: the game is over.
    Result(ResultLine),
    /// `setboard FEN`.
    SetBoard(String),
    /// `undo`: takes back one move.
    Undo,
    /// `remove`: takes back two moves.
    Remove,
    /// `post`, `nopost`: turns output of the search on and off.
    Post(bool),
    /// `analyze`.
    Analyze,
    /// `exit`: ends the analysis.
    Exit,
    /// `.`: requests the progress of the analysis.
    AnalysisStatus,
    /// `option NAME=VALUE`.
    Option(String),
    /// `lift SQUARE`: the user has picked up a piece.
    Lift(String),
}

impl Command {
    /// Parses a line without its line break. A single word with a digit or `@` is taken as a move.
    ///
    /// # Errors
    /// The command is unknown, or a number in it cannot be read. The error is the reply to the GUI.
    pub(crate) fn parse(line: &str) -> Result<Command, Reply> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        read(word, rest).map_err(|why| Reply::Error {
            why: why.to_owned(),
            line: excerpt(line),
        })
    }
}

fn read(word: &str, rest: &str) -> Result<Command, &'static str> {
    Ok(match word {
        "" | "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "name"
        | "rating" | "ics" | "bk" | "hint" | "draw" | "put" | "hover" | "memory" | "cores"
        | "egtpath" | "pause" | "resume" => Command::Skipped,
        "protover" => Command::ProtoVer(number(rest)?),
        "new" => Command::New,
        "computer" => Command::Computer,
        "variant" => Command::Variant(rest.to_owned()),
        "quit" => Command::Quit,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => Command::Level(level(rest)?),
        "st" => Command::MoveTime(seconds(rest)?),
        "sd" => Command::Depth(number(rest.trim_start_matches('='))?),
        "nps" => Command::NodeRate(number(rest)?),
        "time" => Command::Time(centiseconds(rest)?),
        "otim" => Command::OpponentTime(centiseconds(rest)?),
        "usermove" => Command::UserMove(rest.to_owned()),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(rest.to_owned()),
        "result" => Command::Result(rest.parse()?),
        "setboard" => Command::SetBoard(rest.to_owned()),
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::AnalysisStatus,
        "option" => Command::Option(rest.to_owned()),
        "lift" => Command::Lift(rest.to_owned()),
        word if rest.is_empty() && may_be_move(word) => Command::UserMove(word.to_owned()),
        _ => return Err("unknown command"),
    })
}

/// `true` if the word may be a move. No command has digits or `@`.
fn may_be_move(word: &str) -> bool {
    word.contains('@') || word.contains(|sign: char| sign.is_ascii_digit())
}

fn number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "expected a number")
}

fn centiseconds(text: &str) -> Result<Duration, &'static str> {
    // An overstepped clock is negative.
    let left: i64 = number(text)?;
    let left = u64::try_from(left).unwrap_or(0);
    Ok(Duration::from_millis(left.saturating_mul(10)))
}

fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = number(text)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected seconds")
}

fn level(text: &str) -> Result<Level, &'static str> {
    let mut words = text.split_whitespace();
    let mut next = || words.next().ok_or("expected moves, minutes and seconds");
    let (moves, base, increment) = (next()?, next()?, next()?);
    let base = match base.split_once(':') {
        None => Duration::from_secs(number::<u64>(base)?.saturating_mul(60)),
        Some((minutes, rest)) => {
            let minutes: u64 = number(minutes)?;
            Duration::from_secs(minutes.saturating_mul(60)).saturating_add(seconds(rest)?)
        }
    };
    Ok(Level {
        moves: number(moves)?,
        base,
        increment: seconds(increment)?,
    })
}

#[cfg(test)]
mod tests {
    use record::game::GameResult;

    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn lines_are_read() {
        for (line, command) in [
            ("protover 2", Command::ProtoVer(2)),
            ("variant entropy", Command::Variant("entropy".to_owned())),
            ("st 5", Command::MoveTime(Duration::from_secs(5))),
            ("st 0.25", Command::MoveTime(Duration::from_millis(250))),
            ("sd 7", Command::Depth(7)),
            ("nps 1000", Command::NodeRate(1000)),
            ("time 12345", Command::Time(Duration::from_millis(123_450))),
            ("otim -7", Command::OpponentTime(Duration::ZERO)),
            ("usermove a1b2", Command::UserMove("a1b2".to_owned())),
            ("S@e5", Command::UserMove("S@e5".to_owned())),
            ("@@@@", Command::UserMove("@@@@".to_owned())),
            ("?", Command::MoveNow),
            ("ping 12", Command::Ping("12".to_owned())),
            (" undo\r", Command::Undo),
            (
                "setboard 5/5 w - - 0 1",
                Command::SetBoard("5/5 w - - 0 1".to_owned()),
            ),
            ("nopost", Command::Post(false)),
            ("lift a2", Command::Lift("a2".to_owned())),
            ("accepted setboard", Command::Skipped),
            ("", Command::Skipped),
        ] {
            assert_eq!(parse(line), command, "{line}");
        }
        let Command::Result(result) = parse("result 1-0 {o wins}") else {
            panic!("a result");
        };
        assert_eq!(result.result, GameResult::P1Win);
    }

    #[test]
    fn time_controls_are_read() {
        for (line, moves, base_s, increment_ms) in [
            ("level 40 5 0", 40, 300, 0),
            ("level 0 2 12", 0, 120, 12_000),
            ("level 40 0:30 0", 40, 30, 0),
            ("level 0 1:05 0.5", 0, 65, 500),
        ] {
            let level = Level {
                moves,
                base: Duration::from_secs(base_s),
                increment: Duration::from_millis(increment_ms),
            };
            assert_eq!(parse(line), Command::Level(level), "{line}");
        }
    }

    #[test]
    fn bad_lines_are_errors_that_repeat_them() {
        for (line, error) in [
            ("xyzzy", "Error (unknown command): xyzzy"),
            ("sd deep", "Error (expected a number): sd deep"),
            ("st -1", "Error (expected seconds): st -1"),
            ("st 1e300", "Error (expected seconds): st 1e300"),
            (
                "level 40",
                "Error (expected moves, minutes and seconds): level 40",
            ),
            ("a1 b2", "Error (unknown command): a1 b2"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), error);
        }
    }
}
