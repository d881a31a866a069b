//! A game as people paste it: the line `fen: ...` or the rows of one board, and numbered moves below.
//!
//! [`PasteReader`] takes a text line by line. What is neither a board nor moves is named in [`Pasted::unread`].

use draw::grid::{GridLine, GridReader, clean_text};
use kit::dyn_history::not_shown;
use kit::game_entry::{Opened, PositionLine};
use kit::{DynHistory, Rejection, Side};
use protocol::text::excerpt;
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};

use crate::journal::Journal;
use crate::typing::{Segment, TypingError, read_codes, read_segments, segments};

/// Maximum number of unread lines that a message lists.
const MAX_LISTED: usize = 6;

/// Reads a text line by line.
#[derive(Debug, Clone)]
pub struct PasteReader {
    rules: Rules,
    /// `None` for a game whose drawings do not show the position.
    grid: Option<GridReader>,
    /// The lines of the board.
    drawn: Vec<String>,
    fen: Option<String>,
    /// The other lines, each with its number, from 1.
    others: Vec<(usize, String)>,
    n_lines: usize,
}

/// The role of a line in a text with a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasteLine {
    /// A part of the board, or a blank line.
    Board,
    /// It begins with a number, as moves do.
    Numbered,
    /// Anything else.
    Other,
}

/// A game that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pasted {
    /// The possible positions: one for each side if the text does not say who is to move.
    pub candidates: Vec<Candidate>,
    /// Lines that were not understood: `line 3: Fig. 4`.
    pub unread: Vec<String>,
}

/// A position and the moves after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The side to move.
    pub side: Side,
    /// The name of this side on the board.
    pub name: String,
    /// The position string.
    pub fen: String,
    /// The moves after it.
    pub moves: Vec<String>,
}

impl PasteReader {
    /// Creates a reader for a game.
    pub fn new(rules: &Rules) -> PasteReader {
        PasteReader {
            rules: rules.clone(),
            grid: rules.entry().source.grid().map(GridReader::new),
            drawn: Vec::new(),
            fen: None,
            others: Vec::new(),
            n_lines: 0,
        }
    }

    /// Reads the next line.
    pub fn push(&mut self, line: &str) -> PasteLine {
        self.n_lines += 1;
        let text = clean_text(line).trim().to_owned();
        if text.is_empty() {
            return PasteLine::Board;
        }
        if let Some(fen) = text.strip_prefix("fen: ") {
            self.fen = Some(fen.to_owned());
            return PasteLine::Board;
        }
        let grid = self.grid.as_mut();
        match grid.map_or(GridLine::Other, |grid| grid.push(line)) {
            GridLine::Frame => return PasteLine::Board,
            GridLine::Row | GridLine::Below => {
                self.drawn.push(line.to_owned());
                return PasteLine::Board;
            }
            GridLine::Other => {}
        }
        let is_numbered = begins_with_number(&segments(&text));
        self.others.push((self.n_lines, text));
        match is_numbered {
            true => PasteLine::Numbered,
            false => PasteLine::Other,
        }
    }

    /// Reads all lines of a text.
    pub fn push_text(&mut self, text: &str) {
        for line in text.lines() {
            self.push(line);
        }
    }

    /// `true` if the position is complete: its string or the last row of its board has been read.
    pub fn is_complete(&self) -> bool {
        self.fen.is_some() || self.grid.as_ref().is_some_and(GridReader::is_complete)
    }

    /// `true` if a part of a position has been read.
    pub fn has_rows(&self) -> bool {
        self.fen.is_some() || self.grid.as_ref().is_some_and(GridReader::has_rows)
    }

    /// `true` if the position names the side to move.
    pub fn tells_turn(&self) -> bool {
        let board = self.grid.as_ref().and_then(|grid| grid.board().ok());
        self.fen.is_some() || board.is_some_and(|board| board.turn.is_some())
    }

    /// The game in the text.
    ///
    /// # Errors
    /// There is none, its position is invalid, or its moves cannot be played.
    pub fn read(&self) -> Result<Pasted, Rejection> {
        let boards = self.positions()?;
        let (moves, unread) = self.split_lines(boards[0].as_ref());
        if !self.has_rows() && moves.is_empty() {
            return Err(self.no_game());
        }
        let mut refused = None;
        let mut candidates = Vec::new();
        for board in &boards {
            match follow(board.as_ref(), &moves) {
                Ok(moves) => candidates.push(Candidate::of(board.as_ref(), moves)),
                Err(why) => drop(refused.get_or_insert(why)),
            }
        }
        if candidates.is_empty() {
            candidates.extend(self.led_to(&boards, &moves));
        }
        match refused {
            Some(why) if candidates.is_empty() => Err(Rejection(why.to_string())),
            _ => Ok(Pasted { candidates, unread }),
        }
    }

    /// The moves of the numbered lines, and the lines that were not understood.
    fn split_lines(&self, board: &dyn DynHistory) -> (Vec<Segment>, Vec<String>) {
        let is_move = |segment: &Segment| {
            let read = read_codes(board, &segment.text);
            !matches!(read, Err(TypingError::NoMove(_)))
        };
        let (mut moves, mut unread) = (Vec::new(), Vec::new());
        for (line, text) in &self.others {
            let segments = segments(text);
            match begins_with_number(&segments) && segments.iter().all(is_move) {
                true => moves.extend(segments),
                false => unread.push(format!("line {line}: {}", excerpt(text))),
            }
        }
        (moves, unread)
    }

    /// The game from the start, if its moves lead to one of these positions.
    fn led_to(&self, boards: &[Box<dyn DynHistory>], moves: &[Segment]) -> Option<Candidate> {
        let start = self.start(&boards[0].shape())?;
        let codes = follow(start.as_ref(), moves).ok()?;
        let mut after = start.fork();
        for code in &codes {
            after.play(code).ok()?;
        }
        let is_shown = boards.iter().any(|board| board.fen() == after.fen());
        is_shown.then(|| Candidate::of(start.as_ref(), codes))
    }

    /// The positions of the text: one, or one for each side.
    fn positions(&self) -> Result<Vec<Box<dyn DynHistory>>, Rejection> {
        if let Some(fen) = &self.fen {
            return Ok(vec![self.open(Some(fen))?]);
        }
        let Some(grid) = self.grid.as_ref().filter(|grid| grid.has_rows()) else {
            return Ok(vec![self.open(None)?]);
        };
        let board = grid.board()?;
        let text = self.drawn.join("\n");
        let assumed = self.open(Some(&text))?;
        if board.turn.is_some() {
            return Ok(vec![assumed]);
        }
        let names = assumed.side_names();
        let to_move = |name: &String| self.open(Some(&format!("{text}\n{name} to move")));
        let [Ok(p1), Ok(p2)] = names.each_ref().map(to_move) else {
            return Ok(vec![assumed]);
        };
        let start = self.start(&assumed.shape()).map(|start| start.fen());
        let both = vec![p1, p2];
        match both.iter().position(|board| Some(board.fen()) == start) {
            Some(index) => Ok(both.into_iter().nth(index).into_iter().collect()),
            None => Ok(both),
        }
    }

    /// Opens a position string or a board.
    fn open(&self, fen: Option<&str>) -> Opened {
        let (source, options) = (&self.rules.entry().source, self.rules.options());
        source.open(options, PositionLine { fen, moves: &[] })
    }

    /// The start position on a board of this shape.
    fn start(&self, shape: &str) -> Option<Box<dyn DynHistory>> {
        let mut options = self.rules.options().clone();
        for (name, value) in shape.split(' ').filter_map(|word| word.split_once('=')) {
            options.set(name, Some(value)).ok()?;
        }
        let (fen, moves) = (None, &[][..]);
        let source = &self.rules.entry().source;
        source.open(&options, PositionLine { fen, moves }).ok()
    }

    fn no_game(&self) -> Rejection {
        let name = self.rules.entry().name;
        match &self.grid {
            None => not_shown(name),
            Some(_) => Rejection(format!(
                "no position of {name} in it. Paste the rows as `board` prints them, or the line `fen: ...`"
            )),
        }
    }
}

fn begins_with_number(segments: &[Segment]) -> bool {
    let first = segments.first();
    first.is_some_and(|first| first.number.is_some())
}

/// The codes of the moves from a position.
fn follow(board: &dyn DynHistory, moves: &[Segment]) -> Result<Vec<String>, TypingError> {
    if let [Segment { number, text }, ..] = moves
        && number.is_some_and(|number| number.is_second)
        && board.side() == Side::P1
    {
        let why = format!("player 1 is to move, and {text} is a move of player 2");
        return Err(TypingError::NoMove(why));
    }
    read_segments(board, moves, false)
}

impl Candidate {
    fn of(board: &dyn DynHistory, moves: Vec<String>) -> Candidate {
        let side = board.side();
        Candidate {
            side,
            name: board.side_names()[side.index()].clone(),
            fen: board.fen(),
            moves,
        }
    }

    /// A line for people: the position and the number of moves.
    pub fn summary(&self) -> String {
        let moves = match self.moves.as_slice() {
            [] => String::new(),
            moves => format!(", then {}", moves.join(" ")),
        };
        format!("read: {} ({} to move){moves}", self.fen, self.name)
    }

    /// The position as the opening of a game with these rules.
    pub fn opening(&self, rules: &Rules) -> Opening {
        Opening {
            fen: Some(self.fen.clone()).filter(|fen| *fen != rules.start().fen()),
            moves: Vec::new(),
        }
    }
}

impl Pasted {
    /// The only possible position.
    ///
    /// # Errors
    /// The text does not say who is to move; the message says what to add.
    pub fn only(&self) -> Result<&Candidate, String> {
        match self.candidates.as_slice() {
            [one, other] => Err(format!(
                "the board does not say who is to move. Add the line `{} to move` or `{} to move` below it",
                one.name, other.name
            )),
            candidates => Ok(&candidates[0]),
        }
    }

    /// A line that lists what was not understood; `None` if everything was.
    pub fn unread_note(&self) -> Option<String> {
        let (listed, more) = match self.unread.get(..MAX_LISTED) {
            Some(listed) if self.unread.len() > MAX_LISTED => (listed, ", ..."),
            _ => (self.unread.as_slice(), ""),
        };
        (!listed.is_empty()).then(|| format!("not read: {}{more}", listed.join(", ")))
    }
}

/// The game in a text, for clients that cannot ask: its journal, and a note for people.
///
/// # Errors
/// There is none, or the text does not say who is to move.
pub fn read_game(rules: &Rules, text: &str, id: String) -> Result<(Journal, String), String> {
    let mut reader = PasteReader::new(rules);
    reader.push_text(text);
    let pasted = reader.read().map_err(|why| why.to_string())?;
    let candidate = pasted.only()?;
    let notes = std::iter::once(candidate.summary()).chain(pasted.unread_note());
    let mut journal = Journal::new(id, candidate.opening(rules));
    journal.add_lines(vec![candidate.moves.clone()]);
    Ok((journal, notes.collect::<Vec<_>>().join("; ")))
}

/// The game, with default options, that can read a text: a position string, or boards and moves. Of several, the one
/// that understands most lines.
///
/// # Errors
/// There is none, or there are several.
pub fn recognise(registry: Registry, text: &str) -> Result<Rules, String> {
    let opening = Opening::parse(text);
    let games = registry.games().iter();
    let rules = games.filter_map(|entry| registry.rules(&GameSpec::new(entry.name, [])).ok()?);
    // A text that a game reads as one position has fewer unread lines than any.
    let n_unread = |rules: &Rules| match rules.open(&opening) {
        Ok(_) => Some(0),
        Err(_) => {
            let mut reader = PasteReader::new(rules);
            reader.push_text(text);
            reader.read().ok().map(|pasted| pasted.unread.len() + 1)
        }
    };
    let mut found: Vec<(usize, Rules)> = rules
        .filter_map(|rules| Some((n_unread(&rules)?, rules)))
        .collect();
    let fewest = found.iter().map(|(n_unread, _)| *n_unread).min();
    found.retain(|(n_unread, _)| Some(*n_unread) == fewest);
    match found.as_slice() {
        [(_, only)] => Ok(only.clone()),
        [] => {
            let what = "Paste the rows of a board, or the line `fen: ...`";
            Err(format!("no game can read the text. {what}"))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|(_, it)| it.entry().name).collect();
            let names = names.join(", ");
            Err(format!("the text fits {names}. Choose the game"))
        }
    }
}
