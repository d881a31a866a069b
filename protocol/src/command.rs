//! Lines to an engine: one [`Command`] each, with its grammar and its text.

use std::fmt::{self, Write};
use std::time::Duration;

use crate::SyntaxError;
use crate::text::{OneLine, move_codes, or_list};
use crate::words::{Field, Words, find, is, unless_empty, write_list};

/// The vocabulary of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// The Universal Game Interface: `ugi`, `p1time`; `mate` counts plies.
    #[default]
    Ugi,
    /// The chess protocol: `uci`, `wtime`; `mate` counts moves of the side to move.
    Uci,
    /// The protocol of Ataxx engines: `uai`; player 1 is black, with `btime`. Otherwise as UCI. Only written to engines.
    Uai,
}

impl Dialect {
    /// The word that ends an engine's answer to the handshake.
    pub const fn handshake_ok(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugiok",
            Dialect::Uci => "uciok",
            Dialect::Uai => "uaiok",
        }
    }

    /// The distance to the end of a game as this dialect writes it: in plies, or in moves of the side that wins or loses.
    pub const fn mate_distance(self, plies: i32) -> i32 {
        match self {
            Dialect::Ugi => plies,
            Dialect::Uci | Dialect::Uai => plies / 2 + plies % 2,
        }
    }

    /// Plies of a distance as this dialect writes it: 2n - 1 for a win in n moves, 2n for a loss.
    pub const fn plies(self, distance: i32) -> i32 {
        match self {
            Dialect::Ugi => distance,
            Dialect::Uci | Dialect::Uai => distance.saturating_mul(2) - (distance > 0) as i32,
        }
    }

    /// The word that begins the handshake, and the beginning of others.
    fn word(self) -> &'static str {
        &self.handshake_ok()[..3]
    }
}

/// One line to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A line without a word; ignored.
    Blank,
    /// `ugi` or `uci`: asks for name, author and options.
    Handshake(Dialect),
    /// `debug on|off`.
    Debug(bool),
    /// `isready`: answer `readyok` at once.
    IsReady,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// The option's name; may hold single blanks.
        name: String,
        /// The text after `value`; `None` without the word `value`, as for buttons.
        value: Option<String>,
    },
    /// `uginewgame` or `ucinewgame`: the next position belongs to another game.
    NewGame,
    /// `position startpos|fen … [moves …]`.
    Position {
        /// The position before the moves.
        base: Base,
        /// Move codes in order. Codes written with blanks are joined: `b2 -> c3` becomes `b2->c3`.
        moves: Vec<String>,
    },
    /// `go …`: search.
    Go(Go),
    /// `go perft N`: count the leaves at this depth instead of searching.
    Perft(u32),
    /// `stop`: end the search and send `bestmove`.
    Stop,
    /// `ponderhit`: the pondered move was played; the clock runs from now.
    PonderHit,
    /// `query …`: a question about the current position.
    Query(Query),
    /// `d [STYLE]`: draw the board for a person.
    Display {
        /// A style of the game; `None` for the default.
        style: Option<String>,
    },
    /// `quit`.
    Quit,
}

/// A parsed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The command to carry out.
    pub command: Command,
    /// A surplus word after the command, which is reported but does not invalidate it.
    pub surplus: Option<SyntaxError>,
}

impl Command {
    /// Parses a line without its line break. The words of both dialects are accepted in any letter case.
    ///
    /// # Errors
    /// The command is unknown, incomplete or contains something unreadable. Such a line must change nothing.
    pub fn parse(line: &str) -> Result<Parsed, SyntaxError> {
        let mut words = Words::new(line);
        let Some(word) = words.next() else {
            let (command, surplus) = (Command::Blank, None);
            return Ok(Parsed { command, surplus });
        };
        let known = || or_list(&FORMS.each_ref().map(|form| form.0));
        let unknown = || SyntaxError::unknown_command(word, &known());
        let index = find(&FORMS, |form| form.0, word).ok_or_else(unknown)?;
        let command = match &FORMS[index].1 {
            Form::Word(command) => command.clone(),
            Form::Arguments(read) => read(&mut words)?,
        };
        let surplus = words.end().err();
        Ok(Parsed { command, surplus })
    }

    /// Formats the command as a line of this dialect, without a line break.
    ///
    /// A line of UGI or UCI parses to the same command if it can hold the command's names, codes and texts: see
    /// `spec/protocol.md`, "Lines and words". UAI is only written, to engines.
    pub fn display(&self, dialect: Dialect) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| self.write(f, dialect))
    }

    /// Appends the command to these lines, with a line break.
    pub fn append(&self, lines: &mut String, dialect: Dialect) {
        self.write(lines, dialect).expect("a string takes all");
        lines.push('\n');
    }

    fn write(&self, out: &mut impl Write, dialect: Dialect) -> fmt::Result {
        // Names, values and codes from other programs may contain line breaks.
        let text = &mut OneLine(out);
        match self {
            Command::Blank => Ok(()),
            Command::Handshake(dialect) => out.write_str(dialect.word()),
            Command::NewGame => write!(out, "{}newgame", dialect.word()),
            Command::Debug(on) => write!(out, "debug {}", SWITCH[usize::from(!on)]),
            Command::SetOption { name, value } => {
                write!(text, "setoption name {name}")?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => text.write_str(" value <empty>"),
                    Some(value) => write!(text, " value {value}"),
                }
            }
            Command::Position { base, moves } => {
                match base {
                    Base::Start => text.write_str("position startpos")?,
                    Base::Fen(fen) => write!(text, "position fen {fen}")?,
                }
                write_list(out, "moves", moves)
            }
            Command::Go(go) => go.write(out, dialect),
            Command::Perft(depth) => write!(out, "go perft {depth}"),
            Command::Query(query) => {
                out.write_str("query ")?;
                out.write_str(query.word())
            }
            Command::Display { style: None } => out.write_str("d"),
            Command::Display { style: Some(style) } => write!(text, "d {style}"),
            Command::IsReady | Command::Stop | Command::PonderHit | Command::Quit => {
                let is_this = |form: &Form| matches!(form, Form::Word(command) if command == self);
                let mut forms = FORMS.iter().filter(|(_, form)| is_this(form));
                out.write_str(forms.next().expect("each is in the list").0)
            }
        }
    }
}

/// The part of a command after its first word.
enum Form {
    /// Nothing.
    Word(Command),
    /// Arguments.
    Arguments(fn(&mut Words<'_>) -> Result<Command, SyntaxError>),
}

/// The first word of each command that is parsed.
static FORMS: [(&str, Form); 14] = [
    ("ugi", Form::Word(Command::Handshake(Dialect::Ugi))),
    ("uci", Form::Word(Command::Handshake(Dialect::Uci))),
    ("debug", Form::Arguments(debug)),
    ("isready", Form::Word(Command::IsReady)),
    ("setoption", Form::Arguments(set_option)),
    ("uginewgame", Form::Word(Command::NewGame)),
    ("ucinewgame", Form::Word(Command::NewGame)),
    ("position", Form::Arguments(position)),
    ("go", Form::Arguments(go)),
    ("stop", Form::Word(Command::Stop)),
    ("ponderhit", Form::Word(Command::PonderHit)),
    ("query", Form::Arguments(query)),
    ("d", Form::Arguments(display)),
    ("quit", Form::Word(Command::Quit)),
];

/// The words after `debug`.
const SWITCH: [&str; 2] = ["on", "off"];

fn debug(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    Ok(Command::Debug(words.choice("debug", &SWITCH)? == "on"))
}

/// `name NAME [value VALUE]`. The value is the unchanged rest of the line.
fn set_option(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    let name = words.option_name("setoption", "value")?;
    let is_given = words.take("value");
    let value = is_given.then(|| unless_empty(words.rest()).to_owned());
    Ok(Command::SetOption { name, value })
}

/// `startpos|fen … [moves …]`. The number of fields in a position string depends on the game, so it consists of all
/// words up to `moves`.
fn position(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    let base = match words.choice("position", &["startpos", "fen"])? {
        "startpos" => Base::Start,
        _ => Base::Fen(words.until(is("moves")).collect::<Vec<_>>().join(" ")),
    };
    if base == Base::Fen(String::new()) {
        return Err(SyntaxError::missing("fen", "a position string"));
    }
    let moves = match words.take("moves") {
        true => move_codes(words.until(|_| false)),
        false => Vec::new(),
    };
    words.must_end("startpos", "moves or the end of the line")?;
    Ok(Command::Position { base, moves })
}

fn go(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    if !words.take("perft") {
        return Go::parse(words).map(Command::Go);
    }
    let depth = words.number("perft")?;
    words.must_end("go perft", "one depth and the end of the line")?;
    Ok(Command::Perft(depth))
}

fn query(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    let known: Vec<&str> = Query::ALL.iter().map(|query| query.word()).collect();
    let word = words.choice("query", &known)?;
    let mut all = Query::ALL.iter().copied();
    let query = all.find(|query| query.word() == word);
    Ok(Command::Query(query.expect("the choice is among these")))
}

fn display(words: &mut Words<'_>) -> Result<Command, SyntaxError> {
    let style = words.next().map(str::to_owned);
    Ok(Command::Display { style })
}

/// The position before the moves of a `position` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// `startpos`: the start position with the current options.
    Start,
    /// `fen TEXT`: a position string, its fields separated by single blanks.
    Fen(String),
}

/// The limits of a `go`, in any combination. The first one reached ends the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Remaining time of player 1 (`p1time`, `wtime`; ms). A negative number reads as zero.
    pub p1_time: Option<Duration>,
    /// Remaining time of player 2 (`p2time`, `btime`; ms). A negative number reads as zero.
    pub p2_time: Option<Duration>,
    /// Time added to player 1's clock with each move (`p1inc`, `winc`; ms).
    pub p1_inc: Option<Duration>,
    /// Time added to player 2's clock with each move (`p2inc`, `binc`; ms).
    pub p2_inc: Option<Duration>,
    /// Moves of the player to move until the clock is refilled (`movestogo`).
    pub moves_to_go: Option<u32>,
    /// Time for this move (`movetime`; ms).
    pub move_time: Option<Duration>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of positions to search.
    pub nodes: Option<u64>,
    /// Search for a win within this number of plies (UGI) or moves (UCI), as written.
    pub mate: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider these root moves only; empty for all.
    pub search_moves: Vec<String>,
}

/// Finds the field of a limit.
type Slot = fn(&mut Go) -> &mut dyn Field;

/// All limits with their words in UGI, UCI and UAI, in the order in which they are written. The list of moves is the last,
/// because some engines read everything after it as moves.
static LIMITS: [([&str; 3], Slot); 12] = [
    (["ponder"; 3], |go| &mut go.ponder),
    (["p1time", "wtime", "btime"], |go| &mut go.p1_time),
    (["p2time", "btime", "wtime"], |go| &mut go.p2_time),
    (["p1inc", "winc", "binc"], |go| &mut go.p1_inc),
    (["p2inc", "binc", "winc"], |go| &mut go.p2_inc),
    (["movestogo"; 3], |go| &mut go.moves_to_go),
    (["movetime"; 3], |go| &mut go.move_time),
    (["depth"; 3], |go| &mut go.depth),
    (["nodes"; 3], |go| &mut go.nodes),
    (["mate"; 3], |go| &mut go.mate),
    (["infinite"; 3], |go| &mut go.infinite),
    (["searchmoves"; 3], |go| &mut go.search_moves),
];

impl Go {
    /// The plies within which to search for a win.
    pub fn mate_plies(&self, dialect: Dialect) -> Option<u32> {
        let distance = self.mate.map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        distance.map(|n| dialect.plies(n).unsigned_abs())
    }

    /// Parses the limits up to the end of the line.
    fn parse(words: &mut Words<'_>) -> Result<Go, SyntaxError> {
        let mut go = Go::default();
        words.ends_list = |word| is("perft")(word) || Go::limit(word).is_some();
        while let Some(word) = words.next() {
            let Some((known, field)) = Go::limit(word) else {
                let expected = match is("perft")(word) {
                    true => "perft alone",
                    false => "a limit such as movetime, depth or nodes",
                };
                return Err(SyntaxError::unexpected(word, "go", expected));
            };
            let field = field(&mut go);
            let is_second = field.is_set();
            field.read(words, known)?;
            if is_second {
                return Err(SyntaxError::repeated(known));
            }
            if !field.is_set() {
                return Err(SyntaxError::missing(known, "a move"));
            }
        }
        Ok(go)
    }

    /// The limit of this word in UGI or UCI, in any letter case.
    fn limit(word: &str) -> Option<(&'static str, Slot)> {
        LIMITS.iter().find_map(|(words, field)| {
            let mut read = words[..2].iter();
            let known = read.find(|known| known.eq_ignore_ascii_case(word))?;
            Some((*known, *field))
        })
    }

    fn write(&self, out: &mut impl Write, dialect: Dialect) -> fmt::Result {
        let mut go = self.clone();
        out.write_str("go")?;
        LIMITS
            .iter()
            .try_for_each(|(words, field)| field(&mut go).write(out, words[dialect as usize]))
    }
}

/// Questions about the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Query {
    /// The side to move: `true` for player 1, else `false`.
    P1Turn,
    /// `true` if the game is over, else `false`.
    GameOver,
    /// `none`, `p1win`, `p2win` or `draw`.
    Result,
    /// The legal moves in canonical order.
    Moves,
    /// The position string.
    Fen,
    /// The game's name, and the options that shape its board.
    Game,
    /// The game in words, as one JSON object.
    About,
    /// The drawing of the position, as one JSON object.
    Diagram,
    /// Other spellings of the legal moves, as `CODE=SPELLING`.
    Spellings,
}

impl Query {
    /// All questions.
    pub const ALL: &[Query] = <Query as strum::VariantArray>::VARIANTS;

    /// The questions whose answers are the rules of a game.
    pub const RULES: [Query; 6] = [
        Query::P1Turn,
        Query::GameOver,
        Query::Result,
        Query::Moves,
        Query::Fen,
        Query::Game,
    ];

    /// The word after `query`.
    pub fn word(self) -> &'static str {
        self.into()
    }
}
