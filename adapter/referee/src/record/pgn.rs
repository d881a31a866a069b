//! The PGN twin of a ledger: the same games in the shape that Ordo, BayesElo and people read.

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use kit::{DynHistory, Side};

use super::file::read_records;
use super::pgn_text::{format_code, format_comment_text, quote};
use super::{GameRecord, PgnGame, PlyRecord, read_pgn};
use crate::event::{Event, Recorder, naming};
use crate::opening::Opening;
use crate::plan::{GameSpec, Plan};
use crate::platform::check_new_file;
use crate::registry::{Registry, Rules};

/// Where lines of moves are broken.
const WIDTH: usize = 80;

/// Writes finished games to a PGN file as the match goes. The file is made with the first game.
#[derive(Debug)]
pub struct PgnWriter {
    path: PathBuf,
    /// `None` before the first game.
    file: Option<File>,
    registry: Registry,
    plan: Plan,
}

impl PgnWriter {
    /// A new file; an existing one is refused, and so is one that cannot be made. Errors name the file.
    pub fn create(path: &Path, registry: Registry, plan: &Plan) -> io::Result<PgnWriter> {
        check_new_file(path).map_err(|error| naming(path.display(), &error))?;
        Ok(PgnWriter::over(path, registry, plan))
    }

    /// Writes a file anew from the games of a ledger, and goes on from there. A file that holds anything but games of
    /// this match is refused. Errors name the file.
    pub fn rebuild(
        path: &Path,
        registry: Registry,
        plan: &Plan,
        games: &[GameRecord],
    ) -> io::Result<PgnWriter> {
        let text = |record| format_pgn(registry, plan, record);
        let text: String = games.iter().map(text).collect();
        if games.is_empty() && !path.try_exists()? {
            return PgnWriter::create(path, registry, plan);
        }
        let named = |error| naming(path.display(), &error);
        check_overwrite(path, &text, games).map_err(named)?;
        let mut writer = PgnWriter::over(path, registry, plan);
        writer.file = Some(File::create(path).map_err(named)?);
        writer.write(&text)?;
        Ok(writer)
    }

    fn over(path: &Path, registry: Registry, plan: &Plan) -> PgnWriter {
        PgnWriter {
            path: path.to_owned(),
            file: None,
            registry,
            plan: plan.clone(),
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => Ok(file),
            None => File::create_new(&self.path).map(|file| self.file.insert(file)),
        };
        let written = file.and_then(|file| file.write_all(text.as_bytes()));
        written.map_err(|error| naming(self.path.display(), &error))
    }
}

/// Whether a file may be written anew: there is none, it is the beginning of the new text, or it holds games of this
/// match alone, as an older version wrote them. The last game may be torn.
fn check_overwrite(path: &Path, new: &str, games: &[GameRecord]) -> io::Result<()> {
    if !path.try_exists()? {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&read_records(path)?).into_owned();
    if new.starts_with(&text) {
        return Ok(());
    }
    let found = read_pgn(&text);
    let is_own = |found: &PgnGame| games.iter().any(|game| found.record.is_same_game(game));
    let n_whole = match found.last() {
        Some(last) if found.len() == 1 || is_own(last) => found.len(),
        Some(_) => found.len() - 1,
        None => 0,
    };
    if n_whole > 0 && found[..n_whole].iter().all(is_own) {
        return Ok(());
    }
    Err(io::Error::other(
        "not the PGN of this match, and not overwritten: expected another file with --pgn",
    ))
}

impl Recorder for PgnWriter {
    fn record(&mut self, event: &Event) -> io::Result<()> {
        if let Event::GameOver { record } = event {
            let text = format_pgn(self.registry, &self.plan, record);
            self.write(&text)?;
        }
        Ok(())
    }
}

/// A finished game as PGN, closed by an empty line.
pub fn format_pgn(registry: Registry, plan: &Plan, record: &GameRecord) -> String {
    let comment = |index: usize| {
        let ply = record.plies.get(index).and_then(Option::as_ref);
        ply.map_or_else(|| "{book}".to_owned(), format_ply)
    };
    let time_control = time_control(plan, record);
    format(registry, &plan.game, &time_control, record, &comment)
}

/// A finished game as PGN with comments of somebody else, closed by an empty line. Shape of `comments`: one a move. Without a
/// plan, the time control is `?`.
pub fn format_annotated_pgn(
    registry: Registry,
    game: &GameSpec,
    plan: Option<&Plan>,
    record: &GameRecord,
    comments: &[String],
) -> String {
    let comment = |index: usize| {
        let comment = comments.get(index).map_or("", String::as_str);
        format_comment_text(comment)
    };
    let time_control = plan.map_or_else(|| "?".to_owned(), |plan| time_control(plan, record));
    format(registry, game, &time_control, record, &comment)
}

/// The tags and moves of a game; `comment` has that of each move, by its index.
fn format(
    registry: Registry,
    game: &GameSpec,
    time_control: &str,
    record: &GameRecord,
    comment: &dyn Fn(usize) -> String,
) -> String {
    let mut text = String::new();
    let rules = registry.rules(game).ok().flatten();
    let base = Opening {
        fen: record.opening.fen.clone(),
        moves: Vec::new(),
    };
    let start = rules.as_ref().and_then(|rules| rules.open(&base).ok());
    let words = game_words(rules.as_ref(), start.as_deref());
    write_tags(&mut text, &game.name, record, words, time_control).expect("a string takes all");
    text.push('\n');
    let first = start.map_or(Side::P1, |board| board.side());
    text.push_str(&wrap(&move_words(record, first, comment), WIDTH));
    text.push_str("\n\n");
    text
}

fn write_tags(
    out: &mut String,
    game: &str,
    record: &GameRecord,
    (variant, options): (String, String),
    time_control: &str,
) -> fmt::Result {
    let mut tag = |name: &str, value: &str| writeln!(out, "[{name} {}]", quote(value));
    tag("Event", "Linesman match")?;
    tag("Site", "?")?;
    tag("Date", &record.date)?;
    tag("Round", &format!("{}.{}", record.pair, record.game))?;
    tag("White", &record.p1)?;
    tag("Black", &record.p2)?;
    tag("Result", &record.result.to_string())?;
    tag("Game", game)?;
    tag("Variant", &variant)?;
    tag("Options", &options)?;
    if let Some(fen) = &record.opening.fen {
        tag("SetUp", "1")?;
        tag("FEN", fen)?;
    }
    tag("Termination", &record.termination.to_string())?;
    tag("TimeControl", time_control)?;
    tag("PlyCount", &record.moves.len().to_string())
}

/// The options that shape the board, and all options; `-` where there are none.
fn game_words(rules: Option<&Rules>, start: Option<&dyn DynHistory>) -> (String, String) {
    let Some(rules) = rules else {
        return ("-".to_owned(), "-".to_owned());
    };
    let shape = start.map_or_else(String::new, DynHistory::shape);
    let options: Vec<String> = rules
        .options()
        .values()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    (or_dash(shape), or_dash(options.join(" ")))
}

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// The limit of both, or of each, as `White, Black`.
fn time_control(plan: &Plan, record: &GameRecord) -> String {
    let limits = plan.limits();
    let limit = |name: &str| {
        let known = limits.iter().find(|(known, _)| known == name);
        known.map_or_else(|| "?".to_owned(), |(_, limit)| limit.pgn_tag())
    };
    let (p1, p2) = (limit(&record.p1), limit(&record.p2));
    if p1 == p2 { p1 } else { format!("{p1}, {p2}") }
}

/// Move numbers, codes, comments and the result, one word each where a line may be broken.
fn move_words(record: &GameRecord, first: Side, comment: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut words = Vec::new();
    for (index, code) in record.moves.iter().enumerate() {
        let half_moves = index + first.index();
        if half_moves.is_multiple_of(2) {
            words.push(format!("{}.", half_moves / 2 + 1));
        } else if index == 0 {
            words.push(format!("{}...", half_moves / 2 + 1));
        }
        words.push(format_code(code));
        words.push(comment(index));
    }
    if !record.reason.is_empty() {
        words.push(format_comment_text(&record.reason));
    }
    words.push(record.result.to_string());
    words
}

/// The comment of a move, with its player where partners take turns: `{+0.35/12 0.513s A}`.
fn format_ply(ply: &PlyRecord) -> String {
    match &ply.by {
        None => format_comment(ply),
        Some(name) => format_comment_text(&format!("{} {name}", format_thought(ply))),
    }
}

/// `{+0.35/12 0.513s}`, as far as the engine told.
pub fn format_comment(ply: &PlyRecord) -> String {
    format!("{{{}}}", format_thought(ply))
}

/// `+0.35/12 0.513s`, as far as the engine told.
pub fn format_thought(ply: &PlyRecord) -> String {
    let mut text = String::new();
    if let Some(score) = ply.score {
        let _ = write!(text, "{score}");
    }
    if let Some(depth) = ply.depth {
        let _ = write!(text, "/{depth}");
    }
    if !text.is_empty() {
        text.push(' ');
    }
    let _ = write!(text, "{:.3}s", ply.time);
    text
}

/// Words split by single blanks, on lines of at most so many characters unless a word is longer.
pub fn wrap(words: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let n_chars = word.chars().count();
        if column > 0 && column + 1 + n_chars > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += n_chars;
    }
    text
}
