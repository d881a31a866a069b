//! The laws that every game keeps, held along seeded random games.
//!
//! A game's tests call [`check`] once: it plays through the game's options, one changed at a time, and panics with
//! the seed and the position where a law is broken. [`negamax`] is the plain search that others are held against.

mod boards;
mod tables;

pub use boards::{check_reading_back, check_transcripts, without_colours};
pub use tables::check_leaves;

use std::collections::HashSet;

use crate::dyn_history::{parse_history, parse_legal};
use crate::search::score::{DRAW, Score, loss_in, win_in};
use crate::search::{Control, Heuristics, Limits, Request, Searcher};
use crate::{
    Engine, Evaluate, Notation, OptionKind, Options, Outcome, PositionHistory, bench, perft,
};

/// Positions visited for each set of options.
const POSITIONS: usize = 1_500;
/// Positions searched for each set of options, for a search costs more than a look.
const SEARCHES: usize = 6;
/// Leaves that a search of the laws may have below it.
const LEAVES: u64 = 20_000;
/// Plies from one drawn board to the next, for drawing costs more than a look; the last is always drawn.
const DRAWN_EVERY: usize = 25;
/// Games are broken off here.
const LONGEST_GAME: usize = 200;

/// Holds all laws along random games, for the default options and for each option at its other values (a
/// spin's ends and middle).
pub fn check<G: Engine>() {
    assert!(!bench::positions::<G>().is_empty(), "something to measure");
    for options in variants::<G>() {
        let game = G::new(&options);
        let name = format!("{} {:?}", G::NAME, options.values().collect::<Vec<_>>());
        let mut inspector = Inspector {
            game,
            name,
            pool: HashSet::new(),
            n_searches: 0,
        };
        inspector.check_board();
        let mut visited = 0;
        for seed in 1.. {
            visited += inspector.check_game(seed);
            if visited >= POSITIONS {
                break;
            }
        }
    }
}

/// The value of the tree to `depth`, by the definition: no table, no window, no order. Wins count from the root,
/// which is `ply` plies back.
pub fn negamax<G: Evaluate>(history: &mut PositionHistory<G>, depth: u32, ply: usize) -> Score {
    match history.outcome() {
        Some(Outcome::Draw) => return DRAW,
        Some(Outcome::Win(side)) if side == history.side() => return win_in(ply),
        Some(Outcome::Win(_)) => return loss_in(ply),
        None if ply > 0 && history.repeats_within(ply) => return DRAW,
        None => {}
    }
    if depth == 0 {
        let wins = history.game().win_in_one(history.position()).is_some();
        return if wins {
            win_in(ply + 1)
        } else {
            history.game().evaluate(history.position())
        };
    }
    let mut best = Score::MIN;
    for mv in history.moves() {
        history.play(mv);
        best = best.max(-negamax(history, depth - 1, ply + 1));
        history.undo();
    }
    best
}

/// The default options, then each option at each other value worth a look.
fn variants<G: Notation>() -> Vec<Options> {
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

/// Holds the laws for one set of options.
struct Inspector<G: Notation> {
    game: G,
    name: String,
    /// Every move that was ever legal on this board.
    pool: HashSet<G::Move>,
    n_searches: usize,
}

impl<G: Notation + Evaluate> Inspector<G> {
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
        for depth in 0..=2 {
            let judged = perft::leaves(&mut start.clone(), depth).nodes;
            let counted = perft::perft(&mut start.clone(), depth);
            let divided: u64 = perft::divide(&mut start.clone(), depth)
                .iter()
                .map(|(_, nodes)| nodes)
                .sum();
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

    /// Plays one random game; how many positions it saw.
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
            self.check_position(&history, &moves, &at);
            let Some(&mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            check_undo(&mut history, mv, &at);
            if rng.u8(..20) == 0 && self.n_searches < SEARCHES {
                self.n_searches += check_search(&history, &at);
            }
            history.play(mv);
        }
        history.ply() + 1
    }

    fn check_position(&mut self, history: &PositionHistory<G>, moves: &[G::Move], at: &str) {
        let listed: HashSet<G::Move> = moves.iter().copied().collect();
        assert_eq!(listed.len(), moves.len(), "{at}: a move is listed twice");
        self.check_codes(history, moves, at);
        self.check_string(history, moves, at);
        if history.ply().is_multiple_of(DRAWN_EVERY) || moves.is_empty() {
            boards::check(history, at);
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
        let score = self.game.evaluate(history.position());
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

    /// Codes read back, in any letter case, and are fit for the wire; indices tell moves apart.
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

    /// The position string tells all that a position needs; read back, it is computed afresh.
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
            let score = self.game.evaluate(history.position());
            assert_eq!(game.evaluate(position), score, "{at}: score");
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

fn check_undo<G: Notation>(history: &mut PositionHistory<G>, mv: G::Move, at: &str) {
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

/// Holds the search against plain negamax, as deep as a small tree allows; 1 if it did.
fn check_search<G: Evaluate>(history: &PositionHistory<G>, at: &str) -> usize {
    let depths = 1..=4;
    let fits = |depth: &u32| perft::perft(&mut history.clone(), *depth) <= LEAVES;
    let Some(depth) = depths.take_while(fits).last() else {
        return 0;
    };
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let request = Request {
        heuristics: Heuristics::EXACT,
        ..Request::new(history.moves(), limits)
    };
    let control = Control::new(std::time::Instant::now(), false);
    let found = Searcher::new(1, 1).search(history, &request, &control, &mut |_| {});
    // A proved end is found before the last depth; deeper the value stays.
    let value = negamax(&mut history.clone(), depth, 0);
    assert_eq!(
        found.lines[0].score, value,
        "{at}: search and negamax to depth {depth}"
    );
    1
}
