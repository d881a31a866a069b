//! Compares the results that the engine proves without a search with a full search of the rest of the game by the rules
//! alone.

use crate::{Play, after, game};
use kit::search::proof::Verdict;
use kit::search::{Limits, Request, Searcher, mate_distance};
use kit::{Evaluate, Forced, Game, Value};
use laws::searches::{find, first, prove, request};
use projex::position::Position;
use projex::{Move, Projex};
use std::collections::HashMap;

/// Plies to the end with best play, by position: of a won game if the side to move wins, otherwise of a lost one.
struct Solver {
    game: Projex,
    known: HashMap<u64, Value>,
}

impl Solver {
    fn new(game: &Projex) -> Solver {
        Solver {
            game: game.clone(),
            known: HashMap::new(),
        }
    }

    fn value(&mut self, position: &mut Position) -> Value {
        if let Some(outcome) = self.game.outcome(position) {
            return Value::of(outcome, self.game.side(position));
        }
        let key = self.game.key(position);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let values = moves.into_iter().map(|mv| self.value_after(position, mv));
        let value = values.max_by_key(|value| value.score());
        let value = value.expect("a position that goes on has moves");
        self.known.insert(key, value);
        value
    }

    /// The value of a move for the player who makes it, in plies from before the move.
    fn value_after(&mut self, position: &mut Position, mv: Move) -> Value {
        let undo = self.game.play(position, mv);
        let value = self.value(position).flipped().before_move();
        self.game.undo(position, mv, undo);
        value
    }

    /// Checks the claim about a position that is not over. Returns `false` if there is none.
    fn check(&mut self, position: &Position) -> bool {
        let mut position = position.clone();
        let at = format!("{:?}", position.stones());
        match self.game.forced(&position) {
            None | Some(Forced::Open) => return false,
            Some(Forced::Win { plies: within }) => match self.value(&mut position) {
                Value::Win(plies) if plies <= within => {}
                value => panic!("{at}: a win in {within} is {value:?}"),
            },
            Some(Forced::Loss { plies: within }) => match self.value(&mut position) {
                Value::Loss(plies) if plies <= within => {}
                value => panic!("{at}: a loss in {within} is {value:?}"),
            },
            Some(Forced::Only { moves, plies }) => self.check_others(&mut position, &moves, plies),
        }
        true
    }

    /// Checks that every move except these loses within `within` plies.
    fn check_others(&mut self, position: &mut Position, but: &[Move], within: u32) {
        let mut all = Vec::new();
        self.game.moves(position, &mut all);
        assert!(!but.is_empty() && but.iter().all(|mv| all.contains(mv)));
        for mv in all.into_iter().filter(|mv| !but.contains(mv)) {
            match self.value_after(position, mv) {
                Value::Loss(plies) if plies <= within => {}
                value => panic!(
                    "{:?}: {mv:?} is no loss in {within}: {value:?}",
                    position.stones()
                ),
            }
        }
    }
}

/// A random position with `n_empty` empty cells, if the game lasts that long.
fn random(options: &str, n_empty: usize, rng: &mut fastrand::Rng) -> Option<Play> {
    let mut play = after(options, "");
    while play.game().count_moves(play.position()) > n_empty {
        play.play(*rng.choice(&play.moves()).expect("a move"));
        if play.outcome().is_some() {
            return None;
        }
    }
    Some(play)
}

/// Checks every position of the smallest board that random games reach.
#[test]
fn every_claim_on_size_3_is_true() {
    for options in ["Size=3", "Size=3 Swap=false"] {
        let mut solver = Solver::new(&game(options));
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut n_claims, mut n_positions) = (0, 0);
        while n_positions < 3_000 {
            let mut play = after(options, "");
            while play.outcome().is_none() {
                n_positions += 1;
                n_claims += usize::from(solver.check(play.position()));
                play.play(*rng.choice(&play.moves()).expect("a move"));
            }
        }
        assert!(n_claims > n_positions / 2, "{n_claims} of {n_positions}");
    }
}

#[test]
fn every_claim_at_the_end_of_size_4_is_true() {
    let options = "Size=4 Swap=false";
    for (n_empty, n_wanted) in [(12, 8), (11, 20), (10, 40), (9, 80), (8, 160), (7, 300)] {
        let mut rng = fastrand::Rng::with_seed(n_empty as u64);
        let (mut n_claims, mut n_positions) = (0, 0);
        while n_positions < n_wanted {
            let Some(play) = random(options, n_empty, &mut rng) else {
                continue;
            };
            let mut solver = Solver::new(play.game());
            n_positions += 1;
            n_claims += usize::from(solver.check(play.position()));
        }
        assert!(n_claims > n_positions / 2, "{n_claims} of {n_positions}");
    }
}

/// A proof search with this knowledge finds the values of all moves, and no win takes longer than reported. There are no
/// draws, so a move that does not win loses.
#[test]
fn proved_values_are_those_of_a_full_search() {
    for (options, n_empty, n_wanted) in [
        ("Size=3", 12, 1),
        ("Size=3 Swap=false", 12, 1),
        ("Size=3 Swap=false", 10, 60),
        ("Size=4 Swap=false", 11, 6),
        ("Size=4 Swap=false", 9, 60),
    ] {
        let mut rng = fastrand::Rng::with_seed(5);
        let positions = std::iter::from_fn(|| Some(random(options, n_empty, &mut rng)));
        for play in positions.flatten().take(n_wanted) {
            let mut solver = Solver::new(play.game());
            let mut position = play.position().clone();
            for mv in play.moves() {
                let value = solver.value_after(&mut position, mv);
                let (verdict, _) = prove(&play, &[mv], 200, 4, None);
                let is_true = match (&verdict, value) {
                    (Verdict::Win { plies: within, .. }, Value::Win(plies)) => plies <= *within,
                    (Verdict::NoWin, Value::Loss(_)) => true,
                    _ => false,
                };
                assert!(is_true, "{play:?}: {mv:?}: {verdict:?}, {value:?}");
            }
        }
    }
}

/// Plain search cannot reach the end from this position.
#[test]
fn a_win_on_size_4_is_proved_from_two_stones() {
    let play = after("Size=4 Swap=false", "C3 D4");
    let (verdict, _) = prove(&play, &play.moves(), 200, 16, Some(5_000));
    assert!(
        matches!(verdict, Verdict::Win { plies: ..=25, .. }),
        "{verdict:?}"
    );
}

/// The tree is kept from move to move, and threads share it.
#[test]
fn a_kept_tree_claims_nothing_false() {
    let mut solver = Solver::new(&game("Size=3"));
    for n_threads in [1, 3] {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut n_claims = 0;
        for _ in 0..30 {
            let mut searcher = Searcher::new(1, n_threads);
            let mut play = after("Size=3", "");
            while play.outcome().is_none() {
                let request = Request {
                    n_lines: 3,
                    ..request(&play, Limits::nodes(rng.u64(1..400)))
                };
                for line in find(&mut searcher, &play, &request).lines {
                    let Some(plies) = mate_distance(line.score) else {
                        continue;
                    };
                    let value =
                        solver.value_after(&mut play.position().clone(), first(&play, &line));
                    let is_true = match value {
                        Value::Win(n) => plies >= n as i32,
                        Value::Loss(n) => -plies >= n as i32,
                        Value::Draw => false,
                    };
                    assert!(is_true, "{play:?}: {line:?}, {value:?}");
                    n_claims += 1;
                }
                play.play(*rng.choice(&play.moves()).expect("a move"));
            }
        }
        assert!(n_claims > 200, "{n_claims}");
    }
}
