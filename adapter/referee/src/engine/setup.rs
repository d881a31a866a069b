//! The steps between the start of a process and its first move: options, queries that it may answer, and a new game.

use kit::Options;
use kit::session::{SEED, TABLE_PATH, errs_at_random};
use protocol::{Command, OptionDecl, OptionKind, Query, Reply};
use record::engine_spec::{EngineSpec, Program, SetOption};
use record::registry::Rules;

use super::Engine;
use super::dialogue::{Stage, State};
use super::fault::Fault;
use super::hear::{EngineEvent, Heard};

impl Engine {
    /// After the death of the process: `true` if it was not in a game, or died of a query that it need not know. Then it is
    /// no fault, and another process starts, which has the same things to do.
    pub(super) fn may_begin_again(&mut self) -> bool {
        // Some engines exit at a query that they do not know. The next start tries the standard ones alone.
        let was_tried = std::mem::take(&mut self.is_moves_tried);
        self.config.is_fragile |= was_tried;
        self.config.is_probed |= was_tried;
        was_tried || self.stage == (Stage::Preparing { is_fresh: false })
    }

    /// The handshake is over: sends the options.
    pub(super) fn greeted(&mut self) -> Result<(), Fault> {
        let (config, declared) = (&mut self.config, &self.facts.declared);
        if let Some(why) = config.unsuitable_limit() {
            return Err(Fault::Unsuitable(why));
        }
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
        let options = options.clone();
        self.set_options(options);
        Ok(())
    }

    /// The options are set: finds out which queries the engine answers, if that is not known.
    pub(super) fn options_set(&mut self) -> Option<EngineEvent> {
        let Stage::Starting { .. } = self.stage else {
            return None;
        };
        if !std::mem::take(&mut self.config.is_probed) {
            return self.started();
        }
        self.is_moves_tried = !self.config.is_fragile;
        self.config.answers.clear();
        self.probe(self.config.unanswered(), false);
        None
    }

    /// Sends queries, each with a fence.
    fn probe(&mut self, queries: Vec<Query>, is_again: bool) {
        for query in &queries {
            self.push(&Command::Query(*query));
            self.push(&Command::IsReady);
        }
        let left = queries.into();
        self.enter(State::Probing { left, is_again });
    }

    /// Handles a reply to a probe. The queries that seem unanswered are sent again: a response then shows that a
    /// `readyok` came too early, from which the first round would draw wrong conclusions.
    pub(super) fn take_probed(&mut self, reply: &Reply) -> Heard {
        let State::Probing { left, is_again } = &mut self.state else {
            return Ok(None);
        };
        match reply {
            Reply::Response(_) if *is_again => {
                self.enter(State::Idle);
                return Err(Fault::OutOfStep);
            }
            Reply::Response(_) => {
                let answers = &mut self.config.answers;
                let query = left.front().filter(|query| !answers.contains(query));
                answers.extend(query.copied());
            }
            Reply::ReadyOk => drop(left.pop_front()),
            _ => {}
        }
        if !left.is_empty() {
            return Ok(None);
        }
        let unanswered = self.config.unanswered();
        if *is_again || unanswered.is_empty() {
            self.enter(State::Idle);
            self.is_moves_tried = false;
            return Ok(self.started());
        }
        self.probe(unanswered, true);
        Ok(None)
    }

    /// The engine is ready for its game.
    pub(super) fn ready(&mut self) -> Result<EngineEvent, Fault> {
        self.stage = Stage::Running;
        // A bridge has set up the game in its program.
        match &self.facts.complaint {
            Some(why) if self.config.spec.proto.is_bridged() => {
                Err(Fault::Unsuitable(why.words.clone()))
            }
            _ => Ok(EngineEvent::Ready),
        }
    }

    fn started(&mut self) -> Option<EngineEvent> {
        if self.is_idle_start() {
            self.stage = Stage::Running;
            return Some(EngineEvent::Started);
        }
        self.new_game(true);
        None
    }

    pub(super) fn new_game(&mut self, is_fresh: bool) {
        self.stage = Stage::Preparing { is_fresh };
        if let Some(option) = self.seed_option() {
            self.set_options(vec![option]);
        }
        self.forget_game();
        self.submit("", [Command::NewGame, Command::IsReady], State::Preparing);
    }

    /// The option `Seed` for the game that begins, unless the user has set it; its default if only an earlier game needed a
    /// seed.
    fn seed_option(&mut self) -> Option<SetOption> {
        let (seed, declared) = (self.seed?, &self.facts.declared);
        let is_seed = |decl: &&OptionDecl| decl.name.eq_ignore_ascii_case(SEED);
        let decl = declared.iter().find(is_seed)?;
        let OptionKind::Spin { default, min, max } = decl.kind else {
            return None;
        };
        let mut options = Options::new(declared.clone());
        for (name, value) in self.config.options.iter().flatten() {
            if name.eq_ignore_ascii_case(SEED) {
                return None;
            }
            // The engine's handshake has accepted them, or reported them.
            let _ = options.set(name, value.as_deref());
        }
        let value = if errs_at_random(&options) {
            // A number of its range that depends on the seed; none if the range is empty.
            let (min, max) = (i128::from(min.max(1)), i128::from(max));
            let above = i128::from(seed).checked_rem((max - min + 1).max(0))?;
            i64::try_from(min + above).ok()?
        } else if self.is_seeded {
            default
        } else {
            return None;
        };
        self.is_seeded = value != default;
        Some((decl.name.clone(), Some(value.to_string())))
    }

    /// Sets an option at each later start.
    pub(super) fn keep_option(&mut self, option: SetOption) {
        let config = &mut self.config;
        let known = config.options.as_mut().unwrap_or(&mut config.spec.options);
        replace_option(known, option);
    }
}

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
    let mut chosen = match rules {
        Some(rules) => game_options(rules, spec, &mut known)?,
        None => Vec::new(),
    };
    if spec.ponder && known.has("Ponder") {
        chosen.push(("Ponder".to_owned(), Some("true".to_owned())));
    }
    // A built-in engine that plays by the rules of a program has no tables to read.
    let is_tableless = spec.program == Program::Builtin && rules.is_some_and(Rules::are_of_program);
    let is_spare = |name: &str| is_tableless && name.eq_ignore_ascii_case(TABLE_PATH);
    for (name, value) in spec.options.iter().filter(|(name, _)| !is_spare(name)) {
        known
            .set(name, value.as_deref())
            .map_err(|error| format!("option.{name}: {error}"))?;
        chosen.push((name.clone(), value.clone()));
    }
    Ok(chosen)
}

/// The options of the board, which are set for all engines: an engine with other values would play by other rules.
fn game_options(
    rules: &Rules,
    spec: &EngineSpec,
    known: &mut Options,
) -> Result<Vec<SetOption>, String> {
    let defaults = Options::new(rules.entry().source.options());
    if let Some((name, value)) = spec.options.iter().find(|(name, _)| defaults.has(name)) {
        let (game, value) = (rules.entry().name, value.as_deref().unwrap_or_default());
        return Err(format!(
            "option.{name}: an option of the board: write it with the game, {game}:{name}={value}"
        ));
    }
    let mut chosen = Vec::new();
    for (name, value) in rules.options().values() {
        let default = defaults.text(name);
        if known.has(name) {
            let set = known.set(name, Some(value));
            set.map_err(|error| error.to_string())?;
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
