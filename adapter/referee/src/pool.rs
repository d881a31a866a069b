//! The engines of a match: started once for the handshake, kept between games, restarted when needed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use protocol::Query;
use record::engine_spec::{Program, Proto, Restart};
use record::event::Event;
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Rules;

use crate::affinity::affinity_of;
use crate::engine::{
    Engine, EngineConfig, EngineEvent, Request, call, given_name, quit, unique_name, wait_any,
};
use crate::host::Host;
use crate::match_error::MatchError;
use crate::process::{Log, QUIT_TIMEOUT};
use crate::start_check::{check_judges, compare_starts, engine_error, starts_at};

/// Interval at which the wait for the first handshakes checks for a stop request.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// All engines of a plan by index.
#[derive(Debug)]
pub struct EnginePool {
    configs: Vec<EngineConfig>,
    /// Engines waiting for their next game, the longest waiting first.
    idle: Mutex<Vec<IdleEngine>>,
    /// The CPUs of each place, if engines are pinned.
    affinity: Option<Vec<Vec<usize>>>,
    /// Capacity of `idle`; surplus engines are shut down.
    max_idle: usize,
}

/// An engine without a game.
#[derive(Debug)]
struct IdleEngine {
    /// Its index in the plan.
    index: usize,
    /// The place it is pinned to; 0 without pinning.
    place: usize,
    engine: Engine,
}

impl EnginePool {
    /// Starts all engines at the same time and assigns their names and options. Blocks.
    ///
    /// # Errors
    /// An engine does not start, rejects an option, or cannot judge a game without built-in rules.
    pub fn start(
        plan: &Plan,
        rules: Option<&Rules>,
        host: &Host,
        log: Option<&Arc<Log>>,
    ) -> Result<EnginePool, MatchError> {
        let affinity = affinity_of(plan).map_err(MatchError::Trouble)?;
        let configs = plan.engines.iter().map(|spec| {
            let mut config = EngineConfig::new(spec, plan, rules, host);
            config.launch.log = log.cloned();
            if log.is_some() && spec.proto.is_bridged() {
                config.launch.args.push("--wire".into());
            }
            config.launch.cpus = cpus(affinity.as_deref(), 0);
            // The start position of an engine is compared with that of the rules.
            let is_compared = rules.is_some_and(Rules::are_of_program)
                && spec.proto == Proto::Ugi
                && spec.program != Program::Builtin;
            config.is_probed = rules.is_none() || is_compared;
            config
        });
        let n_playing = 2 * plan.concurrency;
        let mut pool = EnginePool::handshake_all(configs.collect(), rules.is_none(), n_playing)?;
        pool.affinity = affinity;
        pool.try_positions(plan)?;
        if let Some(rules) = rules.filter(|rules| rules.are_of_program()) {
            pool.send_starts_of(rules)?;
        }
        Ok(pool)
    }

    /// Starts one engine for each configuration. With `must_judge`, each must answer `query gameover` and `query
    /// result`. `n_playing` engines play at the same time.
    pub fn handshake_all(
        configs: Vec<EngineConfig>,
        must_judge: bool,
        n_playing: usize,
    ) -> Result<EnginePool, MatchError> {
        let mut engines: Vec<Engine> = configs.into_iter().map(Engine::new).collect();
        for engine in &mut engines {
            let started = engine.ask(Request::Start, Instant::now());
            started.map_err(|fault| engine_error(engine, fault))?;
        }
        await_starts(&mut engines)?;
        let mut names = HashSet::new();
        for engine in &mut engines {
            let name = unique_name(given_name(engine), &mut names);
            engine.rename(&name);
            if must_judge {
                check_judges(engine)?;
            }
        }
        if must_judge {
            compare_starts(&mut engines)?;
        }
        let configs = engines.iter().map(|engine| engine.config.clone());
        let configs: Vec<EngineConfig> = configs.collect();
        let idle = (0..).zip(engines).map(|(index, engine)| IdleEngine {
            index,
            place: 0,
            engine,
        });
        Ok(EnginePool {
            max_idle: configs.len().max(n_playing),
            configs,
            idle: Mutex::new(idle.collect()),
            affinity: None,
        })
    }

    /// Lets programs behind bridges set up a game, so that an engine that cannot is found before the first one: one with a
    /// position string if there is such an opening.
    fn try_positions(&mut self, plan: &Plan) -> Result<(), MatchError> {
        let mut openings = plan.openings.iter();
        let start = openings.find(|opening| opening.fen.is_some());
        let start = start.map_or_else(Opening::default, |opening| opening.prefix(0));
        for IdleEngine { engine, .. } in self.idle.get_mut() {
            if engine.config.spec.proto.is_bridged() {
                let position = format!("position {start}");
                let tried = call(engine, Request::SetUp(&position), EngineEvent::ready);
                tried.map_err(|fault| engine_error(engine, fault))?;
            }
        }
        Ok(())
    }

    /// Engines to whom `startpos` is not the start position of the rules receive its position string.
    fn send_starts_of(&mut self, rules: &Rules) -> Result<(), MatchError> {
        let board = rules.start();
        for IdleEngine { index, engine, .. } in self.idle.get_mut() {
            if !starts_at(engine, board.as_ref())? {
                let start = Some(board.fen());
                engine.config.start.clone_from(&start);
                self.configs[*index].start = start;
            }
        }
        match board.fault() {
            Some(why) => Err(MatchError::Trouble(why)),
            None => Ok(()),
        }
    }

    /// The unique name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.configs[engine].label()
    }

    /// `true` if an engine answers this query.
    pub fn answers(&self, engine: usize, query: Query) -> bool {
        self.configs[engine].answers().contains(&query)
    }

    /// Notes before the first game: engines whose moves cannot be judged, or with another start position, and rejected
    /// options.
    pub fn notes(&self, rules: Option<&Rules>) -> Vec<Event> {
        let silent =
            |config: &&EngineConfig| rules.is_none() && !config.answers().contains(&Query::Moves);
        let mut notes = Vec::new();
        for config in self.configs.iter().filter(silent) {
            let text = "does not answer query moves: the legality of its moves is not checked";
            notes.push(Event::note(config.label(), text));
        }
        for config in &self.configs {
            let untold = config.untold_limit();
            notes.extend(untold.map(|text| Event::note(config.label(), text)));
            let text = config.start.as_ref().map(|start| {
                format!("startpos is not the start position of the rules: receives {start}")
            });
            notes.extend(text.map(|text| Event::note(config.label(), text)));
        }
        for IdleEngine { engine, .. } in self.idle.lock().iter_mut() {
            for text in std::mem::take(&mut engine.facts().notes) {
                notes.push(Event::note(engine.name(), text));
            }
        }
        notes
    }

    /// Takes an engine for one game at this place: an idle one, or a new one that is not started yet. Places number the
    /// concurrent games; a pinned engine stays at its place.
    pub fn take(&self, index: usize, place: usize) -> Engine {
        let home = self.home(place);
        let mut idle = self.idle.lock();
        let is_it = |idle: &IdleEngine| (idle.index, idle.place) == (index, home);
        if let Some(at) = idle.iter().position(is_it) {
            return idle.remove(at).engine;
        }
        let mut config = self.configs[index].clone();
        config.launch.cpus = cpus(self.affinity.as_deref(), home);
        Engine::new(config)
    }

    /// Returns an engine after its game.
    pub fn put(&self, index: usize, place: usize, mut engine: Engine) {
        if engine.config.spec.restart == Restart::On {
            quit(&mut engine);
        }
        let place = self.home(place);
        let surplus = {
            let mut idle = self.idle.lock();
            idle.push(IdleEngine {
                index,
                place,
                engine,
            });
            (idle.len() > self.max_idle).then(|| idle.remove(0))
        };
        if let Some(IdleEngine { mut engine, .. }) = surplus {
            quit(&mut engine);
        }
    }

    fn home(&self, place: usize) -> usize {
        self.affinity.as_ref().map_or(0, |_| place)
    }

    /// Sends `quit` to all engines and returns a note for each that had to be killed. Blocks.
    pub fn shut_down(&self) -> Vec<Event> {
        let mut idle = std::mem::take(&mut *self.idle.lock());
        for IdleEngine { engine, .. } in &mut idle {
            // A process that is not running has nothing to quit.
            let _ = engine.ask(Request::Quit, Instant::now());
        }
        let deadline = Instant::now() + QUIT_TIMEOUT;
        let mut notes = Vec::new();
        for IdleEngine { engine, .. } in &mut idle {
            if !engine.end(deadline) {
                let text = "did not quit in time and was killed";
                notes.push(Event::note(engine.name(), text));
            }
        }
        notes
    }
}

fn cpus(affinity: Option<&[Vec<usize>]>, place: usize) -> Vec<usize> {
    affinity.map_or_else(Vec::new, |affinity| affinity[place].clone())
}

/// Waits until all engines have started. The error is that of the first one that does not.
fn await_starts(engines: &mut [Engine]) -> Result<(), MatchError> {
    let mut started = vec![false; engines.len()];
    loop {
        let mut due: Option<Instant> = None;
        let mut is_earlier_open = false;
        for (engine, is_started) in engines.iter_mut().zip(&mut started) {
            let now = Instant::now();
            while !*is_started {
                match engine.poll(now) {
                    Ok(Some(event)) => *is_started = event == EngineEvent::Started,
                    Ok(None) if engine.config.stop.is_asked() => {
                        return Err(MatchError::Stopped);
                    }
                    Ok(None) => break,
                    // An earlier engine may fail, too.
                    Err(_) if is_earlier_open => break,
                    Err(fault) => return Err(engine_error(engine, fault)),
                }
            }
            is_earlier_open |= !*is_started;
            due = [due, engine.deadline(now)].into_iter().flatten().min();
        }
        if started.iter().all(|is_started| *is_started) {
            return Ok(());
        }
        let check = Instant::now() + STOP_CHECK;
        let due = due.map_or(check, |due| due.min(check));
        let waiting = engines.iter_mut().zip(&started);
        let waiting = waiting.filter(|(_, is_started)| !**is_started);
        wait_any(waiting.map(|(engine, _)| engine), [], None, Some(due));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::engine::begin;
    use crate::stop::Stop;
    use crate::testing::{config, starting};

    fn pool(configs: Vec<EngineConfig>) -> Result<EnginePool, MatchError> {
        EnginePool::handshake_all(configs, false, 2)
    }

    #[test]
    fn names_are_told_apart() {
        let mut nameless = config("engine.exe");
        nameless.spec.name = None;
        let pool = pool(vec![config("A"), config("A"), nameless.clone(), nameless]);
        let pool = pool.expect("they start");
        let names: Vec<&str> = (0..4).map(|engine| pool.name(engine)).collect();
        assert_eq!(names, ["A", "A #2", "engine", "engine #2"]);
    }

    #[test]
    fn an_engine_plays_game_after_game_in_one_process() {
        let n_started = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&n_started);
        let config = starting("A", move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        let pool = pool(vec![config]).expect("it starts");
        for _ in 0..3 {
            let mut engine = pool.take(0, 0);
            begin(&mut engine).expect("it is ready");
            pool.put(0, 0, engine);
        }
        assert_eq!(n_started.load(Ordering::Relaxed), 1);
        let mut both = [pool.take(0, 0), pool.take(0, 0)];
        for engine in &mut both {
            begin(engine).expect("it is ready");
        }
        assert_eq!(n_started.load(Ordering::Relaxed), 2, "two games at once");
        assert_eq!(both[1].name(), "A");
    }

    #[test]
    fn an_engine_that_does_not_start_is_named() {
        let missing = starting("A", || Err(std::io::ErrorKind::NotFound.into()));
        let error = pool(vec![config("B"), missing]).expect_err("A is missing");
        assert!(
            error
                .to_string()
                .starts_with("engine A: cannot be started: "),
            "{error}"
        );
        for ask in [Stop::now, Stop::after_games] {
            let mut silent = config("A");
            silent.script = None;
            silent.launch.program = "sleep".into();
            silent.launch.args = vec!["600".into()];
            ask(&silent.stop);
            assert!(matches!(pool(vec![silent]), Err(MatchError::Stopped)));
        }
    }
}
