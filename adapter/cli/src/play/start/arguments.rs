//! Conversion of the arguments of `play` into a plan: players, seats and clocks.

use std::path::{Path, PathBuf};

use kit::Side;
use kit::session::{LEARN, SKILL_LEVEL};
use record::clock::Limit;
use record::engine_spec::{EngineSpec, ProcessLimits, Program};
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::plan::{MAX_PARTNERS, Plan, new_plan_id};
use record::registry::Registry;
use referee::date::today;
use table::{LevelChoice, SeatId};

use crate::args::TableArgs;
use crate::config::read_words;
use crate::engines::table_path::use_tables;
use crate::engines::words::Words;
use crate::game_name::{self, looks_like_game};
use crate::learner;
use crate::matches::outputs::check_distinct;
use crate::paths::absolute;
use crate::records::new_files::new_records;
use crate::usage::{Failure, refuse, usage};

/// Time margin of an engine with a fixed time per move; large, since the opponent is a person.
const MARGIN: &str = "timemargin=10000";

/// The player of a side.
pub(crate) struct SeatArgs {
    /// The player as the plan describes it.
    pub(crate) spec: EngineSpec,
    /// `true` if the seat is reserved for a guest, who joins through `--listen`.
    pub(crate) is_remote: bool,
}

/// Settings of all engines: limit and playing strength.
pub(crate) struct Defaults {
    each: Words,
    /// The clock of a person.
    person: Limit,
    level: Option<LevelChoice>,
}

impl Defaults {
    pub(crate) fn of(args: &TableArgs) -> Result<Defaults, Failure> {
        let (flag, words, person) = match (&args.tc, &args.st) {
            (Some(tc), _) => ("--tc", vec![format!("tc={tc}")], None),
            (None, Some(st)) => (
                "--st",
                vec![format!("st={st}"), MARGIN.to_owned()],
                Some(Limit::Unlimited),
            ),
            (None, None) => (
                "--st",
                vec!["st=1".to_owned(), MARGIN.to_owned()],
                Some(Limit::Unlimited),
            ),
        };
        let each = read_words(flag, &words)?;
        let clock = each.clock();
        Ok(Defaults {
            each,
            person: person.unwrap_or(clock),
            level: args.level,
        })
    }

    /// The built-in engine.
    pub(crate) fn helper(&self) -> Result<EngineSpec, Failure> {
        self.engine("--st", Words::builtin())
    }

    /// Parses the player of a seat from the text of a flag.
    pub(crate) fn seat(&self, flag: &str, text: &str) -> Result<SeatArgs, Failure> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| {
            usage(
                flag,
                format!("{text:?}: expected human, remote, none or an engine's words"),
            )
        })?;
        match words[0].as_str() {
            "human" | "remote" => Ok(SeatArgs {
                spec: self.person(flag, &words[1..])?,
                is_remote: words[0] == "remote",
            }),
            "none" => self.seat(flag, "builtin"),
            word if looks_like_game(word) => {
                refuse!(
                    "{flag}: {word:?}: expected human, human name={word}, remote, none, or an engine: builtin or cmd=PATH"
                )
            }
            _ => Ok(SeatArgs {
                spec: self.engine(flag, read_words(flag, &words)?)?,
                is_remote: false,
            }),
        }
    }

    /// Applies the limits of the command line to a player of a resumed game.
    pub(crate) fn apply(&self, spec: &mut EngineSpec) {
        match (&spec.program, self.person) {
            (Program::Person, Limit::Clock(..)) => spec.limit = self.person,
            (Program::Builtin, _) => {
                if let Ok(helper) = self.helper() {
                    spec.limit = helper.limit;
                    spec.margin_ms = helper.margin_ms;
                    spec.options.extend(helper.options);
                }
            }
            _ => {}
        }
    }

    fn engine(&self, flag: &str, words: Words) -> Result<EngineSpec, Failure> {
        let mut spec = words.spec(flag, &self.each)?;
        // The table sets an adaptive level.
        if let Some(LevelChoice::Fixed(level)) = self.level
            && spec.program == Program::Builtin
        {
            spec.options
                .insert(0, (SKILL_LEVEL.to_owned(), Some(level.to_string())));
        }
        use_tables(&mut spec);
        Ok(spec)
    }

    fn person(&self, flag: &str, words: &[String]) -> Result<EngineSpec, Failure> {
        let stray = words.iter().find(|word| !word.starts_with("name="));
        if let Some(word) = stray {
            return refuse!("{flag}: {word:?} after a person: expected name= or nothing");
        }
        let mut spec = self.engine(flag, read_words(flag, words)?.or_builtin())?;
        spec.program = Program::Person;
        spec.limit = self.person;
        spec.margin_ms = 0;
        spec.options.clear();
        spec.process = ProcessLimits::default();
        Ok(spec)
    }
}

/// The players of the two sides. With `--listen`, if no flag says `remote`, the guest gets the last seat of a person.
pub(crate) fn seats(
    args: &TableArgs,
    defaults: &Defaults,
    listens: bool,
) -> Result<[Vec<SeatArgs>; 2], Failure> {
    let other = if listens { "remote" } else { "builtin" };
    let mut seats = [
        side(defaults, "--p1", &args.p1, "human")?,
        side(defaults, "--p2", &args.p2, other)?,
    ];
    let is_any_remote = seats.iter().flatten().any(|seat| seat.is_remote);
    if listens && !is_any_remote {
        let persons = seats.iter_mut().flatten().rev();
        let mut persons = persons.filter(|seat| seat.spec.program == Program::Person);
        if let Some(seat) = persons.next() {
            seat.is_remote = true;
        }
    }
    Ok(seats)
}

/// The players of one side; its flag may be missing or repeated.
pub(crate) fn side(
    defaults: &Defaults,
    flag: &str,
    texts: &[String],
    default: &str,
) -> Result<Vec<SeatArgs>, Failure> {
    if texts.len() > MAX_PARTNERS {
        let n_players = texts.len();
        return refuse!("{flag}: {n_players} players: expected at most {MAX_PARTNERS}");
    }
    if texts.is_empty() {
        return Ok(vec![defaults.seat(flag, default)?]);
    }
    let seats = texts.iter().map(|text| defaults.seat(flag, text));
    let seats = seats.collect::<Result<Vec<_>, _>>()?;
    let mut limits = seats.iter().map(|seat| seat.spec.limit);
    let is_clock = |limit: Limit| matches!(limit, Limit::Clock(..));
    if limits.clone().any(is_clock) && limits.any(|limit| limit != seats[0].spec.limit) {
        let why = "partners share a clock: expected the same tc= for all of them, or --tc";
        return Err(usage(flag, why));
    }
    Ok(seats)
}

/// Makes the first built-in engine learn and store its weights in a file. Returns a message about what the file knows.
pub(crate) fn learn<'a>(
    mut engines: impl Iterator<Item = &'a mut EngineSpec>,
    file: &Path,
    game: &GameSpec,
    registry: Registry,
) -> Result<String, Failure> {
    let told = learner::check(&game_name::rules(registry, game)?, file, registry)?;
    let builtin = engines.find(|spec| spec.program == Program::Builtin);
    let spec = builtin.ok_or_else(|| usage("--learn", "expected a seat of the built-in engine"))?;
    let path = absolute(file);
    let path = path.to_str();
    let path = path.ok_or_else(|| usage("--learn", "expected a path in UTF-8"))?;
    spec.set(LEARN, path.to_owned());
    Ok(told)
}

/// The seats that are reserved for guests.
pub(crate) fn guest_seats(seats: &[Vec<SeatArgs>; 2]) -> Vec<SeatId> {
    let of_side = |side: Side| {
        let partners = seats[side.index()].iter().enumerate();
        let remote = partners.filter(|(_, seat)| seat.is_remote);
        remote.map(move |(partner, _)| SeatId { side, partner })
    };
    Side::BOTH.into_iter().flat_map(of_side).collect()
}

/// The seats that are reserved for guests. It is an error if guests cannot join, or if `--listen` has no seat for one.
pub(crate) fn guests(seats: &[Vec<SeatArgs>; 2], listens: bool) -> Result<Vec<SeatId>, Failure> {
    let guests = guest_seats(seats);
    match (listens, guests.is_empty()) {
        (false, false) => Err(no_address()),
        (true, true) => Err(no_guest()),
        _ => Ok(guests),
    }
}

/// The error of a seat for a guest without an address to join at.
pub(crate) fn no_address() -> Failure {
    usage(
        "--listen",
        "remote without an address: expected --listen 127.0.0.1:PORT",
    )
}

/// The error of `--listen` without a seat for a guest.
pub(crate) fn no_guest() -> Failure {
    usage(
        "--listen",
        "both players are engines: expected a seat for a person",
    )
}

/// The plan of a new game.
pub(crate) fn plan(
    args: &TableArgs,
    game: GameSpec,
    seats: &[Vec<SeatArgs>; 2],
    opening: Opening,
    registry: Registry,
) -> Result<Plan, Failure> {
    check_level(args, &game, registry)?;
    let (ledger, pgn) = new_records(args.ledger.as_deref(), args.pgn.as_deref(), &game)?;
    let specs = |seats: &Vec<SeatArgs>| seats.iter().map(|seat| seat.spec.clone()).collect();
    let players = seats.each_ref().map(specs);
    let plan = Plan {
        openings: vec![opening],
        search_timeout_ms: args.search_timeout.search_timeout_ms,
        pgn,
        ..new_plan(game, players, ledger, registry)
    };
    check_distinct(&plan)?;
    Ok(plan)
}

/// Rejects `--level` if the rules are a program, whose engine has no levels.
pub(super) fn check_level(
    args: &TableArgs,
    game: &GameSpec,
    registry: Registry,
) -> Result<(), Failure> {
    if args.level.is_some() && game_name::rules(registry, game)?.are_of_program() {
        return refuse!(
            "--level: the rules of {} are a program, and its engine has no levels: expected no level",
            game.name
        );
    }
    Ok(())
}

/// The plan of a new game at a table.
pub(crate) fn new_plan(
    game: GameSpec,
    players: [Vec<EngineSpec>; 2],
    ledger: PathBuf,
    registry: Registry,
) -> Plan {
    Plan {
        id: new_plan_id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        rules: registry.rules_spec(&game.name),
        ..Plan::one_game(game, players, ledger)
    }
}
