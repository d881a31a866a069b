//! Tests of Monte Carlo tree search on noughts and crosses, whose values are all known and often draws.

use std::collections::HashSet;
use std::time::Duration;

use crate::tests::negamax::negamax;
use kit::playout::{AmafMoves, Playout};
use kit::search::score::MAX_PLY;
use kit::search::{Budget, Limits, Method, Progress, Request, Searcher, mate_distance};
use kit::{Evaluate, Game, OptionDecl, Options, Outcome, PositionHistory, Rejection, Side};

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

#[derive(Debug, Clone)]
struct Noughts;

/// The cells of each player as a bit set.
type Cells = [u16; 2];

fn turn(cells: &Cells) -> Side {
    Side::BOTH[(cells[0] | cells[1]).count_ones() as usize % 2]
}

impl Game for Noughts {
    const NAME: &'static str = "noughts";
    type Position = Cells;
    type Move = u8;
    type Undo = ();

    fn options() -> Vec<OptionDecl> {
        Vec::new()
    }
    fn new(_: &Options) -> Noughts {
        Noughts
    }
    fn start(&self) -> Cells {
        [0; 2]
    }
    fn side(&self, cells: &Cells) -> Side {
        turn(cells)
    }
    fn outcome(&self, cells: &Cells) -> Option<Outcome> {
        let has_line = |side: &Side| {
            let own = cells[side.index()];
            LINES.iter().any(|line| own & line == *line)
        };
        let winner = Side::BOTH.into_iter().find(has_line).map(Outcome::Win);
        winner.or((cells[0] | cells[1] == FULL).then_some(Outcome::Draw))
    }
    fn moves(&self, cells: &Cells, moves: &mut Vec<u8>) {
        moves.extend((0..9).filter(|cell| (cells[0] | cells[1]) >> cell & 1 == 0));
    }
    fn check(&self, cells: &Cells, cell: u8) -> Result<(), Rejection> {
        match (cells[0] | cells[1]) >> cell & 1 {
            0 => Ok(()),
            _ => Err("taken".into()),
        }
    }
    fn play(&self, cells: &mut Cells, cell: u8) {
        cells[turn(cells).index()] |= 1 << cell;
    }
    fn undo(&self, cells: &mut Cells, cell: u8, (): ()) {
        cells[0] &= !(1 << cell);
        cells[1] &= !(1 << cell);
    }
    fn key(&self, cells: &Cells) -> u64 {
        u64::from(cells[0]) << 9 | u64::from(cells[1])
    }
    fn move_index(&self, cell: u8) -> usize {
        cell.into()
    }
    fn n_move_indices(&self) -> usize {
        9
    }
}

impl Evaluate for Noughts {
    fn evaluate(&self, _: &Cells) -> i32 {
        0
    }
    fn playout(&self) -> Option<Box<dyn Playout<Noughts>>> {
        Some(Box::new(AtRandom))
    }
}

/// Plays by the rules.
struct AtRandom;

impl Playout<Noughts> for AtRandom {
    fn play(
        &mut self,
        history: &PositionHistory<Noughts>,
        rng: &mut fastrand::Rng,
        amaf_moves: &mut AmafMoves,
    ) -> Outcome {
        let mut play = history.clone();
        loop {
            if let Some(outcome) = play.outcome() {
                return outcome;
            }
            let cell = *rng.choice(&play.moves()).expect("a move");
            amaf_moves.add(cell.into(), play.side());
            play.play(cell);
        }
    }
}

fn search_by(
    searcher: &mut Searcher,
    request: &Request<u8>,
    play: &PositionHistory<Noughts>,
) -> Progress<u8> {
    searcher.find(play, request)
}

fn search(play: &PositionHistory<Noughts>, limits: Limits) -> Progress<u8> {
    let request = Request::new(play.moves(), limits);
    search_by(&mut Searcher::new(1, 1), &request, play)
}

/// Positions of random games that are not over.
fn positions() -> Vec<PositionHistory<Noughts>> {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut found = Vec::new();
    while found.len() < 200 {
        let mut play = PositionHistory::start(Noughts);
        for _ in 0..rng.usize(..8) {
            match rng.choice(&play.moves()) {
                Some(&mv) => play.play(mv),
                None => break,
            }
        }
        if play.outcome().is_none() {
            found.push(play);
        }
    }
    found
}

#[test]
fn forced_ends_are_found_and_none_is_claimed_falsely() {
    let mut n_wins = 0;
    for play in positions() {
        let value = negamax(&mut play.clone(), 9, 0);
        let found = search(&play, Limits::nodes(3_000))
            .lines
            .swap_remove(0)
            .score;
        let sign = |score| mate_distance(score).map_or(0, i32::signum);
        assert_eq!(
            sign(found),
            sign(value),
            "{:?}: {found} {value}",
            play.position()
        );
        let is_longer = |(found, exact): (i32, i32)| found.abs() >= exact.abs();
        let distances = mate_distance(found).zip(mate_distance(value));
        assert!(distances.is_none_or(is_longer), "{:?}", play.position());
        n_wins += u32::from(value > 0);
    }
    assert!(n_wins > 40, "{n_wins}");
}

#[test]
fn a_search_ends_when_the_end_is_certain() {
    // A corner and the centre, with a reply on the cell between two corners: a win.
    let mut play = PositionHistory::start(Noughts);
    [0, 1, 4].into_iter().for_each(|cell| play.play(cell));
    play.play(2);
    let found = search(&play, Limits::nodes(1_000_000));
    assert!(found.nodes < 10_000, "{found:?}");
    // Other moves win, too, and the order of the random games decides which win is proven first.
    let distance = mate_distance(found.lines[0].score);
    assert!(distance.is_some_and(|plies| plies > 0), "{found:?}");
}

#[test]
fn the_draw_is_seen_as_even() {
    let found = search(&PositionHistory::start(Noughts), Limits::nodes(20_000));
    assert_eq!(found.nodes, 20_000);
    assert!(found.lines[0].score.abs() < 200, "{found:?}");
    assert!(found.depth >= 5 && found.seldepth as usize <= 9.min(MAX_PLY));
}

#[test]
fn equal_searches_find_equal_things() {
    let play = PositionHistory::start(Noughts);
    let found = [(); 2].map(|()| {
        let mut found = search(&play, Limits::nodes(777));
        found.time = Duration::ZERO;
        found
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].nodes, 777);
}

#[test]
fn only_named_moves_are_chosen_and_as_many_lines_told_as_asked_for() {
    let play = PositionHistory::start(Noughts);
    let request = Request {
        n_lines: 5,
        ..Request::new(vec![1, 3, 5], Limits::nodes(500))
    };
    let found = search_by(&mut Searcher::new(1, 1), &request, &play);
    let firsts: HashSet<u8> = found.lines.iter().map(|line| line.pv[0]).collect();
    assert_eq!(firsts, HashSet::from([1, 3, 5]));
    assert_eq!(found.lines.len(), 3);
}

/// Every line has the sign of its move's exact value, also if another line is proven early.
#[test]
fn every_line_is_searched() {
    let mut n_signs = [0; 3];
    for play in positions() {
        let request = Request {
            n_lines: 3,
            ..Request::new(play.moves(), Limits::nodes(20_000))
        };
        let found = search_by(&mut Searcher::new(1, 1), &request, &play);
        assert_eq!(found.lines.len(), play.moves().len().min(3));
        for line in &found.lines {
            let mut after = play.clone();
            after.play(line.pv[0]);
            let value = -negamax(&mut after, 9, 1);
            let sign = |score| mate_distance(score).map_or(0, i32::signum);
            assert_eq!(
                sign(line.score),
                sign(value),
                "{:?}: {line:?}",
                play.position()
            );
            n_signs[(1 + sign(value)) as usize] += 1;
        }
    }
    assert!(n_signs.iter().all(|&n| n > 20), "{n_signs:?}");
}

#[test]
fn what_was_learned_is_kept_for_later_positions_of_the_game() {
    let mut searcher = Searcher::new(1, 1);
    let mut play = PositionHistory::start(Noughts);
    let at = |searcher: &mut Searcher, play: &PositionHistory<Noughts>, n| {
        search_by(
            searcher,
            &Request::new(play.moves(), Limits::nodes(n)),
            play,
        )
    };
    let line = at(&mut searcher, &play, 5_000).lines.swap_remove(0).pv;
    line[..2].iter().for_each(|&mv| play.play(mv));
    assert!(at(&mut searcher, &play, 1).depth > 2);
    searcher.clear();
    assert_eq!(at(&mut searcher, &play, 1).depth, 1);
}

#[test]
fn threads_share_the_games() {
    let play = PositionHistory::start(Noughts);
    let request = Request::new(play.moves(), Limits::nodes(5_000));
    let found = search_by(&mut Searcher::new(1, 3), &request, &play);
    assert_eq!(found.nodes, 5_000);
    assert!(found.lines[0].score.abs() < 200, "{found:?}");
}

#[test]
fn a_clock_ends_the_search_and_a_choice_of_one_costs_no_time() {
    let budget = |ms| Limits {
        budget: Budget::Clock {
            soft: Duration::from_millis(ms),
            hard: Duration::from_millis(3 * ms),
        },
        ..Limits::default()
    };
    let mut play = PositionHistory::start(Noughts);
    assert!(search(&play, budget(10)).nodes > 0);
    // One free cell is left, so there is only one move.
    let cells = [4, 0, 2, 6, 3, 5, 1, 7];
    cells.into_iter().for_each(|cell| play.play(cell));
    assert_eq!(search(&play, budget(1_000_000)).lines[0].pv, [8]);
}

/// A depth limit selects the search that supports depths.
#[test]
fn depths_are_searched_in_full() {
    let play = PositionHistory::start(Noughts);
    let limits = Limits::depth(9);
    assert_eq!(search(&play, limits.clone()).depth, 9);
    let pvs = Request {
        method: Method::Pvs,
        ..Request::new(play.moves(), Limits::nodes(100))
    };
    assert!(search_by(&mut Searcher::new(1, 1), &pvs, &play).nodes <= 100);
}
