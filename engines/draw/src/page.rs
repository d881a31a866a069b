//! Layout of a board as text in the available space: the whole board with its notes below or next to it, or the part
//! around its focus.
//!
//! A board is drawn larger if that fits, otherwise in its usual form, if need be with fewer of its notes. If only a part
//! fits, it is one of the larger drawing of a board that has a map, otherwise one of the usual drawing, which shows more.

use std::ops::Range;

use anstyle::Style;

use crate::canvas::{Glyph, TextPage, TextSpot, paint, trim};
use crate::text::Detail;
use crate::{Board, Form, Point, Role, Room, Shape, View, keyboard};

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
        let plain = |line: &Vec<Glyph>| line.iter().map(|(letter, _)| letter).collect();
        let lines = self.lines.iter();
        let lines: Vec<String> = match is_coloured {
            true => lines.map(|line| paint(line)).collect(),
            false => lines.map(plain).collect(),
        };
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
        let next = keyboard::next(places[here], &places, step)?;
        Some(&self.spots[next].id)
    }

    fn width(&self) -> usize {
        self.lines.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn fits(&self, room: Room) -> bool {
        self.lines.len() <= room.lines && self.width() <= room.columns
    }

    /// Adds lines below.
    fn above(mut self, footer: impl IntoIterator<Item = String>) -> TextPage {
        self.lines.extend(footer.into_iter().map(plain_line));
        self.lines.iter_mut().for_each(trim);
        self
    }

    /// Adds a panel to the right of the first `width` columns.
    fn beside(mut self, width: usize, panel: Vec<Vec<Glyph>>) -> TextPage {
        let n_lines = self.lines.len().max(panel.len());
        self.lines.resize(n_lines, Vec::new());
        for (line, beside) in self.lines.iter_mut().zip(panel) {
            if !beside.is_empty() {
                line.resize(width + GAP, (' ', Style::new()));
            }
            line.extend(beside);
        }
        self
    }

    /// The lines and columns of this size around the focus, moved as little as needed to include a spot.
    fn window(&self, n_columns: usize, room: Room) -> [Range<usize>; 2] {
        let shown = self.spots.iter().find(|spot| spot.id == room.shows);
        let (line, column) = self.focus;
        let lines = shown.map(|spot| spot.line..spot.line + 1);
        let columns = shown.map(|spot| spot.columns.clone());
        [
            around(line, room.lines, self.lines.len(), lines),
            around(column, n_columns, self.width(), columns),
        ]
    }

    /// A part of the page, and the visible range in words.
    fn cut(&self, [lines, columns]: [Range<usize>; 2]) -> (TextPage, String) {
        let range = |name: &str, range: &Range<usize>, n: usize| {
            let is_part = range.len() < n;
            is_part.then(|| format!("{name} {}-{} of {n}", range.start + 1, range.end))
        };
        let ranges = [
            range("columns", &columns, self.width()),
            range("lines", &lines, self.lines.len()),
        ];
        let ranges: Vec<String> = ranges.into_iter().flatten().collect();
        let (top, left) = (lines.start as i32, columns.start as i32);
        let glyphs = |line: &Vec<Glyph>| {
            let end = columns.end.min(line.len());
            let mut part = line[columns.start.min(end)..end].to_vec();
            trim(&mut part);
            part
        };
        let shown = left..=columns.end as i32;
        let is_shown = |spot: &&TextSpot| {
            lines.contains(&(spot.line.max(0) as usize))
                && shown.contains(&spot.columns.start)
                && shown.contains(&spot.columns.end)
        };
        let spots = self.spots.iter().filter(is_shown);
        let part = TextPage {
            lines: self.lines[lines.clone()].iter().map(glyphs).collect(),
            spots: spots.map(|spot| spot.moved(-top, -left)).collect(),
            is_whole: false,
            focus: self.focus,
        };
        (part, format!("shown: {}", ranges.join(", ")))
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
        let characters = lines.iter().enumerate().flat_map(|(row, line)| {
            let characters = line.chars().enumerate();
            let visible = characters.filter(|(_, character)| !character.is_whitespace());
            visible.map(move |(column, character)| {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let at = Point::new(CELL.0 * x, CELL.1 * y);
                Shape::new(Role::Label, Form::text(at, 1.0, character))
            })
        });
        let mut board = Board {
            width: CELL.0 * n_columns.unwrap_or(0).max(1) as f64,
            height: CELL.1 * lines.len() as f64,
            shapes: characters.take(MAX_CHARACTERS).collect(),
            ..Board::new([const { String::new() }; 2], Vec::new(), String::new())
        };
        for (row, line) in lines.iter().enumerate() {
            // Blank lines and the left margin stay in place.
            let line = if line.is_empty() { " " } else { line };
            let middle = (line.chars().count() as f64 - 1.0) / 2.0;
            board.write(Point::new(middle, row as f64), line);
        }
        board
    }

    /// The board as text, laid out in the view's room.
    pub fn page(&self, view: &View) -> TextPage {
        let layout = |detail| Layout::new(self, view, detail);
        let Some(room) = view.room else {
            let detail = if view.is_close {
                Detail::Close
            } else {
                Detail::Usual
            };
            return layout(detail).above(usize::MAX);
        };
        let close = layout(Detail::Close);
        if let Some(page) = close.fit(room) {
            return page;
        }
        let usual = layout(Detail::Usual);
        let whole = usual.fit(room).or_else(|| usual.with_few_notes(room));
        whole.unwrap_or_else(|| match self.text.has_map {
            true => close.part(room),
            false => usual.part(room),
        })
    }
}

/// A drawn board with its accompanying lines.
struct Layout<'a> {
    board: &'a Board,
    view: &'a View<'a>,
    canvas: TextPage,
    key: &'a [String],
    notes: Vec<String>,
}

impl Layout<'_> {
    fn new<'a>(board: &'a Board, view: &'a View, detail: Detail) -> Layout<'a> {
        let text = &board.text;
        let caption =
            Some(&board.caption).filter(|caption| text.notes.is_empty() && !caption.is_empty());
        let ending = view.ending.map(str::to_owned);
        Layout {
            board,
            view,
            canvas: board.drawn(view, detail).page(),
            key: if ending.is_some() { &[] } else { &text.key },
            notes: match ending {
                Some(ending) => vec![ending],
                None => caption.into_iter().chain(&text.notes).cloned().collect(),
            },
        }
    }

    /// The whole board, if it fits with its notes below or next to it.
    fn fit(&self, room: Room) -> Option<TextPage> {
        let above = Some(self.above(room.columns)).filter(|page| page.fits(room));
        above.or_else(|| self.beside().filter(|page| page.fits(room)))
    }

    /// The whole board, if it fits with some of its notes or none. A key is not left out.
    fn with_few_notes(&self, room: Room) -> Option<TextPage> {
        let n_free = room.lines.checked_sub(self.canvas.lines.len())?;
        let notes = fill(&self.notes, room.columns).into_iter().take(n_free);
        let page = self.canvas.clone().above(notes);
        Some(page).filter(|page| self.key.is_empty() && page.fits(room))
    }

    /// The part around the focus, as large as the space allows.
    fn part(&self, room: Room) -> TextPage {
        let has_panel = !self.key.is_empty() || self.board.text.has_map;
        let width = room.columns.saturating_sub(GAP + PANEL);
        let mut page = if has_panel && width >= MIN_PART {
            let (part, range) = self.canvas.cut(self.canvas.window(width, room));
            part.beside(width, self.panel(room.lines, range))
        } else {
            self.part_above(room)
        };
        page.lines.truncate(room.lines);
        for line in &mut page.lines {
            line.truncate(room.columns);
            trim(line);
        }
        page
    }

    /// The board with its key and its notes below, wrapped to a width.
    fn above(&self, width: usize) -> TextPage {
        let mut footer = match self.key {
            [] => fill(&self.notes, width),
            key => {
                // The first line of the key has no note next to it.
                let notes = [String::new()]
                    .into_iter()
                    .chain(self.notes.iter().cloned());
                let notes: Vec<String> = notes.collect();
                let at = |lines: &[String], i| lines.get(i).cloned().unwrap_or_default();
                let line = |i| format!("{:<2$}{}", at(key, i), at(&notes, i), PANEL + GAP);
                (0..key.len().max(notes.len())).map(line).collect()
            }
        };
        if !footer.is_empty() && self.board.text.below.is_empty() {
            footer.insert(0, String::new());
        }
        self.canvas.clone().above(footer)
    }

    /// The board with its key and its notes on the right; `None` if it has no key.
    fn beside(&self) -> Option<TextPage> {
        let notes = [String::new()].into_iter().chain(fill(&self.notes, PANEL));
        let panel = self.key.iter().cloned().chain(notes).map(plain_line);
        let canvas = self.canvas.clone();
        (!self.key.is_empty()).then(|| canvas.beside(self.canvas.width(), panel.collect()))
    }

    /// A part of the board with its notes below, which take at most half of the space, and none of a small one.
    fn part_above(&self, room: Room) -> TextPage {
        if room.lines < MIN_WITH_NOTES {
            return self.canvas.cut(self.canvas.window(room.columns, room)).0;
        }
        let notes = fill(&self.notes, room.columns);
        // Reserves a blank line and the line that says which part is visible.
        let n_notes = notes.len().min((room.lines / 2).saturating_sub(2));
        let lines = room.lines.saturating_sub(n_notes + 2);
        let window = self.canvas.window(room.columns, Room { lines, ..room });
        let (part, range) = self.canvas.cut(window);
        let footer = [String::new()].into_iter().chain(notes).take(1 + n_notes);
        part.above(footer.chain([range]))
    }

    /// The panel next to a part of the board: the map if it fits, otherwise the visible range; then the key and the
    /// notes.
    fn panel(&self, n_lines: usize, range: String) -> Vec<Vec<Glyph>> {
        let lines = |lines: Vec<String>| -> Vec<_> { lines.into_iter().map(plain_line).collect() };
        let (key, notes) = (lines(self.key.to_vec()), lines(fill(&self.notes, PANEL)));
        let n_needed = key.len() + notes.len();
        let map = self
            .board
            .text
            .has_map
            .then(|| self.board.drawn(self.view, Detail::Map).page().lines);
        let map = map.filter(|map| map.len() + n_needed <= n_lines);
        let first = map.unwrap_or_else(|| lines(fill(&[range], PANEL)));
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

fn plain_line(text: impl AsRef<str>) -> Vec<Glyph> {
    let letters = text.as_ref().chars();
    letters.map(|letter| (letter, Style::new())).collect()
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
