//! Positions of a game as SVG files.

use std::path::Path;

use kit::View;
use kit::diagram::svg::{self, Theme};

use super::replay::Replay;
use crate::records::own_file::OwnFile;
use crate::usage::{Failure, refuse};

/// Placeholder for the ply in the name of an SVG file.
const PLY: &str = "%d";

/// Draws the given ply, or one file per ply if the name has a placeholder, or else the last ply.
pub(super) fn draw(
    replay: &mut Replay<'_>,
    name: &str,
    ply: Option<usize>,
    file: &str,
) -> Result<(), Failure> {
    let (number, n_plies) = (replay.record().game, replay.n_plies());
    if let Some(ply) = ply.filter(|&ply| ply > n_plies) {
        return refuse!(
            "--ply {ply}: expected 0 to {n_plies}, the plies of game {number} of {file}"
        );
    }
    let plies = match ply {
        Some(ply) => ply..=ply,
        None if name.contains(PLY) => 0..=n_plies,
        None => n_plies..=n_plies,
    };
    let file = |ply: usize| {
        let name = name.replace(PLY, &ply.to_string());
        OwnFile::check(Path::new(&name), "--svg", svg::is_drawing)
    };
    // All files are checked before the first one is written.
    let files = plies.clone().map(file).collect::<Result<Vec<_>, _>>()?;
    for (ply, file) in plies.zip(files) {
        replay.go_to(ply);
        let picture = svg::write(&replay.board().diagram(View::default()), Theme::Auto);
        file.write(picture + "\n")?;
    }
    Ok(())
}
