//! The ledger: JSON lines, the plan first, then one finished game a line.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::GameRecord;
use super::file::read_records;
use crate::event::{Event, Recorder, naming};
use crate::plan::{Extension, Plan};
use crate::platform::try_lock;

#[derive(Serialize, Deserialize)]
struct PlanLine<P> {
    plan: P,
}

#[derive(Serialize, Deserialize)]
struct ExtendLine<E> {
    extend: E,
}

/// A ledger read back.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    /// What is to be played, with the last extension of the match.
    pub plan: Plan,
    /// The first line of the file, without its line break.
    pub plan_line: Vec<u8>,
    /// The finished games, in the order of the file.
    pub games: Vec<GameRecord>,
    /// Bytes of the file that hold whole lines; what follows is a line torn by a sudden end.
    pub whole_bytes: u64,
}

/// Why a file is no ledger.
#[derive(Debug)]
pub enum LedgerError {
    /// It cannot be read.
    Io(io::Error),
    /// This line, counted from 1, is not what a ledger holds there.
    Line {
        /// Its number.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerError::Io(error) => error.fmt(f),
            LedgerError::Line { number, why } => write!(f, "line {number}: {why}"),
        }
    }
}

impl std::error::Error for LedgerError {}

/// How many bytes hold whole lines; what follows is a line torn by a sudden end.
fn whole_lines(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)
}

/// Reads a ledger. A torn last line is left out, and so is the journal of a table.
pub fn read_ledger(path: &Path) -> Result<Ledger, LedgerError> {
    let bytes = read_records(path).map_err(LedgerError::Io)?;
    parse_ledger(&bytes)
}

/// Locks a ledger, reads it, and hands out its writer. Nobody else can write to it from before it is read.
pub fn open_ledger(path: &Path) -> Result<(Ledger, LedgerWriter), LedgerError> {
    let (writer, bytes) = LedgerWriter::open(path).map_err(LedgerError::Io)?;
    Ok((parse_ledger(&bytes)?, writer))
}

/// As [`read_ledger`], from the bytes of the file.
pub fn parse_ledger(bytes: &[u8]) -> Result<Ledger, LedgerError> {
    let whole = whole_lines(bytes);
    let mut lines = bytes[..whole]
        .split_inclusive(|byte| *byte == b'\n')
        .zip(1..);
    let (first, _) = lines.next().ok_or_else(|| LedgerError::Line {
        number: 1,
        why: "empty: expected the plan of a match".to_owned(),
    })?;
    let mut reading = Reading::new(first).map_err(|why| LedgerError::Line { number: 1, why })?;
    for (line, number) in lines {
        let taken = reading.take(line, number);
        taken.map_err(|why| LedgerError::Line { number, why })?;
    }
    Ok(Ledger {
        plan: reading.plan,
        plan_line: first.trim_ascii_end().to_vec(),
        games: reading.games,
        whole_bytes: whole as u64,
    })
}

/// A ledger while it is read.
struct Reading {
    plan: Plan,
    games: Vec<GameRecord>,
    /// The line of each game, by its number.
    lines: HashMap<usize, usize>,
}

impl Reading {
    fn new(line: &[u8]) -> Result<Reading, String> {
        let PlanLine { plan }: PlanLine<Plan> = parse(line)?;
        plan.check()?;
        Ok(Reading {
            plan,
            games: Vec::new(),
            lines: HashMap::new(),
        })
    }

    fn take(&mut self, line: &[u8], number: usize) -> Result<(), String> {
        if line.starts_with(b"{\"journal\":") {
            return Ok(());
        }
        if line.starts_with(b"{\"extend\":") {
            let ExtendLine { extend }: ExtendLine<Extension> = parse(line)?;
            self.plan.extend(extend);
            return self.plan.check();
        }
        let game = parse_game(line)?;
        if let Some(first) = self.lines.insert(game.game, number) {
            return Err(format!("game {} again: line {first} holds it", game.game));
        }
        self.games.push(game);
        Ok(())
    }
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

/// Reads the line of a finished game. Where it has a checksum, the checksum must be right.
fn parse_game(line: &[u8]) -> Result<GameRecord, String> {
    if let Some((body, told)) = split_checksum(line.trim_ascii_end()) {
        let found = format!("{:08x}", crc32fast::hash(body));
        if found.as_bytes() != told {
            let told = String::from_utf8_lossy(told);
            return Err(format!("changed: its crc32 is {found}, expected {told}"));
        }
    }
    parse(line)
}

const CHECKSUM: &[u8] = b",\"crc32\":\"";

/// The bytes before the checksum of a line, and its digits.
fn split_checksum(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = line.strip_suffix(b"\"}")?;
    let (rest, digits) = inner.split_at_checked(inner.len().checked_sub(8)?)?;
    Some((rest.strip_suffix(CHECKSUM)?, digits))
}

/// The line of a finished game, its checksum last.
fn format_game(game: &GameRecord) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(game)?;
    line.pop();
    let checksum = crc32fast::hash(&line);
    line.extend_from_slice(CHECKSUM);
    line.extend_from_slice(format!("{checksum:08x}\"}}\n").as_bytes());
    Ok(line)
}

/// Finds finished games in a ledger that is being written.
#[derive(Debug)]
pub struct GameFinder {
    path: PathBuf,
    /// What lies before it was looked at.
    offset: u64,
}

impl GameFinder {
    /// Looks from the beginning of this ledger.
    pub fn new(path: &Path) -> GameFinder {
        GameFinder {
            path: path.to_owned(),
            offset: 0,
        }
    }

    /// The games with these numbers that stand behind the last one found, in the order of the file.
    pub fn find(&mut self, numbers: &[usize]) -> io::Result<Vec<GameRecord>> {
        let mut file = BufReader::new(File::open(&self.path)?);
        file.seek(SeekFrom::Start(self.offset))?;
        let mut found = Vec::new();
        let mut line = Vec::new();
        while found.len() < numbers.len() && file.read_until(b'\n', &mut line)? > 0 {
            let game = parse_game(&line).ok();
            found.extend(game.filter(|game| numbers.contains(&game.game)));
            line.clear();
        }
        self.offset = file.stream_position()?;
        Ok(found)
    }
}

/// When records are forced to the disk, so that they survive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncPolicy {
    /// After each finished game, and after each line of a table's journal.
    #[default]
    EachGame,
    /// Whenever the system likes.
    Off,
}

/// Writes a ledger as the match goes, one whole line a write. It holds a lock on the file.
#[derive(Debug)]
pub struct LedgerWriter {
    path: PathBuf,
    file: File,
    /// Where a torn last line begins, which the first write cuts off.
    torn_at: Option<u64>,
    sync: SyncPolicy,
}

impl LedgerWriter {
    /// Begins a ledger with its plan; an existing file is refused. Errors name the file.
    pub fn create(path: &Path, plan: &Plan, sync: SyncPolicy) -> io::Result<LedgerWriter> {
        let file = File::create_new(path).and_then(lock);
        let mut writer = LedgerWriter {
            file: file.map_err(|error| naming(path.display(), &error))?,
            path: path.to_owned(),
            torn_at: None,
            sync,
        };
        writer.line(&PlanLine { plan })?;
        Ok(writer)
    }

    /// Begins a ledger under the plan's name for it or, where that is taken, under the first free one with a number
    /// behind it, which is set in the plan. Errors name the file.
    pub fn create_unused(plan: &mut Plan, sync: SyncPolicy) -> io::Result<LedgerWriter> {
        let named = plan.ledger.clone();
        for number in 2.. {
            match LedgerWriter::create(&plan.ledger, plan, sync) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    let stem = named.file_stem().unwrap_or_default().to_string_lossy();
                    plan.ledger = named.with_file_name(format!("{stem}-{number}.jsonl"));
                }
                created => return created,
            }
        }
        unreachable!("numbers do not run out")
    }

    /// Locks a ledger and reads all its bytes. The writer goes on after the last whole line; until it writes, the file
    /// stays as it is.
    pub fn open(path: &Path) -> io::Result<(LedgerWriter, Vec<u8>)> {
        super::file::refuse_devices(path)?;
        let mut file = File::options()
            .read(true)
            .append(true)
            .open(path)
            .and_then(lock)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let writer = LedgerWriter {
            path: path.to_owned(),
            file,
            torn_at: Some(whole_lines(&bytes) as u64),
            sync: SyncPolicy::default(),
        };
        Ok((writer, bytes))
    }

    /// Records that the match has more games now.
    pub fn extend(&mut self, extension: &Extension) -> io::Result<()> {
        self.line(&ExtendLine { extend: extension })
    }

    /// The same writer, with another policy.
    pub fn with_sync(self, sync: SyncPolicy) -> LedgerWriter {
        LedgerWriter { sync, ..self }
    }

    /// Writes one line, as JSON. Errors name the file.
    pub(crate) fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.append(&line)
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let written = self.try_append(line);
        written.map_err(|error| naming(self.path.display(), &error))
    }

    fn try_append(&mut self, line: &[u8]) -> io::Result<()> {
        if let Some(end) = self.torn_at.take() {
            self.file.set_len(end)?;
        }
        self.file.write_all(line)?;
        match self.sync {
            SyncPolicy::EachGame => self.file.sync_data(),
            SyncPolicy::Off => Ok(()),
        }
    }
}

/// Two programs that write one ledger would each lose what the other writes. The lock ends with the file.
fn lock(file: File) -> io::Result<File> {
    if try_lock(&file) {
        Ok(file)
    } else {
        Err(io::Error::other("another linesman is writing to it"))
    }
}

impl Recorder for LedgerWriter {
    fn record(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::GameOver { record } => self.append(&format_game(record)?),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_has_one_writer_at_a_time() {
        let path = std::env::temp_dir().join(format!("linesman-lock-{}.jsonl", std::process::id()));
        std::fs::write(&path, "whole\ntorn").expect("a new file");
        let (first, bytes) = LedgerWriter::open(&path).expect("nobody else writes");
        assert_eq!(bytes, b"whole\ntorn");
        let second = LedgerWriter::open(&path).expect_err("it is being written");
        assert!(second.to_string().contains("another linesman"), "{second}");
        drop(first);
        let (mut third, _) = LedgerWriter::open(&path).expect("the lock is gone");
        third.line(&"next").expect("it can be written");
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert_eq!(text, "whole\n\"next\"\n");
        std::fs::remove_file(&path).expect("it is there");
    }

    const PLAN: &str = r#"{"plan":{"version":"","date":"","game":{"name":"any","options":[]},"engines":[ENGINE,ENGINE],"format":"round-robin","games":2,"swaps":true,"concurrency":1,"srand":0,"openings":["startpos"],"adjudication":{"max_plies":9,"draw":null,"resign":null},"sprt":null,"arbiter":null,"cross_check":false,"startup_ms":1,"ping_ms":1,"ledger":"l","pgn":null,"log":null}}"#;
    const ENGINE: &str = r#"{"name":"A","program":"builtin","proto":"ugi","limit":"nodes=1","margin_ms":0,"ponder":false,"options":[],"restart":"auto","stderr":null}"#;

    fn ledger(lines: &[&str]) -> Result<Ledger, LedgerError> {
        let mut text = PLAN.replace("ENGINE", ENGINE) + "\n";
        for line in lines {
            text += &format!("{line}\n");
        }
        parse_ledger(text.as_bytes())
    }

    fn game(number: usize) -> String {
        let record: GameRecord = serde_json::from_str(&format!(
            r#"{{"game":{number},"pair":1,"p1":"A","p2":"B","opening":"startpos","moves":["x"],"result":"1-0","termination":"normal","reason":"A wins","plies":[null],"date":""}}"#
        ))
        .expect("a game");
        let line = format_game(&record).expect("it can be written");
        String::from_utf8(line)
            .expect("JSON is UTF-8")
            .trim_end()
            .to_owned()
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
        assert_eq!(error.to_string(), "line 4: game 1 again: line 2 holds it");
        let (old, _) = split_checksum(first.as_bytes()).expect("it has a checksum");
        let old = String::from_utf8_lossy(old).into_owned() + "}";
        assert!(ledger(&[&old]).is_ok(), "older ledgers have none");
    }

    #[test]
    fn the_last_extension_wins() {
        let lines = [
            r#"{"extend":{"games":4,"openings":["startpos","startpos moves a"]}}"#,
            r#"{"extend":{"games":6,"openings":["startpos","startpos moves b"]}}"#,
        ];
        let plan = ledger(&lines).expect("a ledger").plan;
        assert_eq!(
            (plan.games, plan.opening(1).to_string().as_str()),
            (6, "startpos moves b")
        );
    }

    #[test]
    fn a_plan_that_cannot_be_played_is_refused() {
        for (field, value) in [
            ("\"openings\":[\"startpos\"]", "\"openings\":[]"),
            ("\"concurrency\":1", "\"concurrency\":0"),
        ] {
            let text = PLAN.replace("ENGINE", ENGINE).replace(field, value) + "\n";
            let error = parse_ledger(text.as_bytes()).expect_err(value);
            assert!(error.to_string().contains("expected"), "{error}");
        }
    }

    #[test]
    fn what_is_no_file_is_not_read() {
        let refused = read_ledger(Path::new("/dev/zero")).expect_err("a device");
        assert!(refused.to_string().contains("no regular file"), "{refused}");
    }
}
