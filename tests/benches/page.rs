//! Speed and memory of the page of `linesman gui`, measured by the page itself in a real Chromium.
//!
//! `cargo bench -p linesman-tests --bench page`. Needs Debian's packages chromium and chromium-driver.

use std::io::{self, Write};
use std::time::Instant;

use serde_json::{Value, json};

use crate::browser::{Browser, Device, TRANSFERRED};
use crate::game::{Game, random_moves, spot};
use crate::server::Server;

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../page/browser.rs"]
mod browser;
#[path = "../page/driver.rs"]
mod driver;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../page/game.rs"]
mod game;
#[path = "../page/seat.rs"]
mod seat;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../page/server.rs"]
mod server;

/// Number of first loads, each in a new browser, of moves entered on a board, and of moves watched.
const LOADS: usize = 5;
const CLICKS: usize = 20;
const WATCHED: f64 = 1000.0;

/// Boards on which moves are entered, by clicks on a single spot. Stones this many cells apart do not surround each other.
const BOARDS: [&str; 3] = ["susan:Size=8", "projex:Size=14", "graph-hockey"];
const STRIDE: usize = 37;

/// Plies of a long game, frames measured in it, and how much slower than this machine the device is.
const LONG: usize = 1000;
const FRAMES: usize = 120;
const SLOWNESS: f64 = 4.0;

fn main() -> io::Result<()> {
    first_page()?;
    let Some(browser) = Browser::start(Device::Desktop(1280, 900)) else {
        return Ok(());
    };
    for board in BOARDS {
        clicks(&browser, board)?;
    }
    long_game()?;
    watching(&browser)
}

/// Time from the request of the page until it is drawn, and until the choice of games is.
fn first_page() -> io::Result<()> {
    let start = Instant::now();
    let server = Server::start(&[]);
    print("linesman gui has printed its address", millis(start), "ms")?;
    let mut times = [Vec::new(), Vec::new()];
    let mut files = Value::Null;
    for _ in 0..LOADS {
        let Some(browser) = Browser::start(Device::Desktop(1280, 900)) else {
            return Ok(());
        };
        browser.open(&server.address);
        browser.until("document.querySelector('[data-play]')");
        let first = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
        times[0].push(number(&browser.until(first)));
        let largest = "new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
            .observe({ type: 'largest-contentful-paint', buffered: true }))";
        times[1].push(number(&browser.promise(largest)));
        files = browser.run(TRANSFERRED);
    }
    let [first, largest] = &mut times;
    print_times("first paint after the page was asked for", first)?;
    print_times("the games are shown", largest)?;
    print("requests of the page", number(&files[0]), "")?;
    print(
        "bytes of the page over the wire",
        number(&files[1]) / 1000.0,
        "kB",
    )
}

/// Runs in the page: measures from the release of the button to the end of the frame after it, and to the position of
/// the server.
const CLICK: &str = "
globalThis.afterFrame = () => new Promise((done) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = done;
  port2.postMessage(null);
}));
addEventListener('pointerup', async ({ timeStamp }) => {
  globalThis.measured = null;
  const { ply } = linesman.view.board.shown, isShown = () => linesman.view.board.shown.ply > ply;
  await afterFrame();
  if (!isShown() && !document.querySelector('.hand .played')) return;
  const own = performance.now() - timeStamp;
  while (!isShown()) await afterFrame();
  globalThis.measured = [own, performance.now() - timeStamp];
}, true);";

/// Time from a click to the own move and to the server's position on the board; people play both sides.
fn clicks(browser: &Browser, board: &str) -> io::Result<()> {
    let server = Server::start(&[board, "--p1", "human", "--p2", "human"]);
    browser.open(&server.address);
    browser.run(CLICK);
    let mut times = [Vec::new(), Vec::new()];
    for ply in 0..CLICKS {
        browser.until(&format!(
            "linesman.view.board.shown?.ply === {ply} && linesman.view.board.isUsable && !linesman.view.board.camera.isMoving"
        ));
        let id = browser.run(&format!(
            "const cells = linesman.view.view.diagram.gestures.filter(({{ spots }}) => spots?.length === 1);
             return cells[{ply} * {STRIDE} % cells.length].spots[0];"
        ));
        browser.click(&spot(id.as_str().expect("a spot")));
        let time = browser.until("globalThis.measured");
        for (i, times) in times.iter_mut().enumerate() {
            times.push(number(&time[i]));
        }
    }
    for (what, times) in ["own move", "server's position"]
        .into_iter()
        .zip(&mut times)
    {
        print_times(&format!("{board}: click to {what} drawn"), times)?;
    }
    Ok(())
}

/// Frames of a long game of Graph Hockey on a slow phone.
fn long_game() -> io::Result<()> {
    let Some(page) = Game::at_lobby(Device::Phone, &[]) else {
        return Ok(());
    };
    let moves = random_moves("graph-hockey", LONG).join(" ");
    page.reopen("graph-hockey", &json!({}), ["human", "human"], &moves);
    let browser = &page.browser;
    browser.cdp(
        "Emulation.setCPUThrottlingRate",
        &json!({ "rate": SLOWNESS }),
    );
    let camera = "linesman.view.board.camera";
    for (what, act) in [
        (
            "dragged",
            format!("{camera}.pan([i % 40 < 20 ? 3 : -3, i % 60 < 30 ? 2 : -2])"),
        ),
        (
            "zoomed",
            format!("{camera}.zoom(i % 40 < 20 ? 1.02 : 1 / 1.02)"),
        ),
        (
            "replayed",
            "if (i % 30 === 0) linesman.view.play(linesman.view.board.gestures.gestures[0]?.code)"
                .to_owned(),
        ),
    ] {
        let gaps = browser.promise(&format!(
            "(async () => {{
               const frame = () => new Promise((done) => requestAnimationFrame(done)), gaps = [];
               let last = await frame();
               for (let i = 0; i < {FRAMES}; i += 1) {{
                 {act};
                 const now = await frame();
                 gaps.push(now - last);
                 last = now;
               }}
               return gaps;
             }})()"
        ));
        let mut gaps: Vec<f64> = gaps.as_array().expect("times").iter().map(number).collect();
        print_times(
            &format!("{LONG} plies, {SLOWNESS} x slower: frame while {what}"),
            &mut gaps,
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
    writeln!(io::stdout(), "{what:62} {value:7.1} {unit}")
}

/// Prints the median of some times, the ninth tenth and the longest.
fn print_times(what: &str, times: &mut [f64]) -> io::Result<()> {
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times[(times.len() - 1) * part / 10];
    let rest = format!("ms; nine in ten {:.1}, longest {:.1}", at(9), at(10));
    print(&format!("{what}, median"), at(5), &rest)
}
