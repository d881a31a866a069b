//! Speed and memory of the page of `linesman gui`, measured in a real Chromium.
//!
//! `cargo bench -p linesman-tests --bench page`. Needs Debian's packages chromium and chromium-driver.

use std::io::{self, Write};
use std::time::Instant;

use serde_json::Value;

use crate::browser::{Browser, Device, TRANSFERRED};
use crate::server::Server;

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../page/browser.rs"]
mod browser;
#[path = "../page/driver.rs"]
mod driver;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../page/server.rs"]
mod server;

/// Number of moves entered, and of moves watched.
const CLICKS: usize = 40;
const WATCHED: f64 = 1000.0;

/// Stones this many cells apart do not surround each other.
const STRIDE: usize = 37;

fn main() -> io::Result<()> {
    let Some(browser) = Browser::start(Device::Desktop(1280, 900)) else {
        return Ok(());
    };
    first_page(&browser)?;
    clicks(&browser)?;
    watching(&browser)
}

/// Time from the start of the program until the choice of games is on the screen.
fn first_page(browser: &Browser) -> io::Result<()> {
    let start = Instant::now();
    let server = Server::start(&[]);
    print("linesman gui has printed its address", millis(start), "ms")?;
    browser.open(&server.address);
    browser.until("document.querySelector('[data-play]')");
    let first = number(
        &browser.until("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"),
    );
    print("first paint after the page was asked for", first, "ms")?;
    let board = "new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
        .observe({ type: 'largest-contentful-paint', buffered: true }))";
    print(
        "largest paint: the games are shown",
        number(&browser.promise(board)),
        "ms",
    )?;
    let files = browser.run(TRANSFERRED);
    print("requests of the page", number(&files[0]), "")?;
    print(
        "bytes of the page over the wire",
        number(&files[1]) / 1000.0,
        "kB",
    )
}

/// Time from a click to the own move and to the server's position on the board; people play both sides.
fn clicks(browser: &Browser) -> io::Result<()> {
    let server = Server::start(&["susan:Size=8", "--p1", "human", "--p2", "human"]);
    browser.open(&server.address);
    let mut times = [Vec::new(), Vec::new()];
    for ply in 0..CLICKS {
        browser.until(&format!(
            "linesman.view.board.shown?.ply === {ply} && linesman.view.board.isUsable"
        ));
        let time = browser.promise(&format!(
            "new Promise((done) => {{
               const cells = linesman.view.view.diagram.gestures.filter(({{ spots }}) => spots?.length === 1);
               const {{ spots }} = cells[{ply} * {STRIDE} % cells.length];
               const start = performance.now();
               let own = null;
               document.querySelector(`[data-spot=\"${{spots[0]}}\"]`).dispatchEvent(new MouseEvent('click', {{ bubbles: true }}));
               const look = () => {{
                 const now = performance.now() - start, isShown = linesman.view.board.shown.ply > {ply};
                 if (isShown || document.querySelector('.hand .played')) own ??= now;
                 if (isShown) done([own, now]); else requestAnimationFrame(look);
               }};
               requestAnimationFrame(look);
             }})"
        ));
        for (i, times) in times.iter_mut().enumerate() {
            times.push(number(&time[i]));
        }
    }
    for (what, times) in ["own move", "server's position"]
        .into_iter()
        .zip(&mut times)
    {
        times.sort_by(f64::total_cmp);
        let [median, longest] = [times[CLICKS / 2], times[CLICKS - 1]];
        print(
            &format!("click to {what} on the board, median"),
            median,
            "ms",
        )?;
        print(
            &format!("click to {what} on the board, longest"),
            longest,
            "ms",
        )?;
    }
    Ok(())
}

/// Memory of the page after it has watched games between two engines.
fn watching(browser: &Browser) -> io::Result<()> {
    let engine = "builtin nodes=1";
    let server = Server::start(&["entropy", "--p1", engine, "--p2", engine]);
    browser.open(&server.address);
    browser.until("linesman.view.board?.shown");
    browser.promise("linesman.command('set-pace', { seconds: 0 })");
    let memory = "gc(); return performance.memory.usedJSHeapSize / 1e6";
    let before = number(&browser.run(memory));
    let start = Instant::now();
    let mut watched = 0.0;
    let mut last = Value::Null;
    while watched < WATCHED {
        // A game of these engines ends at once, so games are told apart by their id.
        let ended = browser.until(&format!(
            "linesman.view.table.turn === 'over' && linesman.view.table.id !== {last}
             && [linesman.view.table.id, linesman.view.table.tree.here]"
        ));
        last = ended[0].clone();
        watched += number(&ended[1]);
        browser.promise("linesman.command('new')");
    }
    let seconds = start.elapsed().as_secs_f64();
    print("moves watched", watched, "")?;
    print("time of these games", seconds, "s")?;
    print("memory of scripts at the start", before, "MB")?;
    print(
        "memory of scripts after the moves",
        number(&browser.run(memory)),
        "MB",
    )?;
    let nodes = browser.run("return document.querySelectorAll('*').length");
    print("elements of the page then", number(&nodes), "")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

fn print(what: &str, value: f64, unit: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{what:45} {value:9.1} {unit}")
}
