//! `linesman merge`: combines the ledgers of the parts of a match, or copies of one ledger.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kit::fen::counted;
use record::date::today;
use record::event::{Event, Recorder};
use record::file::read_records;
use record::finished::Finished;
use record::game::GameRecord;
use record::ledger::{
    Ledger, LedgerError, LedgerKey, LedgerWriter, NO_LINES, SyncPolicy, parse_ledger,
};
use record::outputs::Outputs;
use record::plan::{Plan, new_plan_id};
use record::schedule::Schedule;

use crate::args::MergeArgs;
use crate::output::printable;
use crate::paths::absolute;
use crate::records::new_files::new_file;
use crate::records::torn;
use crate::records::trust::{self, Origin};
use crate::usage::{Failure, OrFail, fail, plain_trouble, refuse};

/// Merges the files; games keep their numbers.
pub(crate) fn run(args: &MergeArgs) -> Result<ExitCode, Failure> {
    new_file("--out", &args.out)?;
    let mut parts = Vec::new();
    let key = trust::key().ok();
    let mut are_all_ours = true;
    for path in &args.files {
        let (part, is_ours) = read(path, key.as_ref())?;
        are_all_ours &= is_ours;
        parts.push((path, part));
    }
    let [(first_path, first), others @ ..] = parts.as_slice() else {
        return Err(Failure::Usage("FILE: missing: expected ledgers".to_owned()));
    };
    for (path, other) in others {
        if let Some(field) = first_difference(&first.plan, &other.plan) {
            return refuse!(
                "{} is of another match than {}: {field} differs: expected parts of one match",
                path.display(),
                first_path.display()
            );
        }
    }
    let (games, n_repeated) = games(&parts)?;
    let plan = Plan {
        id: new_plan_id(),
        date: today(),
        shard: None,
        ledger: absolute(&args.out),
        pgn: None,
        log: None,
        affinity: None,
        outputs: Outputs::default(),
        ..first.plan.clone()
    };
    let finished = games.values().copied().map(Finished::from);
    let schedule = Schedule::replay(&plan, finished).or_refuse()?;
    let key = key.filter(|_| are_all_ours);
    write(&plan, games.values().copied(), key.as_ref())?;
    tell(
        schedule.n_games(),
        parts.len(),
        games.len(),
        n_repeated,
        &args.out,
    )
    .map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a part. The flag is `true` if it was begun here.
fn read(path: &Path, key: Option<&LedgerKey>) -> Result<(Ledger, bool), Failure> {
    let bytes = read_records(path)
        .map_err(LedgerError::Io)
        .or_trouble(path.display())?;
    let ledger = parse_ledger(&bytes).or_trouble(path.display())?;
    torn::warn(path, ledger.torn);
    let is_signed = key.is_some_and(|key| key.has_signed(&bytes));
    let is_ours = trust::origin(&ledger.plan_line, is_signed) != Origin::Elsewhere;
    if ledger.is_of_table {
        return fail!(
            "{}: a ledger of linesman play: expected one of linesman match",
            path.display()
        );
    }
    Ok((ledger, is_ours))
}

/// The first field in which two plans differ, among the fields that determine the games.
fn first_difference(one: &Plan, other: &Plan) -> Option<String> {
    let shape = |plan: &Plan| Plan {
        id: String::new(),
        version: String::new(),
        date: String::new(),
        shard: None,
        concurrency: 1,
        ledger: PathBuf::new(),
        pgn: None,
        log: None,
        affinity: None,
        outputs: Outputs::default(),
        ..plan.clone()
    };
    let value = |plan: &Plan| serde_json::to_value(shape(plan)).unwrap_or_default();
    let (one, other) = (value(one), value(other));
    let fields = one.as_object()?.keys().chain(other.as_object()?.keys());
    let differs = |field: &&String| one.get(field.as_str()) != other.get(field.as_str());
    fields.into_iter().find(differs).cloned()
}

/// All games by number, and the count of games found in more than one file.
fn games<'a>(
    parts: &'a [(&PathBuf, Ledger)],
) -> Result<(BTreeMap<usize, &'a GameRecord>, usize), Failure> {
    let mut games = BTreeMap::new();
    let mut n_repeated = 0;
    for (path, part) in parts {
        for game in &part.games {
            match games.insert(game.game, game) {
                None => {}
                Some(known) if known.is_same_game(game) => n_repeated += 1,
                Some(_) => {
                    return refuse!(
                        "{}: game {} differs from the one in another file: expected each game once, or identical \
                         copies",
                        path.display(),
                        game.game
                    );
                }
            }
        }
    }
    Ok((games, n_repeated))
}

/// Writes a new ledger, signed if there is a key. If that fails, the partial file is removed.
fn write<'a>(
    plan: &Plan,
    mut games: impl Iterator<Item = &'a GameRecord>,
    key: Option<&LedgerKey>,
) -> Result<(), Failure> {
    let path = &plan.ledger;
    let mut writer = LedgerWriter::create(path, plan, NO_LINES, SyncPolicy::Off, key).or_fail()?;
    let mut record = |game: &GameRecord| {
        let record = Box::new(game.clone());
        writer.record(&Event::GameOver { record })
    };
    let written = games.try_for_each(&mut record);
    let written = written.and_then(|()| File::open(path)?.sync_all());
    written.map_err(|error| {
        let _ = fs::remove_file(path);
        plain_trouble(error)
    })
}

fn tell(
    all: usize,
    n_files: usize,
    n_games_kept: usize,
    n_repeated: usize,
    out: &Path,
) -> io::Result<()> {
    let out = out.display();
    let repeated = match n_repeated {
        0 => String::new(),
        n => format!(", {n} of them in several files"),
    };
    let mut line = format!(
        "{out}: {} of {}{repeated}",
        counted(n_games_kept, "game"),
        counted(n_files, "file")
    );
    if n_games_kept < all {
        line += &format!("; {all} are planned; to play the rest: linesman match --resume {out}");
    }
    writeln!(io::stdout().lock(), "{}", printable(&line))
}
