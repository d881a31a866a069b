//! Tests of the answers of tables in games with earlier positions.

use std::time::{Duration, Instant};

use kit::search::score::DRAW;
use kit::search::{
    Budget, Control, Heuristics, Ladder, Limits, Method, Progress, Request, Rung, mate_distance,
};
use kit::tablebase::Tablebase;
use kit::{DynHistory, Outcome, PositionHistory};

use crate::graph::{Graph, Shape};
use crate::tables::{Folder, build_at, open};

const LADDER: Ladder = Ladder {
    rungs: &[Rung::new(0, 100, 1), Rung::new(100, 1_000, 100)],
};

/// Graphs with few moves, so that games repeat positions, with a random game on each.
fn games(n: u64) -> impl Iterator<Item = PositionHistory<Graph>> {
    (0..n).map(|seed| {
        let mut rng = fastrand::Rng::with_seed(seed);
        let game = Graph::new(Shape {
            n_vertices: rng.u16(6..24),
            max_moves: rng.u16(2..4),
            end_rate: rng.u64(5..14),
            repetition: [None, Some(2), Some(3)][rng.usize(..3)],
            ..Shape::small(seed)
        });
        let plies = rng.usize(..30);
        game.random_game(plies, &mut rng)
    })
}

fn answer(table: &Tablebase, history: &PositionHistory<Graph>) -> Option<Progress> {
    let request = Request {
        n_lines: usize::MAX,
        ..Request::new(DynHistory::moves(history), Limits::default())
    };
    table
        .answer(history, &request, &Control::default())
        .map(|answer| answer.expect("a sound file"))
}

/// The move of a code.
fn vertex(code: &str) -> u16 {
    code.parse().expect("a vertex")
}

/// The score of each move, by a solver that uses the whole history.
fn truth(history: &PositionHistory<Graph>, mv: u16) -> i32 {
    Graph::value_of_move(history, mv).score()
}

#[test]
fn answers_hold_whatever_stood_before() {
    let folder = Folder::new("answers");
    let path = folder.file("table");
    let (mut n_lines, mut n_declined, mut n_repeated) = (0, 0, 0);
    for history in games(300) {
        let _ = std::fs::remove_file(&path);
        build_at(history.game(), &path).expect("a table");
        let table = open(history.game(), &path).expect("a table");
        let drawn = history.keys_drawn_on_return();
        let Some(found) = answer(&table, &history) else {
            assert!(!drawn.is_empty(), "{history:?}");
            n_declined += 1;
            continue;
        };
        n_repeated += usize::from(!drawn.is_empty());
        assert_eq!(found.lines.len(), history.moves().len());
        assert!(found.lines.is_sorted_by_key(|line| -line.score));
        for line in &found.lines {
            let truth = truth(&history, vertex(&line.pv[0]));
            assert_eq!(line.score, truth, "{history:?}: {line:?}");
            n_lines += 1;
            let Some(plies) = mate_distance(line.score) else {
                continue;
            };
            let mut end = history.clone();
            line.pv.iter().for_each(|mv| end.play(vertex(mv)));
            assert_eq!(line.pv.len() as i32, plies.abs(), "{history:?}: {line:?}");
            let winner = if plies > 0 {
                history.side()
            } else {
                history.side().other()
            };
            assert_eq!(
                end.outcome(),
                Some(Outcome::Win(winner)),
                "{history:?}: {line:?}"
            );
        }
    }
    assert!(
        n_lines > 300 && n_repeated > 30 && n_declined > 0,
        "{n_lines}, {n_repeated}, {n_declined}"
    );
}

/// In a drawn position, the move chosen is the one after which most replies lose.
#[test]
fn a_drawn_position_is_played_on_for_mistakes() {
    let folder = Folder::new("chances");
    let path = folder.file("table");
    let mut n_choices = 0;
    for history in games(400) {
        let _ = std::fs::remove_file(&path);
        build_at(history.game(), &path).expect("a table");
        let table = open(history.game(), &path).expect("a table");
        let Some(found) = answer(&table, &history) else {
            continue;
        };
        if found.lines[0].score != DRAW {
            continue;
        }
        let share = |mv| {
            let mut after = history.clone();
            after.play(mv);
            let replies = after.moves();
            let wrong = replies.iter().filter(|&&reply| truth(&after, reply) < DRAW);
            1_000 * wrong.count() / replies.len().max(1)
        };
        let drawn = found.lines.iter().filter(|line| line.score == DRAW);
        let shares: Vec<usize> = drawn.map(|line| share(vertex(&line.pv[0]))).collect();
        assert!(
            shares.is_sorted_by_key(|&share| std::cmp::Reverse(share)),
            "{history:?}: {shares:?}"
        );
        n_choices += usize::from(shares[0] > *shares.last().expect("a line"));
    }
    assert!(n_choices > 5, "{n_choices}");
}

/// An answer that is stopped, or whose time is over, is a move, and makes no claim that is not proven.
#[test]
fn an_answer_heeds_the_clock_and_a_stop() {
    let folder = Folder::new("stopped");
    let path = folder.file("table");
    let mut n_long = 0;
    for history in games(150).filter(|history| history.moves().len() > 1) {
        let _ = std::fs::remove_file(&path);
        build_at(history.game(), &path).expect("a table");
        let table = open(history.game(), &path).expect("a table");
        let Some(whole) = answer(&table, &history) else {
            continue;
        };
        n_long += usize::from(whole.lines[0].pv.len() > 1);
        let stopped = Control::default();
        stopped.stop();
        let late = Control::new(Instant::now() - Duration::from_secs(1), false, false);
        let limits = Limits {
            budget: Budget::Fixed(Duration::from_millis(1)),
            ..Limits::default()
        };
        for (control, limits) in [(stopped, Limits::default()), (late, limits)] {
            let request = Request::new(DynHistory::moves(&history), limits);
            let Some(found) = table.answer(&history, &request, &control) else {
                continue;
            };
            let found = found.expect("a sound file");
            let line = &found.lines[0];
            assert_eq!(line.pv.len(), 1, "{history:?}");
            let is_proof = line.score > DRAW;
            assert!(is_proof || found.depth == 0, "{history:?}: {found:?}");
            assert!(found.nodes <= 1, "{history:?}: {found:?}");
        }
    }
    assert!(n_long > 3, "{n_long}");
}

#[test]
fn a_weaker_or_another_search_gets_no_answer() {
    let folder = Folder::new("weaker");
    let path = folder.file("table");
    let game = games(1).next().expect("a game").game().clone();
    build_at(&game, &path).expect("a table");
    let table = open(&game, &path).expect("a table");
    let history = PositionHistory::start(game);
    let request = Request::new(DynHistory::moves(&history), Limits::default());
    let answer = |request: &Request| table.answer(&history, request, &Control::default());
    assert!(answer(&request).is_some());
    let weaker = Request {
        skill: LADDER.at_level(10),
        ..request.clone()
    };
    assert!(answer(&weaker).is_none());
    let other = Request {
        method: Method::Pvs,
        ..request.clone()
    };
    assert!(answer(&other).is_none());
    let less = Request {
        heuristics: Heuristics::without("history"),
        ..request
    };
    assert!(answer(&less).is_none());
}
