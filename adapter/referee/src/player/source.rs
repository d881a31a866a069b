//! The creation of engines at a table.

use std::fmt;

use record::engine_spec::EngineSpec;
use record::plan::Plan;
use record::registry::Rules;

use super::config::EngineConfig;
use super::engine::EnginePlayer;
use super::seat_engine::SeatEngine;
use crate::client::Infos;
use crate::host::Host;

/// Creates engines that are not started yet. They are processes, except in tests.
pub struct EngineSource(Box<MakeEngine>);

type MakeEngine = dyn Fn(&EngineSpec, Infos) -> Box<dyn SeatEngine> + Send;

impl EngineSource {
    /// Engines that this function makes.
    pub fn new(
        make: impl Fn(&EngineSpec, Infos) -> Box<dyn SeatEngine> + Send + 'static,
    ) -> EngineSource {
        EngineSource(Box::new(make))
    }

    /// Creates engines of a plan as processes.
    pub fn processes(plan: &Plan, rules: &Rules, host: &Host) -> EngineSource {
        let (plan, rules, host) = (plan.clone(), rules.clone(), host.clone());
        EngineSource::new(move |spec, infos| {
            let mut config = EngineConfig::new(spec, &plan, Some(&rules), &host);
            config.is_at_table = true;
            config.infos = infos;
            Box::new(EnginePlayer::new(config))
        })
    }

    /// Creates an engine that plays.
    pub fn make(&self, spec: &EngineSpec) -> Box<dyn SeatEngine> {
        (self.0)(spec, Infos::Best)
    }

    /// Creates an engine for analysis, which reports all lines.
    pub fn make_analyst(&self, spec: &EngineSpec) -> Box<dyn SeatEngine> {
        (self.0)(spec, Infos::All)
    }
}

impl fmt::Debug for EngineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EngineSource")
    }
}
