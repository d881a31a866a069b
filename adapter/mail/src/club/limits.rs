//! Limits of the club, and units of time in seconds.

/// Maximum number of messages per address and hour that are carried out.
pub(super) const MAX_AN_HOUR: i64 = 60;

/// Maximum number of mails per hour to an address without an account, and of notes to the host.
pub(super) const MAX_TO_STRANGERS: i64 = 5;

pub(super) const HOUR: i64 = 3600;

pub(super) const DAY: i64 = 24 * HOUR;
