//! Mutants of SUSAN.

use kit::{Options, Outcome, Side};

use crate::rows::{each, field, rows};
use crate::rules::{Mutant, Play, Spoil};

pub(crate) const MUTANTS: &[Mutant] = &[
    ("slides-before-surround", Spoil::Outcome(slides_first)),
    (
        "slide-limit-late",
        Spoil::Options(|options| add(options, "SlideLimit", 1)),
    ),
    (
        "slide-limit-early",
        Spoil::Options(|options| add(options, "SlideLimit", -1)),
    ),
    ("slides-never-reset", Spoil::Outcome(all_slides)),
    ("slides-of-string-lost", Spoil::Fen(without_slides)),
    (
        "no-slide-limit-ignored",
        Spoil::Options(|options| replace(options, "SlideLimit", "0", "6")),
    ),
    (
        "repetition-late",
        Spoil::Options(|options| add(options, "Repetition", 1)),
    ),
    (
        "repetition-early",
        Spoil::Options(|options| add(options, "Repetition", -1)),
    ),
    (
        "repetition-always",
        Spoil::Options(|options| replace(options, "Repetition", "off", "3")),
    ),
    ("repetition-of-either-side", Spoil::Outcome(either_side)),
    ("both-surrounded-wins", Spoil::Outcome(both_win)),
    ("own-stones-are-safe", Spoil::Outcome(only_enemies)),
    (
        "edge-is-room",
        Spoil::Outcome(|play| by_surrounded(play, |around| around.n == 6 && around.n_full == 6)),
    ),
    (
        "enemies-alone-surround",
        Spoil::Outcome(|play| by_surrounded(play, |around| around.n_enemies == around.n)),
    ),
    ("losing-move-illegal", Spoil::Moves(without_suicide)),
];

/// Adds to the value of a numeric option, within its range.
fn add(options: &mut Options, name: &str, n: i64) {
    if let Ok(value) = options.text(name).parse::<i64>()
        && value > 0
    {
        let _ = options.set(name, Some(&(value + n).to_string()));
    }
}

fn replace(options: &mut Options, name: &str, from: &str, to: &str) {
    if options.text(name) == from {
        let _ = options.set(name, Some(to));
    }
}

fn slides_first(play: &Play) -> Option<Outcome> {
    let limit: u64 = play.option("SlideLimit").parse().unwrap_or(0);
    let slides: u64 = field(play.position(), 2).parse().unwrap_or(0);
    match limit > 0 && slides >= limit {
        true => Some(Outcome::Draw),
        false => play.now().outcome,
    }
}

/// Counts all slides of the game instead of consecutive ones.
fn all_slides(play: &Play) -> Option<Outcome> {
    let limit: usize = play.option("SlideLimit").parse().unwrap_or(0);
    let n_slides = play.codes.iter().filter(|code| code.contains("->")).count();
    let is_drawn = limit > 0 && n_slides >= limit;
    play.now().outcome.or(is_drawn.then_some(Outcome::Draw))
}

fn without_slides(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').take(2).collect();
    format!("{} 0", fields.join(" "))
}

fn either_side(play: &Play) -> Option<Outcome> {
    let limit: usize = play.option("Repetition").parse().unwrap_or(usize::MAX);
    let now = field(play.position(), 0);
    let n = play
        .stages
        .iter()
        .filter(|stage| field(&stage.fen, 0) == now)
        .count();
    play.now().outcome.or((n >= limit).then_some(Outcome::Draw))
}

/// The cells around a stone.
struct Around {
    /// Neighbours on the board.
    n: usize,
    n_full: usize,
    n_enemies: usize,
}

/// Players with a stone for which `is_surrounded` is true.
fn surrounded(fen: &str, is_surrounded: fn(&Around) -> bool) -> [bool; 2] {
    let rows = rows(fen);
    let middle = rows.len() / 2;
    // The first cell of a row, numbered so that neighbours in the next row have the same number or one more.
    let first = |row: usize| row.saturating_sub(middle);
    let at = |row: usize, x: usize| {
        let k = x.checked_sub(first(row))?;
        rows.get(row)?.get(k).copied()
    };
    let around = |row: usize, x: usize, stone: char| {
        let steps = [(0, -1), (0, 1), (1, 0), (1, 1), (-1, 0), (-1, -1)];
        let near: Vec<char> = steps
            .iter()
            .filter_map(|(down, right)| {
                at(
                    row.checked_add_signed(*down)?,
                    x.checked_add_signed(*right)?,
                )
            })
            .collect();
        Around {
            n: near.len(),
            n_full: near.iter().filter(|&&c| c != '.').count(),
            n_enemies: near.iter().filter(|&&c| c != '.' && c != stone).count(),
        }
    };
    each(|side| {
        let stone = ['x', 'o'][side.index()];
        (0..rows.len()).any(|row| {
            let cells = rows[row].iter().enumerate();
            cells
                .filter(|(_, c)| **c == stone)
                .any(|(k, _)| is_surrounded(&around(row, k + first(row), stone)))
        })
    })
}

/// The outcome under another definition of a surrounded stone.
fn by_surrounded(play: &Play, is_surrounded: fn(&Around) -> bool) -> Option<Outcome> {
    let [p1, p2] = surrounded(play.position(), is_surrounded);
    let mover = play.now().side.other();
    match (p1, p2) {
        (true, true) => Some(Outcome::Win(mover.other())),
        (true, false) => Some(Outcome::Win(Side::P2)),
        (false, true) => Some(Outcome::Win(Side::P1)),
        (false, false) => play
            .now()
            .outcome
            .filter(|outcome| *outcome == Outcome::Draw),
    }
}

fn both_win(play: &Play) -> Option<Outcome> {
    match surrounded(play.position(), |around| around.n == around.n_full) {
        [true, true] => Some(Outcome::Win(play.now().side.other())),
        _ => play.now().outcome,
    }
}

/// A surrounded stone counts only if it is the opponent's.
fn only_enemies(play: &Play) -> Option<Outcome> {
    let mover = play.now().side.other();
    let has_surrounded = surrounded(play.position(), |around| around.n == around.n_full);
    match has_surrounded[mover.other().index()] {
        true => Some(Outcome::Win(mover)),
        false => play
            .now()
            .outcome
            .filter(|outcome| *outcome == Outcome::Draw),
    }
}

fn without_suicide(play: &Play) -> Vec<String> {
    let lost = Some(Outcome::Win(play.now().side.other()));
    let mut moves = play.sound_moves();
    moves.retain(|code| play.outcome_after(code) != lost);
    moves
}
