//! The record of an engine that learns: its games and its scores.

use std::process::ExitCode;

use kit::fen::counted;
use kit::learn::Learner;
use linesman::learner::{MAX_WINDOWS, Record};
use linesman::output::{print, shows_unicode};
use linesman::records::own_file::OwnFile;
use linesman::usage::{Failure, OrFail};
use record::registry::Registry;

use super::board;
use crate::args::LearnerRecordArgs;

/// Rows of the plot.
const ROWS: usize = 10;
/// Parts of a row, from empty to full.
const PARTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Shows the record of a file.
pub(super) fn run(args: &LearnerRecordArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let path = args.file.as_deref().expect("a required argument");
    let svg = args.plot.as_deref();
    let svg = svg.map(|path| OwnFile::check(path, "--plot", report::is_svg));
    let svg = svg.transpose()?;
    let learner = Learner::read(path).or_fail()?;
    linesman::learner::learner(&board(None, &learner, registry)?, registry, path.display())?;
    let record = Record::of(&learner, args.every);
    print(text(&learner, &record, shows_unicode()).trim_end(), false)?;
    if let Some(file) = svg {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let plot = report::score_svg(&name, &record.windows);
        let why = format!(
            "--plot: too few games: a plot needs two columns of {}",
            record.every
        );
        file.write(plot.ok_or(Failure::Trouble(why))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The summary of a record with a plot.
fn text(learner: &Learner, record: &Record, has_unicode: bool) -> String {
    let mut text = String::new();
    if !learner.history.board.is_empty() {
        text += &format!("board: {}\n", learner.history.board);
    }
    text += &format!("{}\n", record.summary());
    if record.windows.is_empty() {
        return text + "no game with a result of its own is on record\n";
    }
    let scores: Vec<f64> = record.windows.iter().map(|window| window.score).collect();
    for part in scores.chunks(MAX_WINDOWS) {
        text += &format!("\n{}", columns(part, has_unicode));
    }
    let games = counted(record.every, "game");
    text + &format!("      a column for each {games}\n")
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
    use super::columns;

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
