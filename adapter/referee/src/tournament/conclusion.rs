//! The end of a match.

use record::stats::Standing;

/// Result of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Conclusion {
    /// The final standing.
    pub standing: Standing,
    /// All games of the schedule were played, or a test has decided the match.
    pub is_complete: bool,
}
