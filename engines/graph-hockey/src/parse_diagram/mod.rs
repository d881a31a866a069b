//! Reading of drawings of the field, and of the sketch of the start position in the game's document.
//!
//! A drawing shows lines and not moves: `trace` finds moves that draw the same lines. The resulting game may therefore
//! differ from the one played; the lines, the puck and the side to move are the same.

mod sheet;
mod trace;

use kit::parse_diagram::clean;
use kit::{FigureLine, Game, Rejection, Setup, Side};

use crate::field::Field;
use crate::moves::Move;
use crate::position::GraphHockey;
use sheet::Sheet;

/// Minimum length of the upper border of a sketch, and of a drawing, in characters: that of the smallest field.
const MIN_SKETCH: usize = 10;
const MIN_WIDTH: usize = 25;

/// Maximum number of moves in a drawing.
const MAX_MOVES: usize = 2000;

/// Classifies a line of pasted text, given the lines of the drawing above it.
pub(crate) fn figure_line(above: &[String], line: &str) -> FigureLine {
    let bare = line.trim();
    let Some(top) = above.first() else {
        return match () {
            () if is_top(bare) => FigureLine::Row,
            () if is_legend(line) => FigureLine::Foot,
            () => FigureLine::Other,
        };
    };
    if margin(line) != margin(top) || bare.is_empty() {
        FigureLine::Other
    } else if is_bottom(top.trim(), bare) {
        FigureLine::LastRow
    } else {
        FigureLine::Row
    }
}

fn margin(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A line without its margin, up to the first blank: a whole border, which the legend may follow.
fn border(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// `true` if a line is the upper border of a field.
fn is_top(line: &str) -> bool {
    let line = border(line);
    let n_signs = line.chars().count();
    is_rule(line) && n_signs >= MIN_SKETCH || line.starts_with(['+', '⡏']) && n_signs >= MIN_WIDTH
}

/// `true` if a line is the lower border of a field with this upper one.
fn is_bottom(top: &str, line: &str) -> bool {
    let (top, line) = (border(top), border(line));
    if is_rule(top) {
        return is_rule(line);
    }
    line.strip_suffix('\'').is_some_and(is_rule)
        || line
            .strip_suffix('⠁')
            .is_some_and(|line| line.chars().all(|sign| sign == '⠉'))
}

fn is_rule(line: &str) -> bool {
    !line.is_empty() && line.chars().all(|sign| sign == '-')
}

/// `true` if a line belongs to the text below a drawing: the key of the letters, the side to move, the last move.
fn is_legend(line: &str) -> bool {
    let is_key = |sign: char| {
        sign == ' '
            || sign == '.'
            || sign == '*'
            || Move::from_letter(sign.to_ascii_uppercase()).is_some()
    };
    let key: String = line.chars().take(26).collect();
    let is_indented = key.starts_with("  ") && key.trim().len() <= 17;
    ReadLegend::read(line) != ReadLegend::default() || is_indented && key.chars().all(is_key)
}

/// The contents of the text below a drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ReadLegend {
    turn: Option<Side>,
    n_moves: Option<usize>,
    last: Option<Move>,
}

impl ReadLegend {
    fn read(text: &str) -> ReadLegend {
        let after = |word: &str| text.split_once(word).map(|(_, rest)| rest);
        let number = after("(number ").and_then(|rest| rest.split(')').next()?.parse().ok());
        let is_told = |side: &Side| text.contains(&format!("{side} to move"));
        let letter = after("last move: ").and_then(|rest| rest.chars().next());
        ReadLegend {
            turn: Side::BOTH.into_iter().find(is_told),
            n_moves: number,
            last: letter.and_then(Move::from_letter),
        }
    }
}

/// The game of a drawing. A sketch is the start position on the field of `game`.
pub(crate) fn parse(game: &GraphHockey, text: &str) -> Result<Setup<GraphHockey>, Rejection> {
    let lines = text.split(['\n', '\r']).map(clean);
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    let Some(first) = lines.iter().position(|line| is_top(line.trim())) else {
        return Err(no_field(text));
    };
    let top = lines[first].trim();
    let is_last = |line: &String| is_bottom(top, line.trim());
    let Some(height) = lines[first + 1..].iter().position(is_last) else {
        return Err("the drawing ends before the lower border of the field".into());
    };
    let (rows, below) = lines[first..].split_at(height + 2);
    if is_rule(border(top)) {
        check_sketch(rows)?;
        return Ok(Setup::at((game.clone(), game.start())));
    }
    let sheet = Sheet::read(rows)?;
    let below = ReadLegend::read(&format!("{}\n{}", sheet.beside(), below.join("\n")));
    let legend = ReadLegend {
        turn: below.turn.or(sheet.turn()),
        ..below
    };
    if legend.n_moves.is_some_and(|n_moves| n_moves > MAX_MOVES) {
        return Err(format!("more than {MAX_MOVES} moves: expected fewer in a drawing").into());
    }
    let game = game.resized(sheet.field());
    let traced = trace::trace(&game, &sheet, legend);
    let moves = traced.or_else(|_| trace::trace(&game, &sheet.with_marks(), legend))?;
    let position = game.start();
    Ok(Setup {
        game,
        position,
        moves,
    })
}

fn no_field(text: &str) -> Rejection {
    if text.contains("WERTY") && text.contains("DFGHJ") {
        return "the figure shows the letters of the moves and no field: expected a drawn field"
            .into();
    }
    "no field in the text: expected its upper border first".into()
}

/// Checks a sketch, which is not to scale: it shows two goals, and the puck at the end of the initial segment.
fn check_sketch(rows: &[String]) -> Result<(), Rejection> {
    let inner = &rows[1..rows.len() - 1];
    let is_drawn = |sign: char| matches!(sign, '|' | '-' | '*' | ' ');
    let is_plain = inner.iter().all(|row| row.chars().all(is_drawn));
    let n_pucks: usize = inner.iter().map(|row| row.matches('*').count()).sum();
    let is_started = inner.iter().any(|row| row.trim().starts_with("|--*"));
    let n_goals = inner.iter().filter(|row| row.contains("|  |")).count();
    if is_plain && n_pucks == 1 && is_started && n_goals >= 2 {
        return Ok(());
    }
    Err("a sketch shows the start position alone: expected two goals, and the puck at the end of |--*".into())
}

/// The field of a drawing with these numbers of columns and lines.
fn field(n_columns: usize, n_lines: usize) -> Result<Field, Rejection> {
    let size = |length: usize, unit: usize, max: i32| {
        let units = length.checked_sub(9)? / unit;
        let size = i32::try_from(units).ok()?;
        (units * unit + 9 == length && (1..=max).contains(&size)).then_some(size)
    };
    let side = size(n_columns, 16, Field::MAX_SIDE);
    let gap = size(n_lines, 4, Field::MAX_GAP);
    side.zip(gap).map(|(side, gap)| Field { side, gap }).ok_or_else(|| {
        Rejection(format!(
            "a field of {n_columns} columns and {n_lines} lines: expected 16 columns for each inch of Side and 4 lines \
             for each of Gap, and 9 more"
        ))
    })
}
