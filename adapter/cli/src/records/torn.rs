//! The warning of a ledger whose last line is incomplete.

use std::io::{self, Write};
use std::path::Path;

use record::ledger::Ledger;

use crate::output::printable;

/// Names the torn line of a ledger on standard error.
pub(crate) fn warn(path: &Path, ledger: &Ledger) {
    if let Some(number) = ledger.torn {
        let path = path.display();
        let text = format!("warning: {path}: line {number} is incomplete and is left out");
        // A closed standard error does not matter here.
        let _ = writeln!(io::stderr(), "{}", printable(&text));
    }
}
