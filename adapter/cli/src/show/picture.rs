//! Positions of a game as SVG files.

use std::fs;

use kit::diagram::svg::{self, Theme};
use kit::{DynHistory, View};

use super::replay::Replay;
use crate::usage::Failure;

/// What stands for the number of the ply in the name of a picture.
const PLY: &str = "%d";

/// Writes the picture of a ply, of the last one, or one of each ply where the name has a place for the number.
pub(super) fn draw(
    replay: &mut Replay<'_>,
    name: &str,
    ply: Option<usize>,
    file: &str,
) -> Result<(), Failure> {
    let (number, n_plies) = (replay.record().game, replay.n_plies());
    if let Some(ply) = ply.filter(|&ply| ply > n_plies) {
        return Err(Failure::Usage(format!(
            "--ply {ply}: expected 0 to {n_plies}, the plies of game {number} of {file}"
        )));
    }
    let plies = match ply {
        Some(ply) => ply..=ply,
        None if name.contains(PLY) => 0..=n_plies,
        None => n_plies..=n_plies,
    };
    for ply in plies {
        replay.go_to(ply);
        write_picture(replay.board(), &name.replace(PLY, &ply.to_string()))?;
    }
    Ok(())
}

fn write_picture(board: &dyn DynHistory, name: &str) -> Result<(), Failure> {
    let picture = svg::write(&board.diagram(View::default()), Theme::Auto);
    fs::write(name, picture + "\n").map_err(|why| Failure::Trouble(format!("{name}: {why}")))
}
