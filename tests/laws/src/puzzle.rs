//! Verifies positions with a known value by proof-number search.

use kit::search::proof::Verdict;
use kit::{DynHistory, Outcome, Rejection, Value};

/// Proves that the position has this value and, if `best` is not empty, that `best` holds exactly the moves that keep it:
/// those that win within as many plies, or hold out as long.
///
/// # Errors
/// The first claim that does not hold. A draw is always an error, because a search to a fixed depth cannot prove it.
pub fn verify(engine: &dyn DynHistory, best: &[String], value: Value) -> Result<(), Rejection> {
    match value {
        Value::Win(plies) => verify_win(engine, best, plies),
        Value::Loss(plies) => verify_loss(engine, best, plies),
        Value::Draw => Err("a draw cannot be proved: expected win or loss".into()),
    }
}

fn verify_win(engine: &dyn DynHistory, best: &[String], plies: u32) -> Result<(), Rejection> {
    let all = engine.moves();
    // The other moves are proved below not to win as fast, so they do not win faster.
    let candidates = if best.is_empty() { &all } else { best };
    if let Some(code) = winning_move(engine, candidates, plies.saturating_sub(1))? {
        return Err(format!("{code} wins in fewer plies than {plies}").into());
    }
    if best.is_empty() && winning_move(engine, &all, plies)?.is_none() {
        return Err(format!("no move wins within {plies} plies").into());
    }
    for code in best {
        if winning_move(engine, std::slice::from_ref(code), plies)?.is_none() {
            return Err(format!("{code} does not win within {plies} plies").into());
        }
    }
    let others: Vec<String> = all
        .into_iter()
        .filter(|code| !best.contains(code))
        .collect();
    match winning_move(engine, &others, plies)? {
        Some(code) if !best.is_empty() => {
            Err(format!("{code} wins within {plies} plies, too").into())
        }
        _ => Ok(()),
    }
}

fn verify_loss(engine: &dyn DynHistory, best: &[String], plies: u32) -> Result<(), Rejection> {
    let mut longest = Vec::new();
    for code in engine.moves() {
        if is_lost_after(engine, &code, plies.saturating_sub(1))? {
            continue;
        }
        if !is_lost_after(engine, &code, plies)? {
            return Err(format!("{code} does not lose within {plies} plies").into());
        }
        longest.push(code);
    }
    if longest.is_empty() {
        return Err(format!("no move delays the loss for {plies} plies").into());
    }
    let is_named = |code| best.contains(code);
    if !best.is_empty() && (longest.len() != best.len() || !longest.iter().all(is_named)) {
        let count = longest.len();
        return Err(
            format!("{count} moves delay the loss for {plies} plies, not those named").into(),
        );
    }
    Ok(())
}

/// `true` if the opponent wins within this many plies after a move, the move included.
fn is_lost_after(engine: &dyn DynHistory, code: &str, plies: u32) -> Result<bool, Rejection> {
    let mut after = engine.fork();
    after.play(code)?;
    match after.outcome() {
        Some(outcome) => Ok(plies > 0 && outcome == Outcome::Win(engine.side().other())),
        None => {
            let reply = winning_move(after.as_ref(), &after.moves(), plies.saturating_sub(1))?;
            Ok(reply.is_some())
        }
    }
}

fn winning_move(
    engine: &dyn DynHistory,
    moves: &[String],
    within: u32,
) -> Result<Option<String>, Rejection> {
    for code in moves {
        engine.fork().play(code)?;
    }
    match engine.find_win(moves, within, None) {
        Verdict::Win { mut pv, .. } => Ok(Some(pv.swap_remove(0))),
        Verdict::NoWin => Ok(None),
        Verdict::Unknown => unreachable!("a proof without a limit ends with a result"),
    }
}

#[cfg(test)]
mod tests;
