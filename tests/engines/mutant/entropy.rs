//! Mutants of Entropy.

use kit::{Options, Outcome, Side};

use crate::rows::{each, rows};
use crate::rules::{Mutant, Play, Spoil};

pub(crate) const MUTANTS: &[Mutant] = &[
    ("pass-at-will", Spoil::Moves(with_pass)),
    ("no-move-loses", Spoil::Outcome(stuck_loses)),
    (
        "one-isolated-is-enough",
        Spoil::Moves(|play| {
            slides(play, |before, after| {
                before.is_empty() || before.iter().any(|square| !after.contains(square))
            })
        }),
    ),
    (
        "check-ignored",
        Spoil::Moves(|play| slides(play, |_, _| true)),
    ),
    (
        "no-isolated-after-move",
        Spoil::Moves(|play| slides(play, |_, after| after.is_empty())),
    ),
    ("two-passes-go-on", Spoil::Outcome(passes_go_on)),
    ("passes-of-string-lost", Spoil::Fen(without_passes)),
    ("all-passes-count", Spoil::Outcome(all_passes)),
    ("both-goals-win", Spoil::Outcome(both_win)),
    ("goal-of-the-mover-alone", Spoil::Outcome(mover_alone)),
    (
        "contact-ignored",
        Spoil::Options(|options| set_goal(options, "apart")),
    ),
    (
        "apart-ignored",
        Spoil::Options(|options| set_goal(options, "contact")),
    ),
    ("diagonal-neighbours-ignored", Spoil::Outcome(straight_goal)),
    ("one-step-slides", Spoil::Moves(one_step)),
    (
        "second-occurrence",
        Spoil::Outcome(|play| play.repetition(2)),
    ),
    (
        "fourth-occurrence",
        Spoil::Outcome(|play| play.repetition(4)),
    ),
];

type Square = (i32, i32);

/// All pieces: square (file and rank from 0) and letter.
fn pieces(fen: &str) -> Vec<(Square, char)> {
    let rows = rows(fen);
    let row = |y: usize| {
        let cells = rows[y].iter().enumerate();
        cells
            .map(move |(x, &c)| ((x as i32, 4 - y as i32), c))
            .collect::<Vec<_>>()
    };
    let all = (0..rows.len()).flat_map(row);
    all.filter(|(_, c)| *c != '.').collect()
}

fn is_near(a: Square, b: Square) -> bool {
    a != b && (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
}

fn letter(side: Side) -> char {
    ['o', 's'][side.index()]
}

/// A player's pieces without any neighbour.
fn isolated(pieces: &[(Square, char)], side: Side) -> Vec<Square> {
    let own = pieces
        .iter()
        .filter(|(_, c)| *c == letter(side))
        .map(|(square, _)| *square);
    own.filter(|&square| !pieces.iter().any(|(other, _)| is_near(square, *other)))
        .collect()
}

fn name((x, y): Square) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// Slides of all pieces with a neighbour of the same player, in canonical order; `allowed` gets the isolated pieces
/// before and after the slide. A pass if there is none.
fn slides(play: &Play, allowed: fn(&[Square], &[Square]) -> bool) -> Vec<String> {
    let (pieces, side) = (pieces(play.position()), play.now().side);
    let own = |square: &Square| pieces.contains(&(*square, letter(side)));
    let before = isolated(&pieces, side);
    let mut squares: Vec<Square> = (0..5).flat_map(|y| (0..5).map(move |x| (x, y))).collect();
    squares.sort_by_key(|&(x, y)| (y, x));
    let mut codes = Vec::new();
    for &from in squares.iter().filter(|square| own(square)) {
        if !squares
            .iter()
            .any(|other| own(other) && is_near(from, *other))
        {
            continue;
        }
        for &to in &squares {
            if !is_clear(&pieces, from, to) {
                continue;
            }
            let moved: Vec<(Square, char)> = pieces
                .iter()
                .map(|&(square, c)| (if square == from { to } else { square }, c))
                .collect();
            let after = isolated(&moved, side);
            if allowed(&before, &after) {
                codes.push(format!("{}-{}", name(from), name(to)));
            }
        }
    }
    if codes.is_empty() {
        codes.push("pass".to_owned());
    }
    codes
}

/// `true` if a straight line of empty squares leads from one square to another.
fn is_clear(pieces: &[(Square, char)], from: Square, to: Square) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let n = dx.abs().max(dy.abs());
    let is_straight = dx == 0 || dy == 0 || dx.abs() == dy.abs();
    let is_empty = |k| {
        let square = (from.0 + k * dx.signum(), from.1 + k * dy.signum());
        !pieces.iter().any(|(other, _)| *other == square)
    };
    n > 0 && is_straight && (1..=n).all(is_empty)
}

fn with_pass(play: &Play) -> Vec<String> {
    let mut moves = play.sound_moves();
    if !moves.contains(&"pass".to_owned()) {
        moves.push("pass".to_owned());
    }
    moves
}

fn stuck_loses(play: &Play) -> Option<Outcome> {
    let is_stuck = play.now().outcome.is_none() && play.sound_moves() == ["pass"];
    let lost = Outcome::Win(play.now().side.other());
    is_stuck.then_some(lost).or(play.now().outcome)
}

fn passes_go_on(play: &Play) -> Option<Outcome> {
    let is_passed = play
        .codes
        .ends_with(&["pass".to_owned(), "pass".to_owned()]);
    play.now()
        .outcome
        .filter(|outcome| !is_passed || *outcome != Outcome::Draw)
}

fn without_passes(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').take(2).collect();
    format!("{} 0", fields.join(" "))
}

fn all_passes(play: &Play) -> Option<Outcome> {
    let n = play.codes.iter().filter(|code| *code == "pass").count();
    play.now().outcome.or((n >= 2).then_some(Outcome::Draw))
}

/// Players that have reached the goal if `is_near` defines neighbours.
fn goals(fen: &str, is_near: fn(Square, Square) -> bool) -> [bool; 2] {
    let pieces = pieces(fen);
    each(|side| {
        let has_near = |square: Square, c: char| {
            pieces
                .iter()
                .any(|(other, other_c)| *other_c == c && is_near(square, *other))
        };
        let own = pieces.iter().filter(|(_, c)| *c == letter(side));
        own.map(|(square, _)| *square)
            .all(|square| has_near(square, letter(side.other())) && !has_near(square, letter(side)))
    })
}

fn both_win(play: &Play) -> Option<Outcome> {
    match goals(play.position(), is_near) {
        [true, true] => Some(Outcome::Win(play.now().side.other())),
        _ => play.now().outcome,
    }
}

fn mover_alone(play: &Play) -> Option<Outcome> {
    let lost = Outcome::Win(play.now().side);
    play.now()
        .outcome
        .filter(|outcome| *outcome != lost || play.codes.is_empty())
}

fn set_goal(options: &mut Options, goal: &str) {
    let _ = options.set("Goal", Some(goal));
}

/// The goal with only orthogonal squares as neighbours.
fn straight_goal(play: &Play) -> Option<Outcome> {
    let is_straight = |a: Square, b: Square| (a.0 - b.0).abs() + (a.1 - b.1).abs() == 1;
    match goals(play.position(), is_straight) {
        [true, true] => Some(Outcome::Draw),
        [true, false] => Some(Outcome::Win(Side::P1)),
        [false, true] => Some(Outcome::Win(Side::P2)),
        [false, false] => play
            .now()
            .outcome
            .filter(|outcome| *outcome == Outcome::Draw),
    }
}

fn one_step(play: &Play) -> Vec<String> {
    let square = |text: &str| {
        let bytes = text.as_bytes();
        (i32::from(bytes[0]), i32::from(bytes[1]))
    };
    let mut moves = play.sound_moves();
    moves.retain(|code| {
        let ends = code.split_once('-');
        ends.is_none_or(|(from, to)| is_near(square(from), square(to)))
    });
    moves
}
