//! NATS subjects and streams of a fleet.

/// Stream with one announcement for each match.
pub(crate) const MATCHES: &str = "LINESMAN_MATCHES";

/// Matches the subjects of all announcements.
pub(crate) const ALL_MATCHES: &str = "linesman.match.*";

/// Matches the subjects of all workers' reports.
pub(crate) const ALL_WORKERS: &str = "linesman.worker.*";

/// Requests a report from every worker.
pub(crate) const PING: &str = "linesman.ping";

/// Key-value bucket with the latest coordinator of each match.
pub(crate) const FENCES: &str = "linesman-coordinators";

/// Consumer of a match's pairs, shared by its workers.
pub(crate) const WORKERS: &str = "workers";

/// Consumer of a match's results.
pub(crate) const COORDINATOR: &str = "coordinator";

/// Subject of a match's announcement.
pub(crate) fn announcement(id: &str) -> String {
    format!("linesman.match.{id}")
}

/// Subject of a match's pairs.
pub(crate) fn work(id: &str) -> String {
    format!("linesman.work.{id}")
}

/// Subject of a match's results.
pub(crate) fn results(id: &str) -> String {
    format!("linesman.result.{id}")
}

/// Subject of queries to a match's coordinator.
pub(crate) fn coordinator(id: &str) -> String {
    format!("linesman.coordinator.{id}")
}

/// Subject of a worker's reports.
pub(crate) fn worker(name: &str) -> String {
    format!("linesman.worker.{name}")
}

/// Stream of a match's pairs.
pub(crate) fn work_stream(id: &str) -> String {
    format!("LINESMAN_WORK_{id}")
}

/// Stream of a match's results.
pub(crate) fn result_stream(id: &str) -> String {
    format!("LINESMAN_RESULTS_{id}")
}

/// Object store bucket with the engines that a match sends.
pub(crate) fn engines(id: &str) -> String {
    format!("linesman-{id}")
}

/// Stream behind this bucket.
pub(crate) fn engine_stream(id: &str) -> String {
    format!("OBJ_{}", engines(id))
}

/// Subject of the server's notice that a pair has reached its delivery limit.
pub(crate) fn lost_pairs(id: &str) -> String {
    let stream = work_stream(id);
    format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{stream}.{WORKERS}")
}

/// Returns `true` if the text is a valid match id, and so a valid part of a subject.
pub(crate) fn is_match_id(id: &str) -> bool {
    (1..=32).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the part of a host name that is valid in a subject.
pub(crate) fn subject_part(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    name.chars().filter(is_plain).take(40).collect()
}
