//! The warning of a ledger whose last line is incomplete.

use std::io::{self, Write};
use std::path::Path;

use crate::output::printable;

/// Names the torn line of a ledger, if there is one, on standard error.
pub(crate) fn warn(path: &Path, torn: Option<usize>) {
    if let Some(number) = torn {
        let path = path.display();
        let text = format!("warning: {path}: line {number} is incomplete and is left out");
        // A closed standard error does not matter here.
        let _ = writeln!(io::stderr(), "{}", printable(&text));
    }
}
