//! The functions that the server of the library needs from this program: tables from the words of `play`, and the
//! ledgers in this folder.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, UNIX_EPOCH};

use check::suite::Puzzle;
use gui::{RecentGame, RecentMatch, Wish};
use kit::{GameEntry, Side, Value};
use record::clock::Limit;
use record::engine_spec::Program;
use record::ledger::LedgerReader;
use record::registry::Registry;
use referee::host::Host;
use table::journal::read_table;
use table::{LevelChoice, PausedTable, SeatPlayer, SeatSpec, TableSetup};

use crate::analysis::puzzle::built_in;
use crate::args::TableArgs;
use crate::config::EnginesFile;
use crate::play::start::arguments::{Defaults, apply, check_number, setup};
use crate::play::start::resume::{ledgers, use_own_tables, wishes};
use crate::records::trust;
use crate::usage::{Failure, refuse};

/// Maximum number of listed ledgers, and maximum size of a listed ledger in bytes.
const MAX_LEDGERS: usize = 50;
const MAX_SIZE: u64 = 8 << 20;

/// The host of the server's tables.
pub(crate) struct GuiHost {
    host: Host,
    /// The flags of all tables.
    table: TableArgs,
    reconnect: Duration,
    /// By game, read at the first request.
    puzzles: OnceLock<HashMap<&'static str, Vec<gui::Puzzle>>>,
}

impl GuiHost {
    pub(crate) fn new(host: Host, table: TableArgs, reconnect: Duration) -> GuiHost {
        GuiHost {
            host,
            table,
            reconnect,
            puzzles: OnceLock::new(),
        }
    }

    fn new_table(&self, wish: &Wish) -> Result<TableSetup, Failure> {
        let defaults = defaults(wish.clock, wish.level)?;
        let [p1, p2] = &wish.seats;
        let seats = [
            vec![defaults.player("Player 1", p1.clone())?],
            vec![defaults.player("Player 2", p2.clone())?],
        ];
        let args = TableArgs {
            level: wish.level,
            ..self.table.clone()
        };
        let (game, journal) = (wish.game.clone(), Some(wish.journal.clone()));
        let mut setup = setup(&args, &defaults, game, &seats, journal, self.host.clone())?;
        let players = setup.plan.engines.iter_mut();
        for (player, name) in players.zip(wish.names.iter().flatten()) {
            let is_unnamed = player.program == Program::Person && player.name.is_none();
            if is_unnamed && !name.is_empty() {
                player.name = Some(name.clone());
            }
        }
        setup.restarts_engines = true;
        setup.reconnect = self.reconnect;
        Ok(setup)
    }
}

/// The settings of a page's table.
fn defaults(clock: Limit, level: Option<LevelChoice>) -> Result<Defaults, Failure> {
    if !matches!(
        clock,
        Limit::Unlimited | Limit::Clock(..) | Limit::MoveTime(_)
    ) {
        return refuse!("clock {clock}: choose a clock, or a time for each move");
    }
    if let Some(LevelChoice::Fixed(level)) = level {
        check_number("level", level)?;
    }
    Defaults::of_limit(clock, level)
}

impl gui::Host for GuiHost {
    fn registry(&self) -> Registry {
        self.host.registry
    }

    fn set_up(&self, wish: &Wish) -> Result<TableSetup, String> {
        self.new_table(wish).map_err(|failure| failure.text())
    }

    fn player(
        &self,
        seat: SeatSpec,
        clock: Limit,
        level: Option<LevelChoice>,
    ) -> Result<SeatPlayer, String> {
        let player = defaults(clock, level).and_then(|defaults| defaults.player("seat", seat));
        player.map_err(|failure| failure.text())
    }

    fn engines(&self) -> Vec<String> {
        // A file that cannot be read lists none.
        let file = EnginesFile::default();
        let engines = file.all().unwrap_or_default().iter();
        engines.map(|engine| engine.name.clone()).collect()
    }

    fn resume(&self, path: &Path, is_trusted: bool) -> Result<PausedTable, String> {
        let named = |why: String| format!("{}: {why}", path.display());
        let read = PausedTable::read(path, self.host.clone());
        let mut paused = read.map_err(|error| named(error.to_string()))?;
        if !is_trusted {
            let wishes = wishes(&paused, paused.setup.plan.engines.iter());
            if !wishes.is_empty() {
                let why = trust::told(&path.display().to_string(), &wishes);
                return Err(format!("{why}. With trust, it runs"));
            }
            use_own_tables(&mut paused);
        }
        apply(&self.table, &mut paused.setup);
        paused.setup.restarts_engines = true;
        paused.setup.reconnect = self.reconnect;
        Ok(paused)
    }

    fn recent(&self) -> Vec<RecentGame> {
        let is_small = |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.len() <= MAX_SIZE);
        let small = newest(true).filter(|(_, path)| is_small(path));
        small.filter_map(recent).take(MAX_LEDGERS).collect()
    }

    fn matches(&self) -> Vec<RecentMatch> {
        let matches = newest(false).filter_map(recent_match);
        matches.take(MAX_LEDGERS).collect()
    }

    fn puzzles(&self, game: &str) -> &[gui::Puzzle] {
        let registry = self.host.registry;
        let of_game = |game: &&GameEntry| {
            let suite = built_in(game.name, registry).unwrap_or_default();
            (game.name, suite.into_iter().filter_map(won).collect())
        };
        let all = (self.puzzles).get_or_init(|| registry.games().iter().map(of_game).collect());
        all.get(game).map_or(&[], Vec::as_slice)
    }
}

/// A puzzle whose position is won.
fn won(puzzle: Puzzle) -> Option<gui::Puzzle> {
    let Some(Value::Win(plies)) = puzzle.value else {
        return None;
    };
    Some(gui::Puzzle {
        rules: puzzle.rules,
        opening: puzzle.opening,
        plies,
        note: puzzle.comment,
    })
}

/// The ledgers in this folder with the times of their last changes, the newest first: those of tables, or the others.
fn newest(are_tables: bool) -> impl Iterator<Item = (u64, PathBuf)> {
    let dated = |path: PathBuf| {
        let changed = fs::metadata(&path).ok()?.modified().ok()?;
        Some((changed.duration_since(UNIX_EPOCH).ok()?.as_secs(), path))
    };
    let mut ledgers: Vec<_> = ledgers().into_iter().filter_map(dated).collect();
    ledgers.sort();
    let is_one = move |(_, path): &(u64, PathBuf)| is_table(path) == are_tables;
    ledgers.into_iter().rev().filter(is_one)
}

/// `true` for the ledger of a table: the line after its plan is of its journal.
fn is_table(path: &Path) -> bool {
    let lines = fs::File::open(path).map(|file| BufReader::new(file).lines());
    let second = lines.into_iter().flatten().nth(1).and_then(Result::ok);
    second.is_some_and(|line| line.starts_with("{\"journal\":"))
}

/// Summary of a match's ledger; `None` for any other file.
fn recent_match((changed, path): (u64, PathBuf)) -> Option<RecentMatch> {
    let plan = LedgerReader::open(&path).ok()?.plan;
    (!plan.id.is_empty()).then(|| RecentMatch {
        path,
        names: plan.names(),
        id: plan.id,
        game: plan.game,
        changed,
    })
}

/// Summary of a table's ledger; `None` for any other file.
fn recent((changed, path): (u64, PathBuf)) -> Option<RecentGame> {
    let saved = read_table(&path).ok()?;
    let journal = saved.journal.filter(|_| saved.helper.is_some())?;
    let plan = saved.ledger.plan;
    let names = plan.names();
    let name = |side: Side| names.get(side.index()).cloned().unwrap_or(side.to_string());
    let played = journal.tree.path(journal.tree.here()).into_iter();
    let played = played.filter_map(|node| Some(journal.tree.ply(node)?.code.clone()));
    let mut position = journal.opening;
    position.moves.extend(played);
    Some(RecentGame {
        names: Side::BOTH.map(name),
        game: plan.game,
        plies: position.moves.len(),
        position: position.to_string(),
        result: journal.ended.map(|ended| ended.result),
        changed,
        path,
    })
}
