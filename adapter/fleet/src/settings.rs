//! Settings of the coordinator and of a worker.

use std::path::PathBuf;
use std::time::Duration;

use record::engine_spec::EngineSpec;

use crate::content::Content;
use crate::signing::TrustFile;
use crate::update::SentProgram;
use crate::wire::WireBench;

/// Settings of a fleet match in addition to its plan.
#[derive(Debug, Clone)]
pub struct ControlSettings {
    /// Silence after which a worker counts as lost and its pair is redelivered.
    pub lost_after: Duration,
    /// Number of deliveries of a pair before it is recorded as failed.
    pub max_deliver: u32,
    /// Benchmark that measures the machines.
    pub bench: Option<WireBench>,
    /// Content of each engine of the plan; `None` for built-in engines.
    pub contents: Vec<Option<Content>>,
    /// Content of the program that knows the rules of the game, if there is one.
    pub rules: Option<Content>,
    /// Keys of the workers whose results are accepted; those of all workers if absent.
    pub trusted: Option<TrustFile>,
    /// A program for workers that trust the key of this coordinator.
    pub program: Option<SentProgram>,
    /// Workers play the matches with the highest priority.
    pub priority: i32,
    /// Part of the workers, relative to other matches of the same priority.
    pub share: f64,
}

/// Settings of a worker.
#[derive(Debug, Clone, Default)]
pub struct WorkerSettings {
    /// Maximum number of simultaneous games; limited by the cores by default.
    pub concurrency: Option<usize>,
    /// Maximum memory for the hash tables of all engines at once, in MiB; that of the machine by default.
    pub max_memory_mib: Option<u64>,
    /// Maximum number of threads of all engines at once; the number of cores by default.
    pub max_threads: Option<usize>,
    /// Number of threads that may want to run, for each core, while games against the clock are played; unlimited by
    /// default.
    pub max_load: Option<f64>,
    /// Time without anything to play after which the worker ends; unlimited by default.
    pub idle: Option<Duration>,
    /// Time after which the speed of the machine is measured again, between pairs.
    pub measure_every: Duration,
    /// Trust in coordinators: permits string options and engines from the network.
    pub trust: bool,
    /// Public key of the coordinator whose newer programs replace this one.
    pub update: Option<String>,
    /// Engines of this machine.
    pub engines: Vec<LocalEngine>,
    /// Path of the engines file, for messages.
    pub engines_file: String,
    /// Cache folder for engines and programs from coordinators, used only with `trust` and `update`.
    pub cache: PathBuf,
}

/// An engine of this machine.
#[derive(Debug, Clone)]
pub struct LocalEngine {
    /// Name in the engines file.
    pub name: String,
    /// Start command and options.
    pub spec: EngineSpec,
}
