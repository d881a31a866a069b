//! Limits of the club, and units of time in seconds.

/// Maximum number of messages without a token per address and hour that are carried out.
pub(super) const MAX_AN_HOUR: i64 = 60;

/// Maximum number of other messages per sender and hour that are carried out and answered, and of the answers to those
/// in which nothing could be carried out. A program that answers each answer sends more of them.
pub(super) const MAX_PROVEN_AN_HOUR: i64 = 100;
pub(super) const MAX_REFUSED_AN_HOUR: i64 = 30;

/// Maximum number of e-mails to an address per hour and per day that are caused by messages without a token, and of
/// notes to the host per hour.
pub(super) const MAX_UNPROVEN_AN_HOUR: i64 = 5;
pub(super) const MAX_UNPROVEN_A_DAY: i64 = 20;

/// Maximum number of e-mails per day from one user to another by messages, notes and challenges; e-mails about their
/// games count.
pub(super) const MAX_BETWEEN_USERS: i64 = 50;

/// Maximum number of requests for a new address per user and day.
pub(super) const MAX_NEW_ADDRESSES: i64 = 3;

pub(super) const HOUR: i64 = 3600;

pub(super) const DAY: i64 = 24 * HOUR;
