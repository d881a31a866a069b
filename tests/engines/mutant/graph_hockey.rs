//! Mutants of Graph Hockey.

use kit::{Outcome, Side};

use crate::rows::field;
use crate::rules::{Mutant, Play, Spoil};

#[path = "../../../engines/graph-hockey/tests/suite/naive.rs"]
#[allow(dead_code)]
mod naive;

use naive::Naive;

pub(crate) const MUTANTS: &[Mutant] = &[
    (
        "goal-for-the-mover",
        Spoil::Outcome(|play| goal(play, play.now().side.other())),
    ),
    (
        "goal-against-the-mover",
        Spoil::Outcome(|play| goal(play, play.now().side)),
    ),
    ("goals-exchanged", Spoil::Outcome(exchanged)),
    (
        "outline-is-goal",
        Spoil::Outcome(|play| in_goal(play, &[last(&path(play))])),
    ),
    ("goal-in-passing", Spoil::Outcome(in_passing)),
    (
        "blocked-puck-loses",
        Spoil::Outcome(|play| at_level(play, 2, Outcome::Win(play.now().side.other()))),
    ),
    (
        "blocked-puck-draws",
        Spoil::Outcome(|play| at_level(play, 2, Outcome::Draw)),
    ),
    (
        "no-strangeness",
        Spoil::Outcome(|play| at_level(play, 3, Outcome::Draw)),
    ),
    (
        "jump-along-lines",
        Spoil::Moves(|play| by_level(play, 2, 3)),
    ),
    ("lines-crossed", Spoil::Moves(|play| by_level(play, 1, 2))),
    ("outline-closed", Spoil::Moves(closed_goals)),
    ("boundary-open", Spoil::Moves(onto_the_boundary)),
    ("long-moves-missing", Spoil::Moves(short_moves)),
    ("repetition-of-the-puck", Spoil::Outcome(same_point)),
    ("repetition-ignored", Spoil::Outcome(without_draw)),
];

/// The position in the naive implementation.
fn naive(play: &Play) -> Naive {
    let (size, letters) = (field(play.position(), 0), field(play.position(), 1));
    let (side, gap) = size.split_once('x').unwrap_or_default();
    let number = |text: &str| text.parse().unwrap_or(1);
    let mut game = Naive::new(number(side), number(gap));
    letters
        .chars()
        .filter(|c| *c != '-')
        .for_each(|letter| game.play(letter));
    game
}

type Point = (i64, i64);

/// The puck's points, the first at the initial segment.
fn path(play: &Play) -> Vec<Point> {
    let letters = field(play.position(), 1).replace('-', "");
    let start = Naive::new(naive(play).side, naive(play).gap).puck();
    let mut points = vec![start];
    for letter in letters.chars() {
        let (dx, dy) = naive::step(letter);
        let (x, y) = last(&points);
        points.push((x + dx, y + dy));
    }
    points
}

fn last(points: &[Point]) -> Point {
    *points.last().expect("the puck stands somewhere")
}

fn goal(play: &Play, winner: Side) -> Option<Outcome> {
    match play.now().outcome {
        Some(Outcome::Win(_)) => Some(Outcome::Win(winner)),
        other => other,
    }
}

fn exchanged(play: &Play) -> Option<Outcome> {
    match play.now().outcome {
        Some(Outcome::Win(side)) => Some(Outcome::Win(side.other())),
        other => other,
    }
}

/// The win for the goal that contains one of these points, its outline included.
fn in_goal(play: &Play, points: &[Point]) -> Option<Outcome> {
    let game = naive(play);
    let is_between = |x: i64| (8 * game.side..=8 * game.side + 8).contains(&x);
    let side = |&(x, y): &Point| match y {
        _ if !is_between(x) => None,
        ..=8 => Some(Side::P1),
        _ if y >= 8 * game.gap + 8 => Some(Side::P2),
        _ => None,
    };
    let winner = points.iter().find_map(side);
    play.now().outcome.or(winner.map(Outcome::Win))
}

/// A long move also counts if it passes through a point of a goal.
fn in_passing(play: &Play) -> Option<Outcome> {
    let path = path(play);
    let [.., (x, y), (to_x, to_y)] = path.as_slice() else {
        return play.now().outcome;
    };
    let (dx, dy) = (to_x - x, to_y - y);
    let n = dx.abs().max(dy.abs());
    let passed: Vec<Point> = (1..n).map(|k| (x + dx * k / n, y + dy * k / n)).collect();
    match n {
        8 => in_goal(play, &passed),
        _ => play.now().outcome,
    }
}

/// The game ends if this level of the move rules applies.
fn at_level(play: &Play, level: usize, outcome: Outcome) -> Option<Outcome> {
    let is_there = play.now().outcome.is_none() && naive(play).moves().1 == level;
    is_there.then_some(outcome).or(play.now().outcome)
}

/// Replaces the moves of level `level` by those of level `instead`.
fn by_level(play: &Play, level: usize, instead: usize) -> Vec<String> {
    let game = naive(play);
    match game.moves() {
        (_, now) if now == level => codes(&game.moves_at(instead)),
        (letters, _) => codes(&letters),
    }
}

fn codes(letters: &str) -> Vec<String> {
    letters.chars().map(String::from).collect()
}

/// No move enters a goal from outside except straight down or up.
fn closed_goals(play: &Play) -> Vec<String> {
    let game = naive(play);
    let (x, y) = game.puck();
    let is_inside = |(x, y): Point| {
        let is_between = 8 * game.side < x && x < 8 * game.side + 8;
        is_between && (y < 8 || y > 8 * game.gap + 8)
    };
    let mut moves = play.sound_moves();
    moves.retain(|code| {
        let (dx, dy) = naive::step(code.chars().next().unwrap_or('A'));
        dx == 0 || !is_inside((x + dx, y + dy))
    });
    moves
}

/// Adds the moves that end on the boundary.
fn onto_the_boundary(play: &Play) -> Vec<String> {
    let game = naive(play);
    let (x, y) = game.puck();
    let (width, height) = (16 * game.side + 8, 8 * game.gap + 16);
    let is_on = |letter: &char| {
        let (dx, dy) = naive::step(*letter);
        let (x, y) = (x + dx, y + dy);
        (0..=width).contains(&x)
            && (0..=height).contains(&y)
            && (x == 0 || x == width || y == 0 || y == height)
    };
    let mut moves = play.sound_moves();
    moves.extend(
        "WERTYQUAISKDFGHJVBZL"
            .chars()
            .filter(is_on)
            .map(String::from),
    );
    moves
}

fn short_moves(play: &Play) -> Vec<String> {
    let mut moves = play.sound_moves();
    moves.retain(|code| !"VBZL".contains(code.as_str()));
    moves
}

/// The third visit to a point with the same player to move is a draw, even if other lines were drawn since.
fn same_point(play: &Play) -> Option<Outcome> {
    let path = path(play);
    let now = last(&path);
    let visits = path.iter().rev().step_by(2).filter(|point| **point == now);
    let is_drawn = visits.count() >= 3;
    play.now().outcome.or(is_drawn.then_some(Outcome::Draw))
}

fn without_draw(play: &Play) -> Option<Outcome> {
    let outcome = play.now().outcome;
    outcome.filter(|outcome| *outcome != Outcome::Draw)
}
