//! The engines of a match: started once for the handshake, checked before the first game, kept between games, restarted
//! when needed.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use kit::dyn_history::expected_reply;
use parking_lot::Mutex;
use protocol::Query;
use protocol::text::excerpt;
use record::engine_spec::{Program, Proto, Restart};
use record::event::Event;
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Rules;

use crate::arbiter::is_same;
use crate::capacity::affinity_of;
use crate::engine::{
    Engine, EngineConfig, EngineEvent, Fault, Request, STOP_CHECK, answer, call, given_name, quit,
    unique_name, wait_any,
};
use crate::host::Host;
use crate::match_error::MatchError;
use crate::process::{Log, QUIT_TIMEOUT};

/// All engines of a plan by index.
pub struct EnginePool {
    configs: Vec<EngineConfig>,
    /// Engines waiting for their next game, the longest waiting first.
    idle: Mutex<Vec<IdleEngine>>,
    /// The CPUs of each place; empty if engines are not pinned.
    affinity: Vec<Vec<usize>>,
    /// Capacity of `idle`; surplus engines are shut down.
    max_idle: usize,
}

/// An engine without a game, with its index in the plan, and the place that it is pinned to; 0 without pinning.
type IdleEngine = ((usize, usize), Engine);

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
            config.launch.cpus = affinity.first().cloned().unwrap_or_default();
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
            let started = engine.ask(Request::Start);
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
        let configs: Vec<_> = engines.iter().map(|engine| engine.config.clone()).collect();
        let idle = (0..).map(|index| (index, 0)).zip(engines);
        Ok(EnginePool {
            max_idle: configs.len().max(n_playing),
            configs,
            idle: Mutex::new(idle.collect()),
            affinity: Vec::new(),
        })
    }

    /// Lets programs behind bridges set up a game, so that an engine that cannot is found before the first one: one with a
    /// position string if there is such an opening.
    fn try_positions(&mut self, plan: &Plan) -> Result<(), MatchError> {
        let mut openings = plan.openings.iter();
        let start = openings.find(|opening| opening.fen.is_some());
        let start = start.map_or_else(Opening::default, |opening| opening.prefix(0));
        let position = format!("position {start}");
        for (_, engine) in self.idle.get_mut() {
            if engine.config.spec.proto.is_bridged() {
                let tried = call(engine, Request::SetUp(&position), EngineEvent::ready);
                tried.map_err(|fault| engine_error(engine, fault))?;
            }
        }
        Ok(())
    }

    /// Engines to whom `startpos` is not the start position of the rules receive its position string.
    fn send_starts_of(&mut self, rules: &Rules) -> Result<(), MatchError> {
        let board = rules.start();
        for ((index, _), engine) in self.idle.get_mut() {
            for query in [Query::P1Turn, Query::Moves] {
                if let Some(right) = expected_reply(board.as_ref(), query)
                    && let Some(answer) = ask_start(engine, query)?
                    && !is_same(query, &right, &answer)
                {
                    engine.config.start = Some(board.fen());
                    self.configs[*index].start.clone_from(&engine.config.start);
                    break;
                }
            }
        }
        board.fault().map(MatchError::Trouble).map_or(Ok(()), Err)
    }

    /// The unique name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        self.configs[engine].label()
    }

    /// `true` if an engine answers this query.
    pub fn answers(&self, engine: usize, query: Query) -> bool {
        self.configs[engine].answers.contains(&query)
    }

    /// Notes before the first game: engines whose moves cannot be judged, or with another start position, and rejected
    /// options.
    pub fn notes(&self, rules: Option<&Rules>) -> Vec<Event> {
        let mut notes = Vec::new();
        for config in &self.configs {
            const SILENT: &str =
                "does not answer query moves: the legality of its moves is not checked";
            const START: &str = "startpos is not the start position of the rules: receives ";
            let is_silent = rules.is_none() && !config.answers.contains(&Query::Moves);
            let silent = is_silent.then(|| SILENT.to_owned());
            let start = config.start.as_ref().map(|start| START.to_owned() + start);
            let texts = [silent, config.untold_limit(), start].into_iter().flatten();
            notes.extend(texts.map(|text| Event::note(config.label(), text)));
        }
        for (_, engine) in self.idle.lock().iter_mut() {
            for text in std::mem::take(&mut engine.facts.notes) {
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
        if let Some(at) = idle.iter().position(|(of, _)| *of == (index, home)) {
            return idle.remove(at).1;
        }
        let mut config = self.configs[index].clone();
        config.launch.cpus = self.affinity.get(home).cloned().unwrap_or_default();
        Engine::new(config)
    }

    /// Returns an engine after its game.
    pub fn put(&self, index: usize, place: usize, mut engine: Engine) {
        if engine.config.spec.restart == Restart::On {
            quit(&mut engine);
        }
        let mut idle = self.idle.lock();
        idle.push(((index, self.home(place)), engine));
        let surplus = (idle.len() > self.max_idle).then(|| idle.remove(0));
        drop(idle);
        if let Some((_, mut surplus)) = surplus {
            quit(&mut surplus);
        }
    }

    fn home(&self, place: usize) -> usize {
        if self.affinity.is_empty() { 0 } else { place }
    }

    /// Sends `quit` to all engines and returns a note for each that had to be killed. Blocks.
    pub fn shut_down(&self) -> Vec<Event> {
        let mut idle = std::mem::take(&mut *self.idle.lock());
        for (_, engine) in &mut idle {
            // A process that is not running has nothing to quit.
            let _ = engine.ask(Request::Quit);
        }
        let deadline = Instant::now() + QUIT_TIMEOUT;
        let mut notes = Vec::new();
        for (_, engine) in &mut idle {
            if !engine.end(deadline) {
                let text = "did not quit in time and was killed";
                notes.push(Event::note(engine.name(), text));
            }
        }
        notes
    }
}

/// Waits until all engines have started. The error is that of the first one that does not.
fn await_starts(engines: &mut [Engine]) -> Result<(), MatchError> {
    let mut starting: Vec<&mut Engine> = engines.iter_mut().collect();
    loop {
        let now = Instant::now();
        for engine in std::mem::take(&mut starting) {
            match engine.poll(now) {
                Ok(Some(EngineEvent::Started)) => {}
                Ok(None) if engine.config.stop.is_asked() => return Err(MatchError::Stopped),
                Err(fault) if starting.is_empty() => return Err(engine_error(engine, fault)),
                // After a fault, an earlier engine may fail, too.
                _ => starting.push(engine),
            }
        }
        if starting.is_empty() {
            return Ok(());
        }
        let mut due = now + STOP_CHECK;
        for engine in &mut starting {
            due = engine.deadline(now).map_or(due, |time| time.min(due));
        }
        let starting = starting.iter_mut().map(|engine| &mut **engine);
        wait_any(starting, [], None, Some(due));
    }
}

/// Checks that an engine can judge a game without built-in rules.
fn check_judges(engine: &mut Engine) -> Result<(), MatchError> {
    let answers = &engine.config.answers;
    if answers.contains(&Query::GameOver) && answers.contains(&Query::Result) {
        return Ok(());
    }
    let why =
        "it does not answer query gameover and query result, which a game without rules needs";
    Err(engine_error(engine, Fault::Start(why.to_owned())))
}

/// The answer of an engine to a query about its start position, if it answers it.
fn ask_start(engine: &mut Engine, query: Query) -> Result<Option<String>, MatchError> {
    if !engine.config.answers.contains(&query) {
        return Ok(None);
    }
    let answer = answer(engine, "position startpos", query);
    answer
        .map(Some)
        .map_err(|fault| engine_error(engine, fault))
}

/// Checks that the engines of a game without rules have the same start position: side to move, end and moves; and the
/// position string, if an engine does not list its moves.
fn compare_starts(engines: &mut [Engine]) -> Result<(), MatchError> {
    let lists = |engine: &Engine| engine.config.answers.contains(&Query::Moves);
    // Two engines may write equal positions differently.
    let detail = match engines.iter().all(lists) {
        true => Query::Moves,
        false => Query::Fen,
    };
    let mut known: Vec<(Query, String, String)> = Vec::new();
    for engine in engines {
        for query in [Query::P1Turn, Query::GameOver, detail] {
            let Some(answer) = ask_start(engine, query)? else {
                continue;
            };
            let name = engine.name().to_owned();
            match known.iter().find(|(asked, ..)| *asked == query) {
                Some((_, other, first)) if !is_same(query, other, &answer) => {
                    let [own, other] = [&answer, other].map(|answer| excerpt(answer));
                    let query = query.word();
                    return Err(MatchError::Trouble(format!(
                        "{name} and {first} play different games: in the start position, query {query} is \"{own}\" for {name} and \"{other}\" for {first}"
                    )));
                }
                Some(_) => {}
                None => known.push((query, answer, name)),
            }
        }
    }
    Ok(())
}

/// The error of an engine that cannot be used, in the words of its bridge if it has one.
fn engine_error(engine: &mut Engine, fault: Fault) -> MatchError {
    let proto = engine.config.spec.proto;
    let fault = match fault {
        // The bridge around the program says what happened.
        Fault::Died(_) if proto.is_bridged() => {
            let (_, stderr) = engine.last_output();
            let why = stderr
                .lines()
                .last()
                .and_then(|last| last.strip_prefix("error: "));
            why.map_or(fault, |why| Fault::Start(excerpt(why)))
        }
        Fault::Ungreeted(_) if proto.is_bridged() => Fault::Start(format!(
            "no answer in time to the first lines of proto={proto}"
        )),
        fault => fault,
    };
    MatchError::of_engine(engine.name(), fault)
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
        let error = pool(vec![config("B"), missing])
            .err()
            .expect("A is missing");
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
