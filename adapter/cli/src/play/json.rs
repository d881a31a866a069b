//! `play --json`: the requests and events of a table as lines of JSON, on standard input and standard output.

use std::io;
use std::thread;

use crossbeam_channel::{bounded, never, select};
use protocol::{Line, LineReader};
use table::{Refusal, RequestId, TableClient, TableCommand, TableEvent, TableSession};

use super::lines::send_lines;
use super::screen::Input;
use crate::output::{json_line, write};
use crate::usage::{Failure, OrFail};

/// Maximum number of lines that wait.
const MAX_WAITING: usize = 64;

/// Forwards requests and events until the table closes. The end of the input is `quit`, once all requests are answered.
/// Returns the number of refused lines.
///
/// # Errors
/// No thread can be started, or the output cannot be written.
pub(crate) fn run(session: TableSession) -> Result<usize, Failure> {
    let (sender, mut lines) = bounded(MAX_WAITING);
    let input = LineReader::new(io::stdin());
    let reader = thread::Builder::new().spawn(move || send_lines(input, &sender, None));
    reader.or_fail()?;
    let TableSession { client, game, .. } = session;
    let request = TableClient::JOIN;
    show(&TableEvent::Snapshot(Box::new(game.snapshot().clone())))?;
    show(&TableEvent::Done { request })?;
    let (mut n_refused, mut n_open, mut is_at_end) = (0, 0_u64, false);
    loop {
        if is_at_end && n_open == 0 {
            // A closed table has sent its last event.
            let _ = client.send(TableCommand::Quit);
            is_at_end = false;
        }
        select! {
            recv(lines) -> heard => match heard {
                Ok(Input::Line(at, line)) => match parse(&line) {
                    Ok(command) => n_open += u64::from(client.send_at(command, at).is_ok()),
                    Err(what) => {
                        n_refused += 1;
                        let request = RequestId(0);
                        show(&TableEvent::Refused { request, why: Refusal::Malformed { what } })?;
                    }
                },
                _ => (lines, is_at_end) = (never(), true),
            },
            recv(client.events) -> event => {
                let Ok(event) = event else { return Ok(n_refused) };
                match event {
                    TableEvent::Refused { .. } => {
                        (n_refused, n_open) = (n_refused + 1, n_open.saturating_sub(1));
                    }
                    TableEvent::Done { .. } => n_open = n_open.saturating_sub(1),
                    // Answers may be among the lost events.
                    TableEvent::Lagged { .. } => n_open = 0,
                    _ => {}
                }
                show(&event)?;
            }
        }
    }
}

fn parse(line: &Line) -> Result<TableCommand, String> {
    match line {
        Line::TooLong(limit) => Err(format!("the line is longer than {limit} bytes")),
        Line::Text(text) => serde_json::from_str(text).map_err(|error| error.to_string()),
    }
}

fn show(event: &TableEvent) -> Result<(), Failure> {
    let line = json_line(event).or_fail()?;
    write(&line).map_err(Failure::Output)
}
