//! Two engines of one game against each other, without rules: the first position about which their answers differ.

use fastrand::Rng;
use protocol::text::excerpt;
use protocol::{Go, Query};
use record::opening::Opening;
use referee::arbiter::{QUESTIONS, Statement, is_reordered};
use referee::engine::{Engine, Fault, Timeouts, answer, best_move};
use referee::play::ask_both;

/// Plies after which a game is given up.
const MAX_PLIES: usize = 400;

/// Nodes of a search for a move.
const NODES: u64 = 200;

/// Plies between positions whose moves are all tried, and between those that are also compared by their position string.
const WIDE_EVERY: usize = 8;
const STRING_EVERY: usize = 4;

/// Maximum number of moves tried in one position.
const MAX_TRIED: usize = 100;

/// Random plies of a game before its players move back and forth.
const BEFORE_SHUTTLE: usize = 10;

/// Extent of a comparison.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Positions to compare first, with those that lead to them.
    pub starts: Vec<Opening>,
    /// Games, each from the start position.
    pub games: usize,
    /// Seed of the random moves.
    pub seed: u64,
    /// Timeouts of the engines.
    pub timeouts: Timeouts,
}

/// A position about which two engines differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The position.
    pub position: Opening,
    /// The query; `None` if one of them rejects the position.
    pub query: Option<Query>,
    /// The two answers, in the order of the engines.
    pub answers: [String; 2],
}

/// The reason to end a comparison.
#[derive(Debug)]
pub enum Halt {
    /// A failure of one of the two engines: 0 or 1, and what it is.
    Fault(usize, Fault),
    /// The first difference.
    Differ(Box<Difference>),
}

/// Two started engines.
struct Pair<'a> {
    engines: [&'a mut Engine; 2],
    queries: Vec<Query>,
    n_positions: usize,
    /// Both engines read position strings, and the first one answers `query fen`.
    reads_strings: bool,
}

/// Compares the answers of two started engines in given positions, then in positions of games. Moves are random or chosen
/// by one of the engines, and in some games the players move back and forth. In some positions all moves are tried.
/// Returns the number of positions that were compared.
///
/// # Errors
/// The engines differ, or one fails or does not list its moves.
pub fn compare(engines: [&mut Engine; 2], comparison: &Comparison) -> Result<usize, Halt> {
    let answers = |engine: &Engine, query| engine.config.answers.contains(&query);
    let lacks_moves = |engine: &&mut Engine| !answers(engine, Query::Moves);
    if let Some(engine) = engines.iter().position(lacks_moves) {
        let why = "it does not answer query moves, which a comparison needs".to_owned();
        return Err(Halt::Fault(engine, Fault::Start(why)));
    }
    let both = |query: &Query| engines.iter().all(|engine| answers(engine, *query));
    let mut pair = Pair {
        queries: QUESTIONS.into_iter().filter(both).collect(),
        engines,
        n_positions: 0,
        reads_strings: false,
    };
    match pair.compare(comparison) {
        Err(Halt::Differ(found)) => Err(pair.shortened(found)),
        compared => compared.map(|()| pair.n_positions),
    }
}

/// `true` if two codes have the same characters, as those of a move and the way back have: `a1->b2` and `b2->a1`.
fn is_way_back(code: &str, back: &str) -> bool {
    let [letters, others] = [code, back].map(|code| Vec::from_iter(code.chars()));
    code != back && is_reordered(&letters, &others)
}

impl Pair<'_> {
    fn compare(&mut self, comparison: &Comparison) -> Result<(), Halt> {
        if let Some(start) = self.position_string(0, &Opening::default())? {
            self.reads_strings = match self.moves(&start) {
                Err(Halt::Differ(found)) => found.query.is_some(),
                moves => moves.map(|_| true)?,
            };
        }
        for start in &comparison.starts {
            for plies in 0..=start.moves.len() {
                self.moves(&start.prefix(plies))?;
            }
        }
        let mut rng = Rng::with_seed(comparison.seed);
        (0..comparison.games).try_for_each(|game| self.play(game, comparison, &mut rng))
    }

    /// Compares the positions of a game.
    fn play(&mut self, game: usize, comparison: &Comparison, rng: &mut Rng) -> Result<(), Halt> {
        let mut position = Opening::default();
        for ply in 0..MAX_PLIES {
            let moves = self.moves(&position)?;
            let Some(random) = rng.choice(&moves) else {
                break;
            };
            if ply % STRING_EVERY == 0
                && self.reads_strings
                && let Some(string) = self.position_string(0, &position)?
            {
                self.moves(&string)?;
            }
            if (ply + game).is_multiple_of(WIDE_EVERY) {
                for code in moves.iter().take(MAX_TRIED) {
                    self.moves(&position.clone().with(code))?;
                }
            }
            let goes_back = game % 4 == 3 && ply > BEFORE_SHUTTLE && rng.u32(..20) > 0;
            let before = position.moves.iter().rev().nth(1).filter(|_| goes_back);
            let is_back = |code: &&String| before.is_some_and(|before| is_way_back(before, code));
            let code = match moves.iter().find(is_back) {
                Some(back) => back.clone(),
                None if game % 2 == 1 && rng.bool() => {
                    let (at, line) = (rng.usize(..2), format!("position {position}"));
                    let go = Go {
                        nodes: Some(NODES),
                        ..Go::default()
                    };
                    let time = Some(comparison.timeouts.search);
                    let best = best_move(self.engines[at], &line, go, time);
                    best.map_err(|fault| Halt::Fault(at, fault))?.code
                }
                None => random.clone(),
            };
            position.moves.push(code);
        }
        Ok(())
    }

    /// The legal moves of a position about which the engines agree; none if the game is over, or both reject the position.
    fn moves(&mut self, position: &Opening) -> Result<Vec<String>, Halt> {
        self.n_positions += 1;
        let line = format!("position {position}");
        let answers = ask_both(&mut self.engines, &line, [&self.queries; 2]);
        let answers = answers.map_err(|(side, fault)| Halt::Fault(side.index(), fault))?;
        let read = |at: usize| {
            let said = Statement::read(&self.queries, &answers[at]);
            said.map_err(|fault| Halt::Fault(at, fault))
        };
        let said = [read(0)?, read(1)?];
        let [one, other] = &said;
        let (query, answers) = match [&one.rejects, &other.rejects] {
            [None, None] => match one.difference(other) {
                None => {
                    let moves = one.moves.unwrap_or_default().split_whitespace();
                    return Ok(moves.map(str::to_owned).collect());
                }
                Some(Query::Moves) => {
                    let moves = [one, other].map(|said| said.moves.unwrap_or_default());
                    let [one, other] = moves;
                    (Some(Query::Moves), [only(one, other), only(other, one)])
                }
                Some(query) => (Some(query), [one, other].map(|said| said.answer(query))),
            },
            [Some(_), Some(_)] => return Ok(Vec::new()),
            rejections => {
                let accepted = || "accepted".to_owned();
                let rejected = |why: &String| format!("rejected: {why}");
                (
                    None,
                    rejections.map(|why| why.as_ref().map_or_else(accepted, rejected)),
                )
            }
        };
        Err(Halt::Differ(Box::new(Difference {
            position: position.clone(),
            query,
            answers,
        })))
    }

    /// The position by the position string of one of the engines, if it answers `query fen`.
    fn position_string(&mut self, at: usize, position: &Opening) -> Result<Option<Opening>, Halt> {
        let engine = &mut self.engines[at];
        if !engine.config.answers.contains(&Query::Fen) {
            return Ok(None);
        }
        let fen = answer(engine, &format!("position {position}"), Query::Fen);
        let fen = fen.map_err(|fault| Halt::Fault(at, fault))?;
        Ok(Some(Opening::at(fen.trim().to_owned())))
    }

    /// The same difference in the position alone, if the moves that led to it do not matter.
    fn shortened(&mut self, found: Box<Difference>) -> Halt {
        let has_moves = !found.position.moves.is_empty() && found.query.is_some();
        for at in (0..2).filter(|_| has_moves) {
            let alone = self.position_string(at, &found.position);
            match alone.and_then(|alone| alone.map_or(Ok(Vec::new()), |alone| self.moves(&alone))) {
                Err(Halt::Differ(other))
                    if (other.query, &other.answers) != (found.query, &found.answers) => {}
                Err(halt) => return halt,
                Ok(_) => {}
            }
        }
        Halt::Differ(found)
    }
}

/// The moves that only one engine lists, in words.
fn only(own: &str, other: &str) -> String {
    let other: Vec<&str> = other.split_whitespace().collect();
    let codes = own.split_whitespace().filter(|code| !other.contains(code));
    match codes.collect::<Vec<_>>().join(" ").as_str() {
        "" => "no further move".to_owned(),
        codes => format!("also {}", excerpt(codes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_and_the_way_back_have_the_same_characters() {
        for (code, back) in [("a1->b2", "b2->a1"), ("a4-c4", "c4-a4"), ("g1f3", "f3g1")] {
            assert!(is_way_back(code, back), "{code}");
        }
        assert!(!is_way_back("e5", "e5") && !is_way_back("a1->b2", "b2->a3"));
    }
}
