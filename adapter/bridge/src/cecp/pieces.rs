//! Pictures of the pieces: an SVG file for each piece and colour, under the names that XBoard expects.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// File name and content.
type PieceFile = (&'static str, &'static str);

/// Each piece with the pictures of its White and its Black.
macro_rules! piece_files {
    ($game:literal: $($name:literal from $white:literal $black:literal),*) => {
        &[$(
            (concat!("White", $name, ".svg"), include_str!(concat!("../../pieces/", $game, "/", $white, ".svg"))),
            (concat!("Black", $name, ".svg"), include_str!(concat!("../../pieces/", $game, "/", $black, ".svg"))),
        )*]
    };
}

/// Returns the pictures of a game; none if it has no layout.
fn piece_files(game: &str) -> &'static [PieceFile] {
    match game {
        "entropy" => piece_files!("entropy": "Knight" from "WhiteKnight" "BlackKnight"),
        "gobblet" => piece_files!("gobblet":
            "Knight" from "WhiteKnight" "BlackKnight",
            "Bishop" from "WhiteBishop" "BlackBishop",
            "Rook" from "WhiteRook" "BlackRook",
            "Queen" from "WhiteQueen" "BlackQueen"),
        // The second kind has the colours of the opponent's first.
        "projex" => piece_files!("projex":
            "Knight" from "WhiteKnight" "BlackKnight",
            "Bishop" from "BlackKnight" "WhiteKnight"),
        "susan" => piece_files!("susan": "Knight" from "WhiteKnight" "BlackKnight"),
        _ => &[],
    }
}

/// Writes the pictures of a game to a folder, and creates it if necessary. Existing files of these names are replaced.
///
/// # Errors
/// The path that cannot be written, and the error.
pub fn write_pieces(game: &str, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let named = |path: &Path, error| (path.to_owned(), error);
    fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
    for (name, picture) in piece_files(game) {
        let path = folder.join(name);
        fs::write(&path, picture).map_err(|error| named(&path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::layout::Layout;
    use super::*;

    #[test]
    fn each_piece_of_each_layout_has_two_pictures() {
        for (game, start) in [
            ("entropy", "sssss/s3s/5/o3o/ooooo o 0"),
            ("gobblet", ".,.,.,./.,.,.,./.,.,.,./.,.,.,. r"),
            ("projex", "2/3/4/3 x 1"),
            ("susan", "3/4/5/4/3 x 0"),
        ] {
            let layout = Layout::new(game, start).expect("it fits");
            let names: Vec<&str> = piece_files(game).iter().map(|(name, _)| *name).collect();
            // The slots between pawn and king.
            for (_, slot) in layout
                .letters
                .iter()
                .zip(["Knight", "Bishop", "Rook", "Queen"])
            {
                for colour in ["White", "Black"] {
                    let name = format!("{colour}{slot}.svg");
                    assert!(names.contains(&name.as_str()), "{game}: {name}");
                }
            }
            assert_eq!(names.len(), 2 * layout.letters.len());
        }
        assert!(piece_files("graph-hockey").is_empty());
    }

    #[test]
    fn pictures_have_the_size_that_xboard_scales_from() {
        for game in ["entropy", "gobblet", "projex", "susan"] {
            for (name, picture) in piece_files(game) {
                let is_svg = picture.starts_with("<svg ")
                    && picture.contains("width=\"100\" height=\"100\"");
                assert!(is_svg, "{game}/{name}");
            }
        }
    }
}
