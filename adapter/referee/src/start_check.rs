//! Checks engines before the first game: whether they can judge it, and whether they know its start position.

use kit::DynHistory;
use kit::dyn_history::expected_reply;
use protocol::Query;
use protocol::text::excerpt;

use crate::arbiter::is_same;
use crate::engine::{Engine, Fault, answer};
use crate::match_error::MatchError;

/// Checks that an engine can judge a game without built-in rules.
pub(crate) fn check_judges(engine: &mut Engine) -> Result<(), MatchError> {
    let answers = engine.config.answers();
    if answers.contains(&Query::GameOver) && answers.contains(&Query::Result) {
        return Ok(());
    }
    let why =
        "it does not answer query gameover and query result, which a game without rules needs";
    Err(engine_error(engine, Fault::Start(why.to_owned())))
}

/// Checks that the engines of a game without rules have the same start position: side to move, end and moves; and the
/// position string, if an engine does not list its moves.
pub(crate) fn compare_starts(engines: &mut [Engine]) -> Result<(), MatchError> {
    let lists = |engine: &Engine| engine.config.answers().contains(&Query::Moves);
    // Two engines may write equal positions differently.
    let detail = match engines.iter().all(lists) {
        true => Query::Moves,
        false => Query::Fen,
    };
    let questions = [Query::P1Turn, Query::GameOver, detail];
    let mut known: Vec<(Query, String, String)> = Vec::new();
    for engine in engines {
        for &query in &questions {
            if !engine.config.answers().contains(&query) {
                continue;
            }
            let answer = answer(engine, "position startpos", query);
            let answer = answer.map_err(|fault| engine_error(engine, fault))?;
            let name = engine.name().to_owned();
            match known.iter().find(|(asked, ..)| *asked == query) {
                Some((_, other, first)) if !is_same(query, other, &answer) => {
                    let [own, other] = [&answer, other].map(|answer| excerpt(answer));
                    return Err(MatchError::Trouble(format!(
                        "{name} and {first} play different games: in the start position, query {} is \"{own}\" for {name} and \"{other}\" for {first}",
                        query.word()
                    )));
                }
                Some(_) => {}
                None => known.push((query, answer, name)),
            }
        }
    }
    Ok(())
}

/// `true` if the start position is that of the rules to this engine, as far as it answers.
pub(crate) fn starts_at(engine: &mut Engine, board: &dyn DynHistory) -> Result<bool, MatchError> {
    for query in [Query::P1Turn, Query::Moves] {
        if engine.config.answers().contains(&query)
            && let Some(right) = expected_reply(board, query)
        {
            let answer = answer(engine, "position startpos", query);
            let answer = answer.map_err(|fault| engine_error(engine, fault))?;
            if !is_same(query, &right, &answer) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The error of an engine that cannot be used, in the words of its bridge if it has one.
pub(crate) fn engine_error(engine: &mut Engine, fault: Fault) -> MatchError {
    let proto = engine.config.spec.proto;
    let fault = match fault {
        // The bridge around the program says what happened.
        Fault::Died { .. } if proto.is_bridged() => {
            let (_, stderr) = engine.last_output();
            let last = stderr.lines().last().unwrap_or_default();
            match last.strip_prefix("error: ") {
                Some(why) => Fault::Start(excerpt(why)),
                None => fault,
            }
        }
        Fault::Ungreeted { .. } if proto.is_bridged() => Fault::Start(format!(
            "no answer in time to the first lines of proto={proto}"
        )),
        fault => fault,
    };
    MatchError::of_engine(engine.name(), fault)
}
