//! What the commands that play matches run with.

use std::io::{self, Write};
use std::process;
use std::sync::OnceLock;

use record::registry::Registry;
use referee::host::Host;
use referee::stop::Stop;

use crate::platform::{self, Wish};
use crate::program::linesman;
use crate::usage::{Failure, INTERRUPTED};

/// The environment of engines: `linesman` as the built-in engine, and a stop that nothing triggers.
pub fn quiet_host(registry: Registry) -> Result<Host, Failure> {
    Ok(Host {
        registry,
        executable: linesman()?,
        stop: Stop::default(),
    })
}

/// The stop of the match, once there is one.
static STOP: OnceLock<Stop> = OnceLock::new();

/// As [`quiet_host`], with a stop that signals trigger after [`heed_signals`].
pub fn host(registry: Registry) -> Result<Host, Failure> {
    let host = quiet_host(registry)?;
    let _ = STOP.set(host.stop.clone());
    Ok(host)
}

/// The first SIGINT lets the running games finish; a second one, SIGTERM and SIGHUP stop at once. Before the match has a
/// host, each of them ends the program.
pub fn heed_signals() -> Result<(), Failure> {
    platform::on_signals(|wish| {
        let Some(stop) = STOP.get() else {
            Failure::Interrupted.report();
            process::exit(INTERRUPTED.into());
        };
        if wish == Wish::Terminate || stop.is_asked() {
            return stop.now();
        }
        stop.after_games();
        let note = "finishing the running games; interrupt again to stop at once";
        let _ = writeln!(io::stderr(), "{note}");
    })
}
