//! Layout of a board as text in the available space: the whole board with its notes below or next to it, or the part
//! around its focus.
//!
//! A board is drawn larger if that fits, otherwise in its usual form, if need be with fewer of its notes. If only a part
//! fits, it is one of the larger drawing of a board that has a map, otherwise one of the usual drawing, which shows more.

use std::ops::Range;

use anstyle::Style;
use protocol::text::wrap;

use crate::canvas::{BLANK, TextLine, TextPage, TextSpot, paint, trim};
use crate::{Board, Point, Room, Side, View, keyboard};

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
        let text = |line: &TextLine| match is_coloured {
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
            return layout(view.is_close).below(usize::MAX);
        };
        let (close, usual) = (layout(true), layout(false));
        let ways = [
            Some(close.below(room.columns)),
            close.beside(),
            Some(usual.below(room.columns)),
            usual.beside(),
            usual.with_few_notes(room),
        ];
        let fits = |page: &TextPage| {
            page.lines.len() <= room.lines && columns_of(&page.lines) <= room.columns
        };
        let part = if self.text.has_map { close } else { usual };
        let whole = ways.into_iter().flatten().find(fits);
        whole.unwrap_or_else(|| part.part(room))
    }
}

/// A drawn board with its accompanying lines.
struct Layout<'a> {
    board: &'a Board,
    view: &'a View<'a>,
    /// The whole board.
    page: TextPage,
    key: Vec<TextLine>,
    notes: Vec<String>,
}

impl Layout<'_> {
    fn new<'a>(board: &'a Board, view: &'a View, is_close: bool) -> Layout<'a> {
        let mut page = board.drawn(view, is_close);
        if !board.text.below.is_empty() {
            page.lines.push(Vec::new());
        }
        for parts in &board.text.below {
            let mut line = Vec::new();
            for (text, id) in parts {
                let start = line.len() as i32;
                line.extend(plain(text));
                // In a picture it is on the board.
                if let Some(spot) = page
                    .spots
                    .iter_mut()
                    .find(|spot| Some(&spot.id) == id.as_ref())
                {
                    (spot.line, spot.columns) = (page.lines.len() as i32, start..line.len() as i32);
                }
            }
            page.lines.push(line);
        }
        let (key, notes) = match (view.ending, &board.text.notes[..]) {
            (Some(ending), _) => (&[][..], vec![ending.to_owned()]),
            (None, []) => (&board.text.key[..], vec![board.caption.clone()]),
            (None, notes) => (&board.text.key[..], notes.to_vec()),
        };
        Layout {
            board,
            view,
            page,
            key: key.iter().map(|line| plain(line)).collect(),
            notes,
        }
    }

    /// The notes in lines of at most this width.
    fn notes(&self, width: usize) -> Vec<TextLine> {
        let notes = self.notes.iter();
        notes.flat_map(|note| filled(note, width)).collect()
    }

    /// The whole board with some of its notes or none. A key is not left out.
    fn with_few_notes(&self, room: Room) -> Option<TextPage> {
        let n_free = room.lines.saturating_sub(self.page.lines.len());
        let notes = self.notes(room.columns).into_iter().take(n_free);
        let page = self.with_lines(notes);
        self.key.is_empty().then_some(page)
    }

    /// The board with its key and its notes below, wrapped to a width.
    fn below(&self, width: usize) -> TextPage {
        let mut lines = self.key.clone();
        if lines.is_empty() {
            lines = self.notes(width);
        } else {
            // The first line of the key has no note next to it.
            let notes = [vec![Vec::new()], self.notes(usize::MAX)].concat();
            put_beside(&mut lines, PANEL + GAP, notes);
        }
        let is_apart = self.board.text.below.is_empty() && !lines.is_empty();
        self.with_lines(is_apart.then(Vec::new).into_iter().chain(lines))
    }

    fn with_lines(&self, lines: impl IntoIterator<Item = TextLine>) -> TextPage {
        let mut page = self.page.clone();
        page.lines.extend(lines);
        page
    }

    /// The board with its key and its notes on the right; `None` if it has no key.
    fn beside(&self) -> Option<TextPage> {
        let lines = [&self.key[..], &[Vec::new()], &self.notes(PANEL)].concat();
        let mut page = self.page.clone();
        let column = columns_of(&page.lines) + GAP;
        put_beside(&mut page.lines, column, lines);
        (!self.key.is_empty()).then_some(page)
    }

    /// The part around the focus, as large as the space allows, with a panel next to it, or with its notes below, which
    /// take at most half of the space, and none of a small one.
    fn part(&self, room: Room) -> TextPage {
        let width = room.columns.saturating_sub(GAP + PANEL);
        let has_panel = (!self.key.is_empty() || self.board.text.has_map) && width >= MIN_PART;
        let has_notes = !has_panel && room.lines >= MIN_WITH_NOTES;
        let mut notes = self.notes(room.columns);
        notes.truncate((room.lines / 2).saturating_sub(2));
        // Reserves a blank line and the line that says which part is visible.
        let n_lines = room.lines - if has_notes { notes.len() + 2 } else { 0 };
        let n_columns = if has_panel { width } else { room.columns };
        let all = (self.page.lines.len(), columns_of(&self.page.lines));
        let (line, column) = self.page.focus.unzip();
        let shown = self.page.spots.iter().find(|spot| spot.id == room.shows);
        let shown = shown.map(|spot| (spot.line..spot.line + 1, spot.columns.clone()));
        let (shown_lines, shown_columns) = shown.unzip();
        let lines = around(line, n_lines, all.0, shown_lines);
        let columns = around(column, n_columns, all.1, shown_columns);
        let parts = [("columns", &columns, all.1), ("lines", &lines, all.0)].into_iter();
        let parts = parts.filter(|(_, part, all)| part.len() < *all);
        let ranges = parts
            .map(|(name, part, all)| format!("{name} {}-{} of {all}", part.start + 1, part.end));
        let range = format!("shown: {}", ranges.collect::<Vec<_>>().join(", "));

        let corner = (-(lines.start as i32), -(columns.start as i32));
        let mut page = self.page.clone();
        page.is_whole = false;
        page.spots = page.spots.iter().map(|spot| spot.moved(corner)).collect();
        page.spots.retain(|spot| {
            let is_in_columns = spot.columns.start >= 0 && spot.columns.end <= columns.len() as i32;
            is_in_columns && (0..lines.len() as i32).contains(&spot.line)
        });
        page.lines = page.lines[lines].to_vec();
        for line in &mut page.lines {
            line.truncate(columns.end);
            line.drain(..columns.start.min(line.len()));
        }
        if has_panel {
            put_beside(&mut page.lines, width + GAP, self.panel(room.lines, &range));
        } else if has_notes {
            page.lines.push(Vec::new());
            page.lines.extend(notes);
            page.lines.push(plain(&range));
        }
        page.lines.truncate(room.lines);
        for line in &mut page.lines {
            line.truncate(room.columns);
            trim(line);
        }
        page
    }

    /// The panel next to a part of the board: the map if it fits, otherwise the visible range; then the key and the
    /// notes.
    fn panel(&self, n_lines: usize, range: &str) -> Vec<TextLine> {
        let mut parts = vec![self.key.clone(), self.notes(PANEL)];
        parts.retain(|part| !part.is_empty());
        let n_free = n_lines.saturating_sub(parts.iter().map(Vec::len).sum());
        let draw = || self.board.map_page(self.view).lines;
        let map = self.board.text.has_map.then(draw);
        let map = map.filter(|map| map.len() <= n_free);
        let first = map.unwrap_or_else(|| filled(range, PANEL));
        // The parts are separated by blank lines if there is space.
        let is_apart = first.len() + parts.len() <= n_free;
        parts.insert(0, first);
        parts.join(&vec![TextLine::new(); usize::from(is_apart)][..])
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

fn columns_of(lines: &[TextLine]) -> usize {
    lines.iter().map(Vec::len).max().unwrap_or(0)
}

fn plain(text: &str) -> TextLine {
    text.chars().map(|letter| (letter, Style::new())).collect()
}

/// A paragraph in lines of at most this width.
fn filled(text: &str, width: usize) -> Vec<TextLine> {
    let words: Vec<&str> = text.split(' ').collect();
    wrap(&words, width).lines().map(plain).collect()
}

/// Adds lines on the right, from a column.
fn put_beside(lines: &mut Vec<TextLine>, column: usize, right: Vec<TextLine>) {
    for (i, line) in right.into_iter().enumerate() {
        if lines.len() == i {
            lines.push(Vec::new());
        }
        if !line.is_empty() {
            lines[i].resize(column, BLANK);
            lines[i].extend(line);
        }
    }
}
