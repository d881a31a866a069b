//! The steps between the start of a process and its first move: options, queries that it may answer, and a new game.

use std::time::Instant;

use kit::Options;
use kit::session::{SEED, errs_at_random};
use protocol::{Command, OptionDecl, OptionKind, Query, Reply};
use record::engine_spec::{EngineSpec, Program, SetOption};
use record::registry::Rules;

use super::config::EngineConfig;
use super::dialogue::{Dialogue, Stage, State};
use super::fault::Fault;
use super::hear::EngineEvent;

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
        let Stage::Starting { .. } = self.stage else {
            return None;
        };
        if !std::mem::take(&mut config.is_probed) {
            return self.started(config, now);
        }
        self.is_moves_tried = !config.is_fragile;
        config.answers.clear();
        self.probe(config.unanswered(), false, now);
        None
    }

    /// Sends queries, each with a fence.
    fn probe(&mut self, queries: Vec<Query>, is_again: bool, now: Instant) {
        for query in &queries {
            self.push(&Command::Query(*query));
            self.push(&Command::IsReady);
        }
        let left = queries.into();
        let probing = State::Probing { left, is_again };
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
        let State::Probing { left, is_again } = &mut self.state else {
            return Ok(None);
        };
        match reply {
            Reply::Response(_) if *is_again => {
                self.rest();
                return Err(Fault::OutOfStep);
            }
            Reply::Response(_) => {
                let query = left.front().copied();
                let is_known = query.is_some_and(|query| config.answers.contains(&query));
                config.answers.extend(query.filter(|_| !is_known));
            }
            Reply::ReadyOk => drop(left.pop_front()),
            _ => {}
        }
        if !left.is_empty() {
            return Ok(None);
        }
        let unanswered = config.unanswered();
        if *is_again || unanswered.is_empty() {
            self.rest();
            self.is_moves_tried = false;
            return Ok(self.started(config, now));
        }
        self.probe(unanswered, true, now);
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

/// The option of the built-in engines that names a file or a folder of tables. The user's folder is set for all games.
pub const TABLE_PATH: &str = "TablePath";

/// Returns the options to send: those of the game that the engine declares, then those of the user.
///
/// # Errors
/// If the engine rejects an option. The text names it and what was expected.
pub fn choose_options(
    rules: Option<&Rules>,
    spec: &EngineSpec,
    declared: &[OptionDecl],
) -> Result<Vec<SetOption>, String> {
    let mut known = Options::new(declared.to_vec());
    let mut chosen = Vec::new();
    if let Some(rules) = rules {
        refuse_board_options(rules, &spec.options)?;
        chosen = game_options(rules, &mut known)?;
    }
    if spec.ponder && known.has("Ponder") {
        chosen.push(("Ponder".to_owned(), Some("true".to_owned())));
    }
    let options = spec.options.iter();
    for (name, value) in options.filter(|option| !is_spare(rules, spec, option)) {
        known
            .set(name, value.as_deref())
            .map_err(|error| format!("option.{name}: {error}"))?;
        chosen.push((name.clone(), value.clone()));
    }
    Ok(chosen)
}

/// `true` for the folder of tables of a built-in engine that plays by the rules of a program: it has none to read.
fn is_spare(rules: Option<&Rules>, spec: &EngineSpec, (name, _): &SetOption) -> bool {
    spec.program == Program::Builtin
        && rules.is_some_and(Rules::are_of_program)
        && name.eq_ignore_ascii_case(TABLE_PATH)
}

/// Rejects user options that belong to the board. They are set with the game, for all engines, because otherwise one
/// engine would play by different rules.
fn refuse_board_options(rules: &Rules, options: &[SetOption]) -> Result<(), String> {
    let board = Options::new(rules.entry().source.options());
    let Some((name, value)) = options.iter().find(|(name, _)| board.has(name)) else {
        return Ok(());
    };
    let (game, value) = (rules.entry().name, value.as_deref().unwrap_or_default());
    Err(format!(
        "option.{name}: an option of the board: write it with the game, {game}:{name}={value}"
    ))
}

fn game_options(rules: &Rules, known: &mut Options) -> Result<Vec<SetOption>, String> {
    let defaults = Options::new(rules.entry().source.options());
    let mut chosen = Vec::new();
    for (name, value) in rules.options().values() {
        let default = defaults.text(name);
        if known.has(name) {
            known
                .set(name, Some(value))
                .map_err(|error| error.to_string())?;
            chosen.push((name.to_owned(), Some(value.to_owned())));
        } else if default != value {
            return Err(format!(
                "it has no option {name} and plays only games with {name}={default}"
            ));
        }
    }
    Ok(chosen)
}

/// Sets an option in a list, in place of an earlier value.
pub(super) fn replace_option(options: &mut Vec<SetOption>, option: SetOption) {
    options.retain(|(known, _)| !known.eq_ignore_ascii_case(&option.0));
    options.push(option);
}

/// The option `Seed` for the game that begins; its default if only an earlier game needed a seed (`is_seeded`).
pub(super) fn seed_option(
    seed: u64,
    set: &[SetOption],
    declared: &[OptionDecl],
    is_seeded: &mut bool,
) -> Option<SetOption> {
    if set.iter().any(|(name, _)| name.eq_ignore_ascii_case(SEED)) {
        return None;
    }
    let mut options = Options::new(declared.to_vec());
    for (name, value) in set {
        // The engine's handshake has accepted them, or reported them.
        let _ = options.set(name, value.as_deref());
    }
    let mut known = declared.iter();
    let decl = known.find(|decl| decl.name.eq_ignore_ascii_case(SEED))?;
    let OptionKind::Spin { default, min, max } = decl.kind else {
        return None;
    };
    let value = match errs_at_random(&options) {
        true => {
            // A number of its range that depends on the seed; none if the range is empty.
            let n_values = i128::from(max) - i128::from(min.max(1)) + 1;
            let above = i128::from(seed).checked_rem(n_values.max(0))?;
            i64::try_from(i128::from(min.max(1)) + above).ok()?
        }
        false if *is_seeded => default,
        false => return None,
    };
    *is_seeded = value != default;
    Some((decl.name.clone(), Some(value.to_string())))
}

#[cfg(test)]
mod options_tests {
    use super::*;
    use crate::record_testing::{rules, spec};

    #[test]
    fn a_board_option_for_one_engine_is_refused() {
        let mut bad = spec("A");
        bad.options = vec![("Heaps".to_owned(), Some("3".to_owned()))];
        let why = choose_options(Some(&rules()), &bad, &[]).expect_err("it is the board's");
        assert!(
            why.ends_with("write it with the game, nim:Heaps=3"),
            "{why}"
        );
    }
}
