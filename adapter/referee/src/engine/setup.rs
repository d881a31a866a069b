//! What happens between the start of a process and its first move: options, queries that it may answer, and a new game.

use std::time::Instant;

use kit::Options;
use protocol::{Command, Query, Reply};

use super::config::EngineConfig;
use super::dialogue::{Dialogue, Stage, State};
use super::fault::Fault;
use super::hear::EngineEvent;
use super::options::{choose_options, replace_option, seed_option};

impl Dialogue {
    /// After the death of the process: `true` if it was not in a game, or died of a query that it need not know. Then it is
    /// no fault, and another process starts; see [`begin_again`](Dialogue::begin_again).
    pub(super) fn may_begin_again(&mut self, config: &mut EngineConfig) -> bool {
        // Some engines exit at a query that they do not know. The next start tries the standard ones alone.
        let was_tried = std::mem::take(&mut self.is_moves_tried);
        config.is_fragile |= was_tried;
        config.is_probed |= was_tried;
        was_tried || self.stage == (Stage::Preparing { is_fresh: false })
    }

    /// Begins the dialogue with another process, which has the same things to do.
    pub(super) fn begin_again(&self, config: &EngineConfig, now: Instant) -> Dialogue {
        let is_game_due = !self.is_idle_start();
        let mut again = Dialogue::begin(config, now);
        again.stage = Stage::Starting { is_game_due };
        again.seed = self.seed;
        again
    }

    /// The handshake is over: sends the options.
    pub(super) fn greeted(&mut self, config: &mut EngineConfig, now: Instant) -> Result<(), Fault> {
        if let Some(why) = config.unsuitable_limit() {
            return Err(Fault::Unsuitable(why));
        }
        let declared = &self.facts.declared;
        let options = match config.options.take() {
            Some(options) => options,
            None => choose_options(config.rules.as_ref(), &config.spec, declared)
                .map_err(Fault::Option)?,
        };
        let options = config.options.insert(options);
        for (name, value) in self.late_options.drain(..) {
            let mut known = Options::new(declared.clone());
            if known.set(&name, value.as_deref()).is_ok() {
                replace_option(options, (name, value));
            }
        }
        self.set_options(options.clone(), now);
        Ok(())
    }

    /// The options are set: finds out which queries the engine answers, if that is not known.
    pub(super) fn options_set(
        &mut self,
        config: &mut EngineConfig,
        now: Instant,
    ) -> Option<EngineEvent> {
        const STANDARD: [Query; 3] = [Query::P1Turn, Query::GameOver, Query::Result];
        let Stage::Starting { .. } = self.stage else {
            return None;
        };
        if !std::mem::take(&mut config.is_probed) {
            return self.started(config, now);
        }
        self.is_moves_tried = !config.is_fragile;
        let queries = match config.is_fragile {
            true => &STANDARD[..],
            false => &Query::RULES[..],
        };
        self.probe(queries.to_vec(), Vec::new(), false, now);
        None
    }

    /// Sends queries, each with a fence.
    fn probe(&mut self, queries: Vec<Query>, answered: Vec<Query>, is_again: bool, now: Instant) {
        for query in &queries {
            self.push(&Command::Query(*query));
            self.push(&Command::IsReady);
        }
        let probing = State::Probing {
            left: queries.into(),
            answered,
            missing: Vec::new(),
            is_again,
        };
        self.enter(probing, Some(self.timeouts.ping), now);
    }

    /// Handles a reply to a probe. The queries that seem unanswered are sent again: a response then shows that a
    /// `readyok` came too early, from which the first round would draw wrong conclusions.
    pub(super) fn take_probed(
        &mut self,
        reply: &Reply,
        config: &mut EngineConfig,
        now: Instant,
    ) -> Result<Option<EngineEvent>, Fault> {
        let State::Probing {
            left,
            answered,
            missing,
            is_again,
        } = &mut self.state
        else {
            return Ok(None);
        };
        match reply {
            Reply::Response(_) if *is_again => {
                self.rest();
                return Err(Fault::OutOfStep);
            }
            Reply::Response(_) => {
                answered.extend(left.front().filter(|query| !answered.contains(query)));
            }
            Reply::ReadyOk => {
                let query = left.pop_front();
                missing.extend(query.filter(|query| !answered.contains(query)));
            }
            _ => {}
        }
        if !left.is_empty() {
            return Ok(None);
        }
        let (answered, missing) = (std::mem::take(answered), std::mem::take(missing));
        if *is_again || missing.is_empty() {
            self.rest();
            self.is_moves_tried = false;
            config.answers = answered;
            return Ok(self.started(config, now));
        }
        self.probe(missing, answered, true, now);
        Ok(None)
    }

    /// The engine is ready for its game.
    pub(super) fn ready(&mut self, config: &EngineConfig) -> Result<EngineEvent, Fault> {
        self.stage = Stage::Running;
        // A bridge has set up the game in its program.
        let complaint = self.facts.complaint.as_ref();
        match complaint.filter(|_| config.spec.proto.is_bridged()) {
            Some(why) => Err(Fault::Unsuitable(why.words.clone())),
            None => Ok(EngineEvent::Ready),
        }
    }

    fn started(&mut self, config: &EngineConfig, now: Instant) -> Option<EngineEvent> {
        if self.stage == (Stage::Starting { is_game_due: true }) {
            self.new_game(true, config, now);
            return None;
        }
        self.stage = Stage::Running;
        Some(EngineEvent::Started)
    }

    pub(super) fn new_game(&mut self, is_fresh: bool, config: &EngineConfig, now: Instant) {
        self.stage = Stage::Preparing { is_fresh };
        let set = config.options.as_deref().unwrap_or_default();
        let seed = self.seed;
        let seed =
            seed.and_then(|seed| seed_option(seed, set, &self.facts.declared, &mut self.is_seeded));
        if let Some(seed) = seed {
            self.set_options(vec![seed], now);
        }
        self.forget_game(now);
        let commands = [Command::NewGame, Command::IsReady];
        let ping = self.timeouts.ping;
        self.submit("", commands, State::Preparing, ping, now);
    }
}
