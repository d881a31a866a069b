//! The date and time of day, in UTC.

use jiff::Timestamp;

/// Today as PGN writes it: `2026.11.21`.
pub fn today() -> String {
    Timestamp::now().strftime("%Y.%m.%d").to_string()
}

/// Now, for the name of a file: `20261121-093000`.
pub fn stamp() -> String {
    Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string()
}
