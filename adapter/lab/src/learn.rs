//! `linesman-lab learn`: trains the weights of a network or a policy on self-play games.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use fastrand::Rng;
use kit::DynHistory;
use kit::learn::NetworkTrainer;
use kit::lock::WriterLock;
use kit::weights::StoredWeights;
use lab::learn::{PlayedGame, PolicyTrainer, SelfPlay, SelfPlayTrainer};
use record::ledger::{LedgerWriter, SyncPolicy};
use record::opening::Opening;
use record::registry::Registry;
use record::stats::{Elo, Sample};
use serde::{Deserialize, Serialize};

use crate::args::LearnArgs;
use crate::json_lines::{self, each_line};
use crate::long_work::{bar, stop_on_signals, threads};
use linesman::game_name::{parse_game, rules};
use linesman::output::{finish, say};
use linesman::records::files::OwnFile;
use linesman::usage::{Failure, INTERRUPTED, OrFail, refuse};

/// Number of the last rounds whose games are used for training.
const ROUNDS_KEPT: usize = 4;
/// One game in this number is held out of the training, to measure the error on unseen positions.
const HELD_OUT: u64 = 20;
/// Minimum factor of the learning rate, which decreases linearly during a training.
const LAST_STEP: f32 = 0.05;

/// A run of the command.
struct Run<'a, T: SelfPlayTrainer> {
    /// With the weights that it is built with.
    engine: Box<dyn DynHistory>,
    folder: Folder,
    args: &'a LearnArgs,
    self_play: SelfPlay,
    stop: Arc<AtomicBool>,
    /// Those of the last round.
    weights: Arc<T::Weights>,
}

/// Learns round by round until the last round or a signal.
pub(crate) fn run(args: &LearnArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let spec = parse_game(&args.game, registry)?;
    let rules = rules(registry, &spec)?;
    let name = rules.entry().name;
    let engine = rules.open(&Opening::default()).or_usage("GAME")?;
    let has_policy = PolicyTrainer::n_inputs(engine.as_ref()) > 0;
    if engine.n_inputs() == 0 && !has_policy {
        return refuse!("{name}: it has neither a network nor a policy to train");
    }
    let settings = Settings {
        game: name.to_owned(),
        options: spec.options.into_iter().collect(),
        games: args.games as u64,
        nodes: args.nodes as u64,
        epochs: args.epochs,
        from_zero: args.from_zero,
        seed: args.seed,
    };
    let folder = Folder::open(&args.folder, &settings)?;
    match has_policy {
        false => learn::<NetworkTrainer>(engine, folder, args),
        true => learn::<PolicyTrainer>(engine, folder, args),
    }
}

fn learn<T: SelfPlayTrainer>(
    engine: Box<dyn DynHistory>,
    folder: Folder,
    args: &LearnArgs,
) -> Result<ExitCode, Failure> {
    let built_in = T::built_in(engine.as_ref()).filter(|_| !args.from_zero);
    let weights =
        built_in.unwrap_or_else(|| Arc::new(untrained::<T>(engine.as_ref(), args).weights()));
    let mut run = Run::<T> {
        engine,
        folder,
        args,
        self_play: SelfPlay {
            seed: args.seed,
            nodes: args.nodes as u64,
        },
        stop: stop_on_signals()?,
        weights,
    };
    for round in 1..=args.rounds {
        if !run.round(round)? {
            say("stopped: the same command resumes the run")?;
            return Ok(ExitCode::from(INTERRUPTED));
        }
    }
    let path = run.folder.weights_path::<T>(args.rounds);
    let last = format!("the last {} is {}", T::Weights::NAME, path.display());
    finish(&last, false)
}

fn untrained<T: SelfPlayTrainer>(engine: &dyn DynHistory, args: &LearnArgs) -> T {
    T::untrained(T::n_inputs(engine), args.seed)
}

impl<T: SelfPlayTrainer> Run<'_, T> {
    /// Plays, trains and compares; `false` if a signal stopped the round.
    fn round(&mut self, round: usize) -> Result<bool, Failure> {
        let path = self.folder.weights_path::<T>(round);
        if let Some(bytes) = read_if_there(&path)? {
            let weights = T::Weights::of_game(&bytes, T::n_inputs(self.engine.as_ref()));
            self.weights = Arc::new(weights.or_trouble(path.display())?);
            return say(&format!("round {round}: already done")).map(|()| true);
        }
        if !self.play(round)? {
            return Ok(false);
        }
        let Some(trainer) = self.train(round)? else {
            return Ok(false);
        };
        let weights = Arc::new(trainer.weights());
        if !self.compare(round, [&weights, &self.weights])? {
            return Ok(false);
        }
        OwnFile::new(&path, "FOLDER")?.write(weights.to_bytes())?;
        self.weights = weights;
        Ok(true)
    }

    /// Plays the games of a round that are missing in its file; `false` if a signal stopped it.
    fn play(&self, round: usize) -> Result<bool, Failure> {
        let (lines, played) = self.folder.games(round)?;
        let known: HashSet<u64> = played.iter().map(|game| game.number).collect();
        let first = (round as u64 - 1) * self.args.games as u64;
        let missing: Vec<u64> = (first..first + self.args.games as u64)
            .filter(|number| !known.contains(number))
            .collect();
        let file = Mutex::new((lines, Ok(())));
        let engine = T::engine(self.engine.as_ref(), &self.weights);
        let play = |(): &mut (), i: u64| {
            let number = missing[i as usize];
            let game: PlayedGame = self.self_play.play(engine.as_ref(), number);
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if let (lines, kept @ Ok(())) = &mut *file {
                *kept = lines.sealed_line(&game).or_fail();
                if kept.is_err() {
                    self.stop.store(true, Relaxed);
                }
            }
        };
        let is_done = self.each(missing.len() as u64, &format!("round {round}: games"), play);
        let (_, kept) = file.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.map(|()| is_done)
    }

    /// Trains on the games of the last rounds; `None` if a signal stopped it.
    fn train(&self, round: usize) -> Result<Option<T>, Failure> {
        let (mut learned, mut held_out) = (Vec::new(), Vec::new());
        for round in (round + 1).saturating_sub(ROUNDS_KEPT).max(1)..=round {
            let (_, mut games) = self.folder.games(round)?;
            // Threads write games in the order in which they end; the order of the examples must not depend on that.
            games.sort_unstable_by_key(|game| game.number);
            for game in games {
                let examples = T::examples(self.engine.as_ref(), &game).map_err(|why| {
                    Failure::Trouble(format!("round {round}, game {}: {why}", game.number))
                })?;
                let is_held_out = game.number % HELD_OUT == HELD_OUT - 1;
                let set = if is_held_out {
                    &mut held_out
                } else {
                    &mut learned
                };
                set.extend(examples);
            }
        }
        let n_positions = learned.len() + held_out.len();
        say(&format!("round {round}: {n_positions} positions"))?;
        let mut trainer: T = untrained(self.engine.as_ref(), self.args);
        let mut order: Vec<&T::Example> = learned.iter().collect();
        let mut rng = Rng::with_seed(self.args.seed);
        for epoch in 1..=self.args.epochs {
            rng.shuffle(&mut order);
            let left = 1.0 - (epoch - 1) as f32 / self.args.epochs as f32;
            let bar = bar(order.len() as u64, String::new());
            for batch in order.chunks(T::BATCH) {
                if self.stop.load(Relaxed) {
                    return Ok(None);
                }
                trainer.learn(batch, T::RATE * left.max(LAST_STEP));
                bar.inc(batch.len() as u64);
            }
            bar.finish_and_clear();
            let error = match held_out.as_slice() {
                [] => "no games are held out".to_owned(),
                held_out => format!("error on held-out positions {:.5}", trainer.error(held_out)),
            };
            say(&format!("round {round}: epoch {epoch}: {error}"))?;
        }
        Ok(Some(trainer))
    }

    /// Plays a match between two sets of weights in pairs of games with the same opening; `false` if a signal stopped
    /// it.
    fn compare(&self, round: usize, weights: [&Arc<T::Weights>; 2]) -> Result<bool, Failure> {
        let counts: [AtomicU64; 5] = Default::default();
        let engines = weights.map(|weights| T::engine(self.engine.as_ref(), weights));
        let pair = |(): &mut (), number: u64| {
            let engines = [engines[0].as_ref(), engines[1].as_ref()];
            let points = self.self_play.pair(engines, number);
            counts[(points[0] + points[1]) as usize].fetch_add(1, Relaxed);
        };
        let n_pairs = self.args.match_games.div_ceil(2) as u64;
        let is_done = self.each(n_pairs, &format!("round {round}: pairs of the match"), pair);
        if is_done {
            let counts = counts.map(AtomicU64::into_inner);
            say(&format!(
                "round {round}: against the previous {}: {}",
                T::Weights::NAME,
                standing(counts)
            ))?;
        }
        Ok(is_done)
    }

    /// Calls `work` for each number below `n` on all threads, with a progress bar; `false` if a signal stopped it.
    fn each(&self, n: u64, what: &str, work: impl Fn(&mut (), u64) + Sync) -> bool {
        let bar = bar(n, what.to_owned());
        let threads = threads(self.args.threads, &self.stop);
        let is_done = threads.for_each(n, || (), work, &mut |done| bar.set_position(done));
        bar.finish_and_clear();
        is_done && !self.stop.load(Relaxed)
    }
}

/// The result of a match, with Elo if it is bounded.
///
/// Shape: number of pairs by the first weights' half points in a pair, 0 to 4.
fn standing(pairs: [u64; 5]) -> String {
    let n_pairs: u64 = pairs.iter().sum();
    let halves: u64 = pairs.iter().zip(0..).map(|(n, halves)| n * halves).sum();
    let points = halves as f64 / 2.0;
    let text = format!("{points} of {} points", 2 * n_pairs);
    match Elo::of(&Sample::of_pairs(pairs)) {
        Some(Elo { elo, .. }) if elo.is_bounded() => {
            format!("{text}, Elo {:+.0} +/- {:.0}", elo.value, elo.error)
        }
        _ => text,
    }
}

/// All settings that affect the games and weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Settings {
    game: String,
    options: BTreeMap<String, String>,
    games: u64,
    nodes: u64,
    epochs: usize,
    from_zero: bool,
    seed: u64,
}

/// The content of a file; `None` if there is none.
fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).or_trouble(path.display()),
    }
}

/// Name of the file of the settings.
const SETTINGS: &str = "settings.json";

/// The folder, locked for this process.
struct Folder {
    path: PathBuf,
    _lock: WriterLock,
}

impl Folder {
    /// Opens the folder, or creates it with these settings. It is an error if the folder has other settings.
    fn open(path: &Path, settings: &Settings) -> Result<Folder, Failure> {
        fs::create_dir_all(path).or_trouble(path.display())?;
        let held = "another process uses this folder";
        let lock = WriterLock::acquire(&path.join(SETTINGS), held).or_fail()?;
        let folder = Folder {
            path: path.to_owned(),
            _lock: lock,
        };
        folder.check(settings)?;
        Ok(folder)
    }

    fn check(&self, settings: &Settings) -> Result<(), Failure> {
        let path = self.path.join(SETTINGS);
        let Some(bytes) = read_if_there(&path)? else {
            let text = serde_json::to_string(settings).or_trouble(path.display())?;
            return OwnFile::new(&path, "FOLDER")?.write(text + "\n");
        };
        let found = serde_json::from_slice::<Settings>(&bytes);
        let foreign = |why| format!("not a settings file of linesman-lab learn: {why}");
        let found = found.map_err(foreign).or_trouble(path.display())?;
        if found == *settings {
            return Ok(());
        }
        let text = serde_json::to_string(&found).or_trouble(path.display())?;
        let why = format!("started with other settings: use {text}");
        refuse!("{}: {why}", self.path.display())
    }

    fn weights_path<T: SelfPlayTrainer>(&self, round: usize) -> PathBuf {
        let (name, extension) = (T::Weights::NAME, T::EXTENSION);
        self.path.join(format!("{name}-{round}.{extension}"))
    }

    /// The games of a round, in a file to which new games are appended.
    fn games(&self, round: usize) -> Result<(LedgerWriter, Vec<PlayedGame>), Failure> {
        let path = self.path.join(format!("games-{round}.jsonl"));
        if !path.exists() {
            fs::write(&path, "").or_trouble(path.display())?;
        }
        let read = |bytes: &[u8]| {
            let mut played = Vec::new();
            each_line(bytes, 1, |game| {
                played.push(game);
                Ok(())
            })?;
            Ok(played)
        };
        json_lines::open(&path, SyncPolicy::Off, read).or_fail()
    }
}
