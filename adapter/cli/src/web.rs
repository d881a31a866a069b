//! A server of pages that change nothing: those of a club, and of the matches of a fleet.
//!
//! The server is small on purpose: it answers GET and HEAD, one request per connection, within limits of size, time and
//! number. A reverse proxy may add TLS.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::output::print;
use crate::usage::{Failure, usage};

/// Maximum size of a request, in bytes.
const MAX_REQUEST: usize = 8192;

/// Maximum number of connections at once; further ones are closed.
const MAX_CONNECTIONS: usize = 64;

/// Time in which a client must send its request, and accept each part of the answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Pause after a failure to accept a connection, such as for lack of file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Headers of all answers. Pages contain neither scripts nor references to other sites.
const HEADERS: &str = "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-cache\r\nConnection: close\r\n\
    Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n";

/// A page: the status of HTTP, and the text of the page.
pub(crate) type Page = (u16, String);

/// Serves the pages that `page` makes of their paths, until the process is ended.
pub(crate) fn serve(
    listen: &str,
    page: &(dyn Fn(&str) -> Page + Sync),
) -> Result<ExitCode, Failure> {
    let bound =
        TcpListener::bind(listen).and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) =
        bound.map_err(|error| usage("--listen", format!("{listen}: {error}")))?;
    print(&format!("http://{address}/"), false)?;
    let n_open = AtomicUsize::new(0);
    thread::scope(|scope| {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                thread::sleep(PAUSE);
                continue;
            };
            if n_open.load(Ordering::Relaxed) >= MAX_CONNECTIONS {
                continue;
            }
            n_open.fetch_add(1, Ordering::Relaxed);
            let n_open = &n_open;
            let answering = move || {
                // A client that has gone gets nothing.
                let _ = answer(&stream, page);
                n_open.fetch_sub(1, Ordering::Relaxed);
            };
            if thread::Builder::new()
                .spawn_scoped(scope, answering)
                .is_err()
            {
                n_open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn answer(mut stream: &TcpStream, page: &(dyn Fn(&str) -> Page + Sync)) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = request(stream)?;
    let mut words = request.split(' ');
    let (method, target) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let (status, html) = match method {
        "GET" | "HEAD" if path.starts_with('/') => {
            // A fault in one page affects only this page.
            catch_unwind(AssertUnwindSafe(|| page(path))).unwrap_or_else(|_| unavailable())
        }
        "GET" | "HEAD" => (400, "<p>Expected a path.</p>".to_owned()),
        _ => (405, "<p>Expected GET or HEAD.</p>".to_owned()),
    };
    let reason = match status {
        200 => "OK",
        404 => "Not Found",
        405 => "Method Not Allowed\r\nAllow: GET, HEAD",
        500 => "Internal Server Error",
        _ => "Bad Request",
    };
    let n_bytes = html.len();
    let head = format!("HTTP/1.1 {status} {reason}\r\n{HEADERS}Content-Length: {n_bytes}\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(html.as_bytes())?;
    }
    Ok(())
}

/// Reads a request, and returns its first line.
fn request(mut stream: &TcpStream) -> io::Result<String> {
    let deadline = Instant::now() + PATIENCE;
    let mut read = Vec::new();
    let mut part = [0; 1024];
    while !read.windows(4).any(|end| end == b"\r\n\r\n") {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || read.len() > MAX_REQUEST {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n_bytes => read.extend_from_slice(&part[..n_bytes]),
        }
    }
    let line = String::from_utf8_lossy(&read)
        .lines()
        .next()
        .map(str::to_owned);
    Ok(line.unwrap_or_default())
}

/// The answer for a page that cannot be made.
pub(crate) fn unavailable() -> Page {
    (500, "<p>This page cannot be shown now.</p>".to_owned())
}
