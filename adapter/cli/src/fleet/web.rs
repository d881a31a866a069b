//! `linesman fleet web`: a page with all matches of a server and their workers, which refreshes itself.

use std::fmt::Write;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use fleet::status::{MatchStatus, Status, read};
use fleet::wire::{MatchState, WorkerState};
use kit::diagram::svg::escape;
use parking_lot::Mutex;

use super::connect::{connect, failure};
use crate::args::FleetWebArgs;
use crate::usage::Failure;
use crate::web::serve;

/// Pause between two queries of the server, each of which takes a second.
const PAUSE: Duration = Duration::from_secs(2);

const HEAD: &str = include_str!("web.html");

/// Serves the page until the process is ended. Its readers cause no query of the server.
pub(super) fn run(args: &FleetWebArgs) -> Result<ExitCode, Failure> {
    let link = connect(&args.url, &args.credentials)?;
    let first = read(&link).map_err(failure)?;
    let shown: &'static Mutex<String> = Box::leak(Box::new(Mutex::new(page(&Ok(first)))));
    thread::spawn(move || {
        loop {
            thread::sleep(PAUSE);
            let status = read(&link).map_err(|error| error.to_string());
            *shown.lock() = page(&status);
        }
    });
    serve(&args.listen, |path| match path {
        "/" => (200, shown.lock().clone()),
        _ => (404, "<p>There is no such page.</p>".to_owned()),
    })
}

fn page(status: &Result<Status, String>) -> String {
    let mut html = HEAD.to_owned();
    match status {
        Err(why) => {
            let _ = write!(html, "<p>{}</p>", escape(why));
        }
        Ok(status) => {
            if status.matches.is_empty() {
                html += "<p>No match.</p>\n";
            }
            for found in &status.matches {
                html += &section(found);
            }
            if !status.free.is_empty() {
                html += "<h2>Workers without a match</h2>\n";
                html += &table(&status.free);
            }
        }
    }
    html + "</html>\n"
}

fn section(found: &MatchStatus) -> String {
    let state = match found.state {
        MatchState::Open => "",
        MatchState::Paused => ", paused",
        MatchState::Over => ", over",
    };
    let names = escape(&found.engines.join(" vs "));
    let (game, id) = (escape(&found.game), escape(&found.id));
    let mut html = format!("<h2>{game}: {names}{state}</h2>\n");
    if let Some(coordinator) = &found.coordinator {
        let (games, total) = (coordinator.games, coordinator.total);
        let _ = writeln!(
            html,
            "<progress max=\"{total}\" value=\"{games}\"></progress>\n<p>{games} of {total} games, {}; {:.0} games an \
             hour; coordinator on {}</p>",
            escape(&coordinator.score),
            coordinator.games_an_hour(),
            escape(&coordinator.host)
        );
    }
    let _ = writeln!(
        html,
        "<p>Match {id}, priority {}, share {}; pairs: {} in progress, {} waiting</p>",
        found.priority, found.share, found.leased, found.waiting
    );
    for stuck in &found.stuck {
        let _ = writeln!(html, "<p>Stuck: {}</p>", escape(stuck));
    }
    html + &table(&found.workers)
}

fn table(workers: &[WorkerState]) -> String {
    let mut html = "<div><table><tr><th>Worker<th>Games at once<th>Pairs<th>Pairs an hour<th>Times x<th>Load<th>Processor\n"
        .to_owned();
    for worker in workers {
        let _ = writeln!(
            html,
            "<tr><td>{}<td>{}<td>{}<td>{:.0}<td>{:.2}<td>{:.1}<td>{}",
            escape(&worker.worker),
            worker.concurrency,
            worker.pairs,
            worker.pairs_an_hour(),
            worker.scale,
            worker.load,
            escape(&worker.cpu)
        );
    }
    html + "</table></div>\n"
}
