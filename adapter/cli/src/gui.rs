//! `linesman gui`: the board in a browser.
//!
//! The library [`gui`] is the server; this module supplies its address, its paths, and the signals that stop it.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, UNIX_EPOCH};
use std::{env, fs, thread};

use check::suite::Puzzle;
use gui::{GuestLink, Host as _, MatchSource, RecentGame, RecentMatch, Server, Settings, Wish};
use kit::{GameEntry, Side, Value};
use record::clock::Limit;
use record::engine_spec::Program;
use record::ledger::LedgerReader;
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Registry;
use referee::broadcast::Broadcast;
use referee::capacity::descriptors_of;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::Conclusion;
use table::journal::{Journal, read_table};
use table::{LevelChoice, PausedTable, SeatPlayer, SeatSpec, TableSetup, new_id};
use tempfile::NamedTempFile;

use crate::analysis::puzzle::built_in;
use crate::args::{GuiArgs, PlayArgs, TableArgs};
use crate::config::EnginesFile;
use crate::game_name::{parse_game, rules};
use crate::matches::quiet_host;
use crate::output::{print, printable};
use crate::paths;
use crate::platform::{PRIVATE, stop_on_signals, write_whole};
use crate::play::socket::parse_address;
use crate::play::start::arguments::{Defaults, apply, check_number, setup};
use crate::play::start::{ledgers, use_own_tables, wishes};
use crate::records::trust;
use crate::usage::{Done, OrFail, warn};

/// Pause between the moves of two engines, until the host of a table chooses another.
const PACE: Duration = Duration::from_millis(800);
/// Time that the pages of a match have to read its end; the shorter limit applies if the match was stopped at once.
const END_TIMEOUT: Duration = Duration::from_secs(10);
const SHORT_END_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves until a signal arrives. Returns the exit status.
pub(crate) fn run(args: &GuiArgs, registry: Registry) -> Done<ExitCode> {
    let table = TableArgs {
        search_timeout: args.search_timeout,
        sync: args.sync,
        ..PlayArgs::of("").table
    };
    let listen = args.listen.as_deref().map(parse_address).transpose();
    let listen = listen.or_usage("--listen")?;
    let mut host = GuiHost::new(quiet_host(registry)?, table, args.reconnect);
    host.links = links_file(listen.map_or(args.port, |address| address.port()));
    let settings = Settings {
        port: args.port,
        host_token: host_token(args.port),
        links: read_links(host.links.as_deref()),
        listen,
        // clap has checked that there are two.
        tls: args.tls.clone().and_then(|files| files.try_into().ok()),
        url: args.url.clone(),
        start: start(args, &host)?,
        grace: Duration::from_millis(args.grace_ms),
        ..Settings::default()
    };
    let ended = stop_on_signals()?;
    let server = Server::start(settings, Arc::new(host)).or_fail()?;
    let link = server.link();
    let put = print(&link, false);
    if put.is_ok() {
        let _way = args.open.then(|| open(&link));
        let _ = ended.recv();
    }
    server.stop();
    put.map(|()| ExitCode::SUCCESS)
}

/// The token of a fixed port: the same at each start, so that open pages and bookmarks stay valid. `None` without a fixed
/// port, or without the secret of this user.
fn host_token(port: u16) -> Option<String> {
    let secret = trust::secret().filter(|_| port != 0)?;
    Some(secret.token(&format!("gui {port}")))
}

/// The file with the links of guests who come by a fixed port; `None` if it is not fixed: links do not outlive it.
fn links_file(port: u16) -> Option<PathBuf> {
    let folder = paths::state().ok().filter(|_| port != 0)?;
    Some(folder.join(format!("guests-{port}.json")))
}

/// The links of a file. One that cannot be read has none.
fn read_links(file: Option<&Path>) -> Vec<GuestLink> {
    let text = file.and_then(|path| fs::read(path).ok());
    let links = text.and_then(|text| serde_json::from_slice(&text).ok());
    links.unwrap_or_default()
}

/// Serves a page that shows a match; writes the page's address to standard error.
pub(crate) fn show_match(events: &Broadcast, plan: &Plan, host: &Host) -> Done<Server> {
    let source = MatchSource {
        events: events.clone(),
        ledger: plan.ledger.clone(),
    };
    let settings = Settings {
        source: Some(source),
        reserved: descriptors_of(plan),
        ..Settings::default()
    };
    let host = GuiHost::new(host.clone(), PlayArgs::of("").table, Duration::ZERO);
    let server = Server::start(settings, Arc::new(host)).or_trouble("--gui")?;
    warn(&server.link());
    Ok(server)
}

/// Sends the end of the match to the pages.
pub(crate) fn end_match(
    server: Server,
    ended: &Result<Conclusion, MatchError>,
    ledger: &Path,
    resume_hint: &str,
    host: &Host,
) {
    let replay = format!("to replay game 3: linesman show {} 3", ledger.display());
    let (how, next) = match ended {
        Ok(ended) if ended.is_complete => ("The match is over.", replay.as_str()),
        Ok(_) => ("The match was interrupted.", resume_hint),
        Err(error) => (
            &*format!("The match cannot continue: {error}."),
            resume_hint,
        ),
    };
    let limit = if host.stop.is_now() {
        SHORT_END_TIMEOUT
    } else {
        END_TIMEOUT
    };
    let text = format!("{how} This page is no longer updated; {next}.");
    server.end_match(printable(&text).into_owned(), limit);
}

/// The game that the first page opens, from the arguments. It is checked before the server starts.
fn start(args: &GuiArgs, host: &GuiHost) -> Done<Option<Wish>> {
    let Some(game) = &args.game else {
        return Ok(None);
    };
    let game = parse_game(game, host.registry())?;
    rules(host.registry(), &game)?;
    let defaults = Defaults::of_limit(Limit::Unlimited, None);
    let seat = |flag: &str, seat: &Option<String>, usual: SeatSpec| {
        let seat = seat
            .as_ref()
            .map_or(Ok(usual), |text| defaults.parse(flag, text))?;
        defaults.player(flag, seat.clone()).map(|_| seat)
    };
    let seats = [
        seat("--p1", &args.p1, SeatSpec::PERSON)?,
        seat("--p2", &args.p2, SeatSpec::ENGINE)?,
    ];
    let journal = Journal::new(new_id(), Opening::default());
    Ok(Some(Wish::new(game, seats, journal)))
}

/// The program that opens a file in the browser.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// `--open`: opens a page in the browser, by a file that redirects to it. The page's address is not an argument of the
/// browser, since other users of this machine can read a program's arguments, and the address contains the host's token.
/// Only this user can read the file, which is deleted when the result is dropped. If the browser cannot be opened, a note
/// is shown; the address is on standard output in any case.
fn open(link: &str) -> Option<NamedTempFile> {
    let opened = way_to(link).and_then(|file| start_browser(&file).map(|()| file));
    let note =
        |error: &io::Error| warn(&format!("note: --open: {error}: open the address yourself"));
    opened.inspect_err(note).ok()
}

/// Writes a page that redirects to another one at once.
fn way_to(link: &str) -> io::Result<NamedTempFile> {
    // The user's folder for files of a session, or the one for temporary files.
    let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let folder = own.filter(|folder| folder.is_dir());
    let mut file = tempfile::Builder::new()
        .prefix("linesman-")
        .suffix(".html")
        .tempfile_in(folder.unwrap_or_else(env::temp_dir))?;
    write!(
        file,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={link}\">\n<title>Linesman</title>\n\
         <p><a href=\"{link}\">To the board</a></p>\n"
    )?;
    file.flush()?;
    Ok(file)
}

fn start_browser(file: &NamedTempFile) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    command.arg(file.path()).stdin(Stdio::null());
    let opener = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let named = |error: io::Error| io::Error::other(format!("{OPENER}: {error}"));
    let mut opener = opener.map_err(named)?;
    thread::Builder::new().spawn(move || drop(opener.wait()))?;
    Ok(())
}

/// Maximum number of listed ledgers, and maximum size of a listed ledger in bytes.
const MAX_LEDGERS: usize = 50;
const MAX_SIZE: u64 = 8 << 20;

/// The host of the server's tables.
pub(crate) struct GuiHost {
    host: Host,
    /// The flags of all tables.
    table: TableArgs,
    reconnect: Duration,
    /// The file with the links of guests.
    links: Option<PathBuf>,
    /// By game, read at the first request.
    puzzles: OnceLock<HashMap<&'static str, Vec<gui::Puzzle>>>,
}

impl GuiHost {
    pub(crate) fn new(host: Host, table: TableArgs, reconnect: Duration) -> GuiHost {
        GuiHost {
            host,
            table,
            reconnect,
            links: None,
            puzzles: OnceLock::new(),
        }
    }

    fn new_table(&self, wish: &Wish) -> Done<TableSetup> {
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
        setup.keeps_guests = !setup.guests.is_empty();
        self.prepare_for_pages(&mut setup);
        Ok(setup)
    }

    /// Sets what every table of a page has.
    fn prepare_for_pages(&self, setup: &mut TableSetup) {
        setup.restarts_engines = true;
        setup.reconnect = self.reconnect;
        // Without a pause, fast engines finish a game before its moves can be seen.
        setup.pace = PACE;
    }
}

/// The settings of a page's table.
fn defaults(clock: Limit, level: Option<LevelChoice>) -> Done<Defaults> {
    if let Some(LevelChoice::Fixed(level)) = level {
        check_number("level", level)?;
    }
    Ok(Defaults::of_limit(clock, level))
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
        let engines = EnginesFile::default().all().unwrap_or_default();
        engines.into_iter().map(|engine| engine.name).collect()
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
        self.prepare_for_pages(&mut paused.setup);
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

    fn ledger(&self, table: &str) -> Option<PathBuf> {
        let is_its = |path: &PathBuf| {
            LedgerReader::open(path).is_ok_and(|reader| reader.ledger.plan.id == table)
        };
        newest(true).map(|(_, path)| path).find(is_its)
    }

    fn keep_links(&self, links: &[GuestLink]) {
        let text = serde_json::to_vec(links).expect("it is plain data");
        if let Some(path) = &self.links {
            // If it cannot be written, links end with the server.
            let _ = write_whole(path, &text, PRIVATE, true);
        }
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
    let plan = LedgerReader::open(&path).ok()?.ledger.plan;
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
