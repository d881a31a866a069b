//! The table that the arguments ask for: a new one, or one that is resumed.

pub(crate) mod arguments;
pub(crate) mod begun;
pub(crate) mod ledgers;
mod menu;
mod new_table;
mod resume;
mod size;

use referee::host::Host;

use self::begun::Begun;
use crate::args::PlayArgs;
use crate::usage::Failure;

/// Opens a new or a resumed table. `asks` means that the program may ask the user for the game and the size of the
/// board.
pub(crate) fn begin(args: &PlayArgs, host: Host, asks: bool) -> Result<Begun, Failure> {
    match args.resume {
        Some(_) => resume::begin(args, host),
        None => new_table::begin(args, host, asks),
    }
}
