//! Mutants of Projex.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use kit::{Options, Outcome, Side};

use crate::rows::{field, rows};
use crate::rules::{Mutant, Play, Spoil};

#[path = "../../../engines/projex/tests/suite/naive.rs"]
#[allow(dead_code)]
mod naive;

use naive::{Road, Spot};

pub(crate) const MUTANTS: &[Mutant] = &[
    (
        "swap-as-third",
        Spoil::Moves(|play| swap_where(play, play.codes.len() == 2)),
    ),
    (
        "swap-as-fourth-or-later",
        Spoil::Moves(|play| swap_where(play, play.codes.len() >= 3)),
    ),
    ("swap-never", Spoil::Moves(|play| swap_where(play, false))),
    (
        "swap-off-ignored",
        Spoil::Options(|options| set_swap(options, "true")),
    ),
    ("swap-keeps-the-turn", Spoil::Side(same_turn)),
    ("swap-keeps-the-owner", Spoil::Outcome(same_owner)),
    ("full-board-draws", Spoil::Outcome(full_draws)),
    (
        "inner-loop-wins",
        Spoil::Outcome(|play| by_loops(play, |stones| stones.has_ring())),
    ),
    (
        "even-crossings-win",
        Spoil::Outcome(|play| by_loops(play, Stones::crosses)),
    ),
    (
        "one-far-neighbour",
        Spoil::Outcome(|play| by_far_side(play, |n, far| n == 0 && far)),
    ),
    (
        "far-side-ignored-below",
        Spoil::Outcome(|play| by_far_side(play, |n, _| n == 1)),
    ),
    ("taken-cell-legal", Spoil::Moves(with_taken)),
];

fn set_swap(options: &mut Options, value: &str) {
    let _ = options.set("Swap", Some(value));
}

fn swap_where(play: &Play, is_legal: bool) -> Vec<String> {
    let mut moves = play.sound_moves();
    moves.retain(|code| code != "swap");
    let is_on = play.option("Swap") == "true" && !play.codes.contains(&"swap".to_owned());
    if is_legal && is_on {
        moves.push("swap".to_owned());
    }
    moves
}

/// After `swap`, player 2 is to move again.
fn same_turn(play: &Play) -> Side {
    match play.codes.contains(&"swap".to_owned()) {
        true => play.now().side.other(),
        false => play.now().side,
    }
}

/// Player 1 wins by a loop of x, also after swap.
fn same_owner(play: &Play) -> Option<Outcome> {
    match (play.now().outcome, field(play.position(), 2)) {
        (Some(Outcome::Win(side)), "2") => Some(Outcome::Win(side.other())),
        (outcome, _) => outcome,
    }
}

fn full_draws(play: &Play) -> Option<Outcome> {
    match play
        .position()
        .split(' ')
        .next()
        .unwrap_or_default()
        .contains(|c: char| c.is_ascii_digit())
    {
        true => play.now().outcome,
        false => Some(Outcome::Draw),
    }
}

/// The roads from each spot of a board.
type Roads = BTreeMap<Spot, BTreeSet<Road>>;

/// The roads of a board with this many rows. They are made once for each size.
fn roads(n_rows: usize) -> &'static Roads {
    static OF_SIZE: [OnceLock<Roads>; 16] = [const { OnceLock::new() }; 16];
    let n = n_rows / 2 + 1;
    OF_SIZE[n].get_or_init(|| naive::roads(n as i32))
}

/// The stones of one colour, and the links between them, with whether a link crosses the edge.
struct Stones {
    spots: BTreeSet<Spot>,
    roads: Vec<(Spot, Road)>,
    board: &'static Roads,
}

impl Stones {
    fn of(fen: &str, colour: char) -> Stones {
        let rows = rows(fen);
        let board = roads(rows.len());
        let is_own = |spot: &Spot| rows[spot.0 as usize - 1][spot.1 as usize - 1] == colour;
        let spots: BTreeSet<Spot> = board.keys().copied().filter(is_own).collect();
        let from = |&spot: &Spot| board[&spot].iter().map(move |&road| (spot, road));
        Stones {
            roads: spots
                .iter()
                .flat_map(from)
                .filter(|(_, (to, _))| spots.contains(to))
                .collect(),
            board,
            spots,
        }
    }

    /// `true` if stones are on all six cells around a cell.
    fn has_ring(&self) -> bool {
        self.board.values().any(|roads| {
            let mut near = roads.iter().filter(|(_, far)| !far);
            near.clone().count() == 6 && near.all(|(spot, _)| self.spots.contains(spot))
        })
    }

    /// `true` if any loop crosses the edge, any number of times: a link across the edge joins stones that are also
    /// connected without it.
    fn crosses(&self) -> bool {
        self.roads
            .iter()
            .any(|(from, (to, far))| *far && self.joins(*from, *to))
    }

    fn joins(&self, start: Spot, end: Spot) -> bool {
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let from_here = self.roads.iter().filter(|(from, _)| *from == at);
            for (_, (to, far)) in from_here {
                let is_other = !(*far && [(at, *to), (*to, at)].contains(&(start, end)));
                if is_other && seen.insert(*to) {
                    open.push(*to);
                }
            }
        }
        seen.contains(&end)
    }

    /// `true` if a loop crosses the edge an odd number of times.
    fn has_global_loop(&self) -> bool {
        self.spots.iter().any(|&start| {
            let mut seen = BTreeSet::from([(start, false)]);
            let mut open = vec![(start, false)];
            while let Some((at, sheet)) = open.pop() {
                let from_here = self.roads.iter().filter(|(from, _)| *from == at);
                for (_, (to, far)) in from_here {
                    if seen.insert((*to, sheet != *far)) {
                        open.push((*to, sheet != *far));
                    }
                }
            }
            seen.contains(&(start, true))
        })
    }
}

/// The outcome if `wins` also makes a colour win, in addition to the global loop.
fn by_loops(play: &Play, wins: fn(&Stones) -> bool) -> Option<Outcome> {
    let [x, o] = ['x', 'o'].map(|colour| wins(&Stones::of(play.position(), colour)));
    play.now().outcome.or(winner(play, x, o))
}

fn winner(play: &Play, x: bool, o: bool) -> Option<Outcome> {
    let x_owner = Side::BOTH[usize::from(field(play.position(), 2) == "2")];
    match (x, o) {
        (true, _) => Some(Outcome::Win(x_owner)),
        (_, true) => Some(Outcome::Win(x_owner.other())),
        _ => None,
    }
}

/// The outcome if some links across the edge do not count. The arguments of `drops` are the index of the link among
/// those of its cell, and whether that cell has the larger number of the two.
fn by_far_side(play: &Play, drops: fn(usize, bool) -> bool) -> Option<Outcome> {
    let [x, o] = ['x', 'o'].map(|colour| {
        let mut stones = Stones::of(play.position(), colour);
        let all = roads(rows(play.position()).len());
        let is_dropped = |from: Spot, to: Spot| {
            let far = all[&from].iter().filter(|(_, far)| *far);
            let number = far.map(|(to, _)| *to).position(|spot| spot == to);
            number.is_some_and(|number| drops(number, from > to))
        };
        stones.roads.retain(|(from, (to, far))| {
            !*far || !(is_dropped(*from, *to) || is_dropped(*to, *from))
        });
        stones.has_global_loop()
    });
    winner(play, x, o)
}

fn with_taken(play: &Play) -> Vec<String> {
    let mut moves = play.sound_moves();
    moves.extend(play.codes.iter().filter(|code| *code != "swap").cloned());
    moves
}
