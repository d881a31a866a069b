//! Threads, signals and progress bars of commands that run for minutes or hours.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::available_parallelism;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use lab::parallel::Threads;
use linesman::platform;
use linesman::usage::{Failure, INTERRUPTED};

/// The requested number of threads, or as many as there are CPUs.
pub(crate) fn threads(asked: Option<usize>, stop: &AtomicBool) -> Threads<'_> {
    let count = asked.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get));
    Threads { count, stop }
}

/// A flag that the first signal sets; the second signal ends the program at once.
pub(crate) fn stop_on_signals() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let act = move |_| {
        if set.swap(true, Relaxed) {
            platform::exit_after(Duration::ZERO, INTERRUPTED);
        }
    };
    platform::on_signals(act)?;
    Ok(stop)
}

/// A progress bar on standard error, shown only if that is a terminal.
pub(crate) fn bar(n: u64, message: String) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:24} {percent:>3}% [{elapsed_precise}] {wide_msg}");
    let bar = ProgressBar::new(n).with_message(message);
    bar.set_style(style.expect("the template is sound"));
    bar
}
