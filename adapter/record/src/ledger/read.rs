//! Reads ledgers: JSON lines, first the plan, then one finished game a line; finds games in one that is being written.
//! `writer` writes them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use protocol::text::without_error_number;
use serde::Deserialize;

use super::checksum::{self, is_complete};
use super::writer::{LedgerWriter, open_locked};
use crate::engine_spec::Program;
use crate::file::{naming, refuse_devices};
use crate::game::GameRecord;
use crate::plan::{Extension, Plan};
use crate::stats::Summary;

/// The contents of a ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    /// The plan of the match, with its last extension applied.
    pub plan: Plan,
    /// The first line of the file, without its line break.
    pub plan_line: Vec<u8>,
    /// The finished games, in the order of the file; empty if they are read one by one.
    pub games: Vec<GameRecord>,
    /// Length of all complete lines in bytes; anything after them is a torn line, cut off by a crash.
    pub whole_bytes: u64,
    /// The number of the torn line, from 1.
    pub torn: Option<usize>,
    /// It is the ledger of a table (`linesman play`): it has a journal or a person.
    pub is_of_table: bool,
}

/// Error of reading a ledger.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The file cannot be read.
    #[error("{}", without_error_number(&.0.to_string()))]
    Io(#[from] io::Error),
    /// A line is malformed or does not belong there.
    #[error("line {number}: {why}")]
    Line {
        /// The line number, from 1.
        number: usize,
        /// The reason.
        why: String,
    },
}

/// Locks a ledger, after [pauses](super::lock) if necessary, reads it and returns its writer. The lock precedes the
/// reading, so no other writer can interfere. The games are counted.
pub fn open_ledger(
    path: &Path,
    pause: fn(),
) -> Result<(Ledger, Summary, LedgerWriter), LedgerError> {
    let file = open_locked(path, pause)?;
    let mut reader = LedgerReader::new(BufReader::with_capacity(BUFFER, &file))?;
    let mut games = Summary::of(&reader.ledger.plan);
    for game in reader.by_ref() {
        games.count(&game?);
    }
    let LedgerReader {
        ledger,
        lacks_break,
        ..
    } = reader;
    let writer = LedgerWriter::after(path, file, ledger.whole_bytes, lacks_break);
    Ok((ledger, games, writer))
}

/// Reads the games of a ledger one by one. Errors name the file.
///
/// # Errors
/// The file cannot be read, or does not begin with a plan.
pub fn ledger_games(path: &Path) -> io::Result<impl Iterator<Item = io::Result<GameRecord>>> {
    let named = |error: LedgerError| naming(path.display(), &io::Error::other(error));
    let reader = LedgerReader::open(path).map_err(named)?;
    Ok(reader.map(move |game| game.map_err(named)))
}

/// Buffer size for reading, in bytes.
pub(super) const BUFFER: usize = 1 << 16;

/// The first line of a ledger.
#[derive(Deserialize)]
struct PlanLine {
    plan: Plan,
}

/// A line that extends a match by more games.
#[derive(Deserialize)]
struct ExtendLine {
    extend: Extension,
}

/// The beginnings of lines other than games.
const JOURNAL: &[u8] = b"{\"journal\":";
const EXTENSION: &[u8] = b"{\"extend\":";

/// Reads a ledger from the bytes of a file. Ignores a torn last line and the journal of a table.
pub fn parse_ledger(bytes: &[u8]) -> Result<Ledger, LedgerError> {
    LedgerReader::new(bytes)?.into_ledger()
}

/// Reads the games of a ledger one by one, in the order of the file.
#[derive(Debug)]
pub struct LedgerReader<R> {
    input: R,
    /// The last line read.
    line: Vec<u8>,
    /// Its number, from 1.
    number: usize,
    /// The line of each game, by its number.
    lines: HashMap<usize, usize>,
    /// `true` if the last complete line lacks its line break.
    lacks_break: bool,
    /// What was read so far, without the games. A torn last line is known once all games are read.
    pub ledger: Ledger,
}

impl LedgerReader<BufReader<File>> {
    /// Opens a ledger and reads its plan.
    pub fn open(path: &Path) -> Result<LedgerReader<BufReader<File>>, LedgerError> {
        refuse_devices(path)?;
        LedgerReader::new(BufReader::with_capacity(BUFFER, File::open(path)?))
    }
}

impl<R: BufRead> LedgerReader<R> {
    /// Starts with the plan, the first line.
    pub fn new(mut input: R) -> Result<LedgerReader<R>, LedgerError> {
        let mut line = Vec::new();
        let parsed = match read_line(&mut input, &mut line)? {
            true => parse(&line),
            false if line.trim_ascii().is_empty() => Err("empty".to_owned()),
            false => Err("incomplete".to_owned()),
        };
        let named = |why| format!("{why}: a ledger begins with the plan of a match");
        let plan = parsed.map_err(named);
        let plan = plan.and_then(|PlanLine { plan }| plan.check().map(|()| plan));
        let plan = plan.map_err(|why| LedgerError::Line { number: 1, why })?;
        let mut players = plan.engines.iter();
        let ledger = Ledger {
            is_of_table: players.any(|player| player.program == Program::Person),
            plan,
            plan_line: line.trim_ascii_end().to_vec(),
            games: Vec::new(),
            whole_bytes: line.len() as u64,
            torn: None,
        };
        Ok(LedgerReader {
            input,
            number: 1,
            lines: HashMap::new(),
            lacks_break: !line.ends_with(b"\n"),
            line,
            ledger,
        })
    }

    /// Identifies the match: the id of its plan, or the first line of an older ledger.
    pub fn identity(&self) -> &[u8] {
        match self.ledger.plan.id.as_str() {
            "" => &self.ledger.plan_line,
            id => id.as_bytes(),
        }
    }

    /// Reads all games. Ignores a torn last line and the journal of a table.
    pub fn into_ledger(mut self) -> Result<Ledger, LedgerError> {
        self.ledger.games = self.by_ref().collect::<Result<_, _>>()?;
        Ok(self.ledger)
    }

    /// Reads up to the next game; `None` at the end.
    fn read(&mut self) -> Result<Option<GameRecord>, LedgerError> {
        while read_line(&mut self.input, &mut self.line)? {
            self.number += 1;
            self.ledger.whole_bytes += self.line.len() as u64;
            self.lacks_break = !self.line.ends_with(b"\n");
            let (number, game) = (self.number, self.parse_line());
            let game = game.map_err(|mut why| {
                if !self.ledger.is_of_table {
                    why += ": remove this line; match --resume plays what is then missing";
                }
                LedgerError::Line { number, why }
            })?;
            if game.is_some() {
                return Ok(game);
            }
        }
        let is_torn = !self.line.trim_ascii().is_empty();
        self.ledger.torn = is_torn.then_some(self.number + 1);
        Ok(None)
    }

    /// Parses the line that was read; `None` if it is not a game.
    fn parse_line(&mut self) -> Result<Option<GameRecord>, String> {
        let line = &self.line;
        checksum::check(line)?;
        if line.starts_with(JOURNAL) {
            self.ledger.is_of_table = true;
            return Ok(None);
        }
        if line.starts_with(EXTENSION) {
            let ExtendLine { extend } = parse(line)?;
            self.ledger.plan.extend(extend);
            return self.ledger.plan.check().map(|()| None);
        }
        let game: GameRecord = parse(line)?;
        let (number, earlier) = (game.game, self.lines.insert(game.game, self.number));
        let again = |line| format!("game {number} again: it is already in line {line}");
        earlier.map_or(Ok(Some(game)), |line| Err(again(line)))
    }
}

impl<R: BufRead> Iterator for LedgerReader<R> {
    type Item = Result<GameRecord, LedgerError>;

    fn next(&mut self) -> Option<Result<GameRecord, LedgerError>> {
        self.read().transpose()
    }
}

/// Reads a complete line. Returns `false` at the end of the file, with what follows the last complete line.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, LedgerError> {
    line.clear();
    input.read_until(b'\n', line)?;
    Ok(is_complete(line))
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    // Checking the whole line as UTF-8 is faster than checking each string in it.
    let line = str::from_utf8(line).map_err(|error| error.to_string())?;
    // An error has the place in the line alone.
    serde_json::from_str(line.trim_end()).map_err(|error| error.to_string().replace("line 1 ", ""))
}

/// Finds finished games in a ledger that is being written. Each search continues where the last one stopped.
#[derive(Debug)]
pub struct GameFinder {
    path: PathBuf,
    /// Bytes searched so far.
    offset: u64,
}

impl GameFinder {
    /// Starts at the beginning of this ledger.
    pub fn new(path: &Path) -> GameFinder {
        GameFinder {
            path: path.to_owned(),
            offset: 0,
        }
    }

    /// Returns the games with these numbers that follow the last one found, in file order.
    pub fn find(&mut self, numbers: &[usize]) -> io::Result<Vec<GameRecord>> {
        let mut file = BufReader::new(File::open(&self.path)?);
        file.seek(SeekFrom::Start(self.offset))?;
        let (mut found, mut line) = (Vec::new(), Vec::new());
        while found.len() < numbers.len() && file.read_until(b'\n', &mut line)? > 0 {
            let game = checksum::check(&line).and_then(|()| parse::<GameRecord>(&line));
            found.extend(game.ok().filter(|game| numbers.contains(&game.game)));
            line.clear();
        }
        self.offset = file.stream_position()?;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::NO_LINES;
    use crate::testing::finished_game;

    const PLAN: &str = r#"{"plan":{"version":"","date":"","game":{"name":"any","options":[]},"engines":[ENGINE,ENGINE],"format":"round-robin","games":2,"swaps":true,"concurrency":1,"srand":0,"openings":["startpos"],"adjudication":{"max_plies":9,"draw":null,"resign":null},"sprt":null,"startup_ms":1,"ping_ms":1,"ledger":"l","pgn":null,"log":null}}"#;
    const ENGINE: &str = r#"{"name":"A","program":"builtin","proto":"ugi","limit":"nodes=1","margin_ms":0,"ponder":false,"options":[],"restart":"auto","stderr":null}"#;

    #[test]
    fn an_error_has_one_place_and_what_to_do() {
        let error = |line| {
            ledger(&[line])
                .expect_err("a line that is no game")
                .to_string()
        };
        let remedy = ": remove this line; match --resume plays what is then missing";
        assert_eq!(
            error("{}"),
            format!("line 2: missing field `game` at column 2{remedy}")
        );
        assert_eq!(
            error(""),
            format!("line 2: EOF while parsing a value at column 0{remedy}")
        );
    }

    fn ledger(lines: &[&str]) -> Result<Ledger, LedgerError> {
        let mut text = PLAN.replace("ENGINE", ENGINE) + "\n";
        for line in lines {
            text += &format!("{line}\n");
        }
        parse_ledger(text.as_bytes())
    }

    fn game(number: usize) -> String {
        let line = checksum::sealed_line(&finished_game(number)).expect("it can be written");
        let line = String::from_utf8(line).expect("JSON is UTF-8");
        line.trim_end().to_owned()
    }

    #[test]
    fn changed_and_doubled_lines_are_found() {
        let (first, second) = (game(1), game(2));
        assert!(ledger(&[&first, &second]).is_ok());
        let changed = second.replace("1-0", "0-1");
        let error = ledger(&[&first, &changed]).expect_err("it was changed");
        assert!(
            error
                .to_string()
                .starts_with("line 3: changed: its crc32 is "),
            "{error}"
        );
        let error = ledger(&[&first, &second, &first]).expect_err("it is there twice");
        assert!(
            error
                .to_string()
                .starts_with("line 4: game 1 again: it is already in line 2: remove this line"),
            "{error}"
        );
        let (old, _) = first.split_once(",\"crc32\"").expect("it has a checksum");
        let old = format!("{old}}}");
        assert!(ledger(&[&old]).is_ok(), "older ledgers have none");
    }

    #[test]
    fn a_last_line_without_a_line_break_counts_if_its_checksum_is_right() {
        let text = format!(
            "{}\n{}\n{}",
            PLAN.replace("ENGINE", ENGINE),
            game(1),
            game(2)
        );
        let whole = parse_ledger(text.as_bytes()).expect("a ledger");
        assert_eq!((whole.games.len(), whole.torn), (2, None));
        assert_eq!(whole.whole_bytes, text.len() as u64);
        let torn = parse_ledger(&text.as_bytes()[..text.len() - 1]).expect("a ledger");
        assert_eq!((torn.games.len(), torn.torn), (1, Some(3)));
        let (old, _) = text.rsplit_once(",\"crc32\"").expect("a checksum");
        let old = parse_ledger(format!("{old}}}").as_bytes()).expect("a ledger");
        assert_eq!((old.games.len(), old.torn), (1, Some(3)));
    }

    #[test]
    fn a_ledger_is_opened_as_its_bytes_are() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("l.jsonl");
        let plan = crate::testing::plan(&["A", "B"]);
        let mut writer = LedgerWriter::create(&path, &plan, NO_LINES, Default::default(), None)
            .expect("a new file");
        for number in 1..=3 {
            writer
                .sealed_line(&finished_game(number))
                .expect("it can be written");
        }
        drop(writer);
        let whole = std::fs::read(&path).expect("it is there");
        let last_line = whole
            .trim_ascii_end()
            .iter()
            .rposition(|byte| *byte == b'\n');
        for n_cut in [0, 1, 2, 20, whole.len() - last_line.expect("lines") - 1] {
            let bytes = &whole[..whole.len() - n_cut];
            std::fs::write(&path, bytes).expect("a file");
            let (ledger, games, mut writer) = open_ledger(&path, || ()).expect("a ledger");
            let expected = parse_ledger(bytes).expect("a ledger");
            let counted = games.games.iter().map(|line| line.game);
            assert!(counted.eq(expected.games.iter().map(|game| game.game)));
            let games = ledger_games(&path).expect("a ledger");
            let games = games.collect::<io::Result<Vec<_>>>().expect("games");
            assert_eq!(games, expected.games);
            assert_eq!(
                (ledger.plan, ledger.plan_line),
                (expected.plan, expected.plan_line)
            );
            assert_eq!(
                (ledger.whole_bytes, ledger.torn),
                (expected.whole_bytes, expected.torn)
            );
            writer
                .sealed_line(&finished_game(9))
                .expect("it can be written");
            drop(writer);
            let longer = std::fs::read(&path).expect("it is there");
            let is_whole = parse_ledger(&longer).is_ok_and(|ledger| ledger.torn.is_none());
            assert!(is_whole, "{n_cut}");
        }
    }

    /// The rest of a file that cannot be read.
    struct Broken;

    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk fails"))
        }
    }

    #[test]
    fn games_are_read_one_by_one() {
        let plan = PLAN.replace("ENGINE", ENGINE);
        let text = format!("{plan}\n{}\n{}\n{{\"game\":3", game(1), game(2));
        let input = io::Read::chain(text.as_bytes(), Broken);
        let reader = LedgerReader::new(BufReader::new(input)).expect("a plan");
        let games = reader.map(|game| game.map(|game| game.game).map_err(|why| why.to_string()));
        let read: Vec<_> = games.take(3).collect();
        assert_eq!(read, [Ok(1), Ok(2), Err("the disk fails".to_owned())]);
    }

    #[test]
    fn the_last_extension_wins() {
        let lines = [
            r#"{"extend":{"games":4,"openings":["startpos","startpos moves a"]}}"#,
            r#"{"extend":{"games":6,"openings":["startpos","startpos moves b"]}}"#,
        ];
        let plan = ledger(&lines).expect("a ledger").plan;
        assert_eq!(
            (plan.games, plan.openings[1].to_string().as_str()),
            (6, "startpos moves b")
        );
    }

    #[test]
    fn a_plan_that_cannot_be_played_is_refused() {
        let many = format!("[{}]", ["ENGINE"; 1001].join(","));
        let alpha = r#""sprt":{"elo0":0,"elo1":5,"alpha":0,"beta":0.05,"model":"logistic"}"#;
        let draw = r#""draw":{"move_number":1,"move_count":0,"score":1}"#;
        for (field, value, named) in [
            (r#""openings":["startpos"]"#, r#""openings":[]"#, "openings"),
            (r#""concurrency":1"#, r#""concurrency":0"#, "concurrency"),
            (r#""games":2"#, r#""games":18446744073709551615"#, "games"),
            (r#""sprt":null"#, alpha, "sprt: elo0=0 elo1=5 alpha=0"),
            (
                "[ENGINE,ENGINE]",
                many.as_str(),
                "engines: a match has 2 to 1000",
            ),
            (r#""draw":null"#, draw, "nonzero"),
        ] {
            let text = PLAN.replace(field, value).replace("ENGINE", ENGINE) + "\n";
            let error = parse_ledger(text.as_bytes()).expect_err(value);
            assert!(error.to_string().contains(named), "{error}");
        }
    }

    #[test]
    fn what_is_no_file_is_not_read() {
        let refused = LedgerReader::open(Path::new("/dev/zero")).expect_err("a device");
        assert!(
            refused.to_string().contains("not a regular file"),
            "{refused}"
        );
    }
}
