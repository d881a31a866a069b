//! `linesman show`: a recorded game as boards in text, step by step, or as SVG files.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{self, ExitCode};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, unbounded};
use crossterm::event::{KeyCode, KeyModifiers};
use draw::{Board, Room, TextPage, View, svg};
use itertools::Itertools;
use kit::{DynHistory, Rejection};
use record::game::GameRecord;
use record::registry::{Registry, Rules};

use crate::args::ShowArgs;
use crate::output::{self, is_ascii_locale, one_line};
use crate::platform::terminal::{restore, terminal_size};
use crate::platform::{self, Wish};
use crate::play::line::Row;
use crate::play::screen::{Frame, Input, Screen, Size, direction};
use crate::play::style::{WIDTH, fill};
use crate::play::terminal::RawTerminal;
use crate::records::files::OwnFile;
use crate::records::render;
use crate::records::source::{self, Source};
use crate::usage::{Failure, fail, refuse};

/// If all boards need more lines than this, only the moves and the last board are shown.
const MAX_LINES: usize = 1000;

/// Replays one game of a file.
pub(crate) fn run(args: &ShowArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let source = source::read(&args.file)?;
    let record = source.find(args.game)?;
    let file = args.file.display().to_string();
    let game = source.game.as_ref();
    let Some(rules) = game.and_then(|game| registry.rules(game).ok().flatten()) else {
        return show_unknown(args, record, &file);
    };
    let is_ascii = args.ascii || is_ascii_locale();
    let replay = Replay::new(&rules, record, source.comments(record), is_ascii);
    let mut replay =
        replay.map_err(|why| Failure::Trouble(format!("{file}: game {}: {why}", args.game)))?;
    let n_plies = record.moves.len();
    if let Some(from) = args.from.filter(|from| *from > n_plies.max(1)) {
        return refuse!(
            "--from {from}: game {} of {file} has {n_plies} moves: give 1 to {n_plies}",
            record.game
        );
    }
    // The position before the move.
    let from = args.from.map(|from| from - 1);
    if let Some(name) = &args.svg {
        return draw_svg(&mut replay, name, args.ply, &file);
    }
    let title = title(&source, record);
    if args.step {
        return run_steps(&mut replay, from.unwrap_or(0), &title);
    }
    let text = match from {
        _ if args.moves => moves(&mut replay, from.unwrap_or(0)),
        Some(from) => boards(&mut replay, from),
        None => whole(&mut replay),
    };
    print(&format!("{title}\n\n{text}\n{}\n", replay.ending()))
}

/// Shows the moves of a game whose rules are unknown.
fn show_unknown(args: &ShowArgs, record: &GameRecord, file: &str) -> Result<ExitCode, Failure> {
    let drawn = [
        ("--svg", args.svg.is_some()),
        ("--step", args.step),
        ("--from", args.from.is_some()),
    ];
    if let Some((flag, _)) = drawn.iter().find(|(_, is_given)| *is_given) {
        return fail!("{flag}: {file}: the rules of its game are unknown: it cannot be drawn");
    }
    let (moves, ending) = (record.moves.join(" "), render::shown(record, None));
    print(&format!("{}\n\n{ending}\n", one_line(&moves)))
}

fn print(text: &str) -> Result<ExitCode, Failure> {
    output::print_raw(text).map(|()| ExitCode::SUCCESS)
}

/// The game, its players and its date.
fn title(source: &Source, record: &GameRecord) -> String {
    let game = source.game.as_ref().map(|game| format!("{game}: "));
    let GameRecord { p1, p2, date, .. } = record;
    one_line(&format!("{}{p1} vs {p2}, {date}", game.unwrap_or_default())).into_owned()
}

/// The boards from a position on, each below its move.
fn boards(replay: &mut Replay<'_>, from: usize) -> String {
    let mut text = String::new();
    for ply in from..=replay.n_plies() {
        replay.go_to(ply);
        let line = replay.last_move() + "\n";
        text += &format!("{}{}\n\n", line.trim_start(), replay.draw());
    }
    text.trim_end_matches('\n').to_owned() + "\n"
}

/// The moves after a position, one per line.
fn moves(replay: &mut Replay<'_>, from: usize) -> String {
    let plies = from + 1..=replay.n_plies();
    let line = |ply| {
        replay.go_to(ply);
        replay.last_move() + "\n"
    };
    plies.map(line).collect()
}

/// All boards; if they are too many, the moves and the last board.
fn whole(replay: &mut Replay<'_>) -> String {
    let height = replay.draw().lines().count() + 2;
    let n_boards = replay.n_plies() + 1;
    if height * n_boards <= MAX_LINES {
        return boards(replay, 0);
    }
    replay.go_to(usize::MAX);
    format!(
        "{}\n\n{}\n{}\n\n{n_boards} boards are too many to show: --from N starts at move N, --step shows them one by \
         one,\n--moves lists the moves with their recorded details.\n",
        replay.codes(),
        replay.last_move(),
        replay.draw()
    )
}

/// Placeholder for the ply in the name of an SVG file.
const PLY: &str = "%d";

/// Draws the given ply, or one file per ply if the name has a placeholder, or else the last ply.
fn draw_svg(
    replay: &mut Replay<'_>,
    name: &str,
    ply: Option<usize>,
    file: &str,
) -> Result<ExitCode, Failure> {
    let (number, n_plies) = (replay.record.game, replay.n_plies());
    if let Some(ply) = ply.filter(|&ply| ply > n_plies) {
        return refuse!(
            "--ply {ply}: game {number} of {file} has {n_plies} plies: give 0 to {n_plies}"
        );
    }
    let last = ply.unwrap_or(n_plies);
    let is_all = ply.is_none() && name.contains(PLY);
    let plies = if is_all { 0 } else { last }..=last;
    let file = |ply: usize| {
        let name = name.replace(PLY, &ply.to_string());
        OwnFile::check(Path::new(&name), "--svg", svg::is_drawing)
    };
    // All files are checked before the first one is written.
    let files = plies.clone().map(file).collect::<Result<Vec<_>, _>>()?;
    for (ply, file) in plies.zip(files) {
        replay.go_to(ply);
        let picture = svg::write(&replay.diagram());
        file.write(picture + "\n")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A game at one of its positions.
struct Replay<'a> {
    record: &'a GameRecord,
    /// Shape: one per move; empty if there is no comment.
    comments: Vec<String>,
    board: Box<dyn DynHistory>,
    /// The end of the game.
    last: Box<dyn DynHistory>,
    /// Number of moves before the current position.
    at: usize,
    is_ascii: bool,
}

impl<'a> Replay<'a> {
    /// The game at its start.
    ///
    /// # Errors
    /// The first move that the rules do not allow.
    fn new(
        rules: &Rules,
        record: &'a GameRecord,
        comments: Vec<String>,
        is_ascii: bool,
    ) -> Result<Replay<'a>, Rejection> {
        let board = rules.open(&record.opening.prefix(0))?;
        let mut last = board.fork();
        for code in &record.moves {
            last.play(code)?;
        }
        Ok(Replay {
            record,
            comments,
            board,
            last,
            at: 0,
            is_ascii,
        })
    }

    fn n_plies(&self) -> usize {
        self.record.moves.len()
    }

    /// The position as a diagram.
    fn diagram(&self) -> Board {
        self.board.diagram(View {
            ending: self.ending_below().as_deref(),
            ..View::default()
        })
    }

    /// Goes to the position after this many moves, or to the last one.
    fn go_to(&mut self, ply: usize) {
        let ply = ply.min(self.n_plies());
        while self.at > ply {
            self.board.undo();
            self.at -= 1;
        }
        while self.at < ply {
            self.board
                .play(&self.record.moves[self.at])
                .expect("the rules have allowed it");
            self.at += 1;
        }
    }

    /// The position as text, without a limit of size.
    fn draw(&self) -> String {
        self.page(None).text(false)
    }

    /// The position as text, in the given space.
    fn page(&self, room: Option<Room>) -> TextPage {
        self.board.page(View {
            is_ascii: self.is_ascii,
            ending: self.ending_below().as_deref(),
            room,
            ..View::default()
        })
    }

    /// The result of a game that did not end by its rules, below its last position.
    fn ending_below(&self) -> Option<String> {
        let GameRecord { result, reason, .. } = self.record;
        let is_last = self.at == self.n_plies();
        let caption = || result.caption(&self.board.side_names(), &one_line(reason));
        is_last.then(caption).flatten()
    }

    /// The move before the current position, with its player and comment; empty at the start.
    fn last_move(&self) -> String {
        let Some(index) = self.at.checked_sub(1) else {
            return String::new();
        };
        let mut before = self.board.fork();
        before.undo();
        let side = before.side().index();
        let mover = &before.side_names()[side];
        let ply = self.record.plies.get(index).and_then(Option::as_ref);
        let name = ply.and_then(|ply| ply.by.as_ref());
        let name = name.unwrap_or([&self.record.p1, &self.record.p2][side]);
        let code = &self.record.moves[index];
        let line = one_line(&format!("{}. {mover} ({name}): {code}", self.at)).into_owned();
        match self.comments.get(index).map_or("", String::as_str) {
            "" => line,
            comment => {
                let text = format!("{line}  {{{}}}", one_line(comment));
                fill(&text, WIDTH).replace('\n', "\n    ")
            }
        }
    }

    /// The codes of all moves; every tenth is numbered, starting with the first.
    fn codes(&self) -> String {
        let tens = self.record.moves.chunks(10).zip((1..).step_by(10));
        let tens = tens.map(|(codes, number)| format!("{number}. {}", codes.join(" ")));
        fill(&one_line(&tens.format(" ").to_string()), WIDTH)
    }

    /// The result of the game; if the rules ended it, with their description of the end.
    fn ending(&self) -> String {
        let explained = self.last.outcome().and_then(|_| self.last.explain());
        render::shown(self.record, explained.as_deref())
    }
}

const HELP: &str = "Space on, b back, Home, End, q leave";

/// Interval of checks of the terminal's size.
const SIZE_INTERVAL: Duration = Duration::from_millis(200);

/// Shows the game from this position until the user quits.
fn run_steps(replay: &mut Replay<'_>, from: usize, title: &str) -> Result<ExitCode, Failure> {
    // Ctrl-C is a key.
    platform::on_signals(|wish| {
        if wish == Wish::Terminate {
            restore();
            process::exit(0);
        }
    })?;
    let (sender, input) = unbounded();
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let terminal = is_terminal.then(|| RawTerminal::open(sender, input).ok());
    let Some(mut terminal) = terminal.flatten() else {
        return refuse!("--step needs a terminal: leave it out to print all positions");
    };
    replay.go_to(from);
    step(replay, &mut terminal, title).map_err(Failure::Output)?;
    terminal.close(&format!("{}\n", status(replay)));
    Ok(ExitCode::SUCCESS)
}

fn step(replay: &mut Replay<'_>, terminal: &mut RawTerminal, title: &str) -> io::Result<()> {
    loop {
        terminal.paint(&frame(replay, title))?;
        let input = match terminal.input().recv_timeout(SIZE_INTERVAL) {
            Err(RecvTimeoutError::Timeout) => continue,
            heard => heard.unwrap_or(Input::End),
        };
        let key = match input {
            Input::Key(key) => key,
            Input::Interrupt | Input::End => return Ok(()),
            other => {
                terminal.echo(&other)?;
                continue;
            }
        };
        let at = replay.at;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, direction(key.code)) {
            (KeyCode::Char('d'), _) if is_control => return Ok(()),
            (KeyCode::Char('j'), _) if is_control => replay.go_to(at + 1),
            _ if is_control => {}
            (_, Some((-1, -1))) | (KeyCode::Char('g'), _) => replay.go_to(0),
            (_, Some((-1, 1))) | (KeyCode::Char('G'), _) => replay.go_to(usize::MAX),
            (_, Some((1, 0 | 1) | (0, 1)))
            | (KeyCode::Char(' ' | 'n' | 'j' | 'l') | KeyCode::Enter, _) => replay.go_to(at + 1),
            (_, Some(_)) | (KeyCode::Char('b' | 'p' | 'k' | 'h') | KeyCode::Backspace, _) => {
                replay.go_to(at.saturating_sub(1));
            }
            (KeyCode::Char('q' | 'Q') | KeyCode::Esc, _) => return Ok(()),
            _ => {}
        }
    }
}

/// One screen: the title, the rows of the board that fit, the move and the keys.
fn frame(replay: &Replay<'_>, title: &str) -> Frame {
    let Size { columns, lines } = terminal_size().unwrap_or(Size {
        columns: 80,
        lines: 24,
    });
    let said = status(replay);
    let n_said = said.lines().count();
    // Above the status and the keys: the title and a blank line if the board fits below them, else the board alone.
    let board = |n_above: usize| {
        let lines = lines.saturating_sub(n_above + n_said + 1).max(1);
        replay.page(Some(Room {
            columns,
            lines,
            shows: "",
        }))
    };
    let (above, board) = match board(2) {
        page if page.is_whole => (&[title, ""][..], page),
        _ => (&[][..], board(0)),
    };
    let text = board.text(false);
    let rows = above
        .iter()
        .copied()
        .chain(text.lines())
        .chain(said.lines());
    let mut frame = Frame::new(Size { columns, lines });
    frame.put_rows(0, rows.take(lines - 1));
    let mut status = format!("{} of {}: {HELP}", replay.at, replay.n_plies());
    if !board.is_whole {
        status += "; a part of the board";
    }
    let shown: String = status.chars().take(columns - 1).collect();
    frame.put_last(&Row::new(&shown));
    frame
}

/// The last move; at the end of the game, also its result.
fn status(replay: &Replay<'_>) -> String {
    let last = replay.last_move();
    if replay.at < replay.n_plies() {
        return last;
    }
    let ending = format!("{last}\n{}", replay.ending());
    ending.trim_start().to_owned()
}
