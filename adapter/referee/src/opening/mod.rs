//! Openings of a match: read from files in `file`; in a game without rules, drawn from an engine's answers to `query
//! moves`.
//!
//! The type [`Opening`](record::opening), and random openings, are in the crate `record`.

mod file;

use protocol::Query;
use record::opening::Opening;
use record::opening::source::{MAX_LISTED, OpeningSource, generator};
use record::plan::Plan;
use record::schedule::n_openings;

use crate::engine::{Fault, answer, begin};
use crate::match_error::MatchError;
use crate::pool::EnginePool;

pub use file::{Book, FileError, load};

/// Adds the missing random openings to the plan of a game without rules. The first engine that answers `query moves`
/// provides the moves.
pub(crate) fn complete(plan: &mut Plan, pool: &EnginePool) -> Result<(), MatchError> {
    let Some(OpeningSource::Random { plies }) = plan.opening_source else {
        return Ok(());
    };
    let n_openings = n_openings(plan.format, plan.games, plan.swaps).min(MAX_LISTED);
    let n_drawn = plan.openings.len();
    if n_drawn >= n_openings {
        return Ok(());
    }
    let lists = |engine: &usize| pool.answers(*engine, Query::Moves);
    let Some(engine) = (0..plan.engines.len()).find(lists) else {
        let why = "--openings: no engine answers query moves, from which random moves of any are drawn: use none or file=F";
        return Err(MatchError::Usage(why.to_owned()));
    };
    let name = pool.name(engine);
    let failed = |fault| MatchError::of_engine(name, fault);
    let mut asked = pool.take(engine, 0);
    begin(&mut asked).map_err(failed)?;
    let mut ask =
        |opening: &Opening, query| answer(&mut asked, &format!("position {opening}"), query);
    for index in n_drawn..n_openings {
        let drawn = draw(&mut ask, plies, plan.srand, index as u64).map_err(failed)?;
        let too_short = || {
            let why = format!("no game of {name} lasts {plies} random plies: ask for fewer");
            MatchError::Usage(format!("--openings: {why}"))
        };
        plan.openings.push(drawn.ok_or_else(too_short)?);
    }
    pool.put(engine, 0, asked);
    Ok(())
}

/// Asks an engine about the position after an opening. Blocks.
type Ask<'a> = dyn FnMut(&Opening, Query) -> Result<String, Fault> + 'a;

/// Draws `plies` random moves that do not end the game, from an engine's answers to `query moves`; `None` if nearly every
/// game ends before. Depends only on `seed`, `index` and the sets of moves in the answers, not on their order. Blocks.
fn draw(ask: &mut Ask<'_>, plies: usize, seed: u64, index: u64) -> Result<Option<Opening>, Fault> {
    const ATTEMPTS: usize = 100;
    let mut rng = generator(seed, index);
    'attempts: for _ in 0..ATTEMPTS {
        let mut opening = Opening::default();
        for _ in 0..plies {
            let answer = ask(&opening, Query::Moves)?;
            let mut codes: Vec<&str> = answer.split_whitespace().collect();
            codes.sort_unstable();
            let Some(code) = rng.choice(codes) else {
                continue 'attempts;
            };
            opening.moves.push(code.to_owned());
        }
        if ask(&opening, Query::GameOver)?.trim() == "false" {
            return Ok(Some(opening));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod asked_tests {
    use super::*;

    /// A game of three plies with the moves a and b, listed alternately in both orders.
    #[derive(Default)]
    struct Lister {
        n_asked: usize,
    }

    impl Lister {
        fn answer(&mut self, opening: &Opening, query: Query) -> String {
            self.n_asked += 1;
            let plies = opening.moves.len();
            match query {
                Query::Moves if plies < 3 => [" b a", "a  b"][self.n_asked % 2].to_owned(),
                Query::Moves => String::new(),
                _ => (plies >= 3).to_string(),
            }
        }

        fn draw(&mut self, plies: usize, index: u64) -> Option<Opening> {
            let mut answer = |opening: &Opening, query| Ok(self.answer(opening, query));
            draw(&mut answer, plies, 5, index).expect("it answers")
        }
    }

    #[test]
    fn moves_are_drawn_from_the_list_whatever_its_order() {
        let mut lister = Lister::default();
        let all: Vec<Opening> = (0..20)
            .map(|index| lister.draw(2, index).expect("an opening"))
            .collect();
        lister.n_asked += 1;
        for (opening, index) in all.iter().zip(0..) {
            assert_eq!(lister.draw(2, index).as_ref(), Some(opening));
            assert_eq!(opening.moves.len(), 2);
        }
        assert!(all.iter().any(|opening| opening != &all[0]));
    }

    #[test]
    fn a_game_that_ends_too_early_has_no_opening() {
        for plies in [3, 4] {
            assert_eq!(Lister::default().draw(plies, 0), None);
        }
    }
}
