//! `linesman play`: a person at a plain console, line by line.
//!
//! `plan` and `words` read what was asked for, `port`, `editor` and `listen` hear everyone, `console` talks, `act` does what it
//! is told (with `games`, `looks`, `review` and `seats` for the words), `show` makes text. What a game is, with its moves taken back and its records, is the library's
//! [`session`](referee::session).

mod console;

mod act;
mod games;
mod looks;
mod review;
mod seats;

mod editor;
mod listen;
mod mail;
mod plan;
mod port;
mod resume;
mod show;
mod size;
mod telnet;
mod words;

use std::env;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use crossbeam_channel::{Sender, unbounded};
use kit::Side;
use referee::opening::Opening;
use referee::registry::Registry;
use referee::session::{Table, TableError};
use referee::stop::Stop;
use referee::tournament::Host;

use crate::args::PlayArgs;
use crate::plan::{parse_game, usage};
use crate::usage::Failure;
use console::{Console, Parts};
use listen::Listener;
use port::{Local, News, heed_signals};
use show::BoardStyle;

/// Plays until the person leaves; the status to exit with.
pub(crate) fn run(args: &PlayArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let executable = env::current_exe();
    let executable = executable
        .map_err(|error| Failure::Trouble(format!("cannot find this executable: {error}")))?;
    let host = Host {
        registry,
        executable,
        stop: Stop::default(),
    };
    let (news, heard) = unbounded();
    let place = Place::here(args);
    // Nothing is begun for someone who cannot come.
    let listen = args.listen.as_deref();
    let listener = listen.map(|address| Listener::open(address, news.clone()));
    let listener = listener.transpose()?;
    let (session, remote, tidings) = sit_down(args, host, &place)?;
    if listener.is_some() && remote.is_none() {
        return Err(usage(
            "--listen",
            &"two engines play: expected a seat for a person",
        ));
    }
    heed_signals(session.nudge(), news.clone())
        .map_err(|error| Failure::Trouble(format!("signals: {error}")))?;
    let greeting = format!("{}\n{tidings}", show::header(&session));
    let console = Console::new(Parts {
        session,
        news: heard,
        local: place.local(&news),
        listener,
        remote,
        looks: [
            place.look(args),
            BoardStyle {
                is_ascii: args.ascii,
                ..BoardStyle::default()
            },
        ],
        is_interactive: place.is_interactive,
        is_sure: args.sure,
    });
    console.run(greeting.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// A session, new or taken up, where the other person sits, and what there is to tell of it.
fn sit_down(
    args: &PlayArgs,
    host: Host,
    place: &Place,
) -> Result<(Table, Option<Side>, String), Failure> {
    if let Some(path) = &args.mail {
        return mail::sit_down(args, path, host);
    }
    if args.resume.is_some() {
        let (session, remote) = resume::take_up(args, host)?;
        return Ok((session, remote, String::new()));
    }
    let game = args.game.as_deref();
    let game = game.ok_or_else(|| {
        Failure::Usage("GAME is missing: expected one that linesman games lists".to_owned())
    })?;
    let mut game = parse_game(game)?;
    let rules = plan::rules(host.registry, &game)?;
    if place.is_interactive && game.options.is_empty() {
        size::ask(rules.entry(), &mut game)?;
    }
    let habits = plan::Defaults::of(args)?;
    let seats = plan::seats(args, &habits)?;
    let remote = remote_side(&seats);
    let plan = plan::build(args, game, &seats, Opening::default())?;
    let session = Table::begin(plan, habits.helper()?, None, host)?;
    Ok((session, remote, String::new()))
}

fn remote_side(seats: &[plan::Seat; 2]) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|side| seats[side.index()].is_remote)
}

/// What the local person sits at.
struct Place {
    is_interactive: bool,
    /// Whether lines are edited, and colours shown.
    is_screen: bool,
}

impl Place {
    fn here(args: &PlayArgs) -> Place {
        let is_interactive = io::stdin().is_terminal();
        let is_dumb = env::var("TERM").is_ok_and(|term| term == "dumb");
        Place {
            is_interactive,
            is_screen: is_interactive && io::stdout().is_terminal() && !is_dumb && !args.plain,
        }
    }

    fn local(&self, news: &Sender<News>) -> Local {
        let editor = if self.is_screen {
            Local::editor(news)
        } else {
            None
        };
        editor.unwrap_or_else(|| Local::lines(news, !self.is_interactive))
    }

    fn look(&self, args: &PlayArgs) -> BoardStyle {
        let is_wanted = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        BoardStyle {
            is_ascii: args.ascii,
            is_coloured: self.is_screen && is_wanted,
            ..BoardStyle::default()
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        match error {
            TableError::Engine(error) => error.into(),
            other => Failure::Trouble(other.to_string()),
        }
    }
}
