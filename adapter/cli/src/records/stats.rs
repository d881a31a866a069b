//! `linesman stats`: statistics and plots from recorded games.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use itertools::Itertools;
use kit::Side;
use record::format::Shard;
use record::game::GameRecord;
use record::plan::Plan;
use record::registry::Registry;
use record::schedule::Schedule;
use record::stats::{Summary, ThinkingTime};
use report::MatchReport;

use crate::args::{StatsArgs, keys};
use crate::output::{self, printable};
use crate::records::files::OwnFile;
use crate::records::render;
use crate::records::source::{self, Opened};
use crate::usage::{Failure, OrFail, refuse, trouble, warn};

/// Shows the statistics of all files together. The games of ledgers are read one by one.
pub(crate) fn run(args: &StatsArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let html = args.html.as_deref();
    let html = html.map(|path| OwnFile::check(path, "--html", report::is_page));
    let plot = args.plot.as_deref();
    let plot = plot.map(|path| OwnFile::check(path, "--plot", report::is_svg));
    let (html, plot) = (html.transpose()?, plot.transpose()?);
    let sources = args.files.iter().map(|path| Source::open(path));
    let mut sources: Vec<Source> = sources.collect::<Result<_, _>>()?;
    let asked = keys::sprt(args.sprt.as_deref().unwrap_or_default())?;
    let plans = sources.iter().filter_map(|source| source.plan.as_ref());
    let planned = plans.clone().find_map(|plan| plan.sprt);
    let names: Vec<String> = plans.flat_map(Plan::names).unique().collect();
    let mut counters = Counters {
        summary: Summary::new(&names, asked.or(planned)),
        known: HashMap::new(),
    };
    for index in 0..sources.len() {
        let plan = counters.count(&sources, index, registry)?;
        sources[index].plan = plan;
    }
    let summary = counters.summary;
    let times: Vec<&ThinkingTime> = summary
        .times
        .iter()
        .filter(|time| time.is_timed())
        .collect();
    let ledgers = sources.iter().enumerate().filter_map(|(index, source)| {
        Some(Part {
            path: &source.path,
            plan: source.plan.as_ref()?,
            n_games: summary.results(index).count(),
        })
    });
    check_parts(&ledgers.collect::<Vec<_>>())?;
    let windows = args.every.map(|every| summary.windows(every));
    let windows = windows.unwrap_or_default();
    let plans = sources.iter().map(|source| source.plan.as_ref());
    let mut shown = MatchReport::new(plans, &summary);
    shown.windows = &windows;
    // The test of a ledger is not shown for more than two players.
    if asked.is_some() && shown.sprt.is_none() {
        return refuse!(
            "--sprt: the test compares two players, and {} pairs have met: name files of one pair",
            shown.numbers.duels.len()
        );
    }
    html.map_or(Ok(()), |file| file.write(shown.page()))?;
    plot.map_or(Ok(()), |file| file.write(shown.svg()))?;
    if args.json {
        let value = serde_json::json!({"report": shown.numbers, "sprt": shown.sprt, "times": times,
            "rounds": shown.rounds(), "windows": windows});
        return output::finish(&value.to_string(), true);
    }
    let (text, clocks) = (render::text(&shown), render::clocks(&times));
    let text = [text, clocks, render::windows(&windows)].concat();
    output::print_raw(&printable(&text)).map(|()| ExitCode::SUCCESS)
}

/// A file of recorded games.
struct Source {
    path: PathBuf,
    /// The plan of a ledger.
    plan: Option<Plan>,
    /// The games of a PGN file by pair and game, since a rating program may have sorted the file.
    pgn: BTreeMap<(usize, usize), Vec<GameRecord>>,
}

impl Source {
    fn open(path: &Path) -> Result<Source, Failure> {
        let mut source = Source {
            path: path.to_owned(),
            plan: None,
            pgn: BTreeMap::new(),
        };
        match source::open(path)? {
            Opened::Ledger(reader) => source.plan = Some(reader.ledger.plan),
            Opened::Pgn(games) => {
                for game in games.into_iter().map(|game| game.record) {
                    let known = source.pgn.entry((game.pair, game.game));
                    known.or_default().push(game);
                }
            }
        }
        Ok(source)
    }

    /// `true` if a PGN file contains this game.
    fn repeats(&self, game: &GameRecord) -> bool {
        let own = self.pgn.get(&(game.pair, game.game));
        own.is_some_and(|own| own.iter().any(|own| own.is_same_game(game)))
    }
}

/// Everything that is counted game by game.
struct Counters {
    summary: Summary,
    /// The numbers of the games counted of each match: a game in two ledgers of one match counts once.
    known: HashMap<Vec<u8>, HashSet<usize>>,
}

impl Counters {
    /// Counts the games of a file. Returns its plan with all extensions. A PGN file that repeats another file is an
    /// error.
    fn count(
        &mut self,
        sources: &[Source],
        index: usize,
        registry: Registry,
    ) -> Result<Option<Plan>, Failure> {
        let Source { path, plan, pgn } = &sources[index];
        self.summary.begin_source(plan.as_ref());
        let others: Vec<&Source> = match plan {
            Some(_) => sources.iter().collect(),
            None => sources[index + 1..].iter().collect(),
        };
        let check = |game: &GameRecord| match others.iter().find(|other| other.repeats(game)) {
            Some(other) => {
                let (pgn, path) = (other.path.display(), path.display());
                refuse!("{pgn} repeats {path}")
            }
            None => Ok(()),
        };
        let Some(plan) = plan else {
            for game in pgn.values().flatten() {
                check(game)?;
                self.summary.count(game);
            }
            return Ok(None);
        };
        let Opened::Ledger(mut reader) = source::open(path)? else {
            return Err(trouble(path.display(), "was changed while it was read"));
        };
        let rules = registry.rules(&plan.game).ok().flatten();
        // Ledgers of older versions lack the side that moved first: it follows from the position string.
        let mut first_movers: HashMap<String, Option<Side>> = HashMap::new();
        let mut known = self.known.remove(reader.identity()).unwrap_or_default();
        for game in reader.by_ref() {
            let mut game = game.or_trouble(path.display())?;
            check(&game)?;
            if known.insert(game.game) {
                if let (Some(rules), Some(fen)) = (&rules, &game.opening.fen) {
                    let first = first_movers.entry(fen.clone());
                    let first = first.or_insert_with(|| rules.first_mover(&game.opening));
                    game.first = first.unwrap_or(game.first);
                }
                self.summary.count(&game);
            }
        }
        source::warn_torn(path, reader.ledger.torn);
        self.known.insert(reader.identity().to_vec(), known);
        Ok(Some(reader.ledger.plan))
    }
}

/// A ledger of a match, or of a part of one.
#[derive(Clone, Copy)]
struct Part<'a> {
    path: &'a Path,
    plan: &'a Plan,
    /// Number of games that were counted.
    n_games: usize,
}

/// Checks that all parts are of one match and that no game is in two of them. Names the parts and games that are
/// missing on standard error.
fn check_parts(ledgers: &[Part<'_>]) -> Result<(), Failure> {
    let Some((first, Shard { of, .. })) = ledgers
        .iter()
        .find_map(|ledger| Some((ledger, ledger.plan.shard?)))
    else {
        return Ok(());
    };
    let mut parts: BTreeMap<usize, Part<'_>> = BTreeMap::new();
    for ledger in ledgers {
        let (name, first_name) = (ledger.path.display(), first.path.display());
        let difference = first_difference(first.plan, ledger.plan);
        return Err(Failure::Usage(match (ledger.plan.shard, difference) {
            (None, Some(_)) => continue,
            (None, None) => format!(
                "{name} is the whole match of which {first_name} is a part: name the parts alone"
            ),
            (Some(_), Some(field)) => format!(
                "{name} is of another match than {first_name}: {field} differs: name parts of one match"
            ),
            (Some(shard), None) if shard.of != of => format!(
                "{name} is part {shard} and {first_name} one of {of}: name parts of one division"
            ),
            (Some(shard), None) => match parts.get_mut(&shard.number) {
                None => {
                    parts.insert(shard.number, *ledger);
                    continue;
                }
                // The games of a copy were not counted again.
                Some(known) if known.plan.id == ledger.plan.id => {
                    known.n_games += ledger.n_games;
                    continue;
                }
                Some(known) => {
                    let known = known.path.display();
                    format!("{name} is part {shard}, as {known} is: name each part once")
                }
            },
        }));
    }
    warn_of_missing(first.plan, of, &parts);
    Ok(())
}

fn warn_of_missing(plan: &Plan, of: usize, parts: &BTreeMap<usize, Part<'_>>) {
    let n_games = |shard: Option<Shard>| {
        let plan = Plan {
            shard,
            ..plan.clone()
        };
        Schedule::new(&plan).n_games()
    };
    let mut n_missing = n_games(None);
    for (&number, part) in parts {
        let (n_played, n_planned) = (part.n_games, n_games(Some(Shard { number, of })));
        n_missing -= n_planned;
        if n_played < n_planned {
            let name = part.path.display();
            warn(&format!(
                "warning: {name}: {n_played} of the {n_planned} games of its part"
            ));
        }
    }
    const SHOWN: usize = 8;
    let n_parts = of - parts.len();
    if n_parts > 0 {
        let missing = (1..=of).filter(|number| !parts.contains_key(number));
        let missing = missing.map(|number| format!("{number}/{of}")).take(SHOWN);
        let more = (n_parts > SHOWN).then(|| "…".to_owned());
        let shown = missing.chain(more).join(", ");
        warn(&format!(
            "warning: {n_parts} of {of} parts are missing, with {n_missing} games: {shown}"
        ));
    }
}

/// The fields in which the plans of the parts of one match may differ.
const OF_A_PART: &str = "id version date shard concurrency ledger affinity outputs";

/// The first field in which two plans differ, among the fields that determine the games.
fn first_difference(one: &Plan, other: &Plan) -> Option<String> {
    let [one, other] = [one, other].map(|plan| serde_json::to_value(plan).unwrap_or_default());
    let mut fields = one.as_object()?.keys().chain(other.as_object()?.keys());
    let differs = |field: &&String| {
        let is_of_part = OF_A_PART.split(' ').any(|own| own == *field);
        !is_of_part && one.get(field.as_str()) != other.get(field.as_str())
    };
    fields.find(differs).cloned()
}
