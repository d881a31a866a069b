//! Signals that end a bridge.

use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};

use crate::platform;
use crate::usage::Failure;

/// Time limit for the whole shutdown after a signal. Engines get one second of it.
const GRACE: Duration = Duration::from_secs(5);

/// A channel that receives one message at the first signal; [`GRACE`] later, the process exits in any case.
pub(super) fn stop_on_signals() -> Result<Receiver<()>, Failure> {
    let (stop, stopped) = bounded(1);
    let act = move |_| {
        // A full channel already holds the message.
        let _ = stop.try_send(());
        platform::exit_after(GRACE, 1);
    };
    platform::on_signals(act)?;
    Ok(stopped)
}
