//! Adapter for a CECP program as an engine, the counterpart of [`run`](super::run) with the same conventions.
//!
//! The program stays in `force` mode while it receives moves, and gets `go` for each of its moves. In a game of the
//! catalogue, the board and its moves are those of a [`Layout`], and a pass is sent as XBoard sends it: as the same board
//! with the other side to move. In a game whose rules are a program, position strings and codes are sent unchanged.

use std::time::Duration;

use kit::{DynHistory, Side};
use protocol::text::excerpt;
use protocol::{Go, Info, OptionDecl, OptionKind, Score};
use record::game::GameResult;

use super::engine_option;
use super::fen::Fen;
use super::layout::Layout;
use super::limits::level_line;
use super::reply;
use super::reply::{Reply, ResultLine, Thinking};
use super::square::Move;
use crate::ugi::{KnownGame, Program, ProgramEvent, Search, seconds};

/// Time of a search that only `?` ends: a year.
const UNLIMITED: Duration = Duration::from_secs(31_536_000);

/// Time after `protover` in which a program without `feature done` must have sent its features. One that speaks version
/// 1 of the protocol sends none.
const FEATURE_TIME: Duration = Duration::from_secs(2);

/// Features that the adapter knows. It sends moves in coordinates alone, so it rejects `san=1`.
const ACCEPTED: [&str; 21] = [
    "done",
    "setboard",
    "usermove",
    "myname",
    "time",
    "ping",
    "option",
    "memory",
    "smp",
    "colors",
    "debug",
    "reuse",
    "analyze",
    "variants",
    "nps",
    "name",
    "draw",
    "sigint",
    "sigterm",
    "playother",
    "pause",
];

/// The option that is sent as `memory`, in MiB, and its default here.
const HASH: (&str, i64) = ("Hash", 64);

/// The same for `cores`.
const THREADS: (&str, i64) = ("Threads", 1);

/// Most options that are passed on.
const MAX_OPTIONS: usize = 1000;

/// State of the dialogue with a CECP program.
#[derive(Default)]
pub(crate) struct CecpProgram {
    /// Name of the game, if it is one of the catalogue.
    game: Option<String>,
    name: Option<String>,
    /// The program's `variants` feature, if it sent one.
    variants: Option<String>,
    features: Features,
    /// The options that it has declared, and those that are sent as `memory` and `cores`.
    options: Vec<OptionDecl>,
    /// The number of the outstanding `ping` that ends the preparation of a game.
    ping: Option<u32>,
    n_pings: u32,
    /// A process that has had a game.
    has_played: bool,
    /// A claim about the end of the game that came while no move was awaited.
    claim: Option<Claim>,
    /// The side that it plays.
    side: Option<Side>,
    /// The game on the program's board; `None` if it is unknown or belongs to another line.
    known: Option<Known>,
    /// `true` while a move is awaited.
    is_thinking: bool,
    /// The limit lines sent last, without the clocks.
    limits: Vec<String>,
    /// The clock at the first search of the game.
    base: Option<Duration>,
}

/// What a program can do, by default as version 1 of the protocol has it.
struct Features {
    /// The handshake ends with `done=1`, however late.
    is_announced: bool,
    /// Moves are sent as `usermove CODE`, not as the code alone.
    usermove: bool,
    setboard: bool,
    ping: bool,
    /// The clocks are sent.
    time: bool,
    /// One process plays several games.
    reuse: bool,
    /// It has the command `memory`.
    memory: bool,
    /// It has the command `cores`.
    smp: bool,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            is_announced: false,
            usermove: false,
            setboard: false,
            ping: false,
            time: true,
            reuse: true,
            memory: false,
            smp: false,
        }
    }
}

/// What a program says about the end of a game.
enum Claim {
    Resigns,
    /// The text, which only the rules can confirm.
    Other(String),
}

/// The game on the program's board, with XBoard's board for a game of the catalogue.
struct Known {
    game: KnownGame,
    layout: Option<Layout>,
}

impl Known {
    /// Returns the line that sends a legal move of a position.
    fn move_line(&self, position: &str, code: &str, has_usermove: bool) -> String {
        let Some(layout) = &self.layout else {
            return match has_usermove {
                true => format!("usermove {code}"),
                false => code.to_owned(),
            };
        };
        match layout.mv(position, code) {
            Move::Pass => {
                let here = layout.to_xboard(position);
                let side = here.side.other();
                format!("setboard {}", Fen { side, ..here })
            }
            mv => format!("usermove {}", layout.numbers().mv(mv)),
        }
    }

    /// Makes the program's move, and returns its code; `None` if it is not legal.
    fn play_text(&mut self, text: &str) -> Option<String> {
        let Some(layout) = &self.layout else {
            return self.game.play_text(text);
        };
        let code = code_of(layout, self.game.board.as_ref(), text)?;
        self.game.play(&code).ok().map(|()| code)
    }

    /// Converts a line of XBoard's moves to codes, up to the first illegal move.
    fn codes(&self, pv: &str) -> Option<Vec<String>> {
        let layout = self.layout.as_ref()?;
        let mut board = self.game.board.fork();
        let codes = pv.split_whitespace().map_while(|word| {
            let code = code_of(layout, board.as_ref(), word)?;
            board.play(&code).ok().map(|_| code)
        });
        Some(codes.collect())
    }
}

impl CecpProgram {
    /// Creates the adapter for a program that plays this game of the catalogue.
    pub(crate) fn new(game: &str) -> CecpProgram {
        CecpProgram {
            game: Some(game.to_owned()),
            ..CecpProgram::default()
        }
    }

    fn search_lines(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let mut lines = self.game_lines(search)?;
        self.add_limits(search, &mut lines)?;
        lines.push("go".to_owned());
        Ok(lines)
    }

    /// Returns the lines that bring the program's board to the position of a search, in `force` mode.
    fn game_lines(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let kept = self.known.take();
        let mut known = match kept.filter(|known| known.game.is_beginning_of(search)) {
            Some(kept) => {
                lines.push("force".to_owned());
                kept
            }
            None => self.begin(search, &mut lines)?,
        };
        for code in &search.line.moves[known.game.line.moves.len()..] {
            let position = known.game.board.fen();
            known.game.play(code)?;
            lines.push(known.move_line(&position, code, self.features.usermove));
        }
        self.known = Some(known);
        Ok(lines)
    }

    fn begin(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<Known, String> {
        let start = search.rules.start().fen();
        let game = self.game.as_deref();
        let layout = game.map(|game| Layout::new(game, &start)).transpose()?;
        lines.push("new".to_owned());
        match &layout {
            None => lines.extend(["easy", "post"].map(str::to_owned)),
            Some(layout) => lines.push(self.variant_line(layout)?),
        }
        lines.push("force".to_owned());
        self.limits.clear();
        self.base = None;
        self.claim = None;
        let game = KnownGame::start(search)?;
        if let Some(fen) = &game.line.fen {
            // Our own programs have the command in games of the catalogue.
            if layout.is_none() && !self.features.setboard {
                return Err(
                    "it takes no position strings: it lacks the feature setboard".to_owned(),
                );
            }
            lines.push(match &layout {
                None => format!("setboard {fen}"),
                Some(layout) => board_line(layout, &game.board.fen())?,
            });
        }
        Ok(Known { game, layout })
    }

    fn variant_line(&self, layout: &Layout) -> Result<String, String> {
        let variant = layout.variant();
        if let Some(variants) = &self.variants
            && !variants.split(',').any(|own| own.trim() == variant)
        {
            return Err(format!("the program plays {variants}: expected {variant}"));
        }
        Ok(format!("variant {variant}"))
    }

    /// Adds the limit lines if they have changed, and the clocks.
    fn add_limits(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<(), String> {
        let (go, side) = (&self.told_limit(search.go), search.side);
        let times = [go.p1_time, go.p2_time];
        let left = times[side.index()];
        let base = left.map(|left| *self.base.get_or_insert(left));
        let limits = match self.game {
            Some(_) => limit_lines(go, side, base),
            None => plain_limit_lines(go, side, base)?,
        };
        if self.limits != limits {
            lines.extend(limits.iter().cloned());
            self.limits = limits;
        }
        let told = [("time", side), ("otim", side.other())];
        for (word, side) in told.into_iter().filter(|_| self.features.time) {
            let left = times[side.index()];
            lines.extend(left.map(|left| format!("{word} {}", left.as_millis() / 10)));
        }
        Ok(())
    }

    /// A time per move below a second as a clock for one move, which counts hundredths: `st` has whole seconds, and programs
    /// read `st 0.1` as none.
    fn told_limit(&self, go: &Go) -> Go {
        let is_short = |time: &Duration| *time < Duration::from_secs(1);
        let is_plain = self.game.is_none() && self.features.time;
        match go.move_time.filter(|time| is_plain && is_short(time)) {
            Some(time) => Go {
                move_time: None,
                p1_time: Some(time),
                p2_time: Some(time),
                moves_to_go: Some(1),
                ..go.clone()
            },
            None => go.clone(),
        }
    }

    fn hear_features(
        &mut self,
        features: Vec<(String, String)>,
        send: &mut Vec<String>,
    ) -> Option<ProgramEvent> {
        let mut is_done = false;
        for (name, value) in features {
            let is_accepted = ACCEPTED.contains(&name.as_str()) || value == "0";
            let word = if is_accepted { "accepted" } else { "rejected" };
            send.push(format!("{word} {name}"));
            let is_on = value == "1";
            match name.as_str() {
                "myname" => self.name = Some(value),
                "variants" => self.variants = Some(value),
                "usermove" => self.features.usermove = is_on,
                "setboard" => self.features.setboard = is_on,
                "ping" => self.features.ping = is_on,
                "time" => self.features.time = is_on,
                "reuse" => self.features.reuse = is_on,
                "memory" if is_on => {
                    self.features.memory = true;
                    self.declare(spin(HASH, 1 << 20));
                }
                "smp" if is_on => {
                    self.features.smp = true;
                    self.declare(spin(THREADS, 1024));
                }
                "option" => {
                    if let Some(option) = engine_option::parse(&value) {
                        self.declare(option);
                    }
                }
                "done" => {
                    self.features.is_announced = true;
                    is_done = is_on;
                }
                _ => {}
            }
        }
        is_done.then(|| ProgramEvent::Ready {
            name: self.name.clone(),
        })
    }

    fn declare(&mut self, option: OptionDecl) {
        let mut known = self.options.iter();
        let is_known = known.any(|known| known.name.eq_ignore_ascii_case(&option.name));
        if !is_known && self.options.len() < MAX_OPTIONS {
            self.options.push(option);
        }
    }

    /// Reads a result or a resignation. A loss for the program itself is a resignation; the rules decide anything else.
    fn hear_claim(&mut self, claim: Claim) -> Option<ProgramEvent> {
        if !self.is_thinking {
            self.claim = Some(claim);
            return None;
        }
        Some(self.claimed(claim))
    }

    fn claimed(&mut self, claim: Claim) -> ProgramEvent {
        match claim {
            Claim::Resigns => {
                self.known = None;
                self.is_thinking = false;
                ProgramEvent::Resigned
            }
            Claim::Other(text) => ProgramEvent::Noted(text),
        }
    }

    fn hear_result(&mut self, result: &ResultLine) -> Option<ProgramEvent> {
        let is_loss = self
            .side
            .is_some_and(|side| result.result == GameResult::win(side.other()));
        self.hear_claim(match is_loss {
            true => Claim::Resigns,
            false => Claim::Other(format!("claims {result}; the rules go on")),
        })
    }

    fn hear_pong(&mut self, number: &str) -> Option<ProgramEvent> {
        let is_due = self.ping.is_some_and(|due| number.parse() == Ok(due));
        is_due.then(|| {
            self.ping = None;
            ProgramEvent::Prepared
        })
    }

    /// Fails if the program has another board than expected, because it would play another game.
    fn hear_setup(&mut self, line: &str) -> Option<ProgramEvent> {
        let known = self.known.as_ref()?;
        let board_of = |setup: &str| setup.split(' ').nth(2).map(str::to_owned);
        let expected = known.layout.as_ref()?.setup(&known.game.board.fen());
        let (own, expected) = (board_of(line)?, board_of(&expected)?);
        if own == expected {
            return None;
        }
        self.fail(&format!(
            "the program's board is {own}: expected {expected}"
        ))
    }

    fn hear_move(&mut self, text: &str) -> Option<ProgramEvent> {
        if !std::mem::take(&mut self.is_thinking) {
            return None;
        }
        // An illegal move is passed on unchanged; the referee judges it.
        let known = self.known.as_mut();
        let code = known.and_then(|known| known.play_text(text));
        if code.is_none() {
            self.known = None;
        }
        let text = excerpt(text).replace(' ', "_");
        Some(ProgramEvent::Moved(code.unwrap_or(text)))
    }

    fn thought(&self, thinking: &Thinking) -> Info {
        let known = self.known.as_ref();
        let pv = known.and_then(|known| known.codes(&thinking.pv));
        Info {
            depth: Some(thinking.depth),
            score: Some(plies(thinking.score)),
            time: Some(thinking.time),
            nodes: Some(thinking.nodes),
            pv: pv.unwrap_or_default(),
            ..Info::default()
        }
    }

    /// Reports a failure if a move or the preparation of a game is awaited. The state of the program's board is unknown
    /// afterwards.
    fn fail(&mut self, why: &str) -> Option<ProgramEvent> {
        self.known = None;
        let is_preparing = self.ping.take().is_some();
        let was_thinking = std::mem::take(&mut self.is_thinking);
        (was_thinking || is_preparing).then(|| ProgramEvent::Failed(format!("CECP: {why}")))
    }
}

impl Program for CecpProgram {
    fn shake_hands(&mut self) -> Vec<String> {
        *self = CecpProgram {
            game: self.game.take(),
            ..CecpProgram::default()
        };
        vec!["xboard".to_owned(), "protover 2".to_owned()]
    }

    fn handshake_timeout(&self) -> Option<Duration> {
        (!self.features.is_announced).then_some(FEATURE_TIME)
    }

    fn options(&self) -> &[OptionDecl] {
        &self.options
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Vec<String> {
        let is = |(known, _): (&str, i64)| name.eq_ignore_ascii_case(known);
        vec![match value {
            Some(mib) if self.features.memory && is(HASH) => format!("memory {mib}"),
            Some(n) if self.features.smp && is(THREADS) => format!("cores {n}"),
            _ => engine_option::line(&self.options, name, value),
        }]
    }

    fn is_used_up(&self) -> bool {
        self.has_played && !self.features.reuse
    }

    fn prepare(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let lines = self.game_lines(search);
        self.known = self.known.take().filter(|_| lines.is_ok());
        let mut lines = lines?;
        if self.features.ping {
            self.n_pings += 1;
            self.ping = Some(self.n_pings);
            lines.push(format!("ping {}", self.n_pings));
        }
        Ok(lines)
    }

    fn is_preparing(&self) -> bool {
        self.ping.is_some()
    }

    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let lines = self.search_lines(search);
        self.side = Some(search.side);
        self.has_played = true;
        self.is_thinking = lines.is_ok();
        if lines.is_err() {
            self.known = None;
        }
        lines
    }

    fn move_now(&mut self) -> Vec<String> {
        vec!["?".to_owned()]
    }

    fn quit(&mut self) -> Vec<String> {
        vec!["quit".to_owned()]
    }

    fn event_of_search(&mut self) -> Option<ProgramEvent> {
        let claim = self.claim.take()?;
        Some(self.claimed(claim))
    }

    fn hear(&mut self, line: &str, send: &mut Vec<String>) -> Option<ProgramEvent> {
        match Reply::parse(line) {
            Reply::Features(features) => self.hear_features(features, send),
            Reply::Move(text) => self.hear_move(&text),
            Reply::Thinking(thinking) if self.is_thinking => {
                Some(ProgramEvent::Thought(self.thought(&thinking)))
            }
            Reply::Illegal { why, mv } => self.fail(&format!("illegal move {mv}: {why}")),
            Reply::TellUserError(why) => self.fail(&why),
            Reply::Resigns => self.hear_claim(Claim::Resigns),
            Reply::Result(result) => self.hear_result(&result),
            Reply::OffersDraw => Some(ProgramEvent::Noted("offers a draw".to_owned())),
            Reply::Pong(number) => self.hear_pong(&number),
            Reply::Error { why, line } if line.starts_with("variant") => self.fail(&why),
            Reply::Error { why, line } if line.starts_with("setboard") => self.fail(&why),
            Reply::Other(line) if line.starts_with("setup ") => self.hear_setup(&line),
            Reply::Thinking(_) | Reply::Error { .. } | Reply::Other(_) => None,
        }
    }
}

fn spin((name, default): (&str, i64), max: i64) -> OptionDecl {
    OptionDecl {
        name: name.to_owned(),
        kind: OptionKind::Spin {
            default,
            min: 1,
            max,
        },
    }
}

/// Returns the code of the legal move that the text denotes.
pub(super) fn code_of(layout: &Layout, board: &dyn DynHistory, text: &str) -> Option<String> {
    let mv = layout.numbers().read_move(text)?;
    let position = board.fen();
    let mut codes = board.moves().into_iter();
    codes.find(|code| layout.mv(&position, code) == mv)
}

/// Converts a score. A win in n moves is 2n - 1 plies, a loss in n moves 2n plies.
fn plies(score: reply::Score) -> Score {
    let narrow = |n: i64| i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX });
    match score {
        reply::Score::Centi(cp) => Score::Cp(narrow(cp)),
        reply::Score::Mate(moves) if moves > 0 => Score::Mate(narrow(2 * moves - 1)),
        reply::Score::Mate(moves) => Score::Mate(narrow(2 * moves)),
    }
}

/// Returns the line that sets up a position on XBoard's board.
///
/// # Errors
/// The board does not show all of it.
fn board_line(layout: &Layout, position: &str) -> Result<String, String> {
    let fen = layout.to_xboard(position);
    if layout.to_game(&fen).as_deref() != Ok(position) {
        return Err(format!(
            "{position}: CECP does not transmit counters: expected a position with all counters at 0"
        ));
    }
    Ok(format!("setboard {fen}"))
}

/// Returns the lines that set a limit. A node limit is sent as a time, with time measured in nodes.
///
/// `base` is the clock of the side at the beginning of the game; the remaining time is sent before each move.
fn limit_lines(go: &Go, side: Side, base: Option<Duration>) -> Vec<String> {
    let mut lines = vec![format!("sd {}", go.depth.unwrap_or(0))];
    if let Some(nodes) = go.nodes.filter(|_| base.is_none()) {
        lines.extend(["nps 1".to_owned(), format!("st {nodes}")]);
        return lines;
    }
    lines.push("nps 0".to_owned());
    lines.push(match base {
        None => format!("st {}", seconds(go.move_time.unwrap_or(UNLIMITED))),
        Some(base) => {
            let inc = [go.p1_inc, go.p2_inc][side.index()].unwrap_or_default();
            level_line(go.moves_to_go.unwrap_or(0), base, inc)
        }
    });
    lines
}

/// The same in a game whose rules are a program, with the commands that all chess programs have.
///
/// # Errors
/// CECP has no such limit.
fn plain_limit_lines(go: &Go, side: Side, base: Option<Duration>) -> Result<Vec<String>, String> {
    let depth = go.depth.map(|depth| format!("sd {depth}"));
    let clock = base.map(|base| {
        let inc = [go.p1_inc, go.p2_inc][side.index()].unwrap_or_default();
        level_line(go.moves_to_go.unwrap_or(0), base, inc)
    });
    let time = go.move_time.map(|time| format!("st {}", seconds(time)));
    let lines: Vec<String> = [depth, clock, time].into_iter().flatten().collect();
    match lines.is_empty() && go.nodes.is_some() {
        true => Err("CECP has no limit of nodes: expected tc=, st= or depth=".to_owned()),
        false => Ok(lines),
    }
}

#[cfg(test)]
mod tests;
