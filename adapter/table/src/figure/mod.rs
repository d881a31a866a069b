//! Figures: drawn boards in documents, mail and pasted text, with captions, quotation marks and other figures around
//! them.
//!
//! [`FigureReader`] finds the boards in a text, line by line, using the game's
//! [`figure_line`](kit::Notation::figure_line). The board is then read by the game's
//! [`parse_position`](kit::Notation::parse_position). The moves in the rest of the text follow the boards.

mod games;
mod text_game;
mod turn;

use games::TextLine;
pub use games::{Reading, Unused, is_same_board};
use kit::game_entry::{Opened, PositionLine};
use kit::parse_diagram::{clean, clean_text};
use kit::{DynHistory, FigureLine, GameEntry, Options, Rejection, Side};
pub use text_game::{TextGame, recognise};
use turn::told_turn;

use crate::move_text::{MoveNumber, segments};

/// Maximum number of boards side by side.
const MAX_ABREAST: usize = 3;

/// Minimum number of blanks between two boards side by side.
const MIN_GAP: usize = 2;

/// Lines of text above and below a figure that may name the side to move.
const N_ABOVE: usize = 2;
const N_BELOW: usize = 3;

/// Maximum number of text lines within a board; more of them end it.
const MAX_WITHIN: usize = 1;

/// Maximum length in bytes of the text kept to explain why it is not a board.
const MAX_ATTEMPT: usize = 4096;

/// A figure that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Its caption, such as `Fig. 4`.
    pub caption: Option<String>,
    /// The possible positions: one if the figure, its board or the text around it names the side to move, otherwise one
    /// for each side, the game's default first.
    pub candidates: Vec<Candidate>,
}

/// A possible position of a figure.
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
    /// Other moves after it that the text contains, each from this position on.
    pub variations: Vec<Vec<String>>,
}

impl Candidate {
    fn of(board: &dyn DynHistory) -> Candidate {
        let side = board.side();
        Candidate {
            side,
            name: board.side_names()[side.index()].clone(),
            fen: board.fen(),
            moves: Vec::new(),
            variations: Vec::new(),
        }
    }
}

/// Reads a text line by line and collects the boards in it.
#[derive(Debug, Clone)]
pub struct FigureReader {
    entry: &'static GameEntry,
    options: Options,
    /// The rows of incomplete boards, side by side.
    open: Vec<Vec<String>>,
    /// Lines of text since the last of these rows.
    n_within: usize,
    /// The text since the first row of an incomplete board.
    attempt: String,
    /// The complete boards.
    drawn: Vec<Drawn>,
    /// The latest lines of text.
    text: Vec<String>,
    /// Number of lines.
    n_lines: usize,
    /// The lines that may contain moves.
    texts: Vec<TextLine>,
    /// A number of a move at the end of the last line of text.
    carried: Option<MoveNumber>,
}

/// A complete board with its surroundings.
#[derive(Debug, Clone, Default)]
struct Drawn {
    rows: Vec<String>,
    feet: Vec<String>,
    is_turn_told: bool,
    /// The position string below it.
    fen: Option<String>,
    caption: Option<String>,
    above: Vec<String>,
    below: Vec<String>,
    /// Number of boards side by side, this one included.
    n_abreast: usize,
}

impl FigureReader {
    /// Creates a reader for the boards of a game.
    pub fn new(entry: &'static GameEntry, options: &Options) -> FigureReader {
        FigureReader {
            entry,
            options: options.clone(),
            open: Vec::new(),
            n_within: 0,
            attempt: String::new(),
            drawn: Vec::new(),
            text: Vec::new(),
            n_lines: 0,
            texts: Vec::new(),
            carried: None,
        }
    }

    /// Reads the next line. Returns `true` if it belongs to a figure, as blank lines and captions do, `false` for other
    /// text.
    pub fn push(&mut self, line: &str) -> bool {
        self.n_lines += 1;
        let raw = line;
        let line = clean(raw);
        let bare = line.trim();
        if bare.is_empty() {
            return true;
        }
        if let Some(fen) = bare.strip_prefix("fen: ") {
            self.add_fen(fen);
            return true;
        }
        if self.add_row(&line) {
            return true;
        }
        self.keep_attempt(&line);
        match self.classify(&[], &line) {
            FigureLine::Turn => self.add_line_below(&line, true),
            FigureLine::Foot => self.add_line_below(&line, false),
            FigureLine::Frame => true,
            _ => {
                self.add_moves(raw);
                self.add_text(bare)
            }
        }
    }

    /// Reads all lines of a text.
    pub fn push_text(&mut self, text: &str) {
        for line in text.lines() {
            self.push(line);
        }
    }

    fn add_moves(&mut self, line: &str) {
        let last = self.texts.last().map(|text| text.number + 1);
        self.carried = self.carried.filter(|_| last == Some(self.n_lines));
        self.texts.push(TextLine {
            number: self.n_lines,
            n_above: self.drawn.len(),
            segments: segments(&clean_text(line), &mut self.carried),
        });
    }

    /// `true` if at least one board was read and none is incomplete.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty() && !self.drawn.is_empty()
    }

    /// `true` if no board is incomplete, and the text contains a board, or moves from the start position.
    pub fn has_games(&self) -> bool {
        self.open.is_empty() && !self.read().games.is_empty()
    }

    /// Number of complete boards.
    pub(crate) fn n_boards(&self) -> usize {
        self.drawn.len()
    }

    /// `true` if a row has been read.
    pub fn has_rows(&self) -> bool {
        !self.open.is_empty() || !self.drawn.is_empty()
    }

    /// The reason why there is no complete board.
    pub fn explain(&self) -> Rejection {
        match self.position(&self.attempt) {
            _ if self.attempt.is_empty() => self.no_board(),
            Err(why) => why,
            Ok(_) => self.no_board(),
        }
    }

    fn no_board(&self) -> Rejection {
        let name = self.entry.name;
        Rejection(format!(
            "no board of {name} in it: expected its rows, as board shows them"
        ))
    }

    fn classify(&self, above: &[String], line: &str) -> FigureLine {
        self.entry.source.figure_line(above, line)
    }

    /// Accepts a line that continues the open boards or begins new ones.
    fn add_row(&mut self, line: &str) -> bool {
        let next = match self.open.len() {
            0 => None,
            _ => self.split(line, &self.open),
        };
        let (parts, is_last) = match next {
            Some(found) => found,
            None => {
                let none = vec![Vec::new(); MAX_ABREAST];
                let mut numbers = 1..=MAX_ABREAST;
                let Some(found) = numbers.find_map(|n| self.split(line, &none[..n])) else {
                    return false;
                };
                self.open = vec![Vec::new(); found.0.len()];
                self.attempt.clear();
                found
            }
        };
        self.keep_attempt(line);
        self.n_within = 0;
        for (rows, part) in self.open.iter_mut().zip(parts) {
            rows.push(part);
        }
        if is_last {
            self.close();
        }
        true
    }

    /// Splits a line into a row for each board; the flag is `true` if these are the last rows.
    fn split(&self, line: &str, above: &[Vec<String>]) -> Option<(Vec<String>, bool)> {
        let (first, others) = above.split_first()?;
        let is_last = |kind: FigureLine| kind == FigureLine::LastRow;
        if others.is_empty() {
            let kind = self.classify(first, line);
            return kind
                .is_row()
                .then(|| (vec![line.to_owned()], is_last(kind)));
        }
        gaps(line).into_iter().find_map(|(start, end)| {
            let kind = self.classify(first, &line[..start]);
            let (mut parts, rest_is_last) = self.split(&line[end..], others)?;
            parts.insert(0, line[..start].to_owned());
            (kind.is_row() && is_last(kind) == rest_is_last).then_some((parts, rest_is_last))
        })
    }

    /// Completes the open boards.
    fn close(&mut self) {
        self.attempt.clear();
        let above = std::mem::take(&mut self.text);
        let n_abreast = self.open.len();
        for rows in self.open.drain(..) {
            self.drawn.push(Drawn {
                rows,
                above: above.clone(),
                n_abreast,
                ..Drawn::default()
            });
        }
    }

    fn add_fen(&mut self, fen: &str) {
        if self.drawn.is_empty() {
            self.drawn.push(Drawn::default());
        }
        self.open.clear();
        if let Some(drawn) = self.drawn.last_mut() {
            drawn.fen = Some(fen.to_owned());
        }
    }

    /// Adds a line below a board to its position. Returns `false` if there is no such board, or if there are several
    /// side by side, since it is unknown to which one the line belongs.
    fn add_line_below(&mut self, line: &str, tells_turn: bool) -> bool {
        match self.drawn.last_mut() {
            Some(drawn) if self.open.is_empty() && drawn.n_abreast <= 1 => {
                if !(tells_turn && drawn.is_turn_told) {
                    drawn.feet.push(line.to_owned());
                }
                drawn.is_turn_told |= tells_turn;
                true
            }
            _ => false,
        }
    }

    fn add_text(&mut self, line: &str) -> bool {
        self.n_within += 1;
        if self.n_within > MAX_WITHIN {
            self.open.clear();
        }
        let is_caption = line
            .get(..3)
            .is_some_and(|start| start.eq_ignore_ascii_case("fig"));
        let n_abreast = self.drawn.last().map_or(0, |drawn| drawn.n_abreast.max(1));
        let first = self.drawn.len() - n_abreast;
        let group = &mut self.drawn[first..];
        if is_caption {
            for (drawn, caption) in group.iter_mut().zip(columns(line, n_abreast)) {
                drawn.caption.get_or_insert(caption);
            }
        } else if let [drawn] = group
            && drawn.below.len() < N_BELOW
        {
            drawn.below.push(line.to_owned());
        }
        self.text.push(line.to_owned());
        if self.text.len() > N_ABOVE {
            self.text.remove(0);
        }
        is_caption
    }

    fn keep_attempt(&mut self, line: &str) {
        if self.attempt.len() + line.len() < MAX_ATTEMPT {
            self.attempt.push_str(line);
            self.attempt.push('\n');
        }
    }

    fn position(&self, fen: &str) -> Opened {
        let line = PositionLine {
            fen: Some(fen),
            moves: &[],
        };
        self.entry.source.open(&self.options, line)
    }

    fn resolve(&self, drawn: &Drawn) -> Result<Figure, Rejection> {
        let candidates = match &drawn.fen {
            Some(fen) => vec![Candidate::of(self.position(fen)?.as_ref())],
            None => self.candidates(drawn)?,
        };
        Ok(Figure {
            caption: drawn.caption.clone(),
            candidates,
        })
    }

    fn candidates(&self, drawn: &Drawn) -> Result<Vec<Candidate>, Rejection> {
        let text = format!("{}\n{}\n", drawn.rows.join("\n"), drawn.feet.join("\n"));
        let board = self.position(&text)?;
        let assumed = Candidate::of(board.as_ref());
        let names = board.side_names();
        let with_turn = |name: &String| {
            let board = self.position(&format!("{text}{name} to move\n")).ok()?;
            Some(Candidate::of(board.as_ref()))
        };
        let [Some(p1), Some(p2)] = names.each_ref().map(with_turn) else {
            return Ok(vec![assumed]);
        };
        if drawn.is_turn_told || p1.fen == p2.fen {
            return Ok(vec![assumed]);
        }
        let start = self.start(&board.shape());
        if let Some(start) = [&p1, &p2]
            .into_iter()
            .find(|one| Some(&one.fen) == start.as_ref())
        {
            return Ok(vec![start.clone()]);
        }
        // The text around the figure, in decreasing order of relevance.
        let texts = [drawn.below.join(" "), drawn.above.join(" ")];
        let mut texts = drawn.caption.clone().into_iter().chain(texts);
        let told = texts.find_map(|text| told_turn(&text, &names));
        Ok(match told {
            Some(0) => vec![p1],
            Some(_) => vec![p2],
            None if assumed == p2 => vec![p2, p1],
            None => vec![p1, p2],
        })
    }

    /// The start position of the game.
    fn start_board(&self) -> Option<Box<dyn DynHistory>> {
        let line = PositionLine {
            fen: None,
            moves: &[],
        };
        self.entry.source.open(&self.options, line).ok()
    }

    /// The position string of the start position on a board of this shape.
    fn start(&self, shape: &str) -> Option<String> {
        let mut options = self.options.clone();
        for (name, value) in shape.split(' ').filter_map(|word| word.split_once('=')) {
            options.set(name, Some(value)).ok()?;
        }
        let line = PositionLine {
            fen: None,
            moves: &[],
        };
        Some(self.entry.source.open(&options, line).ok()?.fen())
    }
}

/// The gaps in a line as byte ranges, the widest first.
fn gaps(line: &str) -> Vec<(usize, usize)> {
    let mut gaps = Vec::new();
    let mut rest = line.trim_end();
    let mut at = rest.len() - rest.trim_start().len();
    rest = rest.trim_start();
    while let Some(start) = rest.find(' ') {
        let tail = rest[start..].trim_start();
        let end = rest.len() - tail.len();
        if end - start >= MIN_GAP {
            gaps.push((at + start, at + end));
        }
        at += end;
        rest = tail;
    }
    gaps.sort_by_key(|(start, end)| std::cmp::Reverse(end - start));
    gaps.truncate(2 * MAX_ABREAST);
    gaps
}

/// Splits a line of captions at its widest gaps.
fn columns(line: &str, n_columns: usize) -> Vec<String> {
    let mut cuts = gaps(line);
    cuts.truncate(n_columns.saturating_sub(1));
    cuts.sort_unstable();
    let mut columns = Vec::new();
    let mut at = 0;
    for (start, end) in cuts {
        columns.push(line[at..start].to_owned());
        at = end;
    }
    columns.push(line[at..].to_owned());
    columns
}
