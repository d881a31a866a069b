//! Finds the programs of a match on this machine: in the engines file, or sent by the coordinator if that is accepted.

use std::path::PathBuf;
use std::time::Duration;

use protocol::OptionKind;
use record::engine_spec::{EngineSpec, OwnProgram, Program, SetOption};
use record::plan::Plan;
use record::registry::Registry;
use referee::engine::{EngineConfig, Timeouts, declarations};
use referee::host::Host;
use referee::rules_program;

use crate::archive::MAX_ARCHIVE;
use crate::cache;
use crate::content::{content_hash, unpacked};
use crate::wire::{Archive, Content};

/// Settings of a worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerSettings {
    /// Maximum number of simultaneous games; limited by the cores by default.
    pub(crate) concurrency: Option<usize>,
    /// Time without anything to play after which the worker ends; unlimited by default.
    pub(crate) idle: Option<Duration>,
    /// Runs programs that coordinators send, and sets string options from the network.
    pub(crate) accepts_engines: bool,
    /// Shows no games.
    pub(crate) is_quiet: bool,
    /// Engines of this machine, with their names in the engines file.
    pub(crate) engines: Vec<EngineSpec>,
    /// Path of the engines file, for messages.
    pub(crate) engines_file: String,
    /// Cache folder for programs from coordinators.
    pub(crate) cache: PathBuf,
}

/// Downloads the archive with this hash and size from the coordinator.
pub(crate) type Fetch<'a> = dyn Fn(&str, u64) -> Result<Vec<u8>, String> + 'a;

/// Finds the programs of a match.
pub(crate) struct EngineFinder<'a> {
    pub(crate) settings: &'a WorkerSettings,
    pub(crate) fetch: &'a Fetch<'a>,
}

impl EngineFinder<'_> {
    /// Returns the program here with the same content as an engine of the match, or the built-in one, and its options in
    /// the engines file.
    ///
    /// # Errors
    /// There is none; the text names what was expected.
    pub(crate) fn find(
        &self,
        wired: &EngineSpec,
        content: Option<&Content>,
    ) -> Result<(Program, Vec<SetOption>), String> {
        let name = wired.name.as_deref().unwrap_or_default();
        let engines = || self.settings.engines.iter();
        let by_name = engines().find(|local| local.name == wired.name);
        let wanted = content.map(|content| content.hash.as_str());
        let is_same = |local: &&EngineSpec| {
            content_hash(&local.program).is_ok_and(|found| found.as_deref() == wanted)
        };
        // The engines file may hold options of a built-in engine too.
        let local = by_name.filter(is_same);
        let local = local.or_else(|| engines().find(|local| content.is_some() && is_same(local)));
        match (local, content) {
            (Some(local), _) => Ok((local.program.clone(), local.options.clone())),
            (None, None) => Ok((Program::Builtin, Vec::new())),
            (None, Some(content)) => {
                let unpacked = self.unpack(content).ok_or_else(|| {
                    let file = &self.settings.engines_file;
                    let found = by_name.map_or("not in", |_| "another program has this name in");
                    let wanted = expected(content);
                    format!("engine {name}: {found} {file}: expected it there, {wanted}")
                })?;
                let from = |why| format!("engine {name}: from the coordinator: {why}");
                Ok((unpacked.map_err(from)?, Vec::new()))
            }
        }
    }

    /// Returns the games of this machine, with that of the match if its rules are a program: the program with the same
    /// content here, or the one that the coordinator sends.
    ///
    /// # Errors
    /// There is none; the text says what was expected.
    pub(crate) fn games(
        &self,
        registry: Registry,
        plan: &Plan,
        rules: Option<&Content>,
    ) -> Result<Registry, String> {
        let Some(content) = rules else {
            return Ok(registry);
        };
        let name = &plan.game.name;
        let known = registry.find(name).ok();
        let known = known.and_then(|entry| rules_program::program_of(entry.args));
        let known = known.and_then(|program| content_hash(&program).ok().flatten());
        if known.as_ref() == Some(&content.hash) {
            return Ok(registry);
        }
        let unpacked = self.unpack(content).ok_or_else(|| {
            let wanted = expected(content);
            format!("the rules of {name}: expected --rules or a game of the engines file {wanted}")
        })?;
        let timeouts = Timeouts::of_ms(plan.startup_ms, plan.ping_ms);
        let entry = unpacked.and_then(|program| {
            let entry = rules_program::entry(Some(name), &program, &[], timeouts);
            entry.map_err(|why| why.0)
        });
        entry
            .map(|entry| registry.with([entry]))
            .map_err(|why| format!("the rules of {name}: from the coordinator: {why}"))
    }

    /// Downloads and unpacks a program; `None` unless the coordinator sends it and this worker accepts it.
    fn unpack(&self, content: &Content) -> Option<Result<Program, String>> {
        let archive = content.archive.as_ref();
        let archive = archive.filter(|_| self.settings.accepts_engines)?;
        let Archive { hash, n_bytes, .. } = archive;
        if *n_bytes > MAX_ARCHIVE as u64 {
            let why = format!("{n_bytes} bytes: expected at most {MAX_ARCHIVE}");
            return Some(Err(why));
        }
        let fetch = || (self.fetch)(hash, *n_bytes);
        let folder = cache::open(&self.settings.cache, hash, fetch);
        Some(folder.and_then(|folder| unpacked(archive, &folder)))
    }
}

/// What a worker needs that lacks a program.
fn expected(content: &Content) -> String {
    let hash = format!("with content {:.12}", content.hash);
    let sent = content.archive.as_ref().map(|archive| {
        let kib = archive.n_bytes.div_ceil(1024);
        format!(", or --accept-engines to run what the coordinator sends ({kib} KiB)")
    });
    hash + &sent.unwrap_or_default()
}

/// Takes the value of each string option from this machine's `own` options, because one from the network may name a
/// file. `spec` is an engine with its program here and the options of the match.
///
/// # Errors
/// The match sets a string option that the engines file does not set, or the engine fails to declare its options.
pub(crate) fn set_own_texts(
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
                "option.{name} of engine {engine} is a text that may name a file: expected it in the engines file \
                 here, or --accept-engines"
            )
        })?;
        value.clone_from(&own.1);
    }
    Ok(())
}

/// `true` for two names of one option.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}
