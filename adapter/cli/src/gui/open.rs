//! `--open`: the browser opens a file that redirects to the page.
//!
//! The page's address is not an argument of the browser, since other users of this machine can read a program's
//! arguments, and the address contains the host's token.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, thread};

use tempfile::NamedTempFile;

use crate::output::printable;

/// The program that opens a file in the browser.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// Opens a page in the browser. Only this user can read the redirecting file, which is deleted when the result is
/// dropped. If the browser cannot be opened, a note is shown; the address is on standard output in any case.
pub(super) fn open(link: &str) -> Option<NamedTempFile> {
    let opened = way_to(link).and_then(|file| start(&file).map(|()| file));
    let told = opened.inspect_err(|error| {
        let note = format!("note: --open: {error}: open the address yourself");
        let _ = writeln!(io::stderr(), "{}", printable(&note));
    });
    told.ok()
}

/// Writes a page that redirects to another one at once.
fn way_to(link: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix("linesman-")
        .suffix(".html")
        .tempfile_in(folder())?;
    write!(
        file,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={link}\">\n<title>Linesman</title>\n\
         <p><a href=\"{link}\">To the board</a></p>\n"
    )?;
    file.flush()?;
    Ok(file)
}

/// The user's folder for files of a session, or the one for temporary files.
fn folder() -> PathBuf {
    let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    own.filter(|folder| folder.is_dir())
        .unwrap_or_else(env::temp_dir)
}

fn start(file: &NamedTempFile) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    command.arg(file.path()).stdin(Stdio::null());
    let opener = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let named = |error: io::Error| io::Error::other(format!("{OPENER}: {error}"));
    let mut opener = opener.map_err(named)?;
    thread::Builder::new().spawn(move || drop(opener.wait()))?;
    Ok(())
}
