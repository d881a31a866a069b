//! The engines of a match: started once to be known, kept for their next game, started again when needed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kit::Options;
use protocol::{OptionDecl, Query};

use crate::client::Fault;
use crate::event::Event;
use crate::plan::{EngineSpec, Plan};
use crate::player::{EnginePlayer, Player, SetOption, Timeouts, executable};
use crate::process::{Launch, Log, QUIT_PATIENCE};
use crate::registry::Rules;
use crate::sync::unpoisoned;
use crate::tournament::{Host, MAX_NAME, MatchError};

/// All engines of a plan by their index, the arbiter last where there is one.
#[derive(Debug)]
pub(crate) struct EnginePool {
    recipes: Vec<EngineConfig>,
    /// Engines that wait for their next game, the longest waiting first.
    idle: Mutex<Vec<(usize, EnginePlayer)>>,
    /// How many may wait; more are told to quit.
    n_idle: usize,
}

impl EnginePool {
    /// Starts every engine once, all at the same time, and settles names, options and what it answers.
    pub(crate) fn assemble(
        plan: &Plan,
        rules: Option<&Rules>,
        host: &Host,
        log: Option<&Arc<Log>>,
    ) -> Result<EnginePool, MatchError> {
        let specs = plan.engines.iter().chain(&plan.arbiter);
        let mut recipes: Vec<EngineConfig> = specs
            .map(|spec| EngineConfig::new(spec, plan, host, log.cloned()))
            .collect();
        let mut players: Vec<EnginePlayer> = recipes.iter().map(EngineConfig::player).collect();
        for (recipe, player) in recipes.iter().zip(&mut players) {
            player
                .launch()
                .map_err(|fault| recipe.engine_error(fault))?;
        }
        let mut names = HashSet::new();
        for (recipe, player) in recipes.iter_mut().zip(&mut players) {
            recipe.meet(player, rules, &mut names)?;
            if plan.cross_check || rules.is_none() {
                recipe.probe(player, rules.is_none())?;
            }
        }
        Ok(EnginePool {
            n_idle: recipes.len().max(2 * plan.concurrency),
            recipes,
            idle: Mutex::new(players.into_iter().enumerate().collect()),
        })
    }

    /// The settled name of an engine.
    pub(crate) fn name(&self, engine: usize) -> &str {
        self.recipes[engine]
            .spec
            .name
            .as_deref()
            .unwrap_or_default()
    }

    /// What is worth knowing before the first game: whose moves cannot be judged.
    pub(crate) fn notes(&self, rules: Option<&Rules>) -> Vec<Event> {
        let silent =
            |recipe: &&EngineConfig| rules.is_none() && !recipe.answers.contains(&Query::Moves);
        let note = |recipe: &EngineConfig| Event::Note {
            engine: recipe.label(),
            text: "does not answer query moves: whether its moves are legal is not judged"
                .to_owned(),
        };
        self.recipes.iter().filter(silent).map(note).collect()
    }

    /// An engine for one game: one that waits, or else a new one.
    pub(crate) fn take(&self, engine: usize) -> EnginePlayer {
        let mut idle = unpoisoned(&self.idle);
        let found = idle.iter().position(|(index, _)| *index == engine);
        found.map_or_else(|| self.recipes[engine].player(), |at| idle.remove(at).1)
    }

    /// Takes an engine back after its game.
    pub(crate) fn put(&self, engine: usize, mut player: EnginePlayer) {
        player.game_over();
        let surplus = {
            let mut idle = unpoisoned(&self.idle);
            idle.push((engine, player));
            (idle.len() > self.n_idle).then(|| idle.remove(0))
        };
        if let Some((_, mut player)) = surplus {
            player.ask_to_quit();
            player.end(Instant::now() + QUIT_PATIENCE);
        }
    }

    /// Tells all engines to quit, and notes who did not.
    pub(crate) fn dismiss(&self) -> Vec<Event> {
        let mut idle = std::mem::take(&mut *unpoisoned(&self.idle));
        for (_, player) in &mut idle {
            player.ask_to_quit();
        }
        let deadline = Instant::now() + QUIT_PATIENCE;
        let mut notes = Vec::new();
        for (_, player) in &mut idle {
            if !player.end(deadline) {
                notes.push(Event::Note {
                    engine: player.name().to_owned(),
                    text: "did not quit in time and was killed".to_owned(),
                });
            }
        }
        notes
    }
}

/// Starts an engine that belongs to no match: greeted, its options set.
pub(crate) fn start(
    spec: &EngineSpec,
    plan: &Plan,
    rules: &Rules,
    host: &Host,
) -> Result<EnginePlayer, MatchError> {
    let mut recipe = EngineConfig::new(spec, plan, host, None);
    let mut player = recipe.player();
    let launched = player.launch();
    launched.map_err(|fault| recipe.engine_error(fault))?;
    recipe.meet(&mut player, Some(rules), &mut HashSet::new())?;
    Ok(player)
}

/// How to make an engine of the plan.
#[derive(Debug)]
struct EngineConfig {
    spec: EngineSpec,
    launch: Launch,
    options: Vec<SetOption>,
    answers: Vec<Query>,
    patience: Timeouts,
}

impl EngineConfig {
    fn new(spec: &EngineSpec, plan: &Plan, host: &Host, log: Option<Arc<Log>>) -> EngineConfig {
        let (program, args, dir) = executable(&spec.program, &plan.game.name, &host.executable);
        let label = spec
            .name
            .clone()
            .unwrap_or_else(|| program.display().to_string());
        let launch = Launch {
            who: label,
            program,
            args: args.into_iter().map(Into::into).collect(),
            dir,
            stderr: spec.stderr.clone(),
            log,
            stop: host.stop.clone(),
        };
        EngineConfig {
            spec: spec.clone(),
            launch,
            options: Vec::new(),
            answers: Vec::new(),
            patience: Timeouts {
                startup: Duration::from_millis(plan.startup_ms),
                ping: Duration::from_millis(plan.ping_ms),
            },
        }
    }

    fn player(&self) -> EnginePlayer {
        EnginePlayer::new(
            self.spec.clone(),
            self.launch.clone(),
            self.options.clone(),
            self.answers.clone(),
            self.patience,
        )
    }

    /// Shakes hands with the first process of this engine, and settles its name and its options.
    fn meet(
        &mut self,
        player: &mut EnginePlayer,
        rules: Option<&Rules>,
        names: &mut HashSet<String>,
    ) -> Result<(), MatchError> {
        let declared = player
            .shake_hands()
            .map_err(|fault| self.engine_error(fault))?;
        let options = choose_options(rules, &self.spec, declared);
        self.options = options.map_err(|why| MatchError::Option {
            name: self.label(),
            why,
        })?;
        let name = unique_name(self.given_name(player.id_name()), names);
        self.launch.who.clone_from(&name);
        self.spec.name = Some(name.clone());
        let settled = player.settle(name, self.options.clone());
        settled.map_err(|fault| self.engine_error(fault))
    }

    /// Finds out what the engine answers; without rules, the end of the game must be among it.
    fn probe(&mut self, player: &mut EnginePlayer, must_judge: bool) -> Result<(), MatchError> {
        let answers = player.probe().map_err(|fault| self.engine_error(fault))?;
        self.answers = answers.to_vec();
        let judges = [Query::GameOver, Query::Result]
            .iter()
            .all(|query| answers.contains(query));
        if must_judge && !judges {
            let why = "it does not answer query gameover and query result, and nobody else knows the game";
            return Err(self.engine_error(Fault::Start(why.to_owned())));
        }
        Ok(())
    }

    /// What to call the engine, which may have no name yet.
    fn label(&self) -> String {
        self.launch.who.clone()
    }

    fn engine_error(&self, fault: Fault) -> MatchError {
        let name = self.label();
        MatchError::Engine { name, fault }
    }

    fn given_name(&self, id_name: Option<&str>) -> String {
        if let Some(name) = &self.spec.name {
            return name.clone();
        }
        let fits = |c: &char| !c.is_control() && !matches!(c, '"' | '\\');
        let name: String = id_name
            .unwrap_or_default()
            .chars()
            .filter(fits)
            .take(MAX_NAME)
            .collect();
        if !name.trim().is_empty() {
            return name.trim().to_owned();
        }
        let stem = self.launch.program.file_stem();
        stem.map_or_else(
            || "engine".to_owned(),
            |stem| stem.to_string_lossy().into_owned(),
        )
    }
}

/// The name, with a number if it is taken.
pub(crate) fn unique_name(name: String, taken: &mut HashSet<String>) -> String {
    let unique = (1..)
        .map(|n| {
            if n == 1 {
                name.clone()
            } else {
                format!("{name} #{n}")
            }
        })
        .find(|candidate| !taken.contains(candidate))
        .expect("numbers do not run out");
    taken.insert(unique.clone());
    unique
}

/// The options to send: the game's as far as the engine declares them, then the user's, checked.
pub(crate) fn choose_options(
    rules: Option<&Rules>,
    spec: &EngineSpec,
    declared: &[OptionDecl],
) -> Result<Vec<SetOption>, String> {
    let mut known = Options::new(declared.to_vec());
    let mut chosen =
        rules.map_or_else(|| Ok(Vec::new()), |rules| game_options(rules, &mut known))?;
    if spec.ponder && known.has("Ponder") {
        chosen.push(("Ponder".to_owned(), Some("true".to_owned())));
    }
    for (name, value) in &spec.options {
        known
            .set(name, value.as_deref())
            .map_err(|error| format!("option.{name}: {error}"))?;
        chosen.push((name.clone(), value.clone()));
    }
    Ok(chosen)
}

fn game_options(rules: &Rules, known: &mut Options) -> Result<Vec<SetOption>, String> {
    let defaults = Options::new((rules.entry().options)());
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
                "it has no option {name}: expected a game with {name}={default}"
            ));
        }
    }
    Ok(chosen)
}
