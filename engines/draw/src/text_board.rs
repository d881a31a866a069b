//! Layout of a board as text in the available space: the whole board with its notes below or next to it, or the part
//! around its focus.
//!
//! A game draws a [`TextBoard`] without knowing the size of the screen, but may draw it larger if
//! [`View::is_close`](crate::View) is set. [`TextBoard::choose`] lays it out as a [`TextPage`]: the larger drawing if it
//! fits, otherwise the usual one, if need be with fewer of its notes. If only a part fits, it is one of the larger drawing
//! in a game that has a map of the whole board, otherwise one of the usual drawing, which shows more.

use std::ops::Range;

use crate::text_canvas::{CanvasPage, Glyph, TextCanvas, TextSpot, plain_line, text, trim};
use crate::{Point, Room, keyboard};

/// Columns of the panel next to a board, and maximum width of a [key](TextBoard::key).
pub const PANEL: usize = 24;
/// Ratio of height to width of a character.
const HEIGHT: f64 = 2.0;
/// Blank columns between a board and the panel.
const GAP: usize = 2;
/// A narrower part of a board has its notes below it instead of next to it.
const MIN_PART: usize = 24;
/// A part of a board in fewer lines has no notes.
const MIN_WITH_NOTES: usize = 8;

/// A board as text with its accompanying lines.
#[derive(Debug, Clone, Default)]
pub struct TextBoard {
    /// The board, with its spots and its focus.
    pub canvas: TextCanvas,
    /// A table that explains the board, at most [`PANEL`] columns wide; empty if there is none.
    pub key: Vec<String>,
    /// The side to move or the result, and further remarks.
    pub notes: Vec<String>,
    /// A small map of the whole board, at most [`PANEL`] columns wide, shown next to a part of the board.
    pub map: Option<TextCanvas>,
}

/// A laid-out board: lines of characters, with the places of the spots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPage {
    /// The lines, without trailing blanks.
    pub lines: Vec<Vec<Glyph>>,
    /// The visible spots. Lines and columns count from 0.
    pub spots: Vec<TextSpot>,
    /// `true` if the whole board is visible.
    pub is_whole: bool,
}

impl TextPage {
    /// The page as text, without the final line break.
    pub fn text(&self, is_coloured: bool) -> String {
        text(&self.lines, is_coloured)
    }

    /// The spot reached from another one by a direction key, as between the spots of a
    /// [diagram](crate::Neighbours). The direction is a step to the right and one downwards, each -1, 0 or 1.
    pub fn next_spot(&self, id: &str, step: (i8, i8)) -> Option<&str> {
        let place = |spot: &TextSpot| {
            let middle = f64::from(spot.columns.start + spot.columns.end) / 2.0;
            Point::new(middle, HEIGHT * f64::from(spot.line))
        };
        let places: Vec<Point> = self.spots.iter().map(place).collect();
        let here = self.spots.iter().position(|spot| spot.id == id)?;
        let next = keyboard::next(places[here], &places, step)?;
        Some(&self.spots[next].id)
    }

    fn width(&self) -> usize {
        self.lines.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn fits(&self, room: Room) -> bool {
        self.lines.len() <= room.lines && self.width() <= room.columns
    }
}

impl TextBoard {
    /// Creates a board with notes below it.
    pub fn new(canvas: TextCanvas, notes: impl IntoIterator<Item = String>) -> TextBoard {
        TextBoard {
            canvas,
            notes: notes.into_iter().collect(),
            ..TextBoard::default()
        }
    }

    /// The layout of a board for this space, from a function that draws it larger or in its usual form.
    pub fn choose(draw: impl Fn(bool) -> TextBoard, room: Room) -> TextPage {
        let close = draw(true);
        if let Some(page) = close.fit(room) {
            return page;
        }
        let usual = draw(false);
        let whole = usual.fit(room).or_else(|| usual.with_few_notes(room));
        whole.unwrap_or_else(|| match close.map {
            Some(_) => close.part(room),
            None => usual.part(room),
        })
    }

    /// The whole board with its key and its notes below.
    pub fn page(&self) -> TextPage {
        self.above(usize::MAX)
    }

    /// The whole board, if it fits with its notes below or next to it.
    fn fit(&self, room: Room) -> Option<TextPage> {
        let above = Some(self.above(room.columns)).filter(|page| page.fits(room));
        above.or_else(|| self.beside().filter(|page| page.fits(room)))
    }

    /// The whole board, if it fits with some of its notes or none. A key is not left out.
    fn with_few_notes(&self, room: Room) -> Option<TextPage> {
        if !self.key.is_empty() {
            return None;
        }
        let canvas = self.canvas.page();
        let n_free = room.lines.checked_sub(canvas.lines.len())?;
        let notes = fill(&self.notes, room.columns);
        let page = stack(canvas, notes.into_iter().take(n_free).collect());
        Some(page).filter(|page| page.fits(room))
    }

    /// The part around the focus, as large as the space allows.
    fn part(&self, room: Room) -> TextPage {
        let canvas = self.canvas.page();
        let has_panel = !self.key.is_empty() || self.map.is_some();
        let width = room.columns.saturating_sub(GAP + PANEL);
        let mut page = if has_panel && width >= MIN_PART {
            let window = CanvasWindow::new(&canvas, width, room.lines, room.shows);
            let panel = self.panel(room.lines, &window.told());
            beside(window.cut(&canvas), width, panel)
        } else {
            self.part_above(&canvas, room)
        };
        page.is_whole = false;
        page.lines.truncate(room.lines);
        for line in &mut page.lines {
            line.truncate(room.columns);
            trim(line);
        }
        page
    }

    /// The board with its key and its notes below, wrapped to a width.
    fn above(&self, width: usize) -> TextPage {
        let canvas = self.canvas.page();
        let mut footer = match self.key.as_slice() {
            [] => fill(&self.notes, width),
            key => {
                // The first line of the key has no note next to it.
                let notes = [String::new()]
                    .into_iter()
                    .chain(self.notes.iter().cloned());
                zip_lines(key.iter().cloned(), notes)
                    .map(|(key, note)| format!("{key:<0$}{note}", PANEL + GAP))
                    .collect()
            }
        };
        if !footer.is_empty() {
            footer.insert(0, String::new());
        }
        stack(canvas, footer)
    }

    /// The board with its key and its notes on the right; `None` if it has no key.
    fn beside(&self) -> Option<TextPage> {
        if self.key.is_empty() {
            return None;
        }
        let canvas = self.canvas.page();
        let mut panel = self.key.clone();
        panel.push(String::new());
        panel.extend(fill(&self.notes, PANEL));
        let width = canvas.n_columns;
        let panel = panel.iter().map(|line| plain_line(line)).collect();
        Some(beside(stack(canvas, Vec::new()), width, panel))
    }

    /// A part of the board with its notes below, which take at most half of the space, and none of a small one.
    fn part_above(&self, canvas: &CanvasPage, room: Room) -> TextPage {
        if room.lines < MIN_WITH_NOTES {
            return CanvasWindow::new(canvas, room.columns, room.lines, room.shows)
                .cut(canvas)
                .into();
        }
        let notes = fill(&self.notes, room.columns);
        // Reserves a blank line and the line that says which part is visible.
        let n_notes = notes.len().min((room.lines / 2).saturating_sub(2));
        let n_lines = room.lines.saturating_sub(n_notes + 2);
        let window = CanvasWindow::new(canvas, room.columns, n_lines, room.shows);
        let footer = [String::new()].into_iter().chain(notes).take(1 + n_notes);
        let footer = footer.chain([window.told()]).collect();
        stack(window.cut(canvas), footer)
    }

    /// The panel next to a part of the board: the map if it fits, otherwise the visible range; then the key and the
    /// notes.
    fn panel(&self, n_lines: usize, told: &str) -> Vec<Vec<Glyph>> {
        let glyphs =
            |lines: &[String]| -> Vec<_> { lines.iter().map(|line| plain_line(line)).collect() };
        let (key, notes) = (glyphs(&self.key), glyphs(&fill(&self.notes, PANEL)));
        let n_needed = key.len() + notes.len();
        let map = self.map.as_ref().map(|map| map.page().lines);
        let map = map.filter(|map| map.len() + n_needed <= n_lines);
        let first = map.unwrap_or_else(|| glyphs(&fill(&[told.to_owned()], PANEL)));
        // Separate the three by blank lines if there is space.
        let mut n_spare = n_lines.saturating_sub(first.len() + n_needed);
        let mut panel = Vec::new();
        for part in [first, key, notes] {
            if !panel.is_empty() && !part.is_empty() && n_spare > 0 {
                panel.push(Vec::new());
                n_spare -= 1;
            }
            panel.extend(part);
        }
        panel
    }
}

/// A part of a canvas.
struct CanvasWindow {
    lines: Range<usize>,
    columns: Range<usize>,
    /// Lines and columns of the whole canvas.
    of: (usize, usize),
}

impl CanvasWindow {
    /// The part of this size around the focus, moved as little as needed to include a spot.
    fn new(canvas: &CanvasPage, n_columns: usize, n_lines: usize, shows: &str) -> CanvasWindow {
        let of = (canvas.lines.len(), canvas.n_columns);
        let shown = canvas.spots.iter().find(|spot| spot.id == shows);
        let (line, column) = canvas.focus;
        CanvasWindow {
            lines: around(
                line,
                n_lines,
                of.0,
                shown.map(|spot| spot.line..spot.line + 1),
            ),
            columns: around(
                column,
                n_columns,
                of.1,
                shown.map(|spot| spot.columns.clone()),
            ),
            of,
        }
    }

    /// The visible range in words.
    fn told(&self) -> String {
        let range = |name: &str, range: &Range<usize>, n: usize| {
            let is_part = range.len() < n;
            is_part.then(|| format!("{name} {}-{} of {n}", range.start + 1, range.end))
        };
        let ranges = [
            range("columns", &self.columns, self.of.1),
            range("lines", &self.lines, self.of.0),
        ];
        let ranges: Vec<String> = ranges.into_iter().flatten().collect();
        format!("shown: {}", ranges.join(", "))
    }

    fn cut(&self, canvas: &CanvasPage) -> CanvasPage {
        let (top, left) = (self.lines.start as i32, self.columns.start as i32);
        let cut = |line: &Vec<Glyph>| {
            let end = self.columns.end.min(line.len());
            let mut part = line[self.columns.start.min(end)..end].to_vec();
            trim(&mut part);
            part
        };
        let is_shown = |spot: &&TextSpot| {
            let columns = self.columns.start as i32..self.columns.end as i32;
            (self.lines.start as i32..self.lines.end as i32).contains(&spot.line)
                && columns.contains(&spot.columns.start)
                && columns.contains(&(spot.columns.end - 1))
        };
        let moved = |spot: &TextSpot| TextSpot {
            line: spot.line - top,
            columns: spot.columns.start - left..spot.columns.end - left,
            ..spot.clone()
        };
        CanvasPage {
            lines: canvas.lines[self.lines.clone()].iter().map(cut).collect(),
            n_columns: self.columns.len(),
            spots: canvas.spots.iter().filter(is_shown).map(moved).collect(),
            focus: (canvas.focus.0 - top, canvas.focus.1 - left),
        }
    }
}

/// A range of `n_shown` out of `n` places centred on the focus, moved as little as needed to include `shown`.
fn around(focus: i32, n_shown: usize, n: usize, shown: Option<Range<i32>>) -> Range<usize> {
    let last = n.saturating_sub(n_shown) as i32;
    let n_shown = n_shown.min(n) as i32;
    let mut start = focus - n_shown / 2;
    if let Some(shown) = shown {
        start = start.max(shown.end - n_shown).min(shown.start);
    }
    let start = start.clamp(0, last);
    start as usize..(start + n_shown) as usize
}

/// Stacks a board and lines below it on a page.
fn stack(canvas: CanvasPage, footer: Vec<String>) -> TextPage {
    let mut lines = canvas.lines;
    lines.extend(footer.iter().map(|line| plain_line(line)));
    lines.iter_mut().for_each(trim);
    TextPage {
        lines,
        spots: canvas.spots,
        is_whole: true,
    }
}

/// Adds a panel to the right of a page's first `width` columns.
fn beside(page: impl Into<TextPage>, width: usize, panel: Vec<Vec<Glyph>>) -> TextPage {
    let page = page.into();
    let lines = zip_lines(page.lines, panel).map(|(mut line, beside)| {
        if !beside.is_empty() {
            line.resize(width + GAP, plain_line(" ")[0]);
        }
        line.extend(beside);
        line
    });
    TextPage {
        lines: lines.collect(),
        ..page
    }
}

impl From<CanvasPage> for TextPage {
    fn from(canvas: CanvasPage) -> TextPage {
        stack(canvas, Vec::new())
    }
}

/// Pairs of lines; the shorter list is padded with empty lines.
fn zip_lines<T: Default>(
    left: impl IntoIterator<Item = T>,
    right: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = (T, T)> {
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    std::iter::from_fn(move || match (left.next(), right.next()) {
        (None, None) => None,
        (left, right) => Some((left.unwrap_or_default(), right.unwrap_or_default())),
    })
}

/// Wraps paragraphs at blanks to lines of at most this width.
fn fill(paragraphs: &[String], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let n_letters = line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && n_letters > width {
                lines.push(std::mem::take(&mut line));
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
