//! Which of several open matches a worker plays.

use std::time::{Duration, Instant};

use crate::wire::Announcement;

/// Time for which a worker plays another match after it has left one that had no pairs for it.
const AVOID_FOR: Duration = Duration::from_secs(30);

/// A match that had no pairs for the worker, until it may be tried again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Avoided(Option<(String, Instant)>);

impl Avoided {
    pub(crate) fn new(id: &str) -> Avoided {
        Avoided(Some((id.to_owned(), Instant::now() + AVOID_FOR)))
    }

    fn contains(&self, id: &str) -> bool {
        let own = self.0.as_ref();
        own.is_some_and(|(avoided, until)| avoided == id && Instant::now() < *until)
    }
}

/// Chooses one of the matches with the highest priority at random, by their shares. A match that had no pairs is chosen
/// only if it is alone.
pub(crate) fn choose<'a>(
    playable: &[&'a Announcement],
    avoided: &Avoided,
) -> Option<&'a Announcement> {
    let others = playable.iter().filter(|found| !avoided.contains(&found.id));
    let mut first: Vec<&Announcement> = others.copied().collect();
    if first.is_empty() {
        first = playable.to_vec();
    }
    let highest = first.iter().map(|found| found.priority).max()?;
    first.retain(|found| found.priority == highest);
    // Shares come from the network.
    let share = |found: &Announcement| match found.share.is_finite() {
        true => found.share.clamp(0.01, 100.0),
        false => 1.0,
    };
    let mut at = fastrand::f64() * first.iter().map(|found| share(found)).sum::<f64>();
    let chosen = first.iter().find(|found| {
        at -= share(found);
        at < 0.0
    });
    chosen.or(first.last()).copied()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn announcement(id: &str, priority: i32, share: f64) -> Announcement {
        let text = json!({"format": 2, "id": id, "version": "", "host": "", "state": "open",
            "game": {"name": "susan", "options": []}, "engines": [],
            "adjudication": {"max_plies": 100, "draw": null, "resign": null}, "startup_ms": 1,
            "ping_ms": 1, "search_timeout_ms": 1, "keeps_pv": false, "lost_after_ms": 1, "priority": priority});
        let found: Announcement = serde_json::from_value(text).expect("an announcement");
        Announcement { share, ..found }
    }

    #[test]
    fn the_highest_priority_is_played_by_shares() {
        let all = [
            announcement("a", 0, 50.0),
            announcement("b", 2, 1.0),
            announcement("c", 2, 3.0),
        ];
        let all: Vec<&Announcement> = all.iter().collect();
        let draws = |avoided: &Avoided| {
            let ids = (0..4000).filter_map(|_| choose(&all, avoided));
            ids.map(|found| found.id.clone()).collect::<Vec<_>>()
        };
        let ids = draws(&Avoided::default());
        let n_c = ids.iter().filter(|id| *id == "c").count();
        assert!((2800..3200).contains(&n_c), "{n_c}");
        assert!(ids.iter().all(|id| id != "a"));
        assert!(draws(&Avoided::new("c")).iter().all(|id| id == "b"));
        let alone = announcement("c", 0, f64::NAN);
        assert!(choose(&[&alone], &Avoided::new("c")).is_some());
        assert!(choose(&[], &Avoided::default()).is_none());
    }
}
