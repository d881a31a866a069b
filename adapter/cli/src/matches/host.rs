//! What the commands that play matches run with.

use std::io::{self, Write};

use record::registry::Registry;
use referee::host::Host;
use referee::stop::Stop;

use crate::platform::{self, Wish, this_executable};
use crate::usage::Failure;

/// The environment of engines: this program as the built-in engine, and a stop that nothing triggers.
pub(crate) fn quiet_host(registry: Registry) -> Result<Host, Failure> {
    Ok(Host {
        registry,
        executable: this_executable()?,
        stop: Stop::default(),
    })
}

/// As [`quiet_host`], with a stop that signals trigger.
pub(crate) fn host(registry: Registry) -> Result<Host, Failure> {
    let host = quiet_host(registry)?;
    heed_signals(&host.stop)?;
    Ok(host)
}

/// The first SIGINT lets the running games finish; a second one, SIGTERM and SIGHUP stop at once.
fn heed_signals(stop: &Stop) -> Result<(), Failure> {
    let stop = stop.clone();
    platform::on_signals(move |wish| {
        if wish == Wish::Terminate || stop.is_asked() {
            return stop.now();
        }
        stop.after_games();
        let note = "finishing the running games; interrupt again to stop at once";
        let _ = writeln!(io::stderr(), "{note}");
    })
}
