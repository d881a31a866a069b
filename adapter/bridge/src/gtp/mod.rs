//! GTP, the Go Text Protocol, with GoGui's extensions for games other than Go.
//!
//! GoGui gets the board, the legal moves and the side to move from the program (`gogui-rules_*`) and sends single
//! points. A move of two clicks is two half moves, and the side to move stays the same after the first. Player 1 is
//! black, also after a swap: then the stones on the board change colour. A swap is sent as a click on a stone.
//!
//! `command` parses and formats lines. `layout` maps each game's spots to points;
//! `half_move_game` maps its moves to clicks and makes them, and `session` answers the commands. `program` is the opposite adapter: a GTP
//! program as an engine.

mod command;

mod clock;
mod half_move_game;
mod layout;
mod picture;
mod program;
mod session;

use clock::{Clocks, ProgramClock};
use command::{COMMANDS, Request, colour, format_answer, is_interrupt, parse, parse_colour};
use half_move_game::{HalfMoveGame, HalfMoves, no_point, words_of};
use picture::Picture;

pub use command::Click;
pub use half_move_game::half_moves;
pub use layout::{Layout, gogui_command, layout_of};
pub(crate) use program::GtpProgram;
pub use session::{refuse, run};
