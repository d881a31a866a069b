//! Checks whether a worker can play a match, and makes the plan of the match for its machine: its programs are those of the
//! engines file with the same content, or sent by the coordinator if that is accepted.

use std::collections::btree_map::Entry;

use protocol::OptionKind;
use record::engine_spec::{EngineSpec, OwnProgram, Program, SetOption};
use record::outputs::PgnComment;
use record::plan::Plan;
use record::registry::Registry;
use referee::engine::{EngineConfig, Timeouts, declarations};
use referee::host::Host;
use referee::rules_program;
use referee::tournament::Tournament;

use crate::archive::{self, MAX_ARCHIVE};
use crate::content::{content_hash, unpacked};
use crate::dispatch::SCALES;
use crate::link::text;
use crate::platform::{self, measure};
use crate::streams::ServerMatch;
use crate::wire::{Announcement, Content, portable};
use crate::worker::{Worker, say};

impl Worker<'_> {
    /// Starts the engines of an announced match, for the plan of this machine. Returns the match, and the factor for its
    /// time limits.
    ///
    /// # Errors
    /// The reason that this worker does not play the match.
    pub(crate) fn accept(&mut self, found: &Announcement) -> Result<(Tournament, f64), String> {
        let (version, own) = (&found.version, env!("CARGO_PKG_VERSION"));
        if version != own {
            return Err(format!(
                "its coordinator is of version {version}, and {own} is here"
            ));
        }
        let (n_engines, n) = (found.plan.engines.len(), found.settings.engines.len());
        if n_engines != n {
            return Err(format!("contents of {n} engines, not of {n_engines}"));
        }
        let mut plan = portable(&found.plan);
        let pv = found.settings.keeps_pv.then_some(PgnComment::Pv);
        plan.outputs.pgn_comments.extend(pv);
        let host = Host {
            registry: self.games(found, &plan)?,
            ..self.host.clone()
        };
        host.registry.rules(&plan.game).map_err(text)?;
        plan.check()?;
        let (cores, memory) = (platform::cores(), platform::memory_mib());
        plan.concurrency = concurrency(&plan, self.args.concurrency, cores, memory)?;
        let contents = plan.engines.iter().zip(&found.settings.engines);
        let programs = contents.map(|(spec, content)| self.engine(found, spec, content.as_ref()));
        let programs = programs.collect::<Result<Vec<_>, _>>()?;
        let scale = self.scale(found, plan.concurrency, &host)?;
        for (spec, (program, mut own)) in plan.engines.iter_mut().zip(programs) {
            spec.program = program;
            if self.cache.is_none() {
                set_own_texts(spec, &own, &found.plan, &host)?;
            }
            own.retain(|(name, _)| !spec.options.iter().any(|sent| is_same(&sent.0, name)));
            spec.options.splice(0..0, own);
            spec.limit = spec.limit.scaled(scale);
        }
        let tournament = Tournament::prepare(plan, &host).map_err(text)?;
        Ok((tournament, scale))
    }

    /// Returns the program here with the same content as an engine of the match, or the built-in one, and its options in
    /// the engines file.
    fn engine(
        &self,
        found: &Announcement,
        wired: &EngineSpec,
        content: Option<&Content>,
    ) -> Result<(Program, Vec<SetOption>), String> {
        let wanted = content.map(|content| content.hash.as_str());
        let is_same = |local: &&EngineSpec| {
            content_hash(&local.program).is_ok_and(|found| found.as_deref() == wanted)
        };
        let by_name = self.engines.iter().find(|local| local.name == wired.name);
        // The engines file may hold options of a built-in engine too.
        let mut by_content = self.engines.iter().filter(|_| content.is_some());
        let local = by_name.filter(is_same).or_else(|| by_content.find(is_same));
        match (local, content) {
            (Some(local), _) => Ok((local.program.clone(), local.options.clone())),
            (None, None) => Ok((Program::Builtin, Vec::new())),
            (None, Some(content)) => {
                let name = wired.name.as_deref().unwrap_or_default();
                let state = by_name.map_or("not in", |_| "another program has this name in");
                let lacks = format!("{state} {}: add it there,", self.engines_file);
                let program = self.sent(found, content, &format!("engine {name}"), &lacks)?;
                Ok((program, Vec::new()))
            }
        }
    }

    /// Returns the games of this machine, with that of the match if its rules are a program: the program with the same
    /// content here, or the one that the coordinator sends.
    fn games(&self, found: &Announcement, plan: &Plan) -> Result<Registry, String> {
        let registry = self.host.registry;
        let Some(content) = &found.settings.rules else {
            return Ok(registry);
        };
        let name = &plan.game.name;
        let known = registry.find(name).ok();
        let known = known.and_then(|entry| rules_program::program_of(entry.args));
        let known = known.and_then(|program| content_hash(&program).ok().flatten());
        if known.as_ref() == Some(&content.hash) {
            return Ok(registry);
        }
        let what = format!("the rules of {name}");
        let lacks = "give them by --rules or in the engines file,";
        let program = self.sent(found, content, &what, lacks)?;
        let timeouts = Timeouts::of_ms(plan.startup_ms, plan.ping_ms);
        let entry = rules_program::entry(Some(name), &program, &[], timeouts);
        let games = entry.map(|entry| registry.with([entry]));
        games.map_err(|why| format!("{what}: from the coordinator: {why}"))
    }

    /// Downloads and unpacks a program, if the coordinator sends it and this worker accepts it.
    ///
    /// # Errors
    /// `what` names the program, and `lacks` says that it is not here.
    fn sent(
        &self,
        found: &Announcement,
        content: &Content,
        what: &str,
        lacks: &str,
    ) -> Result<Program, String> {
        let lacks = format!("{what}: {lacks} with content {:.12}", content.hash);
        let archive = content.archive.as_ref().ok_or_else(|| lacks.clone())?;
        let (hash, n_bytes) = (&archive.hash, archive.n_bytes);
        let kib = n_bytes.div_ceil(1024);
        let folder = self.cache.as_deref().ok_or_else(|| {
            format!("{lacks}, or --accept-engines to run what the coordinator sends ({kib} KiB)")
        })?;
        let fetch = || {
            let line = format!("Engine {hash:.12} from the coordinator, {kib} KiB");
            say(&line);
            let server = ServerMatch::of(self.link, &found.plan.id);
            server.get_object((hash, n_bytes), MAX_ARCHIVE, &self.host.stop)
        };
        archive::open_cached(folder, hash, fetch)
            .and_then(|folder| unpacked(archive, &folder))
            .map_err(|why| format!("{what}: from the coordinator: {why}"))
    }

    /// Returns the factor of this machine for the time limits of a match.
    fn scale(
        &mut self,
        found: &Announcement,
        n_at_once: usize,
        host: &Host,
    ) -> Result<f64, String> {
        let Some(wanted) = &found.settings.bench else {
            return Ok(1.0);
        };
        let game = host.registry.find(&wanted.game).map_err(text)?.name;
        let own = match self.benches.entry((game.to_owned(), n_at_once)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let measured = measure(&host.executable, game, n_at_once);
                *new.insert(measured.map_err(|error| format!("bench: {error}"))?)
            }
        };
        if found.settings.engines.contains(&None) && own.nodes != wanted.nodes {
            return Err(format!(
                "the built-in engine differs: bench of {1} counts {0} nodes, and {2} on {3}",
                own.nodes, wanted.game, wanted.nodes, found.host
            ));
        }
        let scale = wanted.nps.map_or(1.0, |nps| nps / own.nps);
        match SCALES.contains(&scale) {
            true => Ok(scale),
            false => Err(format!(
                "time would be multiplied by {scale:.3}, which is not between {} and {}",
                SCALES.start(),
                SCALES.end()
            )),
        }
    }
}

/// Takes the value of each string option from this machine's `own` options, because one from the network may name a
/// file. `spec` is an engine with its program here and the options of the match.
///
/// # Errors
/// The match sets a string option that the engines file does not set, or the engine fails to declare its options.
fn set_own_texts(
    spec: &mut EngineSpec,
    own: &[SetOption],
    plan: &Plan,
    host: &Host,
) -> Result<(), String> {
    if spec.options.is_empty() {
        return Ok(());
    }
    let engine = spec.name.clone().unwrap_or_default();
    let timeouts = Timeouts::of_ms(plan.startup_ms, plan.ping_ms);
    let bare = EngineSpec {
        options: Vec::new(),
        ..spec.clone()
    };
    let program = OwnProgram::new(&host.executable, &plan.game.name, host.registry);
    let mut config = EngineConfig::alone(&bare, program, timeouts);
    config.stop = host.stop.clone();
    let declared = declarations(config);
    let declared = declared.map_err(|fault| format!("engine {engine}: {fault}"))?;
    for (name, value) in &mut spec.options {
        let declared = declared.iter().find(|decl| is_same(&decl.name, name));
        if !declared.is_some_and(|decl| matches!(decl.kind, OptionKind::String { .. })) {
            continue;
        }
        let own = own.iter().find(|own| is_same(&own.0, name));
        let own = own.ok_or_else(|| {
            format!(
                "option.{name} of engine {engine} is a text that may name a file: set it in the engines file \
                 here, or use --accept-engines"
            )
        })?;
        value.clone_from(&own.1);
    }
    Ok(())
}

/// `true` for two names of one option.
fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Returns the number of simultaneous games, at most `wanted`, which never need more cores or memory than the machine
/// has.
fn concurrency(
    plan: &Plan,
    wanted: Option<usize>,
    cores: usize,
    memory: u64,
) -> Result<usize, String> {
    // The hash tables of the engines in one game, in MiB: at most those of the largest ones.
    let hash = |spec: &EngineSpec| spec.number("Hash").unwrap_or(0_u64);
    let mut sizes: Vec<u64> = plan.engines.iter().map(hash).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let memory_each = sizes
        .into_iter()
        .take(2)
        .fold(0, u64::saturating_add)
        .max(1);
    let cores_each = plan.cores_of_a_game().max(1);
    if cores_each > cores {
        return Err(format!(
            "a game keeps {cores_each} cores busy, and this machine has {cores}"
        ));
    }
    if memory_each > memory {
        return Err(format!(
            "the hash tables of a game have {memory_each} MiB, and this machine {memory} MiB of memory"
        ));
    }
    let most = usize::try_from(memory / memory_each).unwrap_or(usize::MAX);
    let most = most.min(cores / cores_each);
    Ok(wanted.unwrap_or(most).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_testing::plan as plan_of;

    fn plan(hash: &str, threads: &str) -> Plan {
        let mut plan = plan_of(&["A", "B"]);
        for spec in &mut plan.engines {
            spec.options = [("hash", hash), ("Threads", threads)]
                .map(|(name, value)| (name.to_owned(), Some(value.to_owned())))
                .to_vec();
        }
        plan
    }

    #[test]
    fn games_at_once_never_need_more_than_the_machine_has() {
        let games =
            |hash, threads, cores, memory| concurrency(&plan(hash, threads), None, cores, memory);
        assert_eq!(games("16", "1", 1, 32), Ok(1));
        assert_eq!(games("1", "1", 8, 1000), Ok(8));
        assert_eq!(games("16", "1", 8, 63), Ok(1));
        assert_eq!(concurrency(&plan("1", "1"), Some(3), 8, 1000), Ok(3));
        let why = games("65536", "1", 1, 4096).expect_err("too large");
        assert!(
            why.contains("131072 MiB, and this machine 4096 MiB"),
            "{why}"
        );
        let why = games("1", "2", 1, 4096).expect_err("too many");
        assert!(
            why.contains("2 cores busy, and this machine has 1"),
            "{why}"
        );
    }
}
