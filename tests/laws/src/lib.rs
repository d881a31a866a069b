//! Laws: properties that every game must have, checked along seeded random games.
//!
//! A game's tests call [`check`] once. It tests the default options and then changes one option at a time, and panics
//! with the seed and the position if a property does not hold. [`negamax`] is the plain search used as a reference for
//! the real one. [`testing`] has builders for the tests of games.

mod about;
mod boards;
mod cases;
mod claims;
mod diagrams;
mod exhaustive;
mod indexing;
mod lesson;
pub mod needed;
mod positions;
pub mod puzzle;
mod search;
pub mod searches;
mod tables;
pub mod testing;

pub use about::check_about;
pub use boards::check_transcripts;
pub use cases::check_cases;
pub use claims::{check_claims, check_ends, check_every_stop, winning_moves};
pub use indexing::{check_indexing, check_indices};
pub use lesson::{check_game, check_lesson};
pub use positions::{check_places, check_positions};
pub use search::negamax;
pub use tables::{check_leaves, leaves};

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;

use kit::dyn_history::{parse_history, parse_legal};
use kit::learn::{NetworkTrainer, Trainer};
use kit::network::{FeaturePair, MAX_ACTIVE};
use kit::{Engine, OptionKind, Options, Outcome, PositionHistory, perft};

use crate::searches::static_score;
use crate::testing::{full, sample};

/// Positions visited for each set of options.
const POSITIONS: usize = 1_500;
/// Positions searched for each set of options.
const SEARCHES: usize = 6;
/// The same for positions with few moves, where a search can be deep.
const DEEP_SEARCHES: usize = 6;
/// Plies between drawn boards if all cases are run, and if a sample is. The last position is always drawn.
const DRAWN_EVERY: [usize; 2] = [5, 15];
/// Games are cut off at this ply.
const LONGEST_GAME: usize = 200;

/// Checks all properties along random games, with the default options and with each option at its other values (for a
/// spin: both ends and the middle).
pub fn check<G: Engine>() {
    let default = G::new(&Options::new(G::options()));
    for text in G::BENCH.positions.lines() {
        let history = parse_history(&default, text).expect("a bench position");
        assert_eq!(history.outcome(), None, "{text}");
    }
    search::check_boards_apart::<G>(&variants::<G>());
    // Each variant by itself: one test with all of them would be the last one running.
    thread::scope(|scope| {
        for options in variants::<G>() {
            scope.spawn(move || check_variant::<G>(&options));
        }
    });
}

fn check_variant<G: Engine>(options: &Options) {
    let game = G::new(options);
    let name = format!("{} {:?}", G::NAME, options.values().collect::<Vec<_>>());
    let mut inspector = Inspector {
        game,
        name,
        pool: HashSet::new(),
        n_drawn: 0,
        n_searches: 0,
        n_deep_searches: 0,
    };
    inspector.check_board();
    let mut visited = 0;
    for seed in 1.. {
        visited += inspector.check_game(seed);
        if visited >= sample(POSITIONS) {
            break;
        }
    }
}

/// The default options, then each option at each of the other values to test.
fn variants<G: Engine>() -> Vec<Options> {
    let default = Options::new(G::options());
    let mut variants = vec![default.clone()];
    for decl in G::options() {
        let values = match decl.kind {
            OptionKind::Check { .. } => vec!["true".to_owned(), "false".to_owned()],
            OptionKind::Spin { min, max, .. } => {
                [min, (min + max) / 2, max].map(|n| n.to_string()).to_vec()
            }
            OptionKind::Combo { choices, .. } => choices,
            OptionKind::Button | OptionKind::String { .. } => Vec::new(),
        };
        for value in values {
            let mut options = default.clone();
            options
                .set(&decl.name, Some(&value))
                .expect("a declared value is taken");
            if options != default {
                variants.push(options);
            }
        }
    }
    variants
}

/// Checks the properties with one set of options.
struct Inspector<G: Engine> {
    game: G,
    name: String,
    /// All moves that have been legal on this board so far.
    pool: HashSet<G::Move>,
    n_drawn: usize,
    n_searches: usize,
    n_deep_searches: usize,
}

impl<G: Engine> Inspector<G> {
    fn check_board(&self) {
        let start = PositionHistory::start(self.game.clone());
        assert!(
            self.game.n_move_indices() < usize::from(u16::MAX),
            "{}: too many move indices",
            self.name
        );
        for (name, _) in self.game.shape() {
            assert!(
                G::options().iter().any(|decl| decl.name == name),
                "{}: no option {name}",
                self.name
            );
        }
        let read = self.read(&start, &self.game.format_position(start.position()));
        assert_eq!(
            read.game().shape(),
            self.game.shape(),
            "{}: the start string keeps the board",
            self.name
        );
        if let Some(inputs) = self.game.network_inputs() {
            let network = Arc::new(NetworkTrainer::untrained(inputs.n_inputs(), 1).weights());
            let game = inputs.with_network(Arc::clone(&network));
            let read = game.parse_position(&game.format_position(start.position()));
            let read = read.expect("the start string").game;
            let kept = read.network_inputs().and_then(|inputs| inputs.network());
            let keeps = kept.is_some_and(|kept| Arc::ptr_eq(kept, &network));
            assert!(keeps, "{}: a position string keeps the network", self.name);
        }
        for depth in 0..=2 {
            let judged = leaves(&mut start.clone(), depth);
            let counted = perft::perft(&mut start.clone(), depth);
            let mut divided = 0;
            let total = perft::divide(&mut start.clone(), depth, &|| false, &mut |_, nodes| {
                divided += nodes;
            });
            assert_eq!(total, Some(counted), "{}: perft {depth}", self.name);
            assert_eq!(
                judged, counted,
                "{}: perft {depth}, made and in bulk",
                self.name
            );
            assert_eq!(
                if depth == 0 { 1 } else { divided },
                counted,
                "{}: perft {depth}, divided",
                self.name
            );
        }
    }

    /// Plays one random game. Returns the number of visited positions.
    fn check_game(&mut self, seed: u64) -> usize {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut history = PositionHistory::start(self.game.clone());
        while history.ply() < LONGEST_GAME {
            let moves = history.moves();
            let at = format!(
                "{}, seed {seed}, ply {}: {}",
                self.name,
                history.ply(),
                self.fen(&history)
            );
            assert_eq!(
                moves.is_empty(),
                history.outcome().is_some(),
                "{at}: moves, or the end"
            );
            self.check_position(&history, &moves, &mut rng, &at);
            let Some(&mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            check_undo(&mut history, mv, &at);
            self.check_search(&history, &mut rng, &at);
            history.play(mv);
        }
        history.ply() + 1
    }

    /// Searches some of the positions.
    fn check_search(&mut self, history: &PositionHistory<G>, rng: &mut fastrand::Rng, at: &str) {
        let is_due = rng.u8(..20) == 0 && self.n_searches < sample(SEARCHES);
        let is_deep = rng.u8(..4) == 0
            && self.n_deep_searches < sample(DEEP_SEARCHES)
            && search::is_narrow(history);
        if is_due || is_deep {
            let is_searched = search::check(history, rng, at);
            self.n_searches += usize::from(is_searched && is_due);
            self.n_deep_searches += usize::from(is_searched && is_deep);
        }
    }

    fn check_position(
        &mut self,
        history: &PositionHistory<G>,
        moves: &[G::Move],
        rng: &mut fastrand::Rng,
        at: &str,
    ) {
        let listed: HashSet<G::Move> = moves.iter().copied().collect();
        assert_eq!(listed.len(), moves.len(), "{at}: a move is listed twice");
        self.check_codes(history, moves, at);
        self.check_string(history, moves, at);
        let is_due = history
            .ply()
            .is_multiple_of(DRAWN_EVERY[usize::from(!full())]);
        if is_due || moves.is_empty() {
            let erased = G::erased(history);
            boards::check(erased, G::READABLE_STYLES, rng, at);
            diagrams::check(erased, self.n_drawn, at);
            self.n_drawn += 1;
        }
        self.pool.extend(moves);
        if history.outcome().is_some() {
            return;
        }
        assert_eq!(
            self.game.count_moves(history.position()),
            moves.len(),
            "{at}: moves counted"
        );
        for &mv in &self.pool {
            let verdict = self.game.check(history.position(), mv);
            assert_eq!(
                verdict.is_ok(),
                listed.contains(&mv),
                "{at}: {mv:?} listed iff legal ({verdict:?})"
            );
        }
        self.check_inputs(history, moves, rng, at);
        let score = static_score(&self.game, history.position());
        assert!(score.abs() < 20_000, "{at}: score {score}");
        if let Some(mv) = self.game.win_in_one(history.position()) {
            assert!(
                listed.contains(&mv),
                "{at}: the winning move {mv:?} is legal"
            );
            let mut after = history.clone();
            after.play(mv);
            assert_eq!(
                after.outcome(),
                Some(Outcome::Win(history.side())),
                "{at}: {mv:?} wins"
            );
        }
    }

    /// Checks that active inputs exist and are not too many, and that `placed_inputs` names each place that a move changes.
    fn check_inputs(
        &self,
        history: &PositionHistory<G>,
        moves: &[G::Move],
        rng: &mut fastrand::Rng,
        at: &str,
    ) {
        let Some(network) = self.game.network_inputs() else {
            return;
        };
        let mut seen = Vec::new();
        network.inputs(history.position(), &mut |pair: FeaturePair| {
            seen.extend(pair)
        });
        assert!(seen.len() <= 2 * MAX_ACTIVE, "{at}: {} inputs", seen.len());
        let exists = |&input: &u16| usize::from(input) < network.n_inputs();
        assert!(seen.iter().all(exists), "{at}: {seen:?}");
        if !network.has_two_perspectives() {
            return;
        }
        let placed = |position: &G::Position, last| {
            let mut placed = Vec::new();
            network.placed_inputs(position, last, &mut placed);
            placed
        };
        let all = |position: &G::Position| {
            let mut all = placed(position, None);
            all.sort_unstable_by_key(|at| at.place);
            let are_numbered = all.iter().enumerate().all(|(i, at)| at.place == i);
            assert!(are_numbered, "{at}: places are numbered from 0: {all:?}");
            all
        };
        let mut updated = all(history.position());
        let mv = moves[rng.usize(..moves.len())];
        let mut after = history.clone();
        after.play(mv);
        for at in placed(after.position(), Some(mv)) {
            updated[at.place] = at;
        }
        assert_eq!(updated, all(after.position()), "{at}: inputs after {mv:?}");
    }

    /// Checks that codes are read back in any letter case and are valid words of the protocol, and that move indices
    /// are distinct.
    fn check_codes(&self, history: &PositionHistory<G>, moves: &[G::Move], at: &str) {
        let mut indices = HashSet::new();
        for &mv in moves {
            let code = self.game.format_move(history.position(), mv);
            assert!(
                !code.is_empty() && !code.contains(char::is_whitespace) && code != "moves",
                "{at}: {code:?}"
            );
            for typed in [code.clone(), code.to_lowercase(), code.to_uppercase()] {
                assert_eq!(
                    parse_legal(history, &typed),
                    Ok(mv),
                    "{at}: reading {typed:?}"
                );
            }
            assert_eq!(
                self.game.split_codes(&code),
                [code.as_str()],
                "{at}: {code} is one code"
            );
            let index = self.game.move_index(mv);
            assert!(
                index < self.game.n_move_indices() && indices.insert(index),
                "{at}: index of {code}"
            );
        }
    }

    /// Checks that a position read from its position string equals the original.
    fn check_string(&self, history: &PositionHistory<G>, moves: &[G::Move], at: &str) {
        let text = self.fen(history);
        assert!(
            !text
                .split(' ')
                .any(|field| field.is_empty() || field == "moves"),
            "{at}: fields"
        );
        let read = self.read(history, &text);
        let (game, position) = (read.game(), read.position());
        assert_eq!(
            game.format_position(position),
            text,
            "{at}: the string reads back"
        );
        assert_eq!(read.side(), history.side(), "{at}: side");
        assert_eq!(
            game.outcome(position),
            self.game.outcome(history.position()),
            "{at}: outcome"
        );
        assert_eq!(
            game.key(position),
            self.game.key(history.position()),
            "{at}: key"
        );
        assert_eq!(
            game.search_key(position),
            self.game.search_key(history.position()),
            "{at}: search key"
        );
        if history.outcome().is_none() {
            assert_eq!(read.moves(), moves, "{at}: moves of the position read back");
            let score = static_score(&self.game, history.position());
            assert_eq!(static_score(game, position), score, "{at}: score");
        }
    }

    fn fen(&self, history: &PositionHistory<G>) -> String {
        self.game.format_position(history.position())
    }

    fn read(&self, history: &PositionHistory<G>, text: &str) -> PositionHistory<G> {
        parse_history(history.game(), text)
            .unwrap_or_else(|why| panic!("{}: {text:?}: {why}", self.name))
    }
}

fn check_undo<G: Engine>(history: &mut PositionHistory<G>, mv: G::Move, at: &str) {
    let before = history.position().clone();
    let key = history.game().key(&before);
    history.play(mv);
    assert_ne!(
        history.game().side(&before),
        history.side(),
        "{at}: the turn passes"
    );
    assert_eq!(history.undo(), Some(mv), "{at}");
    assert_eq!(*history.position(), before, "{at}: {mv:?} taken back");
    assert_eq!(
        history.game().key(history.position()),
        key,
        "{at}: key after {mv:?} taken back"
    );
}
