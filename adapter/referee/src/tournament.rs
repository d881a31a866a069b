//! A whole match: plays the schedule on as many threads as games run at once, and keeps its records.
//!
//! [`Tournament::prepare`] fails before the first game where a match cannot be played; after that no engine stops it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Sender, bounded};
use kit::Rejection;

use crate::arbiter::Arbiter;
use crate::capacity::Capacity;
use crate::client::Fault;
use crate::event::{Broadcast, Event, Recorder};
use crate::game_table::GameTable;
use crate::opening::Opening;
use crate::opening::asked;
use crate::plan::{EngineSpec, Plan, Program};
use crate::play::{Halt, News, Played, play};
use crate::player::Player;
use crate::pool::EnginePool;
use crate::process::Log;
use crate::record::GameRecord;
use crate::registry::{GameError, Registry, Rules};
use crate::schedule::{SharedSchedule, Slot};
use crate::scoreboard::Scoreboard;
use crate::stats::Standing;
use crate::stop::Stop;

/// The longest name of an engine, in characters.
pub const MAX_NAME: usize = 60;

const MIB: u64 = 1 << 20;

/// What a match needs of the program that it runs in.
#[derive(Debug, Clone)]
pub struct Host {
    /// The games that are known.
    pub registry: Registry,
    /// The executable that is a built-in engine when called with `engine GAME`.
    pub executable: PathBuf,
    /// How the match is told to end early.
    pub stop: Stop,
}

/// Why a match cannot be played.
#[derive(Debug)]
pub enum MatchError {
    /// The game cannot be played.
    Game(GameError),
    /// An opening is none of this game's.
    Opening {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        why: Rejection,
    },
    /// The table that adjudicates cannot be used.
    Table(String),
    /// An engine does not start.
    Engine {
        /// Its name, or what was to be started.
        name: String,
        /// Why.
        fault: Fault,
    },
    /// An engine does not take an option.
    Option {
        /// The engine's name.
        name: String,
        /// Which, and what was expected.
        why: String,
    },
    /// No opening can be drawn from the answers of the engines.
    Drawing(String),
    /// The log cannot be written.
    Log(io::Error),
    /// A record cannot be written.
    Record(io::Error),
    /// The referee itself cannot go on: this system lacks something, or a log cannot be written.
    Trouble(String),
    /// Everything was told to stop before the first game.
    Stopped,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Game(error) => error.fmt(f),
            MatchError::Opening { number, why } => write!(f, "opening {number}: {why}"),
            MatchError::Table(why) => write!(f, "--adjudicate-table: {why}"),
            MatchError::Engine { name, fault } => write!(f, "engine {name}: {fault}"),
            MatchError::Option { name, why } => write!(f, "engine {name}: {why}"),
            MatchError::Drawing(why) => f.write_str(why),
            MatchError::Log(error) => write!(f, "--log: {error}"),
            MatchError::Record(error) => error.fmt(f),
            MatchError::Trouble(why) => f.write_str(why),
            MatchError::Stopped => f.write_str("stopped before the first game"),
        }
    }
}

impl std::error::Error for MatchError {}

/// How a match ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Conclusion {
    /// How it stood then.
    pub standing: Standing,
    /// Whether all games of the schedule were played, or a test has decided the match.
    pub is_complete: bool,
}

/// A match whose engines are ready.
#[derive(Debug)]
pub struct Tournament {
    plan: Plan,
    entrants: Vec<Vec<usize>>,
    rules: Option<Rules>,
    table: Option<GameTable>,
    stop: Stop,
    pool: EnginePool,
    log: Option<Arc<Log>>,
    enough: AtomicBool,
}

impl Tournament {
    /// Starts every engine once, settles names and options, and checks the openings.
    pub fn prepare(mut plan: Plan, host: &Host) -> Result<Tournament, MatchError> {
        refuse_people(&plan)?;
        let rules = host.registry.rules(&plan.game).map_err(MatchError::Game)?;
        if let Some(rules) = &rules {
            check_openings(rules, &plan)?;
        }
        let table = rules.as_ref().zip(plan.adjudicate_table.as_deref());
        let table = table.map(|(rules, path)| GameTable::open_existing(rules, path));
        let table = table.transpose().map_err(MatchError::Table)?;
        Capacity::of(&plan).check().map_err(MatchError::Trouble)?;
        let open_log = |path| {
            let max_bytes = plan.outputs.log_mib.map(|mib| mib.saturating_mul(MIB));
            Log::open_with(path, plan.outputs.log_level, max_bytes, host.stop.clone())
        };
        let log = plan.log.as_deref().map(open_log).transpose();
        let log = log.map_err(MatchError::Log)?.map(Arc::new);
        let pool = EnginePool::start(&plan, rules.as_ref(), host, log.as_ref());
        let pool = pool.map_err(|error| match host.stop.failure() {
            Some(why) => MatchError::Trouble(why.to_owned()),
            None => error,
        })?;
        if rules.is_none() {
            asked::complete(&mut plan, &pool)?;
        }
        Ok(Tournament {
            log,
            table,
            ..Tournament::new(plan, rules, host.stop.clone(), pool)
        })
    }

    /// A match of engines that are started; the plan gets their names.
    fn new(mut plan: Plan, rules: Option<Rules>, stop: Stop, pool: EnginePool) -> Tournament {
        for (engine, spec) in plan.engines.iter_mut().chain(&mut plan.arbiter).enumerate() {
            spec.name = Some(pool.name(engine).to_owned());
        }
        Tournament {
            entrants: plan.entrants(),
            plan,
            rules,
            table: None,
            stop,
            pool,
            log: None,
            enough: AtomicBool::new(false),
        }
    }

    /// The plan, with the names that were settled.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Gives the ledger another name, where that of the plan is taken.
    pub fn rename_ledger(&mut self, path: PathBuf) {
        self.plan.ledger = path;
    }

    /// Plays all games that are not `done` yet. The recorders are called in their order, then the watchers are told.
    pub fn run(
        self,
        done: &[GameRecord],
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
    ) -> Result<Conclusion, MatchError> {
        let stop = self.stop.clone();
        let schedule = SharedSchedule::new(&self.plan, done);
        let mut scoreboard = Scoreboard::new(
            &self.plan,
            &schedule,
            done,
            recorders,
            watchers,
            stop,
            &self.enough,
        )
        .with_log(self.log.clone());
        scoreboard.emit(Event::MatchStarted {
            plan: Box::new(self.plan.clone()),
            standing: scoreboard.standing(),
        });
        self.pool
            .notes(self.rules.as_ref())
            .into_iter()
            .for_each(|note| scoreboard.emit(note));
        self.play_all(&schedule, &mut scoreboard, watchers.tells_moves());
        let notes = self.pool.shut_down();
        notes.into_iter().for_each(|note| scoreboard.emit(note));
        watchers.close();
        scoreboard.close()
    }

    fn play_all(
        &self,
        schedule: &SharedSchedule,
        scoreboard: &mut Scoreboard<'_>,
        wants_moves: bool,
    ) {
        let (sender, receiver) = bounded(1024);
        thread::scope(|scope| {
            for place in 0..self.plan.concurrency {
                let sender = sender.clone();
                let worker = thread::Builder::new()
                    .name("game".to_owned())
                    .spawn_scoped(scope, move || {
                        self.work(schedule, place, sender, wants_moves)
                    });
                if let Err(error) = worker {
                    self.stop
                        .fail(format!("cannot start a thread for a game: {error}"));
                    break;
                }
            }
            drop(sender);
            scoreboard.run(&receiver);
        });
    }

    /// Plays games at one place, one after the other.
    fn work(
        &self,
        schedule: &SharedSchedule,
        place: usize,
        events: Sender<Event>,
        wants_moves: bool,
    ) {
        // Nobody listens any more only where the match is over.
        let tell = |event| drop(events.send(event));
        let is_over = || self.stop.is_asked() || self.enough.load(Ordering::Relaxed);
        while let Some(slot) = schedule.take(&is_over) {
            let opening = self.plan.opening_of(slot.opening, self.rules.as_ref());
            tell(self.announce(&slot, &opening));
            match self.play_slot(&slot, &opening, place, &tell, wants_moves) {
                Ok(played) => {
                    let record = Box::new(self.record(&slot, opening.into_owned(), played));
                    schedule.finish(&slot, record.result);
                    tell(Event::GameOver { record });
                }
                Err(halt) => {
                    if let Halt::Shortage(why) = halt {
                        self.stop.fail(why);
                    }
                    schedule.give_up();
                }
            }
        }
    }

    /// The engines of both sides.
    fn sides(&self, slot: &Slot) -> [&[usize]; 2] {
        [slot.p1, slot.p2].map(|entrant| self.entrants[entrant].as_slice())
    }

    /// The names of both sides.
    fn names(&self, slot: &Slot) -> [String; 2] {
        let name = |members| self.plan.entrant_name(members).unwrap_or_default();
        self.sides(slot).map(name)
    }

    /// The names of the sides on which engines take turns.
    fn team_names(&self, slot: &Slot) -> [Option<String>; 2] {
        let name = |members: &[usize]| {
            self.plan
                .entrant_name(members)
                .filter(|_| members.len() > 1)
        };
        self.sides(slot).map(name)
    }

    fn announce(&self, slot: &Slot, opening: &Opening) -> Event {
        let [p1, p2] = self.names(slot);
        Event::GameStarted {
            game: slot.game,
            pair: slot.pair,
            p1,
            p2,
            opening: opening.clone(),
        }
    }

    fn play_slot(
        &self,
        slot: &Slot,
        opening: &Opening,
        place: usize,
        tell: &dyn Fn(Event),
        wants_moves: bool,
    ) -> Result<Played, Halt> {
        let referee = self.plan.arbiter.as_ref().map(|_| self.plan.engines.len());
        let mut referee_player = referee.map(|referee| self.pool.take(referee, place));
        let sides = self.sides(slot);
        let [mut p1, mut p2] = sides.map(|members| self.pool.take_team(members, place));
        let arbiter = match &self.rules {
            Some(rules) => {
                let board = rules.open(opening).expect("openings were checked");
                Arbiter::rules(board, opening, self.plan.cross_check).with_table(self.table.clone())
            }
            None => {
                let referee = referee_player
                    .as_mut()
                    .map(|player| player as &mut dyn Player);
                Arbiter::query(referee, opening)
            }
        };
        let mut pass_on = |news: News<'_>| match news {
            News::Move { .. } if !wants_moves => {}
            news => tell(self.event(slot, news)),
        };
        let played = play(
            arbiter,
            [&mut p1, &mut p2],
            self.team_names(slot),
            self.plan.adjudication,
            self.plan.outputs.pgn_comments.pv,
            &mut pass_on,
        );
        for (members, team) in sides.into_iter().zip([p1, p2]) {
            self.pool.put_team(members, place, team);
        }
        if let Some((referee, player)) = referee.zip(referee_player) {
            self.pool.put(referee, place, player);
        }
        played
    }

    fn event(&self, slot: &Slot, news: News<'_>) -> Event {
        match news {
            News::Move { ply, code, record } => {
                Event::move_played(slot.game, ply, code.to_owned(), record, None)
            }
            News::Note(engine, text) => Event::Note {
                engine,
                text: format!("in game {}: {text}", slot.game),
            },
        }
    }

    fn record(&self, slot: &Slot, opening: Opening, played: Played) -> GameRecord {
        let names = self.names(slot);
        played.record(slot.game, slot.pair, names, opening)
    }
}

/// A person's game is gone on with by those who sat at it.
fn refuse_people(plan: &Plan) -> Result<(), MatchError> {
    let is_person = |spec: &&EngineSpec| spec.program == Program::Person;
    let person = plan.engines.iter().find(is_person);
    person.map_or(Ok(()), |spec| {
        let why = "is a person: linesman play --continue goes on with this ledger";
        Err(MatchError::Engine {
            name: spec.name.clone().unwrap_or_default(),
            fault: Fault::Start(why.to_owned()),
        })
    })
}

/// Whether the openings are of this game.
pub(crate) fn check_openings(rules: &Rules, plan: &Plan) -> Result<(), MatchError> {
    for (index, opening) in plan.openings.iter().enumerate() {
        let number = index + 1;
        rules
            .check(opening)
            .map_err(|why| MatchError::Opening { number, why })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;
    use crate::plan::Format;
    use crate::player::EngineConfig;
    use crate::record::{GameResult, PlyRecord};
    use crate::testing::{config, connected, faulty, plan, rules};

    /// Keeps the names of events and the finished games; fails after so many games.
    #[derive(Default)]
    struct Keeper {
        kept: Arc<Mutex<Vec<GameRecord>>>,
        fails_after: Option<usize>,
    }

    impl Recorder for Keeper {
        fn record(&mut self, event: &Event) -> io::Result<()> {
            let Event::GameOver { record } = event else {
                return Ok(());
            };
            let mut kept = self.kept.lock();
            if self.fails_after == Some(kept.len()) {
                return Err(io::Error::other("the disk is full"));
            }
            kept.push((**record).clone());
            Ok(())
        }
    }

    fn tournament(configs: Vec<EngineConfig>) -> Tournament {
        let plan = plan(&["A", "B"]);
        let pool = EnginePool::meet(configs, false, 2 * plan.concurrency).expect("they start");
        Tournament::new(plan, Some(rules()), Stop::default(), pool)
    }

    fn run(
        tournament: Tournament,
        keeper: Keeper,
        done: &[GameRecord],
    ) -> Result<Conclusion, MatchError> {
        tournament.run(done, &mut [Box::new(keeper)], &Broadcast::new(false))
    }

    #[test]
    fn every_game_of_the_schedule_is_played_once_with_sides_swapped() {
        let keeper = Keeper::default();
        let kept = Arc::clone(&keeper.kept);
        let conclusion = run(tournament(vec![config("A"), config("B")]), keeper, &[]);
        assert!(conclusion.expect("it is played").is_complete);
        let mut games = kept.lock().clone();
        games.sort_by_key(|game| game.game);
        let players: Vec<_> = games
            .iter()
            .map(|game| (game.game, game.p1.as_str()))
            .collect();
        assert_eq!(players, [(1, "A"), (2, "B"), (3, "A"), (4, "B")]);
        // What is done already is not played again.
        let keeper = Keeper::default();
        let kept = Arc::clone(&keeper.kept);
        let conclusion = run(
            tournament(vec![config("A"), config("B")]),
            keeper,
            &games[..3],
        );
        assert!(conclusion.expect("it is played").is_complete);
        assert_eq!(
            kept.lock().iter().map(|game| game.game).collect::<Vec<_>>(),
            [4]
        );
    }

    /// Plays a match of four in this format; the games in their order, and how it ended.
    fn four(format: Format, done: &[GameRecord]) -> (Vec<GameRecord>, Conclusion) {
        let names = ["A", "B", "C", "D"];
        let plan = Plan {
            format,
            games: 2,
            ..plan(&names)
        };
        let configs = names.map(config).to_vec();
        let pool = EnginePool::meet(configs, false, 8).expect("they start");
        let tournament = Tournament::new(plan, Some(rules()), Stop::default(), pool);
        let keeper = Keeper::default();
        let kept = Arc::clone(&keeper.kept);
        let conclusion = run(tournament, keeper, done).expect("it is played");
        let mut games = std::mem::take(&mut *kept.lock());
        games.sort_by_key(|game| game.game);
        (games, conclusion)
    }

    #[test]
    fn rounds_are_played_after_each_other_and_gone_on_with() {
        let swiss = Format::Swiss { rounds: 2 };
        let (all, conclusion) = four(swiss, &[]);
        assert!(conclusion.is_complete);
        assert_eq!((all.len(), conclusion.standing.total), (8, 8));
        let numbers: Vec<usize> = all.iter().map(|game| game.game).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
        let players = |game: &GameRecord| (game.game, game.p1.clone(), game.p2.clone());
        for n_done in [1, 4, 7, 8] {
            let (more, conclusion) = four(swiss, &all[..n_done]);
            assert!(conclusion.is_complete);
            let expected: Vec<_> = all[n_done..].iter().map(players).collect();
            assert_eq!(more.iter().map(players).collect::<Vec<_>>(), expected);
        }
    }

    /// The same side wins each game of Nim, so that all meetings are tied until the better seed goes on.
    #[test]
    fn a_knockout_grows_by_its_further_games() {
        let (games, conclusion) = four(Format::Knockout, &[]);
        assert!(conclusion.is_complete);
        let meeting = 2 + 2 * crate::schedule::MAX_PLAY_OFFS;
        assert_eq!(
            (games.len(), conclusion.standing.total),
            (3 * meeting, 3 * meeting)
        );
        let last = games.last().expect("a final");
        assert_eq!((last.p1.as_str(), last.p2.as_str()), ("B", "A"));
    }

    /// A+B against C+D from the position after one move, which p1 has made.
    fn teams(b: EngineConfig) -> Vec<GameRecord> {
        let mut plan = plan(&["A", "B", "C", "D"]);
        plan.teams = vec![vec![0, 1], vec![2, 3]];
        plan.openings = vec![Opening::parse("startpos moves a1")];
        let configs = vec![config("A"), b, config("C"), config("D")];
        let pool = EnginePool::meet(configs, false, 8).expect("they start");
        let tournament = Tournament::new(plan, Some(rules()), Stop::default(), pool);
        let keeper = Keeper::default();
        let kept = Arc::clone(&keeper.kept);
        let conclusion = run(tournament, keeper, &[]).expect("it is played");
        let rows = &conclusion.standing.tally.rows;
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((names, conclusion.standing.total), (vec!["A+B", "C+D"], 4));
        let mut games = std::mem::take(&mut *kept.lock());
        games.sort_by_key(|game| game.game);
        games
    }

    /// Who made each move, as the record has it; `-` for the opening's.
    fn movers(game: &GameRecord) -> String {
        let by = |ply: &Option<PlyRecord>| match ply {
            Some(ply) => ply.by.clone().unwrap_or_default(),
            None => "-".to_owned(),
        };
        game.plies.iter().map(by).collect()
    }

    #[test]
    fn the_engines_of_a_team_take_turns() {
        let games = teams(config("B"));
        let sides: Vec<_> = games.iter().map(|game| (&*game.p1, &*game.p2)).collect();
        let (first, second) = (("A+B", "C+D"), ("C+D", "A+B"));
        assert_eq!(sides, [first, second, first, second]);
        assert_eq!(movers(&games[0]), "-CADBCADBC");
        assert_eq!(movers(&games[1]), "-ACBDACBDA");
        assert_eq!(games[0].reason, "C+D wins");
    }

    #[test]
    fn a_fault_is_that_of_the_engine_which_commits_it() {
        let bad = faulty("B", |line| line.starts_with("go").then_some("bestmove z9"));
        for (game, moved) in teams(bad).iter().zip(["-CAD", "-AC"].iter().cycle()) {
            assert_eq!(movers(game), *moved);
            assert!(
                game.reason.starts_with("B made an illegal move: z9: "),
                "{}",
                game.reason
            );
            let fault = game.fault.as_ref().expect("a report");
            assert_eq!(fault.engine, "B");
            let winner = if game.result == GameResult::P1Win {
                &game.p1
            } else {
                &game.p2
            };
            assert_eq!(winner, "C+D");
        }
    }

    #[test]
    fn a_record_that_cannot_be_written_ends_the_match() {
        let keeper = Keeper {
            fails_after: Some(1),
            ..Keeper::default()
        };
        match run(tournament(vec![config("A"), config("B")]), keeper, &[]) {
            Err(MatchError::Record(error)) => assert_eq!(error.to_string(), "the disk is full"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_match_told_to_stop_begins_no_game() {
        let tournament = tournament(vec![config("A"), config("B")]);
        tournament.stop.after_games();
        let keeper = Keeper::default();
        let kept = Arc::clone(&keeper.kept);
        assert!(
            !run(tournament, keeper, &[])
                .expect("nothing fails")
                .is_complete
        );
        assert!(kept.lock().is_empty());
    }

    #[test]
    fn a_shortage_on_our_side_ends_the_match_and_no_game() {
        const EMFILE: i32 = 24;
        let starts = AtomicBool::new(true);
        let short = connected("B", move || match starts.swap(false, Ordering::Relaxed) {
            true => Ok(Box::new(crate::testing::nim_engine())),
            false => Err(io::Error::from_raw_os_error(EMFILE)),
        });
        let keeper = Keeper::default();
        let kept = Arc::clone(&keeper.kept);
        // Two games at once need two processes of each engine.
        let mut short = short;
        short.spec.restart = crate::plan::Restart::On;
        match run(tournament(vec![config("A"), short]), keeper, &[]) {
            Err(MatchError::Trouble(why)) => {
                assert!(why.contains("engine B cannot be started"), "{why}")
            }
            other => panic!("{other:?}"),
        }
        for game in kept.lock().iter() {
            assert_eq!(game.termination, crate::record::Termination::Normal);
        }
    }
}
