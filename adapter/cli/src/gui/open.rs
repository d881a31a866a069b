//! `--open`: the browser is told a file that leads to the page, not the page's address. Other users of this machine can
//! read the arguments of a program, and the address has the token of the host.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use tempfile::NamedTempFile;

use crate::output::printable;

/// The program that opens a file in the browser.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// Opens a page in the browser. The file that leads there is this user's alone, and is deleted when it is dropped. Where
/// the browser cannot be opened, a note says so; the address is on standard output all the same.
pub(super) fn open(link: &str) -> Option<NamedTempFile> {
    let opened = way_to(link).and_then(|file| start(&file).map(|()| file));
    let told = opened.inspect_err(|error| {
        let note = format!("note: --open: {error}: open the address by hand");
        let _ = writeln!(io::stderr(), "{}", printable(&note));
    });
    told.ok()
}

/// A page that leads to another one at once.
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

/// This user's folder for what lasts as long as a session, or the one for temporary files.
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
