//! Bounds on the records that travel: a worker keeps to them, and a coordinator checks them.

use protocol::text::excerpt;
use record::game::{FaultReport, GameRecord, Machine};
use referee::arbiter::is_code;
use referee::play::{MAX_NOTES, MAX_TEXT};

/// Maximum total length of an engine's texts in a fault report, in bytes.
const MAX_FAULT: usize = 1 << 20;

/// Maximum total length of the principal variations of a game, in bytes of JSON. A message holds two games.
const MAX_PV: usize = 2 << 20;

/// Maximum length of the name of a machine or a worker, in bytes.
const MAX_NAME: usize = 400;

/// Range of plausible time factors of a machine.
const SCALES: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// Shortens a record to what a message holds.
pub(crate) fn fit(record: &mut GameRecord) {
    let mut n_left = MAX_PV;
    for ply in record.plies.iter_mut().flatten() {
        let mut fits = |code: &str| {
            // Two quotation marks and a comma.
            let n_bytes = code.len() + 3;
            let fits = n_bytes <= n_left;
            n_left -= if fits { n_bytes } else { 0 };
            fits
        };
        let n_kept = ply.pv.iter().take_while(|code| fits(code)).count();
        ply.pv.truncate(n_kept);
    }
    if let Some(fault) = &mut record.fault
        && fault_bytes(fault) > MAX_FAULT
    {
        // The record has the moves of the position.
        fault.position = excerpt(&fault.position);
    }
}

fn fault_bytes(fault: &FaultReport) -> usize {
    let lines: usize = fault.lines.iter().map(String::len).sum();
    lines + fault.engine.len() + fault.position.len() + fault.stderr.len()
}

/// Checks that a record from a worker has the form and the bounds of one that [`fit`] returned.
///
/// # Errors
/// If it does not. The text describes the first problem.
pub(crate) fn check(record: &GameRecord) -> Result<(), String> {
    let plies = || record.plies.iter().flatten();
    let words = plies().flat_map(|ply| ply.pv.iter().chain(&ply.by));
    let mut texts = record.notes.iter().chain(words);
    let is_line = |text: &str, n_most| text.len() <= n_most && !text.contains(char::is_control);
    let is_machine = |machine: &Machine| {
        is_line(&machine.name, MAX_NAME)
            && is_line(&machine.worker, MAX_NAME)
            && SCALES.contains(&machine.scale)
    };
    let checks = [
        (
            record.plies.len() == record.moves.len(),
            "not one entry of plies per move",
        ),
        (
            record.moves.iter().all(|code| is_code(code)),
            "not a move's code",
        ),
        (
            plies().all(|ply| ply.time.is_finite() && ply.time >= 0.0),
            "a negative time",
        ),
        (record.date.len() <= 10 && record.date.is_ascii(), "no date"),
        (
            record.notes.len() <= MAX_NOTES && texts.all(|text| is_line(text, MAX_TEXT)),
            "a text that is too long or has control characters",
        ),
        // It may quote an engine, and so contain control characters. They are replaced when it is printed.
        (record.reason.len() <= MAX_TEXT, "a reason that is too long"),
        (
            record
                .fault
                .as_ref()
                .is_none_or(|fault| fault_bytes(fault) <= MAX_FAULT),
            "a fault report that is too long",
        ),
        (
            record.machine.as_ref().is_none_or(is_machine),
            "no valid description of its machine",
        ),
    ];
    let wrong = checks.into_iter().find(|(is_sound, _)| !is_sound);
    wrong.map_or(Ok(()), |(_, why)| Err(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use record::game::PlyRecord;

    use super::*;
    use crate::record_testing::finished_game;

    /// Two records fit into a message of 16 MiB, whatever their engines have written.
    #[test]
    fn what_is_sent_fits_into_a_message() {
        let variations = [
            ["a1", "b1"].map(str::to_owned).to_vec(),
            vec!["b1".to_owned(); 10_000_000],
        ];
        let plies = variations.map(|pv| {
            Some(PlyRecord {
                pv,
                ..PlyRecord::default()
            })
        });
        let mut game = GameRecord {
            moves: vec!["a1".to_owned(), "b1".to_owned()],
            plies: plies.to_vec(),
            notes: vec!["ä".repeat(MAX_TEXT / 2); MAX_NOTES],
            reason: "ä".repeat(MAX_TEXT / 2),
            fault: Some(FaultReport {
                engine: "A".to_owned(),
                position: "position startpos moves".to_owned() + &" a1".repeat(1 << 20),
                lines: vec!["\u{1}".repeat(200); 16],
                stderr: "\u{1}".repeat(4096),
            }),
            ..finished_game(1)
        };
        assert!(check(&game).is_err());
        fit(&mut game);
        assert_eq!(check(&game), Ok(()));
        let kept: Vec<usize> = game
            .plies
            .iter()
            .flatten()
            .map(|ply| ply.pv.len())
            .collect();
        assert!(kept[0] == 2 && kept[1] > 100_000, "{kept:?}");
        let n_bytes = serde_json::to_vec(&game).expect("plain data").len();
        assert!(2 * n_bytes < 16 << 20, "{n_bytes}");
    }

    #[test]
    fn a_machine_of_no_plausible_speed_is_rejected() {
        let machine = |scale: f64, worker: &str| GameRecord {
            machine: Some(Machine {
                name: "m".to_owned(),
                worker: worker.to_owned(),
                scale,
            }),
            ..finished_game(1)
        };
        assert_eq!(check(&machine(1.0, "w")), Ok(()));
        for (scale, worker) in [
            (0.0, ""),
            (1e9, ""),
            (f64::NAN, ""),
            (1.0, "\n"),
            (1.0, &"x".repeat(401)),
        ] {
            assert!(check(&machine(scale, worker)).is_err(), "{scale} {worker}");
        }
    }
}
