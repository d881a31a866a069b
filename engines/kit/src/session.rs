//! What an engine answers: commands in, replies out.
//!
//! A [`Session`] starts no thread and does no input or output. A `go` that searches becomes a [`Job`], which whoever
//! drives the session runs where it likes (`serve` has a thread for it) and hands back with [`Session::finish`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::text::excerpt;
use protocol::{Base, Command, Dialect, Go, Info, OptionDecl, OptionKind, Query, Reply};

use crate::dyn_history::{DynHistory, parse_history, parse_legal};
use crate::search::{
    Bound, Budget, Clock, Control, Heuristics, Limits, Line, Method, Progress, Request, Searcher,
    Skill, mate_distance,
};
use crate::{Engine, Notation, Options, Outcome, PositionHistory, Rejection, Side, View, perft};

/// One engine's side of a conversation.
pub struct Session<G: Engine> {
    options: Options,
    /// The game by these options; the one in play may be on another board.
    game: G,
    dialect: Dialect,
    is_debugging: bool,
    history: PositionHistory<G>,
    /// Away while a job runs.
    searcher: Option<Searcher>,
    running: Option<Running>,
}

/// What the session knows of the job under way.
struct Running {
    control: Arc<Control>,
    is_infinite: bool,
    /// Whether it ends without another command.
    is_bounded: bool,
}

/// What a command led to.
pub enum Step<G: Engine> {
    /// These replies.
    Replies(Vec<Reply>),
    /// These replies, and a search that has to be run.
    Search(Vec<Reply>, Box<Job<G>>),
    /// The end of the conversation.
    Quit,
}

/// A search to be run.
pub struct Job<G: Engine> {
    searcher: Searcher,
    history: PositionHistory<G>,
    request: Request<G::Move>,
    control: Arc<Control>,
    dialect: Dialect,
    /// The number after `go mate`, in the dialect's unit.
    mate_as_written: Option<u32>,
    can_ponder: bool,
}

/// A job that has run, to be handed back.
pub struct Finished {
    searcher: Searcher,
    replies: Vec<Reply>,
}

/// The values of the option `Search`.
const METHODS: [(&str, Method); 3] = [
    ("best", Method::Best),
    ("pvs", Method::Pvs),
    ("uct", Method::Uct),
];

/// Options that every engine has, in the order declared.
fn engine_options() -> Vec<OptionDecl> {
    let spin = |name: &str, default, min, max| OptionDecl {
        name: name.to_owned(),
        kind: OptionKind::Spin { default, min, max },
    };
    let ponder = OptionDecl {
        name: "Ponder".to_owned(),
        kind: OptionKind::Check { default: false },
    };
    vec![
        spin("Hash", 16, 1, 65_536),
        spin("Threads", 1, 1, 256),
        spin("MultiPV", 1, 1, 256),
        ponder,
        spin("Move Overhead", 30, 0, 10_000),
        spin("Skill Level", 20, 0, 20),
        spin("Seed", 0, 0, i64::MAX),
        OptionDecl {
            name: "Search".to_owned(),
            kind: OptionKind::Combo {
                default: METHODS[0].0.to_owned(),
                choices: METHODS.map(|(name, _)| name.to_owned()).to_vec(),
            },
        },
        OptionDecl {
            name: "Without".to_owned(),
            kind: OptionKind::Combo {
                default: Heuristics::NAMES[0].to_owned(),
                choices: Heuristics::NAMES.map(str::to_owned).to_vec(),
            },
        },
    ]
}

impl<G: Engine> Default for Session<G> {
    fn default() -> Session<G> {
        Session::new()
    }
}

impl<G: Engine> Session<G> {
    /// An engine at the start position, its options at their defaults.
    pub fn new() -> Session<G> {
        let mut declared = engine_options();
        declared.extend(G::options());
        let options = Options::new(declared);
        let game = G::new(&options);
        let history = PositionHistory::start(game.clone());
        let searcher = Some(searcher(&options));
        Session {
            options,
            game,
            dialect: Dialect::Ugi,
            is_debugging: false,
            history,
            searcher,
            running: None,
        }
    }

    /// Carries out a command that arrived at `arrival`. One that cannot be carried out changes nothing and is
    /// answered with `info error`.
    pub fn handle(&mut self, command: Command, arrival: Instant) -> Step<G> {
        match self.try_handle(command, arrival) {
            Ok(step) => step,
            Err(why) => Step::Replies(vec![error(&why)]),
        }
    }

    /// Takes back a job that has run; its last replies, `bestmove` at the end.
    pub fn finish(&mut self, finished: Finished) -> Vec<Reply> {
        self.searcher = Some(finished.searcher);
        self.running = None;
        finished.replies
    }

    /// Whether a job is under way.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// No more commands will come: a search that nothing else would end is stopped, a bounded one goes on.
    pub fn end_of_input(&self) {
        if let Some(running) = self.running.as_ref().filter(|running| !running.is_bounded) {
            running.control.stop();
        }
    }

    fn try_handle(&mut self, command: Command, arrival: Instant) -> Result<Step<G>, Rejection> {
        match command {
            Command::Blank => {}
            Command::IsReady => return Ok(Step::Replies(vec![Reply::ReadyOk])),
            Command::Debug(on) => self.is_debugging = on,
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponderhit(arrival)?,
            Command::Quit => {
                self.stop();
                return Ok(Step::Quit);
            }
            other if self.is_searching() => {
                let line = other.display(self.dialect).to_string();
                let word = line.split(' ').next().unwrap_or_default();
                return Err(format!("{word}: a search is running, expected stop first").into());
            }
            Command::Handshake(dialect) => return Ok(Step::Replies(self.handshake(dialect))),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::NewGame => self.new_game(),
            Command::Position { base, moves } => {
                self.history = self.read_position(&base, &moves)?
            }
            Command::Perft(depth) => return Ok(Step::Replies(self.perft(depth))),
            Command::Go(go) => return self.go(&go, arrival),
            Command::Query(query) => {
                return Ok(Step::Replies(vec![Reply::Response(self.answer(query))]));
            }
            Command::Display { style } => return Ok(Step::Replies(self.draw(style.as_deref())?)),
        }
        Ok(Step::Replies(Vec::new()))
    }

    fn stop(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    fn ponderhit(&mut self, arrival: Instant) -> Result<(), Rejection> {
        match &mut self.running {
            Some(running) if running.control.ponderhit(arrival) => {
                running.is_bounded = !running.is_infinite;
                Ok(())
            }
            _ => Err("ponderhit: no search is pondering".into()),
        }
    }

    fn handshake(&mut self, dialect: Dialect) -> Vec<Reply> {
        self.dialect = dialect;
        let mut replies = vec![
            Reply::IdName(format!(
                "Linesman {} {}",
                G::NAME,
                env!("CARGO_PKG_VERSION")
            )),
            Reply::IdAuthor("the Linesman authors".to_owned()),
        ];
        replies.extend(self.options.declared().cloned().map(Reply::Option));
        replies.push(Reply::HandshakeOk(dialect));
        replies
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Rejection> {
        let set = self.options.set(name, value);
        set.map_err(|why| Rejection(why.to_string()))?;
        let is = |own: &str| own.eq_ignore_ascii_case(name);
        if is("Hash") || is("Threads") {
            self.searcher = Some(searcher(&self.options));
        } else if G::options().iter().any(|decl| is(&decl.name)) {
            self.game = G::new(&self.options);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.history = PositionHistory::start(self.game.clone());
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    fn read_position(
        &self,
        base: &Base,
        moves: &[String],
    ) -> Result<PositionHistory<G>, Rejection> {
        let mut history = match base {
            Base::Start => PositionHistory::start(self.game.clone()),
            Base::Fen(text) => parse_history(&self.game, text)
                .map_err(|why| Rejection(format!("position \"{}\": {why}", excerpt(text))))?,
        };
        for word in moves {
            for code in history.game().clone().split_codes(word) {
                let mv = parse_legal(&history, code)?;
                history.play(mv);
            }
        }
        Ok(history)
    }

    fn perft(&self, depth: u32) -> Vec<Reply> {
        let mut history = self.history.clone();
        let shares = perft::divide(&mut history, depth);
        let total = if depth == 0 {
            1
        } else {
            shares.iter().map(|(_, nodes)| nodes).sum()
        };
        let share = |(mv, nodes)| Reply::Divide {
            mv: code(&self.history, mv),
            nodes,
        };
        shares
            .into_iter()
            .map(share)
            .chain([Reply::PerftTotal(total)])
            .collect()
    }

    fn answer(&self, query: Query) -> String {
        match query {
            Query::P1Turn => (self.history.side() == Side::P1).to_string(),
            Query::GameOver => self.history.outcome().is_some().to_string(),
            Query::Result => match self.history.outcome() {
                None => "none",
                Some(Outcome::Win(Side::P1)) => "p1win",
                Some(Outcome::Win(Side::P2)) => "p2win",
                Some(Outcome::Draw) => "draw",
            }
            .to_owned(),
            Query::Moves => DynHistory::moves(&self.history).join(" "),
            Query::Fen => self.history.fen(),
            Query::Game => format!("{} {}", G::NAME, self.history.shape())
                .trim_end()
                .to_owned(),
        }
    }

    fn draw(&self, style: Option<&str>) -> Result<Vec<Reply>, Rejection> {
        let asked = style.unwrap_or_default();
        let known = |style: &&&str| style.eq_ignore_ascii_case(asked);
        let style = match asked {
            "" => "",
            _ => G::STYLES
                .iter()
                .find(known)
                .ok_or_else(|| unknown_style::<G>(asked))?,
        };
        let board = self.history.draw(View::styled(style));
        let fen = format!("fen: {}", self.history.fen());
        Ok(board
            .lines()
            .chain([fen.as_str()])
            .map(|line| Reply::Text(line.to_owned()))
            .collect())
    }

    fn go(&mut self, go: &Go, arrival: Instant) -> Result<Step<G>, Rejection> {
        let moves = self.candidates(&go.search_moves)?;
        if moves.is_empty() {
            let none = Reply::BestMove {
                mv: "none".to_owned(),
                ponder: None,
            };
            return Ok(Step::Replies(vec![error(&"game is over".into()), none]));
        }
        let limits = self.limits(go);
        let control = Arc::new(Control::new(arrival, go.ponder));
        let replies = self.debug_limits(&limits);
        self.running = Some(Running {
            control: Arc::clone(&control),
            is_infinite: limits.is_infinite,
            is_bounded: !limits.is_infinite && !go.ponder,
        });
        let request = Request {
            n_lines: spin(&self.options, "MultiPV"),
            skill: Skill::new(spin(&self.options, "Skill Level")),
            seed: spin(&self.options, "Seed"),
            heuristics: Heuristics::without(self.options.text("Without")),
            method: self.method(),
            ..Request::new(moves, limits)
        };
        let job = Job {
            searcher: self.searcher.take().expect("no job is under way"),
            history: self.history.clone(),
            request,
            control,
            dialect: self.dialect,
            mate_as_written: go.mate,
            can_ponder: self.options.check("Ponder"),
        };
        Ok(Step::Search(replies, Box::new(job)))
    }

    fn method(&self) -> Method {
        let name = self.options.text("Search");
        let named = METHODS.iter().find(|method| method.0 == name);
        named.map_or(Method::Best, |method| method.1)
    }

    /// The moves to choose from: those named, or all; none when the game is over.
    fn candidates(&self, named: &[String]) -> Result<Vec<G::Move>, Rejection> {
        let legal = self.history.moves();
        if named.is_empty() || legal.is_empty() {
            return Ok(legal);
        }
        let mut chosen = Vec::new();
        for code in named
            .iter()
            .flat_map(|word| self.history.game().split_codes(word))
        {
            chosen.push(parse_legal(&self.history, code)?);
        }
        Ok(legal.into_iter().filter(|mv| chosen.contains(mv)).collect())
    }

    fn limits(&self, go: &Go) -> Limits {
        let overhead = Duration::from_millis(spin(&self.options, "Move Overhead"));
        let clock = self.clock(go);
        let mut budget = clock.map_or(Budget::None, |clock| Budget::for_clock(clock, overhead));
        if let Some(time) = go.move_time {
            budget = budget.within(time, overhead);
        }
        let mate = go.mate.map(|mate| match self.dialect {
            Dialect::Ugi => mate,
            Dialect::Uci => mate.saturating_mul(2).saturating_sub(1),
        });
        let has_limit =
            go.depth.is_some() || go.nodes.is_some() || mate.is_some() || budget != Budget::None;
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate,
            budget,
            is_infinite: go.infinite || !has_limit,
        }
    }

    /// The clock of the side to move, or the only one told.
    fn clock(&self, go: &Go) -> Option<Clock> {
        let p1 = (go.p1_time, go.p1_inc);
        let p2 = (go.p2_time, go.p2_inc);
        let ((left, increment), other) = match self.history.side() {
            Side::P1 => (p1, p2.0),
            Side::P2 => (p2, p1.0),
        };
        let left = left.or(other)?;
        Some(Clock {
            left,
            increment: increment.unwrap_or_default(),
            moves_to_go: go.moves_to_go,
        })
    }

    fn debug_limits(&self, limits: &Limits) -> Vec<Reply> {
        let (true, Some(soft), Some(hard)) = (
            self.is_debugging,
            limits.budget.soft(),
            limits.budget.hard(),
        ) else {
            return Vec::new();
        };
        let (soft, hard) = (soft.as_millis(), hard.as_millis());
        vec![string(format!(
            "no new depth after {soft} ms, stop at {hard} ms"
        ))]
    }
}

impl<G: Engine> Job<G> {
    /// Searches until a limit or the session's control ends it, telling `info` as it goes.
    pub fn run(mut self, info: &mut dyn FnMut(Reply)) -> Finished {
        let mut searcher = self.searcher;
        let (history, dialect) = (&self.history, self.dialect);
        let mut tell =
            |progress: &Progress<G::Move>| report(history, dialect, progress).for_each(&mut *info);
        let end = searcher.search(history, &self.request, &self.control, &mut tell);
        self.control
            .wait_for_release(self.request.limits.is_infinite);
        let mut replies = Vec::new();
        let best = &end.lines[0];
        if let (Some(limit), Some(written)) =
            (self.request.limits.mate.take(), self.mate_as_written)
        {
            let is_found = mate_distance(best.score).is_some_and(|n| n > 0 && n as u32 <= limit);
            if !is_found {
                replies.push(string(format!("no mate in {written}")));
            }
        }
        let mut codes = codes(history, &best.pv).into_iter();
        let mv = codes.next().expect("a line has a move");
        replies.push(Reply::BestMove {
            mv,
            ponder: codes.next().filter(|_| self.can_ponder),
        });
        Finished { searcher, replies }
    }
}

/// The `info` lines of one report: one for each note, one for each line of play.
fn report<G: Engine>(
    history: &PositionHistory<G>,
    dialect: Dialect,
    progress: &Progress<G::Move>,
) -> impl Iterator<Item = Reply> {
    let millis = progress.time.as_millis().max(1) as u64;
    let common = Info {
        seldepth: Some(progress.seldepth),
        time: Some(progress.time),
        nodes: Some(progress.nodes),
        nps: Some(progress.nodes.saturating_mul(1000) / millis),
        hashfull: Some(progress.hashfull),
        ..Info::default()
    };
    let has_ranks = progress.lines.len() > 1;
    // Before the first depth is done there is a move, but nothing is known of it.
    let lines = if progress.depth == 0 {
        &progress.lines[..0]
    } else {
        &progress.lines[..]
    };
    let told = lines.iter().zip(1..).map(|(line, rank)| Info {
        depth: Some(progress.depth),
        multipv: has_ranks.then_some(rank),
        score: Some(score(line, dialect)),
        bound: bound(line),
        pv: codes(history, &line.pv),
        ..common.clone()
    });
    let mut infos: Vec<Info> = told.collect();
    if infos.is_empty() && progress.notes.is_empty() {
        infos.push(common);
    }
    let notes = progress.notes.iter().cloned().map(string);
    notes.chain(infos.into_iter().map(Reply::Info))
}

/// The score as the dialect writes it: UGI counts plies to the end, UCI moves of the side that wins or loses.
fn score<M>(line: &Line<M>, dialect: Dialect) -> protocol::Score {
    match (mate_distance(line.score), dialect) {
        (None, _) => protocol::Score::Cp(line.score),
        (Some(plies), Dialect::Ugi) => protocol::Score::Mate(plies),
        (Some(plies), Dialect::Uci) => protocol::Score::Mate((plies + plies.signum()) / 2),
    }
}

fn bound<M>(line: &Line<M>) -> Option<protocol::Bound> {
    match line.bound {
        Bound::Exact => None,
        Bound::Lower => Some(protocol::Bound::Lower),
        Bound::Upper => Some(protocol::Bound::Upper),
    }
}

fn codes<G: Engine>(history: &PositionHistory<G>, line: &[G::Move]) -> Vec<String> {
    let mut history = history.clone();
    let mut play = |&mv| {
        let code = code(&history, mv);
        history.play(mv);
        code
    };
    line.iter().map(&mut play).collect()
}

fn code<G: Notation>(history: &PositionHistory<G>, mv: G::Move) -> String {
    history.game().format_move(history.position(), mv)
}

fn unknown_style<G: Notation>(style: &str) -> Rejection {
    let expected = if G::STYLES.is_empty() {
        "none".to_owned()
    } else {
        G::STYLES.join(" or ")
    };
    Rejection(format!(
        "d: unknown style \"{}\": expected {expected}",
        excerpt(style)
    ))
}

fn searcher(options: &Options) -> Searcher {
    Searcher::new(spin(options, "Hash"), spin(options, "Threads"))
}

/// The value of an option that the session declared itself, within its declared range.
fn spin<N: TryFrom<i64>>(options: &Options, name: &str) -> N {
    N::try_from(options.spin(name))
        .ok()
        .expect("the declared range fits")
}

fn error(why: &Rejection) -> Reply {
    Reply::Error(why.to_string())
}

fn string(text: String) -> Reply {
    Reply::Info(Info {
        string: Some(text),
        ..Info::default()
    })
}
