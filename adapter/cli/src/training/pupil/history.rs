//! The record of an engine that learns: its games and its scores.

use std::process::ExitCode;

use kit::learn::Pupil;
use record::date::moment;
use record::registry::Registry;
use record::stats::Window;

use super::{board, learner};
use crate::args::PupilRecordArgs;
use crate::output::{print, shows_unicode};
use crate::play::text::count;
use crate::records::own_file::OwnFile;
use crate::usage::{Failure, OrFail};

/// Maximum number of columns of a plot.
const MAX_COLUMNS: usize = 30;

/// Rows of the plot.
const ROWS: usize = 10;
/// Parts of a row, from empty to full.
const PARTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The record of an engine that learns.
pub(super) struct Record<'a> {
    pupil: &'a Pupil,
    /// Games per window.
    every: usize,
    windows: Vec<Window>,
}

impl<'a> Record<'a> {
    /// The scores of each `every` games; of a round number if absent.
    pub(super) fn of(pupil: &'a Pupil, every: Option<usize>) -> Record<'a> {
        let games = pupil.biography.games.iter();
        let points: Vec<u8> = games.filter_map(|game| game.half_points).collect();
        let every = every.unwrap_or_else(|| round_size(points.len()));
        let window = |(number, games): (usize, &[u8])| {
            let halves: usize = games.iter().map(|points| usize::from(*points)).sum();
            Window {
                first: number * every + 1,
                last: number * every + games.len(),
                score: halves as f64 / (2 * games.len()) as f64,
            }
        };
        let windows = points.chunks(every).enumerate().map(window).collect();
        Record {
            pupil,
            every,
            windows,
        }
    }

    /// Number of games, since when, and the first and the last score.
    pub(super) fn summary(&self) -> String {
        let Pupil {
            n_games, biography, ..
        } = self.pupil;
        let mut text = format!("learned from {}", count(*n_games as usize, "game"));
        if let Some(first) = biography.games.first() {
            let since = moment(i64::try_from(first.at).unwrap_or(i64::MAX));
            text += &match *n_games > biography.games.len() as u64 {
                true => format!(", on record since {since}"),
                false => format!(" since {since}"),
            };
        }
        let scores: Vec<String> = match &self.windows[..] {
            [] => Vec::new(),
            [only] => vec![stretch(only)],
            [first, .., last] => vec![stretch(first), stretch(last)],
        };
        if !scores.is_empty() {
            text += &format!("; its score: {}", scores.join(", "));
        }
        text
    }

    /// The summary with a plot.
    fn text(&self, has_unicode: bool) -> String {
        let mut text = String::new();
        if !self.pupil.biography.board.is_empty() {
            text += &format!("board: {}\n", self.pupil.biography.board);
        }
        text += &format!("{}\n", self.summary());
        if self.windows.is_empty() {
            return text + "no game with a result of its own is on record\n";
        }
        let scores: Vec<f64> = self.windows.iter().map(|window| window.score).collect();
        for part in scores.chunks(MAX_COLUMNS) {
            text += &format!("\n{}", columns(part, has_unicode));
        }
        let games = count(self.every, "game");
        text + &format!("      a column for each {games}\n")
    }
}

fn stretch(window: &Window) -> String {
    let percent = 100.0 * window.score;
    format!(
        "{percent:.1} % in games {} to {}",
        window.first, window.last
    )
}

/// The least round number, at least 10, by which this number of games gives a plot of limited width.
fn round_size(n_games: usize) -> usize {
    let powers = std::iter::successors(Some(10), |power| Some(power * 10));
    let mut sizes = powers.flat_map(|power| [power, 2 * power, 5 * power]);
    let size = sizes.find(|size| n_games.div_ceil(*size) <= MAX_COLUMNS);
    size.expect("sizes grow without end")
}

/// Shows the record of a file.
pub(super) fn run(args: &PupilRecordArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let path = args.file.as_deref().expect("a required argument");
    let svg = args.plot.as_deref();
    let svg = svg.map(|path| OwnFile::check(path, "--plot", report::is_svg));
    let svg = svg.transpose()?;
    let pupil = Pupil::read(path).or_fail()?;
    learner(&board(None, &pupil, registry)?, registry, path.display())?;
    let record = Record::of(&pupil, args.every);
    print(record.text(shows_unicode()).trim_end(), false)?;
    if let Some(file) = svg {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let plot = report::score_svg(&name, &record.windows);
        let why = format!(
            "--plot: expected games of at least two columns of {}",
            record.every
        );
        file.write(plot.ok_or(Failure::Trouble(why))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A column for each score from 0 to 1, with a line at the bottom.
fn columns(scores: &[f64], has_unicode: bool) -> String {
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        let label = match row + 1 {
            top if top % 5 == 0 => format!("{:3} %", 100 * top / ROWS),
            _ => String::new(),
        };
        let columns: String = scores
            .iter()
            .map(|score| column(*score, row, has_unicode))
            .collect();
        text += format!("{label:>5} |{columns}").trim_end();
        text.push('\n');
    }
    text + &format!("{:>5} +{}\n", "0 %", "-".repeat(2 * scores.len()))
}

fn column(score: f64, row: usize, has_unicode: bool) -> String {
    let parts = (score * ROWS as f64 - row as f64).clamp(0.0, 1.0) * 8.0;
    let part = match has_unicode {
        true => PARTS[parts.round() as usize],
        false if parts >= 4.0 => '#',
        false => ' ',
    };
    format!("{part} ")
}

#[cfg(test)]
mod tests {
    use super::{columns, round_size};

    #[test]
    fn a_plot_has_few_columns() {
        for (n_games, size) in [
            (0, 10),
            (300, 10),
            (301, 20),
            (2_400, 100),
            (100_000, 5_000),
        ] {
            assert_eq!(round_size(n_games), size, "{n_games}");
        }
    }

    #[test]
    fn a_column_is_as_high_as_its_score() {
        let text = columns(&[0.0, 0.55, 1.0], true);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 11);
        assert_eq!(rows[0], "100 % |    █");
        assert_eq!(rows[4], "      |  ▄ █");
        assert_eq!(rows[5], " 50 % |  █ █");
        assert_eq!(rows[10], "  0 % +------");
        assert_eq!(columns(&[0.55], false).lines().nth(4), Some("      |#"));
    }
}
