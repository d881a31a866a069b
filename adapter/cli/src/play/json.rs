//! `play --json`: the requests and events of a table as lines of JSON, on standard input and standard output.

use std::io;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded, never, select};
use protocol::{Line, LineReader};
use table::{Refusal, RequestId, TableCommand, TableEvent, TableSession};

use crate::output::{json_line, write};
use crate::usage::{Failure, OrFail};

/// Maximum number of lines that wait.
const MAX_WAITING: usize = 64;

/// Forwards requests and events until the table closes. The end of the input is `quit`. Returns the number of refused
/// lines.
///
/// # Errors
/// No thread can be started, or the output cannot be written.
pub(crate) fn run(mut session: TableSession) -> Result<usize, Failure> {
    let mut lines = read_lines().or_fail()?;
    // The answer to `join`, which may have arrived while the engines started.
    let request = RequestId(1);
    while session.answer(request).is_none() {
        session.next_event(None)?;
    }
    let (client, game) = session.into_parts();
    show(&TableEvent::Snapshot(Box::new(game.snapshot().clone())))?;
    show(&TableEvent::Done { request })?;
    let mut n_refused = 0;
    loop {
        select! {
            recv(lines) -> line => {
                let command = match line {
                    Ok((at, line)) => parse(&line).map(|command| (at, command)),
                    Err(_) => {
                        lines = never();
                        Ok((Instant::now(), TableCommand::Quit))
                    }
                };
                match command {
                    // A closed table has sent its last event.
                    Ok((at, command)) => drop(client.send_at(command, at)),
                    Err(reason) => {
                        n_refused += 1;
                        let request = RequestId(0);
                        let why = Refusal::Failed { reason };
                        show(&TableEvent::Refused { request, why })?;
                    }
                }
            }
            recv(client.events()) -> event => {
                let Ok(event) = event else { return Ok(n_refused) };
                let is_refusal = matches!(event, TableEvent::Refused { .. });
                n_refused += usize::from(is_refusal);
                show(&event)?;
            }
        }
    }
}

/// Starts a thread that reads the lines of standard input.
fn read_lines() -> io::Result<Receiver<(Instant, Line)>> {
    let (sender, lines) = bounded(MAX_WAITING);
    thread::Builder::new().spawn(move || {
        let mut input = LineReader::new(io::stdin());
        while let Ok(Some(line)) = input.read() {
            if sender.send((Instant::now(), line.to_line())).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

fn parse(line: &Line) -> Result<TableCommand, String> {
    match line {
        Line::TooLong(limit) => Err(format!("the line is longer than {limit} bytes")),
        Line::Text(text) => serde_json::from_str(text)
            .map_err(|error| format!("{error}: expected a request as a JSON object")),
    }
}

fn show(event: &TableEvent) -> Result<(), Failure> {
    let line = json_line(event).or_fail()?;
    write(&line).map_err(Failure::Output)
}
