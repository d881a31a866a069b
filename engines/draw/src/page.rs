//! Layout of a board as text in the available space: the whole board with its notes below or next to it, or the part
//! around its focus.
//!
//! A board is drawn larger if that fits, otherwise in its usual form, if need be with fewer of its notes. If only a part
//! fits, it is one of the larger drawing of a board that has a map, otherwise one of the usual drawing, which shows more.

use std::ops::Range;

use anstyle::Style;
use protocol::text::wrap;

use crate::canvas::{BLANK, Canvas, Glyph, TextPage, TextSpot, paint};
use crate::{Board, Point, Room, Side, TextForm, View, keyboard};

/// Columns of the panel next to a board, and maximum width of a key.
pub const PANEL: usize = 24;
/// Ratio of height to width of a character.
const HEIGHT: f64 = 2.0;
/// Blank columns between a board and the panel.
const GAP: usize = 2;
/// A narrower part of a board has its notes below it instead of next to it.
const MIN_PART: usize = 24;
/// A part of a board in fewer lines has no notes.
const MIN_WITH_NOTES: usize = 8;

impl TextPage {
    /// The page as text, without the final line break.
    pub fn text(&self, is_coloured: bool) -> String {
        let text = |line: &Vec<Glyph>| match is_coloured {
            true => paint(line),
            false => line.iter().map(|(letter, _)| letter).collect(),
        };
        let lines: Vec<String> = self.lines.iter().map(text).collect();
        lines.join("\n")
    }

    /// The spot reached from another one by a direction key, as between the spots of a [board](crate::Neighbours). The
    /// direction is a step to the right and one downwards, each -1, 0 or 1.
    pub fn next_spot(&self, id: &str, step: (i8, i8)) -> Option<&str> {
        let place = |spot: &TextSpot| {
            let middle = f64::from(spot.columns.start + spot.columns.end) / 2.0;
            Point::new(middle, HEIGHT * f64::from(spot.line))
        };
        let places: Vec<Point> = self.spots.iter().map(place).collect();
        let here = self.spots.iter().position(|spot| spot.id == id)?;
        let way = (step.0.into(), step.1.into());
        let next = keyboard::nearest(places[here], &places, way)?;
        Some(&self.spots[next].id)
    }
}

impl Board {
    /// A board of a text, which is shown as it is; in a picture, by a shape for each character.
    pub fn of_text(lines: &[String]) -> Board {
        /// The width of a column and the height of a row, where the height of the font is 1.
        const CELL: (f64, f64) = (0.65, 1.25);
        /// Largest number of characters in a picture.
        const MAX_CHARACTERS: usize = 10_000;
        let n_columns = lines.iter().map(|line| line.chars().count()).max();
        let mut board = Board {
            width: CELL.0 * n_columns.unwrap_or(0).max(1) as f64,
            height: CELL.1 * lines.len() as f64,
            owners: Side::BOTH,
            ..Board::default()
        };
        board.text.scale = Some([1.0 / CELL.0, 1.0 / CELL.1]);
        for (row, line) in lines.iter().enumerate() {
            for (column, sign) in line.chars().enumerate() {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let at = Point::new(CELL.0 * x, CELL.1 * y);
                // A blank keeps its place.
                if sign.is_whitespace() || board.shapes.len() >= MAX_CHARACTERS {
                    board.write(at, sign);
                } else {
                    board.label(at, 1.0, sign);
                }
            }
        }
        board
    }

    /// The board as text, laid out in the view's room.
    pub fn page(&self, view: &View) -> TextPage {
        let layout = |is_close| Layout::new(self, view, is_close);
        let Some(room) = view.room else {
            return layout(false).below(usize::MAX).page(true);
        };
        let (close, usual) = (layout(true), layout(false));
        let ways = [
            Some(close.below(room.columns)),
            close.beside(),
            Some(usual.below(room.columns)),
            usual.beside(),
            usual.with_few_notes(room),
        ];
        let fits = |canvas: &Canvas| {
            let [n_lines, n_columns] = canvas.size();
            n_lines <= room.lines && n_columns <= room.columns
        };
        if let Some(whole) = ways.into_iter().flatten().find(fits) {
            return whole.page(true);
        }
        let part = match self.small_map(view) {
            None => usual.part(room, None),
            map => close.part(room, map),
        };
        part.page(false)
    }
}

/// A drawn board with its accompanying lines.
struct Layout<'a> {
    board: &'a Board,
    /// The whole board.
    canvas: Canvas,
}

impl Layout<'_> {
    fn new<'a>(board: &'a Board, view: &View, is_close: bool) -> Layout<'a> {
        let mut canvas = board.drawn(view, is_close);
        for (line, parts) in (canvas.size()[0] as i32 + 1..).zip(&board.text.below) {
            let mut start = 0;
            for (text, id) in parts {
                canvas.write((line, start), text, Style::new());
                let end = start + text.chars().count() as i32;
                // In a picture it is on the board.
                let mut spots = canvas.spots.iter_mut();
                if let Some(spot) = spots.find(|spot| Some(&spot.id) == id.as_ref()) {
                    (spot.line, spot.columns) = (line, start..end);
                }
                start = end;
            }
        }
        Layout { board, canvas }
    }

    /// The notes in lines of at most this width.
    fn notes(&self, width: usize) -> Vec<String> {
        let notes = match &self.board.text.notes[..] {
            [] => std::slice::from_ref(&self.board.caption),
            notes => notes,
        };
        let lines = notes.iter().flat_map(|note| filled(note, width));
        lines.collect()
    }

    /// The board with lines of text at a line and a column.
    fn with(&self, line: usize, column: usize, lines: &[String]) -> Canvas {
        let mut canvas = self.canvas.clone();
        canvas.write_lines((line as i32, column as i32), lines);
        canvas
    }

    /// The whole board with some of its notes or none. A key is not left out.
    fn with_few_notes(&self, room: Room) -> Option<Canvas> {
        let mut notes = self.notes(room.columns);
        let line = self.canvas.size()[0];
        notes.truncate(room.lines.saturating_sub(line));
        (self.board.text.key.is_empty()).then(|| self.with(line, 0, &notes))
    }

    /// The board with its key and its notes below, wrapped to a width.
    fn below(&self, width: usize) -> Canvas {
        let TextForm { below, key, .. } = &self.board.text;
        let line = self.canvas.size()[0] + usize::from(below.is_empty());
        if key.is_empty() {
            return self.with(line, 0, &self.notes(width));
        }
        let mut canvas = self.with(line, 0, key);
        // The first line of the key has no note next to it.
        let place = (line as i32 + 1, (PANEL + GAP) as i32);
        canvas.write_lines(place, &self.notes(usize::MAX));
        canvas
    }

    /// The board with its key and its notes on the right; `None` if it has no key.
    fn beside(&self) -> Option<Canvas> {
        let key = &self.board.text.key;
        let lines = [&key[..], &[String::new()], &self.notes(PANEL)].concat();
        (!key.is_empty()).then(|| self.with(0, self.canvas.size()[1] + GAP, &lines))
    }

    /// The part around the focus, as large as the space allows, with a panel next to it, or with its notes below, which
    /// take at most half of the space, and none of a small one.
    fn part(self, room: Room, map: Option<Canvas>) -> Canvas {
        let width = room.columns.saturating_sub(GAP + PANEL);
        let has_panel = map.is_some() && width >= MIN_PART;
        let has_notes = !has_panel && room.lines >= MIN_WITH_NOTES;
        let mut notes = self.notes(room.columns);
        notes.truncate((room.lines / 2).saturating_sub(2));
        // Reserves a blank line and the line that says which part is visible.
        let n_lines = room.lines - if has_notes { notes.len() + 2 } else { 0 };
        let n_columns = if has_panel { width } else { room.columns };
        let (line, column) = self.canvas.focus.unzip();
        let shown = self.canvas.spots.iter().find(|spot| spot.id == room.shows);
        let shown = shown.map(|spot| (spot.line..spot.line + 1, spot.columns.clone()));
        let (shown_lines, shown_columns) = shown.unzip();
        let [all_lines, all_columns] = self.canvas.size();
        let lines = around(line, n_lines, all_lines, shown_lines);
        let columns = around(column, n_columns, all_columns, shown_columns);
        let parts = [
            ("columns", &columns, all_columns),
            ("lines", &lines, all_lines),
        ];
        let parts = parts.into_iter().filter(|(_, part, all)| part.len() < *all);
        let ranges = parts
            .map(|(name, part, all)| format!("{name} {}-{} of {all}", part.start + 1, part.end));
        let range = format!("shown: {}", ranges.collect::<Vec<_>>().join(", "));
        let mut canvas = self.canvas.clone().part(&lines, &columns);
        // A last line without characters may have spots.
        let end = (lines.len() as i32 - 1, 0);
        canvas.glyphs.entry(end).or_insert(BLANK);
        if has_panel {
            let panel = self.panel(room.lines, map, &range);
            let panel = panel.moved((0, (width + GAP) as i32));
            canvas.glyphs.extend(panel.glyphs);
        } else if has_notes {
            notes.push(range);
            canvas.write_lines((lines.len() as i32 + 1, 0), &notes);
        }
        canvas.part(&(0..room.lines), &(0..room.columns))
    }

    /// The panel next to a part of the board: the map if it fits, otherwise the visible range; then the key and the notes.
    fn panel(&self, n_lines: usize, map: Option<Canvas>, range: &str) -> Canvas {
        let mut parts = vec![self.board.text.key.clone(), self.notes(PANEL)];
        parts.retain(|part| !part.is_empty());
        let n_free = n_lines.saturating_sub(parts.iter().map(Vec::len).sum());
        let map = map.filter(|map| map.size()[0] <= n_free);
        let mut panel = map.unwrap_or_else(|| {
            let mut shown = Canvas::default();
            shown.write_lines((0, 0), &filled(range, PANEL));
            shown
        });
        let mut line = panel.size()[0];
        // The parts are separated by blank lines if there is space.
        let gap = usize::from(line + parts.len() <= n_free);
        for part in parts {
            panel.write_lines(((line + gap) as i32, 0), &part);
            line += gap + part.len();
        }
        panel
    }
}

/// A range of `n_shown` out of `n_all` places, centred on the focus, by default the middle, and moved as little as needed
/// to include `shown`.
fn around(
    focus: Option<i32>,
    n_shown: usize,
    n_all: usize,
    shown: Option<Range<i32>>,
) -> Range<usize> {
    let n_shown = n_shown.min(n_all);
    let mut start = focus.unwrap_or(n_all as i32 / 2) - n_shown as i32 / 2;
    if let Some(shown) = shown {
        start = start.max(shown.end - n_shown as i32).min(shown.start);
    }
    let start = start.clamp(0, (n_all - n_shown) as i32) as usize;
    start..start + n_shown
}

/// A paragraph in lines of at most this width.
fn filled(text: &str, width: usize) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    wrap(&words, width).lines().map(str::to_owned).collect()
}
