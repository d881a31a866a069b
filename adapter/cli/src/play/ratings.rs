//! This user's ratings, which a level `adaptive` follows: `levels.json` in the data folder, an object with a rating for
//! each game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use kit::lock::WriterLock;
use table::level::{Rating, Ratings};

use crate::paths;
use crate::platform::{PRIVATE, write_whole};

/// The ratings in the data folder.
#[derive(Debug)]
pub(crate) struct OwnRatings;

impl Ratings for OwnRatings {
    fn load(&self, game: &str) -> io::Result<Option<Rating>> {
        Ok(read(&file()?)?.remove(game))
    }

    fn store(&self, game: &str, rating: Option<Rating>) -> io::Result<()> {
        store(&file()?, game, rating)
    }
}

fn file() -> io::Result<PathBuf> {
    paths::data().map(|folder| folder.join("levels.json"))
}

fn store(path: &Path, game: &str, rating: Option<Rating>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    let lock = WriterLock::acquire(path, "another linesman is writing to it");
    let _lock = lock.map_err(io::Error::other)?;
    let mut ratings = read(path)?;
    match rating {
        Some(rating) => ratings.insert(game.to_owned(), rating),
        None => ratings.remove(game),
    };
    let text = serde_json::to_string_pretty(&ratings)?;
    write_whole(path, text.as_bytes(), PRIVATE, true).map_err(|error| named(path, &error))
}

/// Returns the ratings by game; none if the file does not exist.
fn read(path: &Path) -> io::Result<BTreeMap<String, Rating>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(named(path, &error)),
        Ok(text) => serde_json::from_slice(&text).map_err(|error| named(path, &error)),
    }
}

fn named(path: &Path, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_kept_by_game_and_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data/levels.json");
        let rating = |elo| Rating { elo, games: 2 };
        store(&path, "susan", Some(rating(500.0))).expect("stored");
        store(&path, "gobblet:Size=4", Some(rating(90.5))).expect("stored");
        let games = read(&path).expect("a file");
        assert_eq!(games["susan"], rating(500.0));
        assert_eq!(games["gobblet:Size=4"], rating(90.5));
        store(&path, "susan", None).expect("stored");
        let games: Vec<String> = read(&path).expect("a file").into_keys().collect();
        assert_eq!(games, ["gobblet:Size=4"]);
    }

    #[test]
    fn a_damaged_file_is_named_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("levels.json");
        fs::write(&path, "{").expect("written");
        let error = store(&path, "susan", None)
            .expect_err("damaged")
            .to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "{");
    }
}
