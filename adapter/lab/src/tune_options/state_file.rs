//! The state of a tuning on disk, as JSON lines: the settings, then one finished iteration a line.

use std::io;
use std::path::Path;

use record::ledger::{LedgerWriter, SyncPolicy, sealed_lines};
use serde::{Deserialize, Serialize};

use super::course::{Course, Trial, Tuning};
use crate::json_lines::{self, each_line, parse};

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    tuning: Tuning,
}

/// A finished iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Iteration {
    #[serde(flatten)]
    pub(crate) trial: Trial,
    #[serde(flatten)]
    pub(crate) score: TrialScore,
    /// The values after the iteration, for human readers; on resume they are recomputed.
    pub(crate) values: Vec<f64>,
}

/// The results of an iteration, from the point of view of the engine with the values `plus`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TrialScore {
    /// Games won.
    pub(crate) wins: u32,
    /// Games drawn or without a result.
    pub(crate) draws: u32,
    /// Games lost.
    pub(crate) losses: u32,
    /// Reasons of the losses by a fault.
    #[serde(skip)]
    pub(crate) faults: Vec<String>,
}

/// Creates a new file.
///
/// # Errors
/// The file exists or cannot be written. The error names it.
pub(crate) fn create(path: &Path, tuning: &Tuning, sync: SyncPolicy) -> io::Result<LedgerWriter> {
    let tuning = tuning.clone();
    let first = sealed_lines(std::iter::once(FirstLine { tuning }))?;
    LedgerWriter::create_lines(path, &first, sync)
}

/// Locks a file, reads the settings and replays the iterations.
///
/// # Errors
/// The file is locked, cannot be read or contains an invalid line. The error names the file and the line.
pub(crate) fn open(path: &Path, sync: SyncPolicy) -> io::Result<(LedgerWriter, Course)> {
    json_lines::open(path, sync, |bytes| {
        let first = bytes.split_inclusive(|byte| *byte == b'\n').next();
        let FirstLine { tuning } = parse(first.unwrap_or_default()).map_err(|why| {
            format!("line 1: {why}: name a file that linesman-lab tune-options wrote")
        })?;
        let mut course = Course::new(tuning);
        each_line(bytes, 2, |kept| replay(&mut course, &kept))?;
        Ok(course)
    })
}

fn replay(course: &mut Course, kept: &Iteration) -> Result<(), String> {
    let Iteration { trial, score, .. } = kept;
    let is_it = |next: &Trial| {
        (next.iteration, &next.plus, &next.minus) == (trial.iteration, &trial.plus, &trial.minus)
    };
    let Some(next) = course.next_trial().filter(is_it) else {
        let next = course.n_done + 1;
        return Err(format!(
            "iteration {} does not follow from the lines before it: iteration {next} is next",
            trial.iteration
        ));
    };
    course.take(&next, score.margin());
    Ok(())
}

impl TrialScore {
    /// The number of games that `plus` won minus those it lost.
    pub(crate) fn margin(&self) -> i64 {
        i64::from(self.wins) - i64::from(self.losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune_options::course::tests::tuning;

    fn played(course: &mut Course) -> Iteration {
        let trial = course.next_trial().expect("not the last");
        let score = TrialScore {
            wins: 2,
            ..TrialScore::default()
        };
        course.take(&trial, score.margin());
        let values = course.values.clone();
        Iteration {
            trial,
            score,
            values,
        }
    }

    #[test]
    fn the_course_goes_on_from_its_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.jsonl");
        let tuning = tuning(50, 0.05);
        let mut course = Course::new(tuning.clone());
        let mut file = create(&path, &tuning, SyncPolicy::Off).expect("a new file");
        for _ in 0..7 {
            file.sealed_line(&played(&mut course))
                .expect("it can be written");
        }
        let second = open(&path, SyncPolicy::Off).expect_err("it is being written");
        assert!(second.to_string().contains("another linesman"), "{second}");
        drop(file);
        // A line torn by a crash is truncated by the next one.
        let whole = std::fs::read(&path).expect("it is there");
        std::fs::write(&path, [&whole[..], b"{\"iteration\":8,\"pl"].concat()).expect("written");
        let (mut file, read) = open(&path, SyncPolicy::Off).expect("it is free");
        assert_eq!(read, course);
        file.sealed_line(&played(&mut course))
            .expect("it can be written");
        drop(file);
        let (_, read) = open(&path, SyncPolicy::Off).expect("it is whole");
        assert_eq!(read, course);
        assert!(
            std::fs::read(&path)
                .expect("it is there")
                .starts_with(&whole)
        );
    }

    #[test]
    fn a_file_that_was_changed_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("s.jsonl");
        let tuning = tuning(50, 0.05);
        let mut course = Course::new(tuning.clone());
        let mut file = create(&path, &tuning, SyncPolicy::Off).expect("a new file");
        let lines: Vec<Iteration> = (0..3).map(|_| played(&mut course)).collect();
        for line in &lines {
            file.sealed_line(line).expect("it can be written");
        }
        drop(file);
        let text = std::fs::read_to_string(&path).expect("it is there");
        let without_second: String = text
            .split_inclusive('\n')
            .enumerate()
            .filter_map(|(at, line)| (at != 2).then_some(line))
            .collect();
        for (text, wrong) in [
            (
                text.replace("\"wins\":2", "\"wins\":1"),
                "line 2: changed: its crc32",
            ),
            (
                without_second,
                "line 3: iteration 3 does not follow from the lines before it",
            ),
            (String::new(), "line 1: "),
            (
                "{\"plan\":1}\n".to_owned(),
                "name a file that linesman-lab tune-options wrote",
            ),
        ] {
            std::fs::write(&path, text).expect("written");
            let error = open(&path, SyncPolicy::Off).expect_err(wrong);
            assert!(error.to_string().contains(wrong), "{error}");
            assert!(error.to_string().contains("s.jsonl"), "{error}");
        }
        let there = create(&path, &tuning, SyncPolicy::Off).expect_err("it exists");
        assert!(there.to_string().contains("s.jsonl"), "{there}");
    }
}
