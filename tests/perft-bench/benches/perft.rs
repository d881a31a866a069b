//! Perft speed of each game compared with chess, in one run: leaves per second on one thread, as a multiple of the
//! speed of the same recursion over shakmaty from the initial position of chess.
//!
//! `cargo bench --bench perft [-- GAME]`. Each game is measured in turn with chess, round by round. The output has the
//! median ratio and the extremes, so that noise of the machine is visible.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use kit::{Game, Options, PositionHistory, perft};
use shakmaty::{Chess, Position};

const ROUNDS: usize = 5;
/// 4,865,609 leaves.
const CHESS_DEPTH: u32 = 5;

/// Measures the game of this name.
type Measure = fn(&str);

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word));
    println!(
        "leaves a second, as a multiple of shakmaty's made and judged: median (least to most) of {ROUNDS} rounds"
    );
    println!(
        "{:<26}{:>12}  {:<24}{:<24}",
        "game", "leaves", "made and judged", "last ply in bulk"
    );
    let games: [(&str, Measure); 5] = [
        ("susan Size=5", |name| {
            measure::<susan::Susan>(name, &[("Size", "5")], 5)
        }),
        ("gobblet Size=4", |name| {
            measure::<gobblet::Gobblet>(name, &[("Size", "4")], 5)
        }),
        ("entropy", |name| measure::<entropy::Entropy>(name, &[], 5)),
        ("projex Size=7", |name| {
            measure::<projex::Projex>(name, &[("Size", "7")], 3)
        }),
        ("graph-hockey 4x8", |name| {
            measure::<graph_hockey::GraphHockey>(name, &[("Side", "4"), ("Gap", "8")], 6)
        }),
    ];
    for (name, measure) in games {
        if is_wanted(name) {
            measure(name);
        }
    }
    if is_wanted("chess") {
        let ratios = rounds(|| ratio(bulk_chess));
        println!(
            "{:<26}{:>12}  {:<24}{:<24}",
            "chess",
            bulk_chess(),
            "1",
            ratios
        );
    }
}

fn measure<G: Game>(name: &str, settings: &[(&str, &str)], depth: u32) {
    let mut options = Options::new(G::options());
    for (option, value) in settings {
        options
            .set(option, Some(value))
            .expect("the settings above are valid");
    }
    let start = PositionHistory::start(G::new(&options));
    let leaves = perft::perft(&mut start.clone(), depth);
    let judged = rounds(|| ratio(|| laws::leaves(&mut start.clone(), depth)));
    let bulk = rounds(|| ratio(|| perft::perft(&mut start.clone(), depth)));
    println!(
        "{:<26}{leaves:>12}  {judged:<24}{bulk:<24}",
        format!("{name} depth {depth}")
    );
}

/// The median and the extremes of several rounds.
fn rounds(measure: impl Fn() -> f64) -> String {
    let mut ratios: Vec<f64> = (0..ROUNDS).map(|_| measure()).collect();
    ratios.sort_by(f64::total_cmp);
    format!(
        "{:.2} ({:.2} to {:.2})",
        ratios[ROUNDS / 2],
        ratios[0],
        ratios[ROUNDS - 1]
    )
}

/// Leaves per second as a multiple of the speed of chess measured just before.
fn ratio(count: impl Fn() -> u64) -> f64 {
    let chess = speed(judged_chess);
    speed(count) / chess
}

fn speed(count: impl Fn() -> u64) -> f64 {
    let start = Instant::now();
    let leaves = black_box(count());
    leaves as f64 / start.elapsed().as_secs_f64()
}

fn judged_chess() -> u64 {
    let mut finished = 0;
    let leaves = judge(&Chess::default(), CHESS_DEPTH, &mut finished);
    black_box(finished);
    leaves
}

/// The recursion of [`laws::leaves`] over shakmaty: every leaf is made, and its outcome is computed.
fn judge(position: &Chess, depth: u32, finished: &mut u64) -> u64 {
    let is_over = position.outcome().is_known();
    if depth == 0 {
        *finished += u64::from(is_over);
        return 1;
    }
    if is_over {
        return 0;
    }
    let after = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    };
    position
        .legal_moves()
        .into_iter()
        .map(|mv| judge(&after(mv), depth - 1, finished))
        .sum()
}

fn bulk_chess() -> u64 {
    bulk(&Chess::default(), CHESS_DEPTH)
}

fn bulk(position: &Chess, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    };
    moves
        .into_iter()
        .map(|mv| bulk(&after(mv), depth - 1))
        .sum()
}
