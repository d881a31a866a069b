//! Conversion of the arguments of `play` into a plan: players, seats and clocks.

use std::path::Path;
use std::sync::Arc;

use kit::Side;
use kit::search::MAX_LEVEL;
use kit::session::{LEARN, SKILL_LEVEL};
use record::clock::Limit;
use record::engine_spec::{EngineSpec, Program};
use record::game_spec::GameSpec;
use record::plan::{MAX_PARTNERS, Plan};
use record::registry::Registry;
use referee::host::Host;
use table::journal::Journal;
use table::{LevelChoice, SeatId, SeatPlayer, SeatSpec, TableSetup, new_plan};

use crate::args::TableArgs;
use crate::config::{EnginesFile, read_words};
use crate::engines::words::{
    LARGE_MARGIN_MS, ONE_SECOND, Words, find_program, parse_name, use_tables,
};
use crate::game_name::{self, looks_like_game};
use crate::learner;
use crate::matches::plan::check_distinct;
use crate::paths::absolute;
use crate::play::ratings::OwnRatings;
use crate::records::files::{new_ledger, new_output};
use crate::records::trust;
use crate::usage::{Done, OrFail, refuse, usage};

/// Settings of all engines: limit and playing strength.
pub(crate) struct Defaults {
    each: Words,
    /// The clock of a person.
    person: Limit,
    level: Option<LevelChoice>,
}

impl Defaults {
    pub(crate) fn of(args: &TableArgs) -> Defaults {
        let limit = args.tc.or(args.st).or(args.limit);
        Defaults::of_limit(limit.unwrap_or_default(), args.level)
    }

    /// The settings of a table whose players have this limit.
    pub(crate) fn of_limit(limit: Limit, level: Option<LevelChoice>) -> Defaults {
        let (limit, person) = match limit {
            Limit::Unlimited => (ONE_SECOND, Limit::Unlimited),
            Limit::Clock(clock, _) => (limit, Limit::Clock(clock, None)),
            limit => (limit, Limit::Unlimited),
        };
        let margin_ms = matches!(limit, Limit::MoveTime(_)).then_some(LARGE_MARGIN_MS);
        let each = Words::limited(limit, margin_ms);
        Defaults {
            each,
            person,
            level,
        }
    }

    /// The built-in engine.
    pub(crate) fn helper(&self) -> Done<EngineSpec> {
        self.engine("--st", Words::builtin())
    }

    /// The player of a seat. An error names the flag, or the field of a page.
    pub(crate) fn player(&self, flag: &str, seat: SeatSpec) -> Done<SeatPlayer> {
        let guest = matches!(seat, SeatSpec::Guest { .. });
        let player = match seat {
            SeatSpec::Person { name } | SeatSpec::Guest { name } => {
                let name = name
                    .as_deref()
                    .map(str::trim)
                    .filter(|name| !name.is_empty());
                EngineSpec {
                    name: name.map(parse_name).transpose().or_usage(flag)?,
                    limit: self.person,
                    ..EngineSpec::new(Program::Person)
                }
            }
            SeatSpec::Engine { level, limit } => {
                let mut spec = self.engine(flag, Words::builtin())?;
                if let Some(level) = level {
                    check_number(flag, level)?;
                    spec.set(SKILL_LEVEL, level.to_string());
                }
                spec.limit = limit.unwrap_or(spec.limit);
                spec
            }
            SeatSpec::Listed { name } => self.engine(flag, EnginesFile::default().find(&name)?)?,
            SeatSpec::Program { engine } => self.program(flag, *engine)?,
        };
        Ok(SeatPlayer {
            player: Box::new(player),
            guest,
        })
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

    fn engine(&self, flag: &str, words: Words) -> Done<EngineSpec> {
        self.program(flag, words.spec(flag, &self.each)?)
    }

    /// An engine with what it has from its table.
    fn program(&self, flag: &str, mut spec: EngineSpec) -> Done<EngineSpec> {
        if spec.limit == Limit::Unlimited {
            let usual = Words::builtin().spec(flag, &self.each)?;
            (spec.limit, spec.margin_ms) = (usual.limit, usual.margin_ms);
        }
        match &mut spec.program {
            Program::Command { path, .. } if path.as_os_str().is_empty() => {
                return refuse!("{flag}: name the program of the engine, as in ./my-engine");
            }
            Program::Command { path, dir, .. } if path.is_relative() => {
                *path = find_program(path, dir.as_deref());
            }
            _ => {}
        }
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

    /// Reads a seat from the words of a flag.
    pub(crate) fn parse(&self, flag: &str, text: &str) -> Done<SeatSpec> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        let why =
            || format!("{text:?} is no player: write human, remote, none, builtin or cmd=PATH");
        let words = words.ok_or_else(why).or_usage(flag)?;
        let (kind, rest) = (words[0].as_str(), &words[1..]);
        let name = || match rest {
            [] => Ok(None),
            [word] if word.starts_with("name=") => Ok(Some(word["name=".len()..].to_owned())),
            [word, ..] if !word.starts_with("name=") => {
                refuse!("{flag}: {word:?} after a person: only name=NAME may follow")
            }
            _ => refuse!("{flag}: a person has one name=: leave out the other words"),
        };
        Ok(match kind {
            "human" => SeatSpec::Person { name: name()? },
            "remote" => SeatSpec::Guest { name: name()? },
            "none" => SeatSpec::ENGINE,
            word if looks_like_game(word) => {
                return refuse!(
                    "{flag}: {word:?} is no player: write human, human name={word}, remote, none, or an engine: builtin or cmd=PATH"
                );
            }
            _ => SeatSpec::Program {
                engine: Box::new(read_words(flag, &words)?.spec(flag, &self.each)?),
            },
        })
    }
}

/// Checks the number of a level.
pub(crate) fn check_number(flag: &str, level: u32) -> Done {
    if level > MAX_LEVEL {
        return refuse!("{flag}: level {level}: choose one from 0 to {MAX_LEVEL}");
    }
    Ok(())
}

/// The players of the two sides.
pub(crate) fn seats(
    args: &TableArgs,
    defaults: &Defaults,
    listens: bool,
) -> Done<[Vec<SeatPlayer>; 2]> {
    let seats = |flag, texts: &[String], usual| match texts {
        [] => Ok(vec![defaults.player(flag, usual)?]),
        texts => side(defaults, flag, texts),
    };
    let other = if listens {
        SeatSpec::GUEST
    } else {
        SeatSpec::ENGINE
    };
    Ok([
        seats("--p1", &args.p1, SeatSpec::PERSON)?,
        seats("--p2", &args.p2, other)?,
    ])
}

/// The players of one side whose flag may be repeated; none without it.
pub(crate) fn side(defaults: &Defaults, flag: &str, texts: &[String]) -> Done<Vec<SeatPlayer>> {
    if texts.len() > MAX_PARTNERS {
        let n_players = texts.len();
        return refuse!("{flag}: {n_players} players are too many: give at most {MAX_PARTNERS}");
    }
    let seats = texts
        .iter()
        .map(|text| defaults.player(flag, defaults.parse(flag, text)?));
    let seats = seats.collect::<Result<Vec<_>, _>>()?;
    let mut limits = seats.iter().map(|seat| seat.player.limit);
    let is_clock = |limit: Limit| matches!(limit, Limit::Clock(..));
    if limits.clone().any(is_clock) && limits.any(|limit| limit != seats[0].player.limit) {
        let why = "partners share a clock: give all of them the same tc=, or use --tc";
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
) -> Done<String> {
    let told = learner::check(&game_name::rules(registry, game)?, file, registry)?;
    let spec = engines.find(|spec| spec.program == Program::Builtin);
    let none = "no built-in engine plays here, so nothing learns: leave it out";
    let spec = spec.ok_or_else(|| usage("--learn", none))?;
    let path = absolute(file);
    let not_utf8 = || usage("--learn", "the path is not UTF-8: choose another one");
    spec.set(LEARN, path.to_str().ok_or_else(not_utf8)?.to_owned());
    Ok(told)
}

/// The seats that are reserved for guests.
pub(crate) fn guest_seats(seats: &[Vec<SeatPlayer>; 2]) -> Vec<SeatId> {
    let of_side = |side: Side| {
        let partners = seats[side.index()].iter().enumerate();
        let remote = partners.filter(|(_, seat)| seat.guest);
        remote.map(move |(partner, _)| SeatId { side, partner })
    };
    Side::BOTH.into_iter().flat_map(of_side).collect()
}

/// The setup of a new table with these players. Its game starts as the journal says.
pub(crate) fn setup(
    args: &TableArgs,
    defaults: &Defaults,
    game: GameSpec,
    seats: &[Vec<SeatPlayer>; 2],
    journal: Option<Journal>,
    host: Host,
) -> Done<TableSetup> {
    check_level(args, &game, host.registry)?;
    let ledger = new_ledger(args.ledger.as_deref(), &game)?;
    let specs = |seats: &Vec<SeatPlayer>| seats.iter().map(|seat| (*seat.player).clone()).collect();
    let players = seats.each_ref().map(specs);
    let opening = journal.as_ref().map(|journal| journal.opening.clone());
    let plan = Plan {
        openings: vec![opening.unwrap_or_default()],
        pgn: new_output("--pgn", args.pgn.as_deref())?,
        ..new_plan(game, players, ledger, host.registry)
    };
    check_distinct(&plan)?;
    let mut setup = TableSetup::new(plan, defaults.helper()?, host);
    setup.game = journal;
    setup.guests = guest_seats(seats);
    setup.may_rename_ledger = args.ledger.is_none();
    apply(args, &mut setup);
    Ok(setup)
}

/// Sets what a table has from this user and the flags, whether it is new or resumed.
pub(crate) fn apply(args: &TableArgs, setup: &mut TableSetup) {
    setup.secret = trust::secret();
    setup.begun_here = trust::begun_here();
    setup.is_adaptive = args.level == Some(LevelChoice::Adaptive);
    setup.ratings = Some(Arc::new(OwnRatings));
    setup.sync = args.sync;
    setup.plan.search_timeout_ms = args.search_timeout.search_timeout_ms;
}

/// Rejects `--level` if the rules are a program, whose engine has no levels.
pub(super) fn check_level(args: &TableArgs, game: &GameSpec, registry: Registry) -> Done {
    if args.level.is_some() && game_name::rules(registry, game)?.are_of_program() {
        return refuse!(
            "--level: the rules of {} are a program, and its engine has no levels: leave out the level",
            game.name
        );
    }
    Ok(())
}
