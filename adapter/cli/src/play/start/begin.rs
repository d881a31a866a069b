//! The way in which a table begins.

use referee::host::Host;

use super::begun::Begun;
use super::{email, new_table, resume};
use crate::args::PlayArgs;
use crate::usage::Failure;

/// Opens a new or a resumed table. `asks` means that the program may ask the user for the game and the size of the
/// board.
pub(crate) fn begin(args: &PlayArgs, host: Host, asks: bool) -> Result<Begun, Failure> {
    match &args.mail {
        Some(path) => email::begin(args, path, host),
        None if args.resume.is_some() => resume::begin(args, host),
        None => new_table::begin(args, host, asks),
    }
}
