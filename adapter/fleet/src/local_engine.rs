//! Finds the engines of a match on this machine: in the engines file, or sent by the coordinator if it is trusted.

use protocol::{OptionDecl, OptionKind};
use record::engine_spec::{EngineSpec, OwnProgram, Program};
use record::registry::Registry;
use referee::client::Timeouts;
use referee::host::Host;
use referee::player::{EngineConfig, EnginePlayer, SetOption};
use referee::rules_program;

use crate::archive::MAX_ARCHIVE;
use crate::cache::{CachedEngine, EngineCache};
use crate::content::content_hash;
use crate::pack::{Fetch, unpacked};
use crate::settings::{LocalEngine, WorkerSettings};
use crate::wire::{Announcement, WireArchive, WireEngine, WireProgram};

/// Finds the engines of a match.
pub(crate) struct EngineFinder<'a> {
    pub(crate) settings: &'a WorkerSettings,
    pub(crate) host: &'a Host,
    pub(crate) fetch: &'a Fetch<'a>,
}

/// An engine of a match on this machine.
#[derive(Debug)]
pub(crate) struct FoundEngine<'a> {
    /// Start command and options; those of the match override those of the engines file.
    pub(crate) spec: EngineSpec,
    /// Its cache entry, if it came from the coordinator.
    pub(crate) cached: Option<CachedEngine>,
    wired: &'a WireEngine,
    /// Its options in the engines file.
    own_options: Vec<SetOption>,
}

impl EngineFinder<'_> {
    /// Returns this machine's engine with the same content as an engine of the match.
    ///
    /// # Errors
    /// There is none; the text names what was expected.
    pub(crate) fn find<'a>(&self, wired: &'a WireEngine) -> Result<FoundEngine<'a>, String> {
        let mut engines = self.settings.engines.iter();
        let by_name = engines.find(|local| local.name == wired.name);
        let WireProgram::Content { hash, archive } = &wired.program else {
            // The engines file may hold options of a built-in engine too.
            let by_name = by_name.filter(|local| has_content(local, None));
            return Ok(FoundEngine::new(wired, by_name));
        };
        let is_same = |local: &&LocalEngine| has_content(local, Some(hash));
        let by_content = || self.settings.engines.iter().find(is_same);
        if let Some(local) = by_name.filter(is_same).or_else(by_content) {
            return Ok(FoundEngine::new(wired, Some(local)));
        }
        match archive {
            Some(archive) if self.settings.trust => {
                let unpacked = self.unpack(archive);
                let (program, cached) = unpacked
                    .map_err(|why| format!("engine {}: from the coordinator: {why}", wired.name))?;
                let mut found = FoundEngine::new(wired, None);
                found.spec.program = program;
                found.cached = Some(cached);
                Ok(found)
            }
            _ => Err(self.unknown(wired, hash, by_name)),
        }
    }

    /// Returns the games of this machine, with that of the match if its rules are a program: the program with the same
    /// content here, or the one that the coordinator sends.
    ///
    /// # Errors
    /// There is none; the text says what was expected.
    pub(crate) fn games(
        &self,
        announcement: &Announcement,
    ) -> Result<(Registry, Option<CachedEngine>), String> {
        let registry = self.host.registry;
        let Some(WireProgram::Content { hash, archive }) = &announcement.rules else {
            return Ok((registry, None));
        };
        let name = &announcement.game.name;
        let known = registry.find(name).ok();
        let known = known.and_then(|entry| rules_program::program_of(entry.args));
        if known.is_some_and(|program| content_hash(&program).ok().flatten().as_ref() == Some(hash))
        {
            return Ok((registry, None));
        }
        let Some(archive) = archive.as_ref().filter(|_| self.settings.trust) else {
            return Err(format!(
                "the rules of {name}: expected --rules or a game of the engines file with content {hash:.12}, or --trust for \
                 rules that the coordinator sends"
            ));
        };
        let timeouts = Timeouts::of_ms(announcement.startup_ms, announcement.ping_ms);
        let unpacked = self.unpack(archive).and_then(|(program, cached)| {
            let entry = rules_program::entry(Some(name), &program, &[], timeouts);
            let entry = entry.map_err(|why| why.0)?;
            Ok((registry.with(entry), Some(cached)))
        });
        unpacked.map_err(|why| format!("the rules of {name}: from the coordinator: {why}"))
    }

    /// Downloads and unpacks a program that the coordinator sends.
    fn unpack(&self, archive: &WireArchive) -> Result<(Program, CachedEngine), String> {
        if archive.n_bytes > MAX_ARCHIVE as u64 {
            return Err(format!(
                "{} bytes: expected at most {MAX_ARCHIVE}",
                archive.n_bytes
            ));
        }
        let cache = EngineCache {
            folder: &self.settings.cache,
            stop: &self.host.stop,
        };
        let cached = cache.open(&archive.hash, || (self.fetch)(archive))?;
        Ok((unpacked(archive, &cached.folder)?, cached))
    }

    fn unknown(&self, wired: &WireEngine, hash: &str, by_name: Option<&LocalEngine>) -> String {
        let (name, file) = (&wired.name, &self.settings.engines_file);
        let short = |hash: &str| hash.chars().take(12).collect::<String>();
        let mut expected = short(hash);
        if let WireProgram::Content {
            archive: Some(archive),
            ..
        } = &wired.program
        {
            let kib = archive.n_bytes.div_ceil(1024);
            expected += &format!(", or --trust to take it from the coordinator ({kib} KiB)");
        }
        match by_name.map(|local| content_hash(&local.spec.program)) {
            None => {
                format!("engine {name}: not in {file}: expected it there, with content {expected}")
            }
            Some(Err(error)) => format!("engine {name}: {error}: expected content {expected}"),
            Some(Ok(found)) => {
                let found =
                    found.map_or_else(|| "the built-in engine".to_owned(), |hash| short(&hash));
                format!("engine {name}: {file} has {found}: expected content {expected}")
            }
        }
    }
}

/// Returns `true` if a local engine has this content; `None` means the built-in engine.
fn has_content(local: &LocalEngine, hash: Option<&String>) -> bool {
    content_hash(&local.spec.program).is_ok_and(|found| found.as_ref() == hash)
}

impl<'a> FoundEngine<'a> {
    fn new(wired: &'a WireEngine, local: Option<&LocalEngine>) -> FoundEngine<'a> {
        let local = local.map(|local| &local.spec);
        FoundEngine {
            spec: wired.spec(local),
            cached: None,
            wired,
            own_options: local.map_or_else(Vec::new, |local| local.options.clone()),
        }
    }

    /// Takes the value of each string option from the engines file instead of the network, because it may name a file.
    /// `spec` is the engine in the local plan of the match.
    ///
    /// # Errors
    /// The match sets a string option that the engines file does not set, or the engine fails to declare its options.
    pub(crate) fn set_local_texts(
        &self,
        spec: &mut EngineSpec,
        announcement: &Announcement,
        host: &Host,
    ) -> Result<(), String> {
        if self.wired.options.is_empty() {
            return Ok(());
        }
        let declared = self.declared(announcement, host)?;
        let wired = self.wired;
        for (name, _) in wired
            .options
            .iter()
            .filter(|(name, _)| is_text(&declared, name))
        {
            let is_it = |option: &&SetOption| option.0.eq_ignore_ascii_case(name);
            let Some(own) = self.own_options.iter().find(is_it) else {
                return Err(format!(
                    "option.{name} of engine {} is a text that may name a file: expected it in the engines file here, \
                     or --trust",
                    wired.name
                ));
            };
            for option in spec.options.iter_mut().filter(|option| is_it(&&**option)) {
                option.1.clone_from(&own.1);
            }
        }
        Ok(())
    }

    /// Starts the engine without options and returns the options that it declares.
    fn declared(
        &self,
        announcement: &Announcement,
        host: &Host,
    ) -> Result<Vec<OptionDecl>, String> {
        let timeouts = Timeouts::of_ms(announcement.startup_ms, announcement.ping_ms);
        let bare = EngineSpec {
            options: Vec::new(),
            ..self.spec.clone()
        };
        let own = OwnProgram::new(&host.executable, &announcement.game.name, host.registry);
        let mut config = EngineConfig::alone(&bare, own, timeouts);
        config.stop = host.stop.clone();
        EnginePlayer::declarations(config)
            .map_err(|fault| format!("engine {}: {fault}", self.wired.name))
    }
}

fn is_text(declared: &[OptionDecl], name: &str) -> bool {
    let mut declared = declared.iter();
    let declared = declared.find(|decl| decl.name.eq_ignore_ascii_case(name));
    declared.is_some_and(|decl| matches!(decl.kind, OptionKind::String { .. }))
}
