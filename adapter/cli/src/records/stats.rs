//! `linesman stats`: statistics and plots from recorded games.

use std::process::ExitCode;

use record::game::GameRecord;
use record::plan::Plan;
use record::schedule::Finished;
use record::stats::{
    Report, RoundTable, Sprt, SprtStatus, Summary, TimeUse, by_machine, time_use, windows,
};
use report::MatchReport;

use crate::args::{StatsArgs, keys};
use crate::output::{self, json_text, printable, shows_unicode};
use crate::records::own_file::OwnFile;
use crate::records::source::{self, Source};
use crate::records::text_report;
use crate::usage::Failure;

/// Shows the statistics of all files together.
pub(crate) fn run(args: &StatsArgs) -> Result<ExitCode, Failure> {
    let files = Files::check(args)?;
    let sources = source::read_all(&args.files)?;
    let asked = args.sprt.as_deref().map(keys::sprt).transpose()?;
    let times: Vec<TimeUse> = sources.iter().flat_map(times).collect();
    let rounds: Vec<RoundTable> = sources.iter().filter_map(rounds).collect();
    let (plans, games): (Vec<Option<Plan>>, Vec<Vec<GameRecord>>) = sources
        .into_iter()
        .map(|source| (source.plan, source.games))
        .unzip();
    let planned = plans.iter().flatten().find_map(|plan| plan.sprt);
    let all_names: Vec<String> = plans.iter().flatten().flat_map(Plan::names).collect();
    let names = distinct(all_names.iter().map(String::as_str));
    let test = asked.or(planned);
    let plans: Vec<Option<&Plan>> = plans.iter().map(Option::as_ref).collect();
    let summary = Summary::of(&plans, &games, &names, test);
    let numbers = summary.report();
    let first = names.first().copied().unwrap_or_default();
    let machines = match args.by_machine {
        true => by_machine(games.iter().flatten(), first),
        false => Vec::new(),
    };
    let windows = match args.every {
        Some(every) => windows(games.iter().flatten(), first, every),
        None => Vec::new(),
    };
    let status = match asked {
        Some(test) => Some(judge(test, &numbers)?),
        // The test of a ledger judges two players; with more players, it is not shown.
        None => planned.and_then(|test| judge(test, &numbers).ok()),
    };
    let plans: Vec<&Plan> = plans.into_iter().flatten().collect();
    files.write(&MatchReport::new(plans, &summary, test).with_windows(&windows))?;
    let shown = if args.json {
        let value = serde_json::json!({"report": numbers, "sprt": status, "times": times, "rounds": rounds, "machines": machines, "windows": windows});
        json_text(&value.to_string()) + "\n"
    } else {
        let mut text = text_report::text(&numbers, &summary.faults, status.as_ref());
        if shows_unicode() {
            text.extend(text_report::elo_curve(&summary.progress()).map(|curve| curve + "\n"));
        }
        text.extend(rounds.iter().map(text_report::rounds));
        text += &text_report::clocks(&times);
        text += &text_report::machines(&machines);
        text += &text_report::windows(&windows);
        printable(&text).into_owned()
    };
    output::print_raw(&shown)?;
    Ok(ExitCode::SUCCESS)
}

/// The requested files other than the text.
struct Files {
    html: Option<OwnFile>,
    plot: Option<OwnFile>,
}

impl Files {
    fn check(args: &StatsArgs) -> Result<Files, Failure> {
        let html = args.html.as_deref();
        let plot = args.plot.as_deref();
        Ok(Files {
            html: html
                .map(|path| OwnFile::check(path, "--html", report::is_page))
                .transpose()?,
            plot: plot
                .map(|path| OwnFile::check(path, "--plot", report::is_svg))
                .transpose()?,
        })
    }

    fn write(&self, shown: &MatchReport) -> Result<(), Failure> {
        if let Some(file) = &self.html {
            file.write(shown.page())?;
        }
        if let Some(file) = &self.plot {
            file.write(shown.svg())?;
        }
        Ok(())
    }
}

/// The names without repetitions, in order of their first occurrence.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

/// The players' time use in one ledger.
fn times(source: &Source) -> Vec<TimeUse> {
    let limits = source.plan.as_ref().map_or_else(Vec::new, Plan::limits);
    let named = limits.iter().map(|(name, limit)| (name.as_str(), *limit));
    time_use(&named.collect::<Vec<_>>(), &source.games)
}

/// The rounds of one ledger, if it has any.
fn rounds(source: &Source) -> Option<RoundTable> {
    let games = source.games.iter().map(Finished::from);
    RoundTable::of(source.plan.as_ref()?, games)
}

fn judge(test: Sprt, numbers: &Report) -> Result<SprtStatus, Failure> {
    match numbers.duels.as_slice() {
        [duel] => Ok(test.status(&duel.sample())),
        duels => {
            let met = duels.len();
            Err(Failure::Usage(format!(
                "--sprt: games of {met} pairs of players: expected one pair"
            )))
        }
    }
}
