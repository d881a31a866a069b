//! Finds the programs of a match on this machine: in the engines file, or sent by the coordinator if that is accepted.

use protocol::{OptionDecl, OptionKind};
use record::engine_spec::{EngineSpec, OwnProgram, Program, SetOption};
use record::plan::Plan;
use record::registry::Registry;
use referee::client::Timeouts;
use referee::host::Host;
use referee::player::{EngineConfig, EnginePlayer};
use referee::rules_program;

use crate::archive::MAX_ARCHIVE;
use crate::cache;
use crate::content::{content_hash, unpacked};
use crate::wire::{Archive, Content};
use crate::worker::WorkerSettings;

/// An engine of this machine.
#[derive(Debug, Clone)]
pub struct LocalEngine {
    /// Name in the engines file.
    pub name: String,
    /// Start command and options.
    pub spec: EngineSpec,
}

/// Downloads the archive with this hash and size from the coordinator.
pub(crate) type Fetch<'a> = dyn Fn(&str, u64) -> Result<Vec<u8>, String> + 'a;

/// Finds the programs of a match.
pub(crate) struct EngineFinder<'a> {
    pub(crate) settings: &'a WorkerSettings,
    pub(crate) fetch: &'a Fetch<'a>,
}

/// An engine of a match on this machine.
#[derive(Debug)]
pub(crate) struct FoundEngine {
    program: Program,
    /// Its options in the engines file.
    own_options: Vec<SetOption>,
}

impl EngineFinder<'_> {
    /// Returns this machine's engine with the same content as an engine of the match; `None` is the built-in one.
    ///
    /// # Errors
    /// There is none; the text names what was expected.
    pub(crate) fn find(
        &self,
        wired: &EngineSpec,
        content: Option<&Content>,
    ) -> Result<FoundEngine, String> {
        let name = wired.name.as_deref().unwrap_or_default();
        let engines = || self.settings.engines.iter();
        let by_name = engines().find(|local| local.name == name);
        let wanted = content.map(|content| content.hash.as_str());
        let is_same = |local: &&LocalEngine| {
            content_hash(&local.spec.program).is_ok_and(|found| found.as_deref() == wanted)
        };
        // The engines file may hold options of a built-in engine too.
        let local = by_name.filter(is_same);
        let local = local.or_else(|| engines().find(|local| content.is_some() && is_same(local)));
        let (program, own_options) = match (local, content) {
            (Some(local), _) => (local.spec.program.clone(), local.spec.options.clone()),
            (None, None) => (Program::Builtin, Vec::new()),
            (None, Some(content)) => match self.accepted(content) {
                Some(archive) => {
                    let unpacked = self.unpack(archive);
                    let program = unpacked
                        .map_err(|why| format!("engine {name}: from the coordinator: {why}"))?;
                    (program, Vec::new())
                }
                None => return Err(self.unknown(name, content, by_name)),
            },
        };
        Ok(FoundEngine {
            program,
            own_options,
        })
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
        let Some(archive) = self.accepted(content) else {
            let hash = &content.hash;
            return Err(format!(
                "the rules of {name}: expected --rules or a game of the engines file with content {hash:.12}, or \
                 --accept-engines for rules that the coordinator sends"
            ));
        };
        let timeouts = Timeouts::of_ms(plan.startup_ms, plan.ping_ms);
        let unpacked = self.unpack(archive).and_then(|program| {
            let entry = rules_program::entry(Some(name), &program, &[], timeouts);
            entry.map_err(|why| why.0)
        });
        unpacked
            .map(|entry| registry.with(entry))
            .map_err(|why| format!("the rules of {name}: from the coordinator: {why}"))
    }

    /// The archive of a program, if the coordinator sends one and this worker accepts it.
    fn accepted<'c>(&self, content: &'c Content) -> Option<&'c Archive> {
        let archive = content.archive.as_ref();
        archive.filter(|_| self.settings.accepts_engines)
    }

    /// Downloads and unpacks a program that the coordinator sends.
    fn unpack(&self, archive: &Archive) -> Result<Program, String> {
        let (hash, n_bytes) = (&archive.hash, archive.n_bytes);
        if n_bytes > MAX_ARCHIVE as u64 {
            return Err(format!("{n_bytes} bytes: expected at most {MAX_ARCHIVE}"));
        }
        let fetch = || (self.fetch)(hash, n_bytes);
        let folder = cache::open(&self.settings.cache, hash, fetch)?;
        unpacked(archive, &folder)
    }

    fn unknown(&self, name: &str, content: &Content, by_name: Option<&LocalEngine>) -> String {
        let file = &self.settings.engines_file;
        let mut expected = format!("{:.12}", content.hash);
        if let Some(archive) = &content.archive {
            let kib = archive.n_bytes.div_ceil(1024);
            expected +=
                &format!(", or --accept-engines to run what the coordinator sends ({kib} KiB)");
        }
        match by_name.map(|local| content_hash(&local.spec.program)) {
            None => {
                format!("engine {name}: not in {file}: expected it there, with content {expected}")
            }
            Some(Err(error)) => format!("engine {name}: {error}: expected content {expected}"),
            Some(Ok(found)) => {
                let found = found.unwrap_or_else(|| "the built-in engine".to_owned());
                format!("engine {name}: {file} has {found:.20}: expected content {expected}")
            }
        }
    }
}

impl FoundEngine {
    /// Completes the description of an engine: its program here, and its options. Those that the match has `sent`
    /// override those of the engines file.
    pub(crate) fn apply(&self, spec: &mut EngineSpec, sent: &[SetOption]) {
        spec.program = self.program.clone();
        let own = self.own_options.iter();
        let own = own.filter(|(name, _)| !sent.iter().any(|sent| is_same(&sent.0, name)));
        spec.options = own.chain(sent).cloned().collect();
    }

    /// Takes the value of each string option from the engines file instead of the network, because it may name a file.
    ///
    /// # Errors
    /// The match sets a string option that the engines file does not set, or the engine fails to declare its options.
    pub(crate) fn set_own_texts(
        &self,
        spec: &mut EngineSpec,
        sent: &[SetOption],
        plan: &Plan,
        host: &Host,
    ) -> Result<(), String> {
        if sent.is_empty() {
            return Ok(());
        }
        let engine = spec.name.clone().unwrap_or_default();
        let declared = declared(spec, plan, host);
        let declared = declared.map_err(|why| format!("engine {engine}: {why}"))?;
        for (name, _) in sent.iter().filter(|(name, _)| is_text(&declared, name)) {
            let own = self.own_options.iter().find(|own| is_same(&own.0, name));
            let own = own.ok_or_else(|| {
                format!(
                    "option.{name} of engine {engine} is a text that may name a file: expected it in the engines file \
                     here, or --accept-engines"
                )
            })?;
            let options = spec.options.iter_mut();
            options
                .filter(|option| is_same(&option.0, name))
                .for_each(|option| option.1.clone_from(&own.1));
        }
        Ok(())
    }
}

/// Starts an engine without options and returns the options that it declares.
fn declared(spec: &EngineSpec, plan: &Plan, host: &Host) -> Result<Vec<OptionDecl>, String> {
    let timeouts = Timeouts::of_ms(plan.startup_ms, plan.ping_ms);
    let bare = EngineSpec {
        options: Vec::new(),
        ..spec.clone()
    };
    let own = OwnProgram::new(&host.executable, &plan.game.name, host.registry);
    let mut config = EngineConfig::alone(&bare, own, timeouts);
    config.stop = host.stop.clone();
    EnginePlayer::declarations(config).map_err(|fault| fault.to_string())
}

fn is_text(declared: &[OptionDecl], name: &str) -> bool {
    let declared = declared.iter().find(|decl| is_same(&decl.name, name));
    declared.is_some_and(|decl| matches!(decl.kind, OptionKind::String { .. }))
}

/// `true` for two names of one option.
fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}
