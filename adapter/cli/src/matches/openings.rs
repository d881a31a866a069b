//! `--openings`: the start positions of games.

use std::num::NonZero;
use std::path::Path;
use std::str::FromStr;

use record::opening::Opening;
use record::opening::source::{Balance, MAX_LISTED, OpeningSource};
use record::registry::Rules;
use referee::opening;
use referee::opening::{Book, FileError};

use crate::paths::absolute;
use crate::usage::{Failure, OrFail, plain_trouble, refuse, trouble, usage};

/// Random plies of an opening without `--openings`.
const DEFAULT_PLIES: usize = 2;

const EXPECTED_OPENINGS: &str = "none, random:plies=N, balanced:plies=N with score=CP and nodes=N, \
    book=F with plies=N, or file=F with order=sequential or random, start=K and plies=N";

/// Largest number of balanced openings listed in a plan: they take a search each, before the first game.
const MAX_BALANCED: usize = 100;

/// `score=` and `nodes=` of balanced openings.
const DEFAULT_SCORE: u32 = 50;
const DEFAULT_NODES: u64 = 2_000;

/// The words of `--openings`; each is removed when it is read.
struct Keys<'a>(Vec<&'a str>);

impl<'a> Keys<'a> {
    /// Removes a key and returns its value, if it is present.
    fn find(&mut self, key: &str) -> Option<&'a str> {
        let value = |word: &&'a str| word.strip_prefix(key)?.strip_prefix('=');
        let at = self.0.iter().position(|word| value(word).is_some())?;
        value(&self.0.remove(at))
    }

    /// The value of a key as a number.
    fn number<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, Failure> {
        let value = self.find(key);
        let number = value.map(|value| value.parse().map_err(|_| bad(&format!("{key}={value}"))));
        number.transpose()
    }
}

/// The error for an unexpected word.
fn bad(word: &str) -> Failure {
    usage("--openings", format!("{word:?}: give {EXPECTED_OPENINGS}"))
}

/// Parses the words of `--openings`.
pub fn opening_source(words: &[String], has_rules: bool) -> Result<OpeningSource, Failure> {
    if let Some(word) = words.iter().find(|word| word.starts_with("format=")) {
        return refuse!("--openings: {word}: leave it out: the file shows its format");
    }
    if words == ["none"] || (words.is_empty() && !has_rules) {
        return Ok(OpeningSource::None);
    }
    let mut keys = Keys(words.iter().map(String::as_str).collect());
    let source = if let Some(path) = keys.find("file") {
        OpeningSource::File {
            path: absolute(Path::new(path)),
            start: keys.number("start")?.map_or(1, NonZero::get),
            plies: keys.number("plies")?,
            is_shuffled: match keys.find("order") {
                None | Some("sequential") => false,
                Some("random") => true,
                Some(other) => return Err(bad(&format!("order={other}"))),
            },
        }
    } else if let Some(path) = keys.find("book") {
        OpeningSource::Book {
            path: absolute(Path::new(path)),
            plies: keys.number::<NonZero<usize>>("plies")?.map(NonZero::get),
        }
    } else if let Some(plies) = keys.number("balanced:plies")? {
        let balance = Balance {
            plies,
            score: keys.number("score")?.unwrap_or(DEFAULT_SCORE),
            nodes: keys.number("nodes")?.unwrap_or(DEFAULT_NODES),
        };
        balance.check().or_usage("--openings")?;
        OpeningSource::Balanced(balance)
    } else {
        let plies = keys.number("random:plies")?;
        let default = words.is_empty().then_some(DEFAULT_PLIES);
        let missing = || bad(&words.join(" "));
        OpeningSource::Random {
            plies: plies.or(default).ok_or_else(missing)?,
        }
    };
    match keys.0.first() {
        None => Ok(source),
        Some(word) => Err(bad(word)),
    }
}

/// The words of `--openings` for a source.
pub(crate) fn source_words(source: &OpeningSource) -> Vec<String> {
    let of_plies = |plies: &Option<usize>| plies.map(|plies| format!("plies={plies}"));
    match source {
        OpeningSource::None => vec!["none".to_owned()],
        OpeningSource::Random { plies } => vec![format!("random:plies={plies}")],
        OpeningSource::Balanced(balance) => vec![
            format!("balanced:plies={}", balance.plies),
            format!("score={}", balance.score),
            format!("nodes={}", balance.nodes),
        ],
        OpeningSource::Book { path, plies } => {
            let book = format!("book={}", path.display());
            std::iter::once(book).chain(of_plies(plies)).collect()
        }
        OpeningSource::File {
            path,
            is_shuffled,
            start,
            plies,
        } => {
            let order = if *is_shuffled { "random" } else { "sequential" };
            let file = format!("file={}", path.display());
            let words = [file, format!("order={order}"), format!("start={start}")];
            words.into_iter().chain(of_plies(plies)).collect()
        }
    }
}

/// One opening for each of `n_openings` pairs; fewer if the plan repeats openings or draws more of them during the
/// match.
pub fn openings(
    source: &OpeningSource,
    rules: Option<&Rules>,
    srand: u64,
    n_openings: usize,
) -> Result<Vec<Opening>, Failure> {
    let start = rules.map(Rules::start);
    let listed = list(source, rules, srand, n_openings);
    let fault = || start.and_then(|board| board.fault());
    listed.map_err(|failure| fault().map_or(failure, plain_trouble))
}

fn list(
    source: &OpeningSource,
    rules: Option<&Rules>,
    srand: u64,
    n_openings: usize,
) -> Result<Vec<Opening>, Failure> {
    let of_file = |error: FileError| match error.is_unread {
        true => trouble("--openings", error),
        false => usage("--openings", error),
    };
    let most = match source {
        OpeningSource::Balanced(_) => MAX_BALANCED,
        _ => MAX_LISTED,
    };
    let n_listed = n_openings.min(most) as u64;
    match source {
        OpeningSource::None => Ok(vec![Opening::default()]),
        OpeningSource::Balanced(_) if rules.is_none() => refuse!(
            "--openings: balanced needs a built-in engine, but any has none: use random:plies=N, book=F or file=F"
        ),
        OpeningSource::Random { .. } | OpeningSource::Balanced(_) => {
            // Without rules, the running engines draw random openings later.
            let drawn = (0..n_listed).filter_map(|index| source.draw(rules?, srand, index));
            drawn.collect::<Result<_, _>>().or_usage("--openings")
        }
        OpeningSource::Book { path, plies } => {
            let book = Book::load(path, rules).map_err(of_file)?;
            let choose = |index| book.choose(*plies, srand, index);
            Ok((0..n_listed).map(choose).collect())
        }
        OpeningSource::File {
            path,
            is_shuffled,
            start,
            plies,
        } => {
            let mut all = opening::load(path, *plies, rules).map_err(of_file)?;
            if *is_shuffled {
                fastrand::Rng::with_seed(srand).shuffle(&mut all);
            }
            let n_first = (start - 1) % all.len();
            all.rotate_left(n_first);
            all.truncate(n_openings);
            Ok(all)
        }
    }
}
