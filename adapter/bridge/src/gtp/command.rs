//! Parses the lines of a GTP controller as commands, and formats answers.
//!
//! In GTP version 2, a line is an optional number, a command name and its arguments. Control characters are removed,
//! tabs count as spaces, and `#` begins a comment.

use std::fmt;

use kit::Side;
use protocol::text::excerpt;

use super::layout::Vertex;

/// A parsed line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    /// Number that the answer repeats.
    pub(crate) id: Option<u32>,
    /// The command, or the error in it.
    pub(crate) command: Result<Command, String>,
}

/// A command of a controller.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Command {
    /// `protocol_version`
    ProtocolVersion,
    /// `name`
    Name,
    /// `version`
    Version,
    /// `known_command NAME`
    IsKnown(String),
    /// `list_commands`
    ListCommands,
    /// `quit`
    Quit,
    /// `boardsize N`
    BoardSize(u32),
    /// `clear_board`
    ClearBoard,
    /// `komi X`; ignored, because these games have no komi.
    Komi,
    /// `play COLOUR VERTEX`: a half move. Black is player 1.
    Play(Side, Vertex),
    /// `genmove COLOUR`: requests a half move of the engine.
    Genmove(Side),
    /// `undo`: takes back a half move.
    Undo,
    /// `time_settings MAIN BYO_YOMI_TIME BYO_YOMI_STONES`
    TimeSettings(TimeSettings),
    /// `time_left COLOUR TIME STONES`
    TimeLeft(Side, TimeLeft),
    /// `showboard`
    ShowBoard,
    /// `gogui-interrupt`: supports the comment `# interrupt`, which makes the engine move at once.
    Interrupt,
    /// `gogui-analyze_commands`
    AnalyzeCommands,
    /// `gogui-rules_game_id`
    GameId,
    /// `gogui-rules_board`
    Board,
    /// `gogui-rules_board_size`
    RulesBoardSize,
    /// `gogui-rules_legal_moves`: legal half moves.
    LegalMoves,
    /// `gogui-rules_side_to_move`
    SideToMove,
    /// `gogui-rules_final_result`
    FinalResult,
    /// `final_score`
    FinalScore,
    /// `gogui-rules_board_gfx`
    BoardGfx,
    /// `linesman-position [FEN]`: starts a game from a position string; without one, returns the current position.
    Position(Option<String>),
    /// `linesman-moves`: codes of the legal moves.
    Codes,
}

/// Time control of a game, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TimeSettings {
    /// Main time.
    pub(crate) main: f64,
    /// Time of each later period.
    pub(crate) byo_yomi: f64,
    /// Moves per period. 0 with a period above 0 means no limit.
    pub(crate) stones: u32,
}

/// Remaining time of a clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TimeLeft {
    /// Seconds.
    pub(crate) time: f64,
    /// Moves left in the period; 0 in the main time.
    pub(crate) stones: u32,
}

/// The commands whose arguments are ignored.
static WITHOUT_WORDS: [(&str, Command); 19] = [
    ("protocol_version", Command::ProtocolVersion),
    ("name", Command::Name),
    ("version", Command::Version),
    ("list_commands", Command::ListCommands),
    ("quit", Command::Quit),
    ("clear_board", Command::ClearBoard),
    ("undo", Command::Undo),
    ("showboard", Command::ShowBoard),
    ("gogui-interrupt", Command::Interrupt),
    ("gogui-analyze_commands", Command::AnalyzeCommands),
    ("gogui-rules_game_id", Command::GameId),
    ("gogui-rules_board", Command::Board),
    ("gogui-rules_board_size", Command::RulesBoardSize),
    ("gogui-rules_legal_moves", Command::LegalMoves),
    ("gogui-rules_side_to_move", Command::SideToMove),
    ("gogui-rules_final_result", Command::FinalResult),
    ("final_score", Command::FinalScore),
    ("gogui-rules_board_gfx", Command::BoardGfx),
    ("linesman-moves", Command::Codes),
];

/// The commands with arguments.
const WITH_WORDS: [&str; 8] = [
    "boardsize",
    "genmove",
    "known_command",
    "komi",
    "linesman-position",
    "play",
    "time_left",
    "time_settings",
];

/// The names of all commands, in alphabetical order.
pub(crate) fn names() -> Vec<&'static str> {
    let without_words = WITHOUT_WORDS.iter().map(|(name, _)| *name);
    let mut names: Vec<&str> = without_words.chain(WITH_WORDS).collect();
    names.sort_unstable();
    names
}

const EXPECTED_COLOUR: &str = "black or white";
const EXPECTED_SECONDS: &str = "seconds from 0 to 31536000 and a number of moves";

/// Maximum time accepted: one year, in seconds.
const MAX_SECONDS: f64 = 31_536_000.0;

/// `true` for the comment with which a controller interrupts the running command.
pub(crate) fn is_interrupt(line: &str) -> bool {
    line.trim() == "# interrupt"
}

/// Parses a line; `None` if it holds no command.
pub(crate) fn parse(line: &str) -> Option<Request> {
    let line = line.split('#').next().unwrap_or_default();
    let clean = line.replace('\t', " ").replace(char::is_control, "");
    let mut words = clean.split(' ').filter(|word| !word.is_empty());
    let mut name = words.next()?;
    let id = name.parse().ok();
    if id.is_some() {
        name = words.next()?;
    }
    let words: Vec<&str> = words.collect();
    Some(Request {
        id,
        command: read(name, &words),
    })
}

fn read(name: &str, words: &[&str]) -> Result<Command, String> {
    let wrong = |expected: &str| {
        let given = excerpt(&words.join(" "));
        format!("{name}: {given:?}: expected {expected}")
    };
    let command = match (name, words) {
        ("play", [colour, vertex]) => {
            let colour = parse_colour(colour).ok_or_else(|| wrong("a colour and a vertex"))?;
            let vertex = Vertex::parse(vertex);
            Command::Play(
                colour,
                vertex.ok_or_else(|| wrong("a vertex such as A1, or pass"))?,
            )
        }
        ("play", _) => return Err(wrong("a colour and a vertex")),
        ("genmove", [colour]) => {
            Command::Genmove(parse_colour(colour).ok_or_else(|| wrong(EXPECTED_COLOUR))?)
        }
        ("genmove", _) => return Err(wrong(EXPECTED_COLOUR)),
        ("known_command", [name]) => Command::IsKnown((*name).to_owned()),
        ("known_command", _) => return Err(wrong("the name of a command")),
        ("boardsize", [size]) => {
            Command::BoardSize(size.parse().map_err(|_| wrong("a whole number"))?)
        }
        ("boardsize", _) => return Err(wrong("a whole number")),
        ("komi", [komi]) if komi.parse::<f64>().is_ok() => Command::Komi,
        ("komi", _) => return Err(wrong("a number")),
        ("time_settings", [main, byo_yomi, stones]) => {
            let settings = parse_seconds(main).zip(parse_seconds(byo_yomi));
            let settings = settings.zip(stones.parse().ok());
            let ((main, byo_yomi), stones) =
                settings.ok_or_else(|| wrong("two times in seconds and a number of moves"))?;
            Command::TimeSettings(TimeSettings {
                main,
                byo_yomi,
                stones,
            })
        }
        ("time_settings", _) => return Err(wrong("two times in seconds and a number of moves")),
        ("time_left", [colour, time, stones]) => {
            let colour = parse_colour(colour).ok_or_else(|| wrong(EXPECTED_COLOUR))?;
            let left = parse_seconds(time).zip(stones.parse().ok());
            let (time, stones) = left.ok_or_else(|| wrong(EXPECTED_SECONDS))?;
            Command::TimeLeft(colour, TimeLeft { time, stones })
        }
        ("time_left", _) => return Err(wrong("a colour, seconds and a number of moves")),
        ("linesman-position", []) => Command::Position(None),
        ("linesman-position", words) => Command::Position(Some(words.join(" "))),
        // The other commands have no arguments; GTP permits ignoring surplus ones.
        _ => {
            let mut without_words = WITHOUT_WORDS.iter();
            let found = without_words.find(|(known, _)| *known == name);
            found.ok_or("unknown command")?.1.clone()
        }
    };
    Ok(command)
}

/// Parses a colour, ignoring case. Black is player 1.
pub(crate) fn parse_colour(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::P1),
        "w" | "white" => Some(Side::P2),
        _ => None,
    }
}

/// Returns GTP's name of a side.
pub(crate) fn colour(side: Side) -> &'static str {
    match side {
        Side::P1 => "black",
        Side::P2 => "white",
    }
}

fn parse_seconds(word: &str) -> Option<f64> {
    let seconds: f64 = word.parse().ok()?;
    (0.0..=MAX_SECONDS).contains(&seconds).then_some(seconds)
}

/// Answer to one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Response {
    /// Number of the command.
    pub(crate) id: Option<u32>,
    /// Result, or error.
    pub(crate) text: Result<String, String>,
}

/// Writes the answer with the empty line that ends it. Empty lines in the text are removed, because they would end the
/// answer.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.text {
            Ok(text) => ('=', text),
            Err(why) => ('?', why),
        };
        write!(f, "{sign}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        f.write_str(" ")?;
        // A text of several lines may begin on the line after the sign.
        if let Some(rest) = text.strip_prefix('\n') {
            f.write_str("\n")?;
            return write_lines(f, rest);
        }
        if text.is_empty() {
            return f.write_str("\n\n");
        }
        write_lines(f, text)
    }
}

fn write_lines(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let lines = text.lines().map(str::trim_end);
    for line in lines.filter(|line| !line.is_empty()) {
        writeln!(f, "{line}")?;
    }
    f.write_str("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Result<Command, String> {
        let request = parse(line).expect("a command");
        request.command
    }

    #[test]
    fn every_listed_command_is_read() {
        for name in names() {
            let line = match name {
                "boardsize" | "komi" => format!("{name} 9"),
                "genmove" => format!("{name} b"),
                "known_command" => format!("{name} play"),
                "play" => format!("{name} w C3"),
                "time_left" => format!("{name} b 10 0"),
                "time_settings" => format!("{name} 60 10 5"),
                _ => name.to_owned(),
            };
            assert!(command(&line).is_ok(), "{line}: {:?}", command(&line));
        }
    }

    #[test]
    fn numbers_comments_and_control_characters_are_handled() {
        assert_eq!(parse("# a comment"), None);
        assert_eq!(parse("  \u{7} "), None);
        assert_eq!(parse("17"), None);
        let request = parse("12\tgenmove\tWHITE # now").expect("a command");
        assert_eq!(request.id, Some(12));
        assert_eq!(request.command, Ok(Command::Genmove(Side::P2)));
        assert_eq!(parse("name").expect("a command").id, None);
        assert!(is_interrupt("# interrupt\r"));
        assert!(!is_interrupt("interrupt"));
    }

    #[test]
    fn bad_arguments_are_named() {
        for (line, expected) in [
            ("dance", "unknown command"),
            ("Name", "unknown command"),
            ("play b", "play: \"b\": expected a colour and a vertex"),
            (
                "play x A1",
                "play: \"x A1\": expected a colour and a vertex",
            ),
            (
                "play b I1",
                "play: \"b I1\": expected a vertex such as A1, or pass",
            ),
            ("genmove", "genmove: \"\": expected black or white"),
            (
                "boardsize big",
                "boardsize: \"big\": expected a whole number",
            ),
            (
                "time_left b nan 0",
                "time_left: \"b nan 0\": expected seconds from 0 to 31536000 and a number of moves",
            ),
        ] {
            assert_eq!(command(line), Err(expected.to_owned()), "{line}");
        }
    }

    fn written(id: Option<u32>, text: Result<&str, &str>) -> String {
        let text = text.map(str::to_owned).map_err(str::to_owned);
        Response { id, text }.to_string()
    }

    #[test]
    fn an_answer_ends_with_an_empty_line_and_holds_none() {
        assert_eq!(written(None, Ok("")), "= \n\n");
        assert_eq!(written(Some(7), Ok("A1")), "=7 A1\n\n");
        assert_eq!(written(None, Ok("a \n\n  b\n")), "= a\n  b\n\n");
        assert_eq!(written(None, Ok("\n. X\nO .\n")), "= \n. X\nO .\n\n");
        assert_eq!(
            written(Some(0), Err("unknown command")),
            "?0 unknown command\n\n"
        );
    }
}
