//! Builders for the tests of games: a game from its options, a game in progress, and short queries.

use crate::searches::{find, request};
use kit::dyn_history::{parse_history, parse_legal};
use kit::search::{Limits, Line, Searcher};
use kit::{Engine, Evaluate, Game, Notation, Options, Outcome, PositionHistory, Side};

/// `true` if `LINESMAN_TEST_FULL` is `1` in the environment: tests with many cases then run all of them, otherwise a
/// sample.
pub fn full() -> bool {
    std::env::var_os("LINESMAN_TEST_FULL").is_some_and(|value| value == "1")
}

/// The number of cases to run of `n`: all if the tests are [`full`], otherwise one in ten.
pub fn sample(n: usize) -> usize {
    if full() { n } else { n.div_ceil(10) }
}

/// Creates a game from options such as `Size=3 SlideLimit=0`, with all others at their defaults.
///
/// # Panics
/// If an option is unknown or does not take its value.
#[track_caller]
pub fn game<G: Game>(options: &str) -> G {
    let mut chosen = Options::new(G::options());
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("an option is Name=value");
        chosen.set(name, Some(value)).expect("a valid option");
    }
    G::new(&chosen)
}

/// The best line of a search of this many nodes.
pub fn search<G: Engine>(
    searcher: &mut Searcher,
    history: &PositionHistory<G>,
    nodes: u64,
) -> Line {
    let request = request(history, Limits::nodes(nodes));
    find(searcher, history, &request).lines.swap_remove(0)
}

/// Creates a game in progress from options and a position string, a drawn board, or `startpos`.
///
/// # Panics
/// If the options or the position cannot be read.
#[track_caller]
pub fn at<G: Notation>(options: &str, position: &str) -> PositionHistory<G> {
    let game = game(options);
    if position == "startpos" {
        return PositionHistory::start(game);
    }
    parse_history(&game, position).unwrap_or_else(|why| panic!("{position}: {why}"))
}

/// Plays legal move codes, separated by blanks or commas, or run together where the game allows it.
///
/// # Panics
/// If a move is not legal.
#[track_caller]
pub fn play<G: Notation>(history: &mut PositionHistory<G>, codes: &str) {
    let words = codes.split([' ', ',']).filter(|word| !word.is_empty());
    for word in words {
        for code in history.game().clone().split_codes(word) {
            let mv = parse_legal(history, code).unwrap_or_else(|why| panic!("{codes}: {why}"));
            history.play(mv);
        }
    }
}

/// The name of the side that has won, `draw`, or nothing in a game that is not over.
pub fn result_name(outcome: Option<Outcome>, names: [&'static str; 2]) -> &'static str {
    match outcome {
        None => "",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(side)) => names[side.index()],
    }
}

/// Calls `look` with the unfinished positions of a random game for each of these seeds, up to 100 plies each.
pub fn along_random_games<G: Game>(
    start: &PositionHistory<G>,
    seeds: std::ops::Range<u64>,
    mut look: impl FnMut(&PositionHistory<G>),
) {
    for seed in seeds {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut history = start.clone();
        while let Some(mv) = rng.choice(history.moves()).filter(|_| history.ply() < 100) {
            look(&history);
            history.play(mv);
        }
    }
}

/// Checks that the engine finds a win in one wherever there is one. Returns `true` if there is one.
///
/// # Panics
/// With the position.
pub fn check_win_in_one<G: Evaluate>(history: &PositionHistory<G>) -> bool {
    let (game, position) = (history.game(), history.position());
    let wins = |mv: &G::Move| {
        let mut after = position.clone();
        game.play(&mut after, *mv);
        game.outcome(&after) == Some(Outcome::Win(history.side()))
    };
    let is_won = history.moves().iter().any(wins);
    let found = game.win_in_one(position);
    assert_eq!(found.is_some(), is_won, "{history:?}: {found:?}");
    assert!(found.is_none_or(|mv| wins(&mv)), "{history:?}: {found:?}");
    is_won
}

/// Plays a game from `start` for each of these seeds, between an engine that moves first in every second game and an
/// opponent that moves at random.
///
/// # Panics
/// If the engine does not win.
pub fn check_beats_random<G: Game>(
    start: &PositionHistory<G>,
    seeds: std::ops::Range<u64>,
    think: impl Fn(&PositionHistory<G>) -> G::Move,
) {
    for seed in seeds {
        let mut rng = fastrand::Rng::with_seed(seed);
        let engine = Side::BOTH[seed as usize % 2];
        let mut history = start.clone();
        while history.outcome().is_none() {
            let mv = match history.side() == engine {
                true => think(&history),
                false => rng.choice(history.moves()).expect("a game that goes on"),
            };
            history.play(mv);
        }
        assert_eq!(history.outcome(), Some(Outcome::Win(engine)), "seed {seed}");
    }
}

/// A game in progress, for short tests: `Case::new(position).play("3@b2").won_by(Side::P1)`.
#[derive(Debug)]
pub struct Case<G: Game>(pub PositionHistory<G>);

impl<G: Engine> Case<G> {
    /// Starts in a position with the default options.
    ///
    /// # Panics
    /// As [`at`].
    #[track_caller]
    pub fn new(position: &str) -> Case<G> {
        Case::with(position, "")
    }

    /// Starts in a position with these options.
    ///
    /// # Panics
    /// As [`at`].
    #[track_caller]
    pub fn with(position: &str, options: &str) -> Case<G> {
        Case(at(options, position))
    }

    /// Plays moves.
    ///
    /// # Panics
    /// As [`play`].
    #[track_caller]
    pub fn play(mut self, codes: &str) -> Case<G> {
        play(&mut self.0, codes);
        self
    }

    /// The legal moves as canonical codes.
    pub fn moves(&self) -> Vec<String> {
        G::erased(&self.0).moves()
    }

    /// The result; `None` if the game is not over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// The position string.
    pub fn fen(&self) -> String {
        G::erased(&self.0).fen()
    }

    /// Asserts that this player has won.
    ///
    /// # Panics
    /// If the player has not won.
    #[track_caller]
    pub fn won_by(self, side: Side) -> Case<G> {
        self.ended(Some(Outcome::Win(side)))
    }

    /// Asserts that the game is not over.
    ///
    /// # Panics
    /// If the game is over.
    #[track_caller]
    pub fn goes_on(self) -> Case<G> {
        self.ended(None)
    }

    #[track_caller]
    fn ended(self, outcome: Option<Outcome>) -> Case<G> {
        assert_eq!(self.0.outcome(), outcome, "{}", self.fen());
        self
    }
}
