//! A match in a ledger: its report and its games, after the program that played it has ended.

use std::path::Path;

use record::ledger::{LedgerError, LedgerReader};
use report::MatchReport;
use serde_json::{Value, json};

use crate::reporter::Play;

/// Reads the plan of a match and the report of the games that were played.
///
/// # Errors
/// The ledger cannot be read; the text names it.
pub(crate) fn read(path: &Path) -> Result<Value, String> {
    let named = |error: LedgerError| format!("{}: {error}", path.display());
    let reader = LedgerReader::open(path).map_err(named)?;
    let mut play = Play::new(Box::new(reader.plan().clone()));
    for game in reader {
        play.count(&game.map_err(named)?);
    }
    Ok(json!({
        "plan": play.plan,
        "games": play.n_games(),
        "html": MatchReport::new(vec![&play.plan], &play.summary).fragment(),
    }))
}
