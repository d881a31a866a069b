//! Searches of random graphs, in which lines of play transpose and repeat.

use crate::tests::graph::{Graph, Shape, Value, search};
use crate::tests::step;
use kit::search::proof::{Verdict, prove};
use kit::search::score::{DRAW, Score, loss_in, win_in};
use kit::search::{Control, Limits, Progress, Request, Searcher, mate_distance};
use kit::{Outcome, PositionHistory};

/// Random graphs of several shapes, with a random game of up to 12 plies on each.
fn games(n: u64) -> impl Iterator<Item = PositionHistory<Graph>> {
    (0..n).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = Shape {
            n_vertices: rng.u16(6..30),
            max_moves: rng.u16(2..5),
            end_rate: rng.u64(4..16),
            repetition: [None, Some(2), Some(3)][rng.usize(..3)],
            quiet_limit: [None, Some(rng.u8(4..16))][rng.usize(..2)],
            ..Shape::small(seed)
        };
        let game = Graph::new(shape);
        game.random_game(rng.usize(..12), &mut rng)
    })
}

/// The forced end within `depth` plies by the rules; a position at the horizon is a draw.
fn end_within(history: &mut PositionHistory<Graph>, depth: u32, ply: usize) -> Score {
    match history.outcome() {
        Some(Outcome::Draw) => return DRAW,
        Some(Outcome::Win(side)) if side == history.side() => return win_in(ply),
        Some(Outcome::Win(_)) => return loss_in(ply),
        None if depth == 0 => return DRAW,
        None => {}
    }
    let mut best = Score::MIN;
    for mv in history.moves() {
        history.play(mv);
        best = best.max(-end_within(history, depth - 1, ply + 1));
        history.undo();
    }
    best
}

/// The score of a value if its end is within `plies`.
fn within(value: Value, plies: u32) -> Score {
    match value {
        Value::Win(n) | Value::Loss(n) if n <= plies => value.score(),
        _ => DRAW,
    }
}

#[test]
fn solving_agrees_with_exhaustive_search() {
    let mut counts = [0; 3];
    for history in games(600) {
        let value = Graph::solve(&history);
        for depth in 0..=7 {
            let exhaustive = end_within(&mut history.clone(), depth, 0);
            assert_eq!(
                exhaustive,
                within(value, depth),
                "{history:?}, depth {depth}"
            );
        }
        counts[usize::from(value != Value::Draw) + usize::from(matches!(value, Value::Win(_)))] +=
            1;
    }
    assert!(counts.iter().all(|&n| n > 40), "{counts:?}");
}

/// A proof of a win within this many plies, in the smallest table.
fn proof(history: &PositionHistory<Graph>, within: u32) -> Verdict<u16> {
    prove(history, &history.moves(), within, 1, None).0
}

/// Covers transpositions, repetitions, positions that occurred before the root, and consecutive quiet moves.
#[test]
fn proofs_agree_with_retrograde_analysis() {
    let mut n_wins = 0;
    for history in games(3_000) {
        let value = Graph::solve(&history);
        for limit in 1..=24 {
            let verdict = proof(&history, limit);
            let at = format!("{history:?}, within {limit}: {verdict:?}, {value:?}");
            match (value, verdict) {
                (Value::Win(n), Verdict::Win { plies, pv }) => {
                    assert!(n <= plies && plies <= limit, "{at}");
                    let mut end = history.clone();
                    pv.iter().for_each(|&mv| end.play(mv));
                    assert_eq!(end.outcome(), Some(Outcome::Win(history.side())), "{at}");
                    assert!(pv.len() <= plies as usize, "{at}");
                    n_wins += 1;
                }
                (Value::Win(n), Verdict::NoWin) => assert!(n > limit, "{at}"),
                (_, verdict) => assert_eq!(verdict, Verdict::NoWin, "{at}"),
            }
        }
    }
    assert!(n_wins > 1_000, "{n_wins}");
}

/// Asserts that the search's claim about the side to move at the root is true.
fn assert_claim_is_true(score: Score, value: Value, at: &str) {
    match (mate_distance(score), value) {
        (None, _) => {}
        (Some(plies), Value::Win(n)) => assert!(plies >= n as i32, "{at}"),
        (Some(plies), Value::Loss(n)) => assert!(-plies >= n as i32, "{at}"),
        (Some(_), Value::Draw) => panic!("{at}"),
    }
}

/// The [`games`] with playouts, for tree search.
fn playout_games(n: u64) -> impl Iterator<Item = PositionHistory<Graph>> {
    games(n).map(|history| {
        let shape = Shape {
            has_playouts: true,
            ..history.game().shape
        };
        let mut other = PositionHistory::start(Graph::new(shape));
        history.played().for_each(|mv| other.play(mv));
        other
    })
}

/// Checks the value of a position by its best line, and that of each move by its line.
#[test]
fn tree_search_claims_nothing_false_after_any_number_of_games() {
    let step = step(5);
    let mut n_claims = 0;
    for (index, history) in playout_games(60).enumerate() {
        let value = Graph::solve(&history);
        let numbers = (1..200).chain((200..5_000).step_by(97));
        // Each number occurs with some graph.
        let numbers = numbers.skip(index % step).step_by(step);
        for (nodes, n_lines) in numbers.zip([1, 1, 3].into_iter().cycle()) {
            let found = search(&mut Searcher::new(1, 1), &history, nodes, n_lines);
            let at = format!("{history:?}, {nodes} games: {:?}, {value:?}", found.lines);
            assert_claim_is_true(found.lines[0].score, value, &at);
            for line in &found.lines {
                let mut after = history.clone();
                after.play(line.pv[0]);
                if let (Some(plies), None) = (mate_distance(line.score), after.outcome()) {
                    let theirs = Graph::solve(&after);
                    assert_claim_is_true(-line.score - plies.signum(), theirs, &at);
                    n_claims += 1;
                }
            }
            // A move that is proven lost is played only if all moves are.
            let is_lost = mate_distance(found.lines[0].score).is_some_and(|plies| plies <= 0);
            assert!(!is_lost || matches!(value, Value::Loss(_)), "{at}");
        }
    }
    assert!(n_claims > 1_000 / step, "{n_claims}");
}

/// The tree is kept between searches. Games that reach the same position by other moves have other repetitions.
#[test]
fn a_kept_tree_claims_nothing_false() {
    let mut n_claims = 0;
    for history in playout_games(60) {
        let mut searcher = Searcher::new(1, 1);
        let mut rng = fastrand::Rng::with_seed(history.game().shape.seed);
        for _ in 0..60 {
            let mut later = history.game().random_game(rng.usize(..10), &mut rng);
            // Several positions of the same game, one after another.
            while later.outcome().is_none() && rng.u8(..3) > 0 {
                let value = Graph::solve(&later);
                let found = search(&mut searcher, &later, 400, 1);
                let at = format!("{later:?}: {:?}, {value:?}", found.lines);
                assert_claim_is_true(found.lines[0].score, value, &at);
                n_claims += u32::from(mate_distance(found.lines[0].score).is_some());
                later.play(*rng.choice(&later.moves()).expect("a move"));
            }
        }
    }
    assert!(n_claims > 500, "{n_claims}");
}

/// A graph so large that the smallest tree is full after some thousand games.
fn large_graph() -> PositionHistory<Graph> {
    let shape = Shape {
        n_vertices: 5_000,
        max_moves: 60,
        end_rate: 300,
        quiet_limit: None,
        sees_wins: false,
        has_playouts: true,
        ..Shape::small(1)
    };
    PositionHistory::start(Graph::new(shape))
}

#[test]
fn a_full_tree_is_pruned_and_grows_on() {
    let history = large_graph();
    let run = |threads, nodes| {
        let mut searcher = Searcher::new(1, threads);
        let mut fullest = 0;
        let limits = Limits::nodes(nodes);
        let request = Request::new(history.moves(), limits);
        let control = Control::default();
        let mut tell = |found: &Progress<u16>| fullest = fullest.max(found.hashfull);
        let found = searcher.search(&history, &request, &control, &mut tell);
        (found, fullest)
    };
    let (few, _) = run(1, 2_000);
    let (many, fullest) = run(1, 60_000);
    assert_eq!(many.nodes, 60_000);
    assert!(few.hashfull < 1_000 && fullest <= 1_000, "{fullest}");
    assert!(
        many.seldepth > few.seldepth,
        "{} {}",
        many.seldepth,
        few.seldepth
    );
    let (again, _) = run(1, 60_000);
    assert_eq!((many.lines, many.hashfull), (again.lines, again.hashfull));
    let (by_threads, _) = run(3, 60_000);
    assert_eq!(by_threads.nodes, 60_000);
}
