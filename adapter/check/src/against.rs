//! Two engines of one game against each other, without rules: the first position about which their answers differ.

use std::collections::BTreeSet;

use protocol::text::excerpt;
use protocol::{Go, Query};
use referee::client::{Fault, Timeouts};
use referee::player::{EnginePlayer, Oracle, Player};

/// The queries whose answers are compared, as far as both engines answer them.
const COMPARED: [Query; 4] = [Query::GameOver, Query::Result, Query::P1Turn, Query::Moves];

/// Plies after which a game is given up.
const MAX_PLIES: usize = 400;

/// Nodes of a search for a move.
const NODES: u64 = 200;

/// Extent of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// Games, each from the start position.
    pub games: usize,
    /// Seed of the random moves.
    pub seed: u64,
    /// Timeouts of the engines.
    pub timeouts: Timeouts,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// No difference in this number of positions.
    Equal(usize),
    /// The first difference.
    Differ(Difference),
}

/// A position about which two engines differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The `position` line.
    pub position: String,
    /// The query; `None` if one of them rejects the position.
    pub query: Option<Query>,
    /// The two answers, in the order of the engines.
    pub answers: [String; 2],
}

/// A failure of one of the two engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFault {
    /// 0 or 1.
    pub engine: usize,
    /// The failure.
    pub fault: Fault,
}

/// Two started engines.
struct Pair<'a> {
    engines: [&'a mut EnginePlayer; 2],
    queries: Vec<Query>,
}

/// Compares the answers of two started engines in positions of games. Moves are random, or chosen by one of the engines.
///
/// # Errors
/// An engine fails, or does not list its moves.
pub fn compare(
    engines: [&mut EnginePlayer; 2],
    comparison: &Comparison,
) -> Result<Compared, EngineFault> {
    let both = |query: &Query| engines.iter().all(|engine| engine.answers(*query));
    let queries: Vec<Query> = COMPARED.into_iter().filter(both).collect();
    if let Some(engine) = engines
        .iter()
        .position(|engine| !engine.answers(Query::Moves))
    {
        let why = "it does not answer query moves, which a comparison needs".to_owned();
        let fault = Fault::Start(why);
        return Err(EngineFault { engine, fault });
    }
    let mut pair = Pair { engines, queries };
    let mut rng = fastrand::Rng::with_seed(comparison.seed);
    let mut n_positions = 0;
    for game in 0..comparison.games {
        let mut position = "position startpos".to_owned();
        for ply in 0..MAX_PLIES {
            let answers = match pair.ask(&position)? {
                Ok(answers) => answers,
                Err(difference) => return Ok(Compared::Differ(pair.shortened(difference)?)),
            };
            n_positions += 1;
            let moves: Vec<&str> = answers.split_whitespace().collect();
            let Some(random) = rng.choice(&moves) else {
                break;
            };
            let code = match game % 2 == 1 && rng.bool() {
                true => pair.search(rng.usize(..2), &position, comparison)?,
                false => (*random).to_owned(),
            };
            position += if ply == 0 { " moves " } else { " " };
            position += &code;
        }
    }
    Ok(Compared::Equal(n_positions))
}

impl Pair<'_> {
    /// Asks both about a position. Returns the legal moves; none if the game is over.
    fn ask(&mut self, position: &str) -> Result<Result<String, Difference>, EngineFault> {
        let mut answers = [Vec::new(), Vec::new()];
        let mut rejections = [None, None];
        for (at, engine) in self.engines.iter_mut().enumerate() {
            let failed = |fault| EngineFault { engine: at, fault };
            engine.ask(position, &self.queries).map_err(failed)?;
            for _ in &self.queries {
                answers[at].push(engine.response().map_err(failed)?.trim().to_owned());
            }
            let complaint = engine.complaint();
            rejections[at] = complaint.map(|complaint| complaint.words.clone());
        }
        let differ = |query, answers| {
            Ok(Err(Difference {
                position: position.to_owned(),
                query,
                answers,
            }))
        };
        if rejections.iter().any(Option::is_some) {
            let says = |why: Option<String>| {
                why.map_or("accepted".to_owned(), |why| format!("rejected: {why}"))
            };
            return differ(None, rejections.map(says));
        }
        for (at, query) in self.queries.iter().enumerate() {
            let [one, other] = [&answers[0][at], &answers[1][at]];
            let is_over = answers[0][0] == "true" && *query == Query::P1Turn;
            if *query == Query::Moves {
                let sets =
                    [one, other].map(|answer| answer.split_whitespace().collect::<BTreeSet<_>>());
                let only = |own: usize, other: usize| {
                    let codes: Vec<&str> = sets[own].difference(&sets[other]).copied().collect();
                    match codes.is_empty() {
                        true => "no further move".to_owned(),
                        false => format!("also {}", excerpt(&codes.join(" "))),
                    }
                };
                if sets[0] != sets[1] {
                    return differ(Some(*query), [only(0, 1), only(1, 0)]);
                }
            } else if one != other && !is_over {
                return differ(Some(*query), [one.clone(), other.clone()]);
            }
        }
        let moves = self.queries.iter().position(|query| *query == Query::Moves);
        Ok(Ok(
            moves.map_or_else(String::new, |at| answers[0].swap_remove(at))
        ))
    }

    /// The same difference in the position alone, if the moves that led to it do not matter.
    fn shortened(&mut self, difference: Difference) -> Result<Difference, EngineFault> {
        if !difference.position.contains(" moves ") || difference.query.is_none() {
            return Ok(difference);
        }
        for at in 0..2 {
            if !self.engines[at].answers(Query::Fen) {
                continue;
            }
            let failed = |fault| EngineFault { engine: at, fault };
            self.engines[at]
                .ask(&difference.position, &[Query::Fen])
                .map_err(failed)?;
            let fen = self.engines[at].response().map_err(failed)?;
            let shorter = format!("position fen {}", fen.trim());
            if let Err(found) = self.ask(&shorter)?
                && (found.query, &found.answers) == (difference.query, &difference.answers)
            {
                return Ok(found);
            }
        }
        Ok(difference)
    }

    /// The move that an engine chooses.
    fn search(
        &mut self,
        at: usize,
        position: &str,
        comparison: &Comparison,
    ) -> Result<String, EngineFault> {
        let go = Go {
            nodes: Some(NODES),
            ..Go::default()
        };
        let best = self.engines[at].move_and_wait(position, go, Some(comparison.timeouts.search));
        let best = best.map_err(|fault| EngineFault { engine: at, fault })?;
        Ok(best.code)
    }
}
