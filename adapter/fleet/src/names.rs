//! Where messages go: the subjects and streams of a fleet.

/// The stream with the announcement of each match that is open.
pub(crate) const MATCHES: &str = "LINESMAN_MATCHES";

/// The subjects of all announcements.
pub(crate) const ALL_MATCHES: &str = "linesman.match.*";

/// The subjects of all workers, which tell how they are.
pub(crate) const ALL_WORKERS: &str = "linesman.worker.*";

/// Asks all workers to tell how they are now.
pub(crate) const PING: &str = "linesman.ping";

/// The consumer of a match's pairs, which all workers share.
pub(crate) const WORKERS: &str = "workers";

/// The consumer of a match's results.
pub(crate) const COORDINATOR: &str = "coordinator";

/// The announcement of a match.
pub(crate) fn announcement(id: &str) -> String {
    format!("linesman.match.{id}")
}

/// The pairs of a match.
pub(crate) fn work(id: &str) -> String {
    format!("linesman.work.{id}")
}

/// The results of a match.
pub(crate) fn results(id: &str) -> String {
    format!("linesman.result.{id}")
}

/// Who coordinates a match.
pub(crate) fn coordinator(id: &str) -> String {
    format!("linesman.coordinator.{id}")
}

/// A worker.
pub(crate) fn worker(name: &str) -> String {
    format!("linesman.worker.{name}")
}

/// The stream of a match's pairs.
pub(crate) fn work_stream(id: &str) -> String {
    format!("LINESMAN_WORK_{id}")
}

/// The stream of a match's results.
pub(crate) fn result_stream(id: &str) -> String {
    format!("LINESMAN_RESULTS_{id}")
}

/// The bucket of the object store with the engines that a match sends.
pub(crate) fn engines(id: &str) -> String {
    format!("linesman-{id}")
}

/// The stream that holds this bucket.
pub(crate) fn engine_stream(id: &str) -> String {
    format!("OBJ_{}", engines(id))
}

/// What the server tells when it gives a pair of a match to no further worker.
pub(crate) fn lost_pairs(id: &str) -> String {
    let stream = work_stream(id);
    format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{stream}.{WORKERS}")
}

/// Whether a text can be the id of a match: it becomes a part of subjects.
pub(crate) fn is_match_id(id: &str) -> bool {
    (1..=32).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What of a host name can be a part of a subject.
pub(crate) fn subject_part(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    name.chars().filter(is_plain).take(40).collect()
}
