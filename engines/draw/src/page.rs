//! Layout of a board as text in the available space: the whole board with its notes, or the part around its focus.

use std::ops::Range;

use anstyle::Style;
use protocol::text::wrap;

use crate::canvas::{Canvas, Glyph, TextPage, TextSpot};
use crate::{Board, Form, Point, Role, Room, Side, View, keyboard};

/// Ratio of height to width of a character.
const HEIGHT: f64 = 2.0;
/// Columns for the notes and the map next to a part of a board.
const PANEL: usize = 24;
/// Blank columns between them.
const GAP: usize = 2;
/// A part of a board with fewer columns or lines has its notes below it.
const MIN_PART: usize = 24;
const MIN_LINES: usize = 12;

impl TextPage {
    /// The page as text, without the final line break; with ANSI colours if `is_coloured`.
    pub fn text(&self, is_coloured: bool) -> String {
        let run = |run: &[Glyph]| {
            let letters: String = run.iter().map(|(letter, _)| letter).collect();
            let style = if is_coloured { run[0].1 } else { Style::new() };
            format!("{style}{letters}{style:#}")
        };
        let line = |line: &Vec<Glyph>| -> String {
            let runs = line.chunk_by(|(_, one), (_, other)| one == other);
            runs.map(run).collect()
        };
        let lines: Vec<String> = self.lines.iter().map(line).collect();
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
        for (line, row) in lines.iter().zip(0..) {
            let at = |column: f64| Point::new(CELL.0 * column, CELL.1 * (f64::from(row) + 0.5));
            board.write(at(line.chars().count() as f64 / 2.0), line);
            for (column, sign) in line.chars().enumerate() {
                if !sign.is_whitespace() && board.shapes.len() < MAX_CHARACTERS {
                    board.put(Role::Label, Form::text(at(column as f64 + 0.5), 1.0, sign));
                }
            }
        }
        board
    }

    /// The board as text, laid out in the view's room: the whole board if it fits, or the part around its focus. The notes
    /// are below, as many as there is space for. Next to a part of a board that has a focus, they are above its map.
    pub fn page(&self, view: &View) -> TextPage {
        let room = view.room.unwrap_or(Room::UNLIMITED);
        let board = self.drawn(view);
        let [n_lines, n_columns] = board.size();
        let is_whole = n_lines <= room.lines && n_columns <= room.columns;
        let is_large = room.lines >= MIN_LINES && room.columns >= MIN_PART + GAP + PANEL;
        if !is_whole && is_large && self.focus.is_some() {
            return self.part_with_map(board, view, room);
        }
        // A part has at least four lines, and at least half of the others.
        let n_free = match is_whole {
            true => room.lines - n_lines,
            false => room.lines.saturating_sub(4) / 2,
        };
        let mut notes = self.notes(room.columns);
        notes.truncate(n_free);
        let has_line = notes.len() < n_free && (self.text.below.is_empty() || !is_whole);
        let lines = room.lines - notes.len() - usize::from(has_line);
        let (mut page, shown) = part(board, Room { lines, ..room });
        if has_line {
            notes.insert(0, shown);
        }
        page.write_lines((lines.min(n_lines) as i32, 0), &notes);
        page.page(is_whole)
    }

    /// The part around the focus, with the notes and a map on its right.
    fn part_with_map(&self, board: Canvas, view: &View, room: Room) -> TextPage {
        let columns = room.columns - GAP - PANEL;
        let (mut page, _) = part(board, Room { columns, ..room });
        let (notes, left) = (self.notes(PANEL), (columns + GAP) as i32);
        page.write_lines((0, left), &notes);
        let n_above = notes.len() + 1;
        let map = self.overview(view, PANEL, room.lines.saturating_sub(n_above));
        page.glyphs.extend(map.moved((n_above as i32, left)).glyphs);
        page.page(false)
    }

    /// The notes in lines of at most this width.
    fn notes(&self, width: usize) -> Vec<String> {
        let fill = |note: &String| wrap(&note.split(' ').collect::<Vec<_>>(), width);
        let notes: Vec<String> = self.text.notes.iter().map(fill).collect();
        notes.join("\n").lines().map(str::to_owned).collect()
    }
}

/// The part of a drawn board around its focus for which there is space, and a line that says which part this is; an empty
/// one if it is the whole board.
fn part(board: Canvas, room: Room) -> (Canvas, String) {
    let (line, column) = board.focus.unzip();
    let spot = board.spots.iter().find(|spot| spot.id == room.shows);
    let spot = spot.map(|spot| (spot.line..spot.line + 1, spot.columns.clone()));
    let (spot_lines, spot_columns) = spot.unzip();
    let [n_lines, n_columns] = board.size();
    let lines = around(line, room.lines, n_lines, spot_lines);
    let columns = around(column, room.columns, n_columns, spot_columns);
    let ranges = [("columns", &columns, n_columns), ("lines", &lines, n_lines)];
    let cut = ranges
        .into_iter()
        .filter(|(_, part, all)| part.len() < *all);
    let cut =
        cut.map(|(name, part, all)| format!("{name} {}-{} of {all}", part.start + 1, part.end));
    let cut: Vec<String> = cut.collect();
    (board.part(&lines, &columns), cut.join(", "))
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
