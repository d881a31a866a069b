//! Layout of a board as text in the available space: the whole board with its notes below or next to it, or the part
//! around its focus.
//!
//! A board is drawn larger if that fits, otherwise in its usual form, if need be with fewer of its notes. If only a part
//! fits, it is one of the larger drawing of a board that has a map, otherwise one of the usual drawing, which shows more.

use std::ops::Range;

use anstyle::Style;

use crate::canvas::{Area, Canvas, Glyph, Place, TextPage, TextSpot, paint};
use crate::text::Detail;
use crate::{Board, Form, Point, Role, Room, Side, View, keyboard};

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
        for (row, line) in lines.iter().enumerate() {
            let characters = line.chars().enumerate();
            for (column, character) in characters.filter(|(_, sign)| !sign.is_whitespace()) {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let at = Point::new(CELL.0 * x, CELL.1 * y);
                if board.shapes.len() < MAX_CHARACTERS {
                    board.put(Role::Label, Form::text(at, 1.0, character));
                }
            }
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
        let whole = |canvas: Canvas| canvas.page(canvas.area(), true);
        let Some(room) = view.room else {
            let detail = if view.is_close {
                Detail::Close
            } else {
                Detail::Usual
            };
            return whole(layout(detail).above(usize::MAX));
        };
        let (close, usual) = (layout(Detail::Close), layout(Detail::Usual));
        let fitting = close
            .fit(room)
            .or_else(|| usual.fit(room))
            .or_else(|| usual.with_few_notes(room));
        match fitting {
            Some(canvas) => whole(canvas),
            None if self.text.has_map => close.part(room),
            None => usual.part(room),
        }
    }
}

/// A drawn board with its accompanying lines.
struct Layout<'a> {
    board: &'a Board,
    view: &'a View<'a>,
    canvas: Canvas,
    /// The area of the board.
    all: Area,
    key: &'a [String],
    notes: Vec<String>,
}

impl Layout<'_> {
    fn new<'a>(board: &'a Board, view: &'a View, detail: Detail) -> Layout<'a> {
        let (key, notes) = (&board.text.key[..], board.text.notes.clone());
        let caption = Some(board.caption.clone()).filter(|caption| !caption.is_empty());
        let (key, notes) = match view.ending {
            Some(ending) => (&[][..], vec![ending.to_owned()]),
            None if notes.is_empty() => (key, caption.into_iter().collect()),
            None => (key, notes),
        };
        let canvas = board.drawn(view, detail);
        Layout {
            board,
            view,
            all: canvas.area(),
            canvas,
            key,
            notes,
        }
    }

    /// The whole board, if it fits with its notes below or next to it.
    fn fit(&self, room: Room) -> Option<Canvas> {
        let ways = [Some(self.above(room.columns)), self.beside()];
        ways.into_iter().flatten().find(|canvas| canvas.fits(room))
    }

    /// The whole board, if it fits with some of its notes or none. A key is not left out.
    fn with_few_notes(&self, room: Room) -> Option<Canvas> {
        let n_free = room.lines.checked_sub(self.all.lines.len())?;
        let notes = fill(&self.notes, room.columns).into_iter().take(n_free);
        let canvas = self.with_lines((self.all.lines.end, self.all.columns.start), notes);
        (self.key.is_empty() && canvas.fits(room)).then_some(canvas)
    }

    /// The board with its key and its notes below, wrapped to a width.
    fn above(&self, width: usize) -> Canvas {
        let top = self.all.lines.end + i32::from(self.board.text.below.is_empty());
        let left = self.all.columns.start;
        if self.key.is_empty() {
            return self.with_lines((top, left), fill(&self.notes, width));
        }
        let mut canvas = self.with_lines((top, left), self.key.to_vec());
        // The first line of the key has no note next to it.
        canvas.write_lines((top + 1, left + (PANEL + GAP) as i32), self.notes.clone());
        canvas
    }

    /// The board with its key and its notes on the right; `None` if it has no key.
    fn beside(&self) -> Option<Canvas> {
        let notes = fill(&self.notes, PANEL);
        let lines = [self.key, &[String::new()], &notes].concat();
        let place = (self.all.lines.start, self.all.columns.end + GAP as i32);
        (!self.key.is_empty()).then(|| self.with_lines(place, lines))
    }

    fn with_lines(&self, place: Place, lines: impl IntoIterator<Item = String>) -> Canvas {
        let mut canvas = self.canvas.clone();
        canvas.write_lines(place, lines);
        canvas
    }

    /// The part around the focus, as large as the space allows, with a panel next to it, or with its notes below, which
    /// take at most half of the space, and none of a small one.
    fn part(&self, room: Room) -> TextPage {
        let width = room.columns.saturating_sub(GAP + PANEL);
        let has_panel = (!self.key.is_empty() || self.board.text.has_map) && width >= MIN_PART;
        let has_notes = !has_panel && room.lines >= MIN_WITH_NOTES;
        let mut notes = fill(&self.notes, room.columns);
        notes.truncate((room.lines / 2).saturating_sub(2));
        // Reserves a blank line and the line that says which part is visible.
        let n_lines = room.lines - if has_notes { notes.len() + 2 } else { 0 };
        let window = self.window(
            n_lines,
            if has_panel { width } else { room.columns },
            room.shows,
        );
        let range = self.range(&window);
        let mut canvas = self.canvas.cut(&window);
        let (top, left) = (window.lines.start, window.columns.start);
        if has_panel {
            let column = left + (width + GAP) as i32;
            for (line, glyphs) in (top..).zip(self.panel(room.lines, range)) {
                canvas.put((line, column), glyphs);
            }
        } else if has_notes {
            let lines = [String::new()].into_iter().chain(notes).chain([range]);
            canvas.write_lines((window.lines.end, left), lines);
        }
        let end = canvas.area().lines.end.max(window.lines.end);
        let area = Area {
            lines: top..end.min(top + room.lines as i32),
            columns: left..left + room.columns as i32,
        };
        canvas.page(area, false)
    }

    /// The part of this size around the focus, moved as little as needed to include a spot.
    fn window(&self, n_lines: usize, n_columns: usize, shows: &str) -> Area {
        let shown = self.canvas.spots.iter().find(|spot| spot.id == shows);
        let focus = self.canvas.focus;
        let lines = shown.map(|spot| spot.line..spot.line + 1);
        let columns = shown.map(|spot| spot.columns.clone());
        Area {
            lines: around(focus.map(|at| at.0), n_lines, &self.all.lines, lines),
            columns: around(focus.map(|at| at.1), n_columns, &self.all.columns, columns),
        }
    }

    /// The visible range in words.
    fn range(&self, shown: &Area) -> String {
        let range = |name: &str, part: &Range<i32>, all: &Range<i32>| {
            let (first, last) = (part.start - all.start + 1, part.end - all.start);
            (part.len() < all.len()).then(|| format!("{name} {first}-{last} of {}", all.len()))
        };
        let ranges = [
            range("columns", &shown.columns, &self.all.columns),
            range("lines", &shown.lines, &self.all.lines),
        ];
        let ranges: Vec<String> = ranges.into_iter().flatten().collect();
        format!("shown: {}", ranges.join(", "))
    }

    /// The panel next to a part of the board: the map if it fits, otherwise the visible range; then the key and the
    /// notes.
    fn panel(&self, n_lines: usize, range: String) -> Vec<Vec<Glyph>> {
        let plain = |text: &String| text.chars().map(|letter| (letter, Style::new())).collect();
        let lines = |lines: &[String]| -> Vec<Vec<Glyph>> { lines.iter().map(plain).collect() };
        let (key, notes) = (lines(self.key), lines(&fill(&self.notes, PANEL)));
        let n_needed = key.len() + notes.len();
        let map = (self.board.text.has_map).then(|| self.board.drawn(self.view, Detail::Map));
        let map = map.map(|map| map.page(map.area(), true).lines);
        let map = map.filter(|map| map.len() + n_needed <= n_lines);
        let mut panel = map.unwrap_or_else(|| lines(&fill(&[range], PANEL)));
        // Separate the parts by blank lines if there is space.
        let mut n_spare = n_lines.saturating_sub(panel.len() + n_needed);
        for part in [key, notes] {
            if !part.is_empty() && n_spare > 0 {
                panel.push(Vec::new());
                n_spare -= 1;
            }
            panel.extend(part);
        }
        panel
    }
}

/// A range of `n_shown` out of all places, centred on the focus, by default the middle, and moved as little as needed to
/// include `shown`.
fn around(
    focus: Option<i32>,
    n_shown: usize,
    all: &Range<i32>,
    shown: Option<Range<i32>>,
) -> Range<i32> {
    let n_shown = n_shown.min(all.len()) as i32;
    let mut start = focus.unwrap_or(all.start + all.len() as i32 / 2) - n_shown / 2;
    if let Some(shown) = shown {
        start = start.max(shown.end - n_shown).min(shown.start);
    }
    let start = start.clamp(all.start, all.end - n_shown);
    start..start + n_shown
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
