//! Watches whether other programs keep the machine busy, so that games against the clock would not be fair.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::platform;

/// Interval between two samples.
const SAMPLE_EVERY: Duration = Duration::from_millis(100);

/// Number of samples of which the mean counts.
const N_SAMPLES: usize = 30;

/// Time without overload after which games are played again.
const CALM: Duration = Duration::from_secs(10);

/// The time of the last overload. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadWatch(Arc<Mutex<Option<Instant>>>);

impl LoadWatch {
    /// Starts to count the threads that want to run, if they are limited to a number for each core.
    pub(crate) fn begin(max_load: Option<f64>) -> LoadWatch {
        let watch = LoadWatch::default();
        if let Some(max_load) = max_load {
            let state = Arc::downgrade(&watch.0);
            thread::spawn(move || sample(&state, max_load * platform::cores() as f64));
        }
        watch
    }

    /// `true` if the machine is overloaded now, or was a short time ago.
    pub(crate) fn is_overloaded(&self) -> bool {
        self.0.lock().is_some_and(|last| last.elapsed() < CALM)
    }

    /// `true` if the machine was overloaded after this time.
    pub(crate) fn was_overloaded_since(&self, began: Instant) -> bool {
        self.0.lock().is_some_and(|last| last >= began)
    }
}

/// Samples until the watch is dropped.
fn sample(state: &Weak<Mutex<Option<Instant>>>, max_running: f64) {
    let mut samples = VecDeque::new();
    while let Some(last) = state.upgrade() {
        samples.push_back(platform::n_running().unwrap_or(0) as f64);
        if samples.len() > N_SAMPLES {
            samples.pop_front();
        }
        if samples.iter().sum::<f64>() / samples.len() as f64 > max_running {
            *last.lock() = Some(Instant::now());
        }
        drop(last);
        thread::sleep(SAMPLE_EVERY);
    }
}
