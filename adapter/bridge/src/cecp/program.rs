//! A CECP program as an engine: the other end of CECP, by the conventions of [`run`](super::run).
//!
//! The program is kept in `force` mode while it is told the moves, and gets `go` for each of its own. A pass is told as the
//! same board with the other side to move, as XBoard does.

use std::time::Duration;

use kit::{DynHistory, Side};
use protocol::text::excerpt;
use protocol::{Go, Info, Score};
use referee::opening::Opening;

use super::layout::{Layout, refuse_swap};
use super::reply;
use super::reply::{Reply, Thinking};
use super::square::Move;
use crate::ugi::{Program, ProgramEvent, Search};

/// The time of a search that only `?` ends: a year.
const UNLIMITED: Duration = Duration::from_secs(31_536_000);

/// The features that the adapter takes up.
const ACCEPTED: [&str; 4] = ["done", "setboard", "usermove", "myname"];

/// The dialogue with a CECP program.
pub struct CecpProgram {
    game: String,
    name: Option<String>,
    /// The variants that it plays, if it says so.
    variants: Option<String>,
    /// The game that the program knows; `None` if it knows none, or another one.
    known: Option<KnownGame>,
    /// Whether a move is awaited.
    is_thinking: bool,
    /// The limit that the program was told last, but for what its clock shows.
    limits: Vec<String>,
}

/// A game as the program has it on its board.
struct KnownGame {
    line: Opening,
    board: Box<dyn DynHistory>,
    layout: Layout,
}

impl CecpProgram {
    /// A program that plays this game.
    pub fn new(game: &str) -> CecpProgram {
        CecpProgram {
            game: game.to_owned(),
            name: None,
            variants: None,
            known: None,
            is_thinking: false,
            limits: Vec::new(),
        }
    }

    fn search_lines(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let mut known = match self.known.take() {
            Some(known) if !search.is_new_game && known.is_beginning_of(search.line) => {
                lines.push("force".to_owned());
                known
            }
            _ => self.begin(search, &mut lines)?,
        };
        for code in &search.line.moves[known.line.moves.len()..] {
            lines.push(known.play(code)?);
        }
        self.known = Some(known);
        self.tell_limits(search, &mut lines);
        lines.push("go".to_owned());
        Ok(lines)
    }

    fn begin(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<KnownGame, String> {
        refuse_swap(&self.game, search.rules.options())?;
        let start = search.rules.start().fen();
        let layout = Layout::new(&self.game, &start).map_err(|unfit| unfit.to_string())?;
        let variant = layout.variant();
        if let Some(variants) = &self.variants
            && !variants.split(',').any(|own| own.trim() == variant)
        {
            return Err(format!("the program plays {variants}: expected {variant}"));
        }
        let line = Opening {
            fen: search.line.fen.clone(),
            moves: Vec::new(),
        };
        let board = search.rules.open(&line).map_err(|why| why.to_string())?;
        lines.extend([
            "new".to_owned(),
            format!("variant {variant}"),
            "force".to_owned(),
        ]);
        self.limits.clear();
        if line.fen.is_some() {
            let position = board.fen();
            let fen = layout.to_xboard(&position);
            if layout.to_game(&fen).as_deref() != Ok(position.as_str()) {
                return Err(format!(
                    "{position}: CECP tells no counters: expected a position where they begin"
                ));
            }
            lines.push(format!("setboard {fen}"));
        }
        Ok(KnownGame {
            line,
            board,
            layout,
        })
    }

    /// A limit that the program knows is not told again, but for its clock.
    fn tell_limits(&mut self, search: &Search<'_>, lines: &mut Vec<String>) {
        let (go, side) = (search.go, search.side);
        let limits = limit_lines(go, side);
        if self.limits != limits {
            lines.extend(limits.iter().cloned());
            self.limits = limits;
        }
        let times = [go.p1_time, go.p2_time];
        let words = [("time", side), ("otim", side.other())];
        let told = words.map(|(word, side)| {
            let left = times[side.index()]?;
            Some(format!("{word} {}", left.as_millis() / 10))
        });
        lines.extend(told.into_iter().flatten());
    }

    fn hear_features(
        &mut self,
        features: Vec<(String, String)>,
        send: &mut Vec<String>,
    ) -> Option<ProgramEvent> {
        let mut is_done = false;
        for (name, value) in features {
            let word = match ACCEPTED.contains(&name.as_str()) || value == "0" {
                true => "accepted",
                false => "rejected",
            };
            send.push(format!("{word} {name}"));
            match name.as_str() {
                "myname" => self.name = Some(value),
                "variants" => self.variants = Some(value),
                "done" => is_done = value == "1",
                _ => {}
            }
        }
        is_done.then(|| ProgramEvent::Ready {
            name: self.name.clone(),
        })
    }

    /// A program without this game on its board would play another one.
    fn hear_setup(&mut self, line: &str) -> Option<ProgramEvent> {
        let known = self.known.as_ref()?;
        let board_of = |setup: &str| setup.split(' ').nth(2).map(str::to_owned);
        let expected = known.layout.setup(&known.board.fen());
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
        // What is no legal move is told as it is, for the referee to judge.
        let code = self.known.as_mut().and_then(|known| known.take(text));
        if code.is_none() {
            self.known = None;
        }
        let text = excerpt(text).replace(' ', "_");
        Some(ProgramEvent::Moved(code.unwrap_or(text)))
    }

    fn thought(&self, thinking: &Thinking) -> Info {
        let pv = self
            .known
            .as_ref()
            .map_or_else(Vec::new, |known| known.codes(&thinking.pv));
        Info {
            depth: Some(thinking.depth),
            score: Some(plies(thinking.score)),
            time: Some(thinking.time),
            nodes: Some(thinking.nodes),
            pv,
            ..Info::default()
        }
    }

    /// The program was to move and has not; nothing is taken for known of its board.
    fn fail(&mut self, why: &str) -> Option<ProgramEvent> {
        self.known = None;
        let was_thinking = std::mem::take(&mut self.is_thinking);
        was_thinking.then(|| ProgramEvent::Failed(format!("CECP: {why}")))
    }
}

impl Program for CecpProgram {
    fn shake_hands(&mut self) -> Vec<String> {
        vec!["xboard".to_owned(), "protover 2".to_owned()]
    }

    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let lines = self.search_lines(search);
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

    fn hear(&mut self, line: &str, send: &mut Vec<String>) -> Option<ProgramEvent> {
        match Reply::parse(line) {
            Reply::Features(features) => self.hear_features(features, send),
            Reply::Move(text) => self.hear_move(&text),
            Reply::Thinking(thinking) if self.is_thinking => {
                Some(ProgramEvent::Thought(self.thought(&thinking)))
            }
            Reply::Illegal { why, mv } => self.fail(&format!("illegal move {mv}: {why}")),
            Reply::TellUserError(why) => self.fail(&why),
            Reply::Result(result) => self.fail(&format!("the program ends the game: {result}")),
            Reply::Error { why, line } if line.starts_with("variant") => self.fail(&why),
            Reply::Other(line) if line.starts_with("setup ") => self.hear_setup(&line),
            Reply::Other(line) if line.trim() == "resign" => self.fail("the program resigns"),
            Reply::Thinking(_) | Reply::Pong(_) | Reply::Error { .. } | Reply::Other(_) => None,
        }
    }
}

impl KnownGame {
    fn is_beginning_of(&self, line: &Opening) -> bool {
        self.line.fen == line.fen && line.moves.starts_with(&self.line.moves)
    }

    /// Makes a move; the line that tells it.
    fn play(&mut self, code: &str) -> Result<String, String> {
        let mv = self.layout.mv(&self.board.fen(), code);
        self.board.play(code).map_err(|why| why.to_string())?;
        self.line.moves.push(code.to_owned());
        Ok(match mv {
            Move::Pass => format!("setboard {}", self.layout.to_xboard(&self.board.fen())),
            mv => format!("usermove {}", self.layout.numbers().mv(mv)),
        })
    }

    /// Makes the program's move, which it has made on its own board; its code, if it is legal.
    fn take(&mut self, text: &str) -> Option<String> {
        let code = code_of(&self.layout, self.board.as_ref(), text)?;
        self.board.play(&code).ok()?;
        self.line.moves.push(code.clone());
        Some(code)
    }

    /// A line of XBoard's moves as codes, as far as it is legal.
    fn codes(&self, pv: &str) -> Vec<String> {
        let mut board = self.board.fork();
        let mut codes = Vec::new();
        for word in pv.split_whitespace() {
            let Some(code) = code_of(&self.layout, board.as_ref(), word) else {
                break;
            };
            if board.play(&code).is_err() {
                break;
            }
            codes.push(code);
        }
        codes
    }
}

/// The code of the legal move that a text tells.
pub(super) fn code_of(layout: &Layout, board: &dyn DynHistory, text: &str) -> Option<String> {
    let mv = layout.numbers().read_move(text)?;
    let position = board.fen();
    let mut codes = board.moves().into_iter();
    codes.find(|code| layout.mv(&position, code) == mv)
}

/// A win in n moves is one in 2n - 1 plies, a loss in n moves one in 2n plies.
fn plies(score: reply::Score) -> Score {
    let narrow = |n: i64| i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX });
    match score {
        reply::Score::Centi(cp) => Score::Cp(narrow(cp)),
        reply::Score::Mate(moves) if moves > 0 => Score::Mate(narrow(2 * moves - 1)),
        reply::Score::Mate(moves) => Score::Mate(narrow(2 * moves)),
    }
}

/// The lines that set a limit. Nodes are told as time that is counted in nodes.
fn limit_lines(go: &Go, side: Side) -> Vec<String> {
    let mut lines = vec![format!("sd {}", go.depth.unwrap_or(0))];
    let has_clock = [go.p1_time, go.p2_time][side.index()].is_some();
    if let Some(nodes) = go.nodes.filter(|_| !has_clock) {
        lines.extend(["nps 1".to_owned(), format!("st {nodes}")]);
        return lines;
    }
    lines.push("nps 0".to_owned());
    lines.push(match go.p1_time.or(go.p2_time).filter(|_| has_clock) {
        None => format!("st {}", seconds(go.move_time.unwrap_or(UNLIMITED))),
        Some(_) => {
            let inc = [go.p1_inc, go.p2_inc][side.index()].unwrap_or_default();
            // The clock itself is told before each move.
            format!("level {} 1 {}", go.moves_to_go.unwrap_or(0), seconds(inc))
        }
    });
    lines
}

/// Whole seconds where they are whole, since some programs read no others.
fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::plan::GameSpec;
    use referee::registry::{Registry, Rules};

    static GAMES: [&kit::GameEntry; 2] = [&entropy::GAME, &projex::GAME];

    /// A program in a game, and what it is sent.
    struct Case {
        program: CecpProgram,
        rules: Rules,
        line: Opening,
    }

    impl Case {
        fn new(game: &str, options: &[(&str, &str)]) -> Case {
            let options = options
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
            let spec = GameSpec {
                name: game.to_owned(),
                options: options.collect(),
            };
            let rules = Registry(&GAMES).rules(&spec);
            Case {
                program: CecpProgram::new(game),
                rules: rules.expect("a game").expect("its rules"),
                line: Opening::default(),
            }
        }

        fn search(&mut self, go: &str, is_new_game: bool) -> Result<Vec<String>, String> {
            let parsed = protocol::Command::parse(go).expect("a command");
            let protocol::Command::Go(go) = parsed.command else {
                panic!("{go}");
            };
            let board = self.rules.open(&self.line).expect("legal moves");
            self.program.search(&Search {
                rules: &self.rules,
                line: &self.line,
                side: board.side(),
                go: &go,
                is_new_game,
            })
        }

        fn hear(&mut self, line: &str) -> Option<ProgramEvent> {
            self.program.hear(line, &mut Vec::new())
        }
    }

    fn moved(code: &str) -> Option<ProgramEvent> {
        Some(ProgramEvent::Moved(code.to_owned()))
    }

    #[test]
    fn a_game_is_told_move_by_move() {
        let mut case = Case::new("entropy", &[]);
        case.line.moves = vec!["a2-a3".to_owned()];
        let sent = case.search("go nodes 500", true);
        let expected = "new|variant entropy|force|usermove a2a3|sd 0|nps 1|st 500|go";
        assert_eq!(sent.map(|lines| lines.join("|")).as_deref(), Ok(expected));
        let Some(ProgramEvent::Thought(info)) = case.hear("3 -100002 7 99 a4a3 b4b3 b2c3") else {
            panic!("a thought");
        };
        assert_eq!((info.depth, info.score), (Some(3), Some(Score::Mate(-4))));
        assert!(info.pv.is_empty(), "a3 is taken: {:?}", info.pv);
        assert_eq!(case.hear("move a4b3"), moved("a4-b3"));
        assert_eq!(case.hear("move a4b3"), None, "it was not asked");
        case.line
            .moves
            .extend(["a4-b3", "a1-a2"].map(str::to_owned));
        let sent = case.search("go nodes 500", false);
        assert_eq!(
            sent.map(|lines| lines.join("|")).as_deref(),
            Ok("force|usermove a1a2|go")
        );
        case.line.moves.truncate(1);
        let sent = case.search("go p1time 60000 p2time 30000 p1inc 500 p2inc 250", false);
        let expected = "new|variant entropy|force|usermove a2a3|sd 0|nps 0|level 0 1 0.25|time 3000|otim 6000|go";
        assert_eq!(sent.map(|lines| lines.join("|")).as_deref(), Ok(expected));
    }

    #[test]
    fn a_pass_is_told_as_a_position() {
        let mut case = Case::new("entropy", &[]);
        case.line.fen = Some("s1o1o/o2s1/3o1/s1sss/1osoo o 0".to_owned());
        let sent = case.search("go depth 3", true);
        let expected = "new|variant entropy|force|setboard s1S1S/S2s1/3S1/s1sss/1SsSS w - - 0 1|sd 3|nps 0|st 31536000|go";
        assert_eq!(sent.map(|lines| lines.join("|")).as_deref(), Ok(expected));
        assert_eq!(case.hear("move @@@@"), moved("pass"));
        case.line.moves = vec!["pass".to_owned()];
        case.program.known = None;
        let sent = case.search("go depth 3", false).expect("lines").join("|");
        assert!(
            sent.contains("setboard s1S1S/S2s1/3S1/s1sss/1SsSS b - - 0 1"),
            "{sent}"
        );
    }

    #[test]
    fn what_is_no_legal_move_is_passed_on() {
        for (text, code) in [("a1a5", "a1a5"), ("e2e9q x", "e2e9q_x")] {
            let mut case = Case::new("entropy", &[]);
            case.search("go depth 1", true).expect("lines");
            assert_eq!(case.hear(&format!("move {text}")), moved(code));
        }
    }

    #[test]
    fn a_program_that_does_not_move_fails() {
        for (line, why) in [
            ("resign", "the program resigns"),
            ("tellusererror no licence", "no licence"),
            ("Illegal move (why): a2a3", "illegal move a2a3: why"),
            (
                "Error (unsupported variant): variant entropy",
                "unsupported variant",
            ),
            (
                "1/2-1/2 {bored}",
                "the program ends the game: 1/2-1/2 {bored}",
            ),
            (
                "setup (PNBRQKpnbrqk) 8x8+0_fairy 8/8 w - - 0 1",
                "the program's board is 8x8+0_fairy: expected 5x5+0_fairy",
            ),
        ] {
            let mut case = Case::new("entropy", &[]);
            case.search("go depth 1", true).expect("lines");
            let failed = Some(ProgramEvent::Failed(format!("CECP: {why}")));
            assert_eq!(case.hear(line), failed, "{line}");
            assert_eq!(case.hear("move a2a3"), None, "{line}");
        }
    }

    #[test]
    fn features_end_the_handshake() {
        let mut case = Case::new("entropy", &[]);
        let mut sent = Vec::new();
        assert_eq!(case.program.hear("feature done=0", &mut sent), None);
        let line = "feature myname=\"A B\" variants=\"normal,susan\" san=1 colors=0 done=1";
        let name = Some("A B".to_owned());
        let ready = Some(ProgramEvent::Ready { name });
        assert_eq!(case.program.hear(line, &mut sent), ready);
        assert!(sent.contains(&"rejected san".to_owned()), "{sent:?}");
        let error = case.search("go depth 1", true).unwrap_err();
        assert!(error.contains("expected entropy"), "{error}");
    }

    #[test]
    fn what_cecp_cannot_tell_is_refused() {
        let mut case = Case::new("entropy", &[]);
        case.line.fen = Some("s1o1o/o2s1/3o1/s1sss/1osoo s 1".to_owned());
        let error = case.search("go depth 1", true).unwrap_err();
        assert!(error.contains("CECP tells no counters"), "{error}");
        let mut case = Case::new("projex", &[("Size", "4")]);
        let error = case.search("go depth 1", true).unwrap_err();
        assert!(error.contains("expected Swap=false"), "{error}");
    }
}
