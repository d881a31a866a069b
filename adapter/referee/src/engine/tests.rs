//! Dialogues with an engine in memory, at times set by the test.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kit::{Outcome, Side};
use protocol::{Go, Query};

use super::*;
use crate::engine::dialogue::{EXIT_TIMEOUT, LIFE_CHECK, Stage};
use crate::engine::{Engine, EngineConfig, Request, Search, Timeouts, wait_any};
use crate::process::Death;
use crate::testing::config;

const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(10),
    ping: Duration::from_secs(5),
    search: Duration::from_secs(600),
};
const SECOND: Duration = Duration::from_secs(1);

/// The faults of a process.
#[derive(Default)]
struct Fate {
    is_deaf: bool,
    closed: Option<Death>,
    exited: Option<Death>,
}

impl Life for Fate {
    fn closed(&self) -> Option<Death> {
        self.closed
    }

    fn exited(&self) -> Option<Death> {
        self.exited
    }

    fn flush(&mut self) -> bool {
        !self.is_deaf
    }

    fn last_heard(&self) -> Option<String> {
        None
    }
}

/// A dialogue with an engine in memory, and a simulated time.
struct Case {
    engine: Engine,
    fate: Fate,
}

impl Case {
    /// A dialogue that has just begun.
    fn started(dialect: Dialect) -> Case {
        let mut config = EngineConfig {
            timeouts: TIMEOUTS,
            rules: None,
            script: None,
            ..config("A")
        };
        config.spec.ponder = true;
        if dialect == Dialect::Uci {
            config.spec.proto = Proto::Uci;
        }
        let mut case = Case {
            engine: Engine::new(config),
            fate: Fate::default(),
        };
        case.begin(false);
        case
    }

    /// A dialogue whose engine, which learns, has started.
    fn ready(dialect: Dialect) -> Case {
        let mut case = Case::started(dialect);
        let ok = match dialect {
            Dialect::Ugi => "ugiok",
            Dialect::Uci | Dialect::Uai => "uciok",
        };
        case.say("option name Learn type check default false");
        case.say("option name LearnResult type string default none");
        case.say(ok);
        assert_eq!(case.poll(), Ok(None));
        case.say("readyok");
        assert_eq!(case.poll(), Ok(Some(EngineEvent::Started)));
        case.sent();
        case
    }

    /// A dialogue whose engine has been searching for a millisecond and has answered the `isready` fence.
    fn thinking(dialect: Dialect) -> Case {
        let mut case = Case::ready(dialect);
        case.go("position startpos moves a1")
            .expect("nothing was unasked");
        case.say("readyok");
        assert_eq!(case.poll(), Ok(None));
        case.sent();
        case
    }

    fn pondering() -> Case {
        let mut case = Case::ready(Dialect::Ugi);
        let ponder = Request::Ponder {
            position: PONDERED,
            go: Go::default(),
        };
        case.ask(ponder).expect("nothing was unasked");
        assert_eq!(case.sent(), [PONDERED, "go ponder"]);
        case.pass(SECOND);
        case
    }

    fn begin(&mut self, is_game_due: bool) {
        self.engine.begin(Stage::Starting { is_game_due });
    }

    fn ask(&mut self, request: Request<'_>) -> Result<(), Fault> {
        self.engine.tell(request)
    }

    /// The lines sent to the engine since the last call.
    fn sent(&mut self) -> Vec<String> {
        let sent = std::mem::take(&mut self.engine.lines);
        sent.lines().map(str::to_owned).collect()
    }

    /// Makes the engine send lines, all with the same time stamp.
    fn say_at(&mut self, at: Instant, lines: &str) {
        for line in lines.lines() {
            let line = RawLine::Bytes(line.as_bytes());
            self.engine.hear(at, line);
        }
    }

    fn pass(&mut self, time: Duration) {
        self.engine.now += time;
    }

    /// Makes the engine send these lines a millisecond later.
    fn say(&mut self, lines: &str) {
        self.pass(Duration::from_millis(1));
        self.say_at(self.engine.now, lines);
        self.pass(Duration::from_millis(1));
    }

    fn poll(&mut self) -> Result<Option<EngineEvent>, Fault> {
        self.engine.next_event(&mut self.fate)
    }

    fn go(&mut self, position: &str) -> Result<(), Fault> {
        let go = Go {
            nodes: Some(7),
            ..Go::default()
        };
        let allowance = Some(SECOND);
        self.ask(Request::Go(Search {
            position,
            go,
            allowance,
        }))
    }

    fn new_game(&mut self) {
        let asked = self.ask(Request::NewGame { seed: None });
        asked.expect("nothing was unasked");
    }

    /// The `bestmove` that the next poll returns.
    fn best_move(&mut self) -> BestMove {
        match self.poll() {
            Ok(Some(EngineEvent::Moved(best))) => best,
            other => panic!("{other:?} and no move"),
        }
    }

    /// Takes a step of a dialogue in `dialogues.txt`.
    fn step(&mut self, line: &str) {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (words, fault) = rest.split_once(" => ").unwrap_or((rest, ""));
        let mut asked = Ok(());
        match verb {
            "set" => {
                let option = words.split_once('=');
                let option = option.map(|(name, value)| (name.to_owned(), Some(value.to_owned())));
                let options = option.into_iter().collect();
                self.engine.set_options(options);
            }
            "new" => self.new_game(),
            "end" => {
                let (position, won) = words.split_once(", ").unwrap_or((words, ""));
                let result = (won == "won by p2").then_some(Outcome::Win(Side::P2));
                let position = position.replacen("game", "position", 1);
                let position = &position;
                asked = self.ask(Request::GameOver { position, result });
            }
            "go" => asked = self.go(&format!("position {words}")),
            "ask" => {
                let (position, queries) = words.split_once(": ").expect(line);
                let all = [("gameover", Query::GameOver), ("result", Query::Result)];
                let query = |word| all.iter().find(|(name, _)| *name == word).expect(line).1;
                let queries: Vec<Query> = queries.split(' ').map(query).collect();
                let (position, queries) = (&format!("position {position}"), &queries);
                asked = self.ask(Request::Query { position, queries });
            }
            "ponder" => asked = self.go(PONDERED),
            "move" => asked = self.ask(Request::Stop),
            "give" => asked = self.ask(Request::GiveUp),
            "quit" => asked = self.ask(Request::Quit),
            "reads" => self.fate.is_deaf = true,
            "pass" => {
                let seconds = words.strip_suffix(" s").and_then(|n| n.parse().ok());
                self.pass(Duration::from_secs(seconds.expect(line)));
            }
            "says" => self.say(&words.replace(" / ", "\n")),
            _ => self.check(verb, rest, line),
        }
        let found = asked.err().map(|fault| format!("{fault:?}"));
        assert_eq!(found.unwrap_or_default(), fault, "{line}");
    }

    /// A step that says what is true.
    fn check(&mut self, verb: &str, expected: &str, line: &str) {
        let found = match verb {
            "sent" => self.sent().join(" / "),
            "complaint" => match &self.engine.facts.complaint {
                None => "none".to_owned(),
                Some(complaint) => format!("{}: {}", complaint.command, complaint.words),
            },
            "hears" => match self.poll() {
                Ok(None) => "nothing".to_owned(),
                Ok(Some(EngineEvent::Moved(best))) if expected.contains(" after ") => {
                    format!("move {} after {} ms", best.code, best.elapsed.as_millis())
                }
                Ok(Some(EngineEvent::Moved(best))) => format!("move {}", best.code),
                Ok(Some(event)) => format!("{event:?}"),
                Err(fault) => format!("{fault:?}"),
            },
            _ => panic!("{line}: no such step"),
        };
        let expected = if verb == "sent" {
            expected.replace("nothing", "")
        } else {
            expected.to_owned()
        };
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn dialogues() {
    for case in include_str!("dialogues.txt").split("== ").skip(1) {
        let lines = case.lines();
        let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let name = lines.next().expect("a name");
        let talk = || {
            let mut dialogue = match lines.next().expect("how it begins") {
                "begin ugi ready" => Case::ready(Dialect::Ugi),
                "begin ugi searching" => Case::thinking(Dialect::Ugi),
                "begin uci searching" => Case::thinking(Dialect::Uci),
                "begin ugi pondering" => Case::pondering(),
                other => panic!("{other}"),
            };
            lines.for_each(|line| dialogue.step(line));
        };
        assert!(catch_unwind(AssertUnwindSafe(talk)).is_ok(), "{name}");
    }
}

/// The position on which an engine ponders.
const PONDERED: &str = "position startpos moves a1 b1";

fn unasked(line: &str) -> Fault {
    Fault::Unasked(line.to_owned())
}

#[test]
fn a_handshake_tells_name_and_options() {
    let mut case = Case::started(Dialect::Ugi);
    assert_eq!(case.sent(), ["ugi"]);
    case.say("junk\nid name Some Engine\noption name Hash type spin default 1 min 1 max 8");
    assert_eq!(case.poll(), Ok(None));
    case.say("ugiok");
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(case.sent(), ["isready"]);
    let facts = &case.engine.facts;
    assert_eq!(facts.id_name.as_deref(), Some("Some Engine"));
    assert_eq!(facts.declared[0].name, "Hash");
}

#[test]
fn each_dialect_has_its_greeting() {
    let mut case = Case::started(Dialect::Uci);
    assert_eq!(case.sent(), ["uci"]);
    case.pass(TIMEOUTS.startup);
    let fault = case.poll().expect_err("nothing came");
    assert_eq!(
        fault.to_string(),
        "no uciok in time; it said nothing: it must flush its output after each line, and an engine that speaks UGI needs proto=ugi"
    );
    assert!(fault.is_silence());
}

#[test]
fn a_move_comes_with_its_time_and_thought() {
    for (dialect, lines) in [
        (
            Dialect::Ugi,
            ["position startpos moves a1", "isready", "go nodes 7"].as_slice(),
        ),
        (Dialect::Uci, &["position startpos moves a1", "go nodes 7"]),
    ] {
        let mut case = Case::ready(dialect);
        case.go("position startpos moves a1")
            .expect("nothing was unasked");
        assert_eq!(case.sent(), lines);
        case.pass(Duration::from_millis(299));
        let fence = if dialect == Dialect::Ugi {
            "readyok\n"
        } else {
            ""
        };
        case.say(&format!(
            "{fence}info depth 3 nodes 9 score cp -5 pv b1 c1\nbestmove b1 ponder c1"
        ));
        let best = case.best_move();
        assert_eq!(
            (best.code.as_str(), best.ponder.as_deref()),
            ("b1", Some("c1"))
        );
        assert_eq!(best.elapsed, Duration::from_millis(300));
        assert_eq!(best.thought.score, Some(Score::Cp(-5)));
        assert_eq!((best.thought.depth, best.thought.nodes), (Some(3), Some(9)));
    }
}

#[test]
fn a_stale_move_just_before_go_is_one_fault_and_no_more() {
    let mut case = Case::ready(Dialect::Uci);
    // It arrives before `go` is sent, but is received afterwards.
    let before = case.engine.now;
    case.pass(Duration::from_millis(1));
    case.go("position startpos moves")
        .expect("it was not received yet");
    case.say_at(before, "bestmove a1");
    assert_eq!(case.poll(), Err(unasked("bestmove a1")));
    for _ in 0..3 {
        case.sent();
        case.new_game();
        case.say("bestmove b1");
        assert_eq!(case.poll(), Ok(None), "the search of before is over");
        case.say("readyok");
        assert_eq!(case.poll(), Ok(Some(EngineEvent::Ready)));
        case.go("position startpos moves")
            .expect("nothing was unasked");
        case.say("bestmove c1");
        assert_eq!(case.best_move().code, "c1");
        case.go("position startpos moves c1 d1")
            .expect("nothing was unasked");
        case.pass(SECOND);
        assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
    }
}

#[test]
fn a_closed_output_is_told_with_the_status_of_the_process() {
    for (death, told) in [
        (Some(Death::Exited(3)), Death::Exited(3)),
        (Some(Death::Killed(9)), Death::Killed(9)),
        (None, Death::ClosedOutput),
    ] {
        let mut case = Case::thinking(Dialect::Ugi);
        case.fate.closed = Some(Death::ClosedOutput);
        assert_eq!(case.poll(), Ok(None), "it has a moment to end");
        if let Some(death) = death {
            case.fate.exited = Some(death);
        }
        case.pass(EXIT_TIMEOUT);
        let due = Some("bestmove");
        assert_eq!(case.poll(), Err(Fault::died(told, due)));
    }
}

#[test]
fn last_output_counts() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say("bestmove a1");
    case.fate.closed = Some(Death::ClosedOutput);
    case.fate.exited = Some(Death::Exited(5));
    assert_eq!(case.best_move().code, "a1");
    case.go("position startpos moves a1 a2")
        .expect("nothing was unasked");
    let fault = Fault::died(Death::Exited(5), Some("bestmove"));
    assert_eq!(case.poll(), Err(fault));
}

#[test]
fn a_death_behind_an_open_pipe_is_found() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.fate.exited = Some(Death::Exited(6));
    case.pass(LIFE_CHECK);
    assert_eq!(case.poll(), Ok(None), "its last words may be on their way");
    case.pass(LIFE_CHECK);
    let fault = Fault::died(Death::Exited(6), Some("bestmove"));
    assert_eq!(case.poll(), Err(fault));
}

#[test]
fn a_flood_does_not_extend_a_deadline() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say(&"readyok\n".repeat(500));
    assert_eq!(case.poll(), Ok(None));
    case.pass(SECOND);
    case.say("readyok\nreadyok");
    assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
}

/// A dialogue that has just asked what the engine answers.
fn probing() -> Case {
    let mut case = Case::started(Dialect::Ugi);
    case.engine.config.is_probed = true;
    case.say("ugiok");
    assert_eq!(case.poll(), Ok(None));
    case.say("readyok");
    assert_eq!(case.poll(), Ok(None));
    case
}

#[test]
fn a_probe_finds_what_is_answered() {
    let mut case = probing();
    assert_eq!(case.sent().len(), 14, "a fence after each question");
    case.say("info error no\nreadyok\nresponse false\nreadyok\nresponse none\nreadyok");
    case.say("response a1 b1\nreadyok\nreadyok\nreadyok");
    assert_eq!(case.poll(), Ok(None));
    let again = ["query p1turn", "query fen", "query game"];
    let again = again.map(|query| [query, "isready"]).concat();
    assert_eq!(case.sent(), again, "to be sure");
    case.say("info error no\nreadyok\nreadyok\nreadyok");
    assert_eq!(case.poll(), Ok(Some(EngineEvent::Started)));
    let answered = [Query::GameOver, Query::Result, Query::Moves];
    assert_eq!(case.engine.config.answers, answered);
}

/// Each `readyok` is sent twice: that of the options, and those of the probe.
#[test]
fn a_doubled_readyok_is_not_taken_for_an_unanswered_query() {
    let mut case = probing();
    case.say("readyok");
    for answer in ["true", "false", "none", "a1 b1", "1/2 p1", "nim"] {
        case.say(&format!("response {answer}\nreadyok\nreadyok"));
    }
    assert_eq!(case.poll(), Err(Fault::OutOfStep));
    assert_eq!(
        Fault::OutOfStep.to_string(),
        "answers isready with more than one readyok, or before it answers an earlier query"
    );
}

/// Such an engine need not know the query: the next process is asked less.
#[test]
fn a_death_at_a_query_is_no_fault_of_an_engine_that_need_not_know_it() {
    let mut case = probing();
    case.fate.closed = Some(Death::ClosedOutput);
    case.fate.exited = Some(Death::Exited(1));
    assert!(case.poll().expect_err("it is dead").is_death());
    assert!(case.engine.may_begin_again());
    case.begin(false);
    case.sent();
    case.fate = Fate::default();
    case.say("ugiok\nreadyok");
    assert_eq!(case.poll(), Ok(None));
    assert!(!case.sent().contains(&"query moves".to_owned()));
    assert!(!case.engine.may_begin_again());
}

#[test]
fn a_greeting_without_end_is_a_fault() {
    let mut case = Case::started(Dialect::Ugi);
    let line = format!("option name A type string default {}", "x".repeat(1 << 19));
    for _ in 0..40 {
        case.say(&line);
    }
    let fault = case.poll().expect_err("it does not end");
    assert_eq!(fault.to_string(), "sent more than 16 MiB before ugiok");
}

/// A dialogue with an engine that has the options `Hash`, `Seed` and `Skill Level`, before its handshake is over.
fn with_options() -> Case {
    let mut case = Case::started(Dialect::Ugi);
    case.say(
        "option name Hash type spin default 1 min 1 max 64\n\
         option name Seed type spin default 0 min 0 max 999\n\
         option name Skill Level type spin default 9 min 0 max 9",
    );
    case
}

#[test]
fn an_option_set_while_the_engine_starts_reaches_it() {
    let mut case = with_options();
    for (name, value) in [("Hash", "4"), ("Skill", "4")] {
        let option = (name.to_owned(), Some(value.to_owned()));
        case.engine.send_option(option);
    }
    case.say("ugiok");
    assert_eq!(case.poll(), Ok(None));
    let sent = ["ugi", "setoption name Hash value 4", "isready"];
    assert_eq!(case.sent(), sent);
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(EngineEvent::Started)));
    // Also while it is prepared for a game.
    case.new_game();
    let option = ("Hash".to_owned(), Some("8".to_owned()));
    case.engine.send_option(option);
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(EngineEvent::Ready)));
    let sent = case.sent();
    assert!(
        sent.contains(&"setoption name Hash value 8".to_owned()),
        "{sent:?}"
    );
}

/// Starts an engine with these options, and plays games with these seeds. Returns what was sent of `Seed` and of new games.
fn seeded(options: &[(&str, &str)], games: &[u64]) -> Vec<String> {
    let mut case = with_options();
    for (name, value) in options {
        let option = ((*name).to_owned(), Some((*value).to_owned()));
        case.engine.config.spec.options.push(option);
    }
    case.say("ugiok\nreadyok");
    assert_eq!(case.poll(), Ok(Some(EngineEvent::Started)));
    for seed in games {
        let seed = Some(*seed);
        case.ask(Request::NewGame { seed }).expect("it is ready");
        case.say("readyok");
        if case.poll() == Ok(None) {
            case.say("readyok");
            assert_eq!(case.poll(), Ok(Some(EngineEvent::Ready)));
        }
    }
    let mut sent = case.sent();
    sent.retain(|line| line.contains("Seed") || line == "uginewgame");
    sent
}

#[test]
fn an_engine_below_full_strength_gets_a_seed_for_each_game() {
    let weak = seeded(&[("skill level", "8")], &[1, 2, 1]);
    let [
        first,
        "uginewgame",
        second,
        "uginewgame",
        third,
        "uginewgame",
    ] = weak.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        panic!("{weak:?}");
    };
    assert!(first.starts_with("setoption name Seed value "), "{first}");
    assert!(first != second && first == third, "{weak:?}");

    let games = ["uginewgame"; 2];
    assert_eq!(seeded(&[], &[1, 2]), games);
    assert_eq!(seeded(&[("Skill Level", "9")], &[1, 2]), games);
    let chosen = seeded(&[("Skill Level", "8"), ("Seed", "0")], &[1, 2]);
    assert_eq!(chosen[1..], games);
}

#[test]
fn an_engine_at_full_strength_keeps_no_seed_of_an_earlier_game() {
    let mut case = with_options();
    case.say("ugiok\nreadyok");
    assert_eq!(case.poll(), Ok(Some(EngineEvent::Started)));
    let mut seeds = Vec::new();
    for level in ["8", "9"] {
        let option = ("Skill Level".to_owned(), Some(level.to_owned()));
        case.engine.send_option(option);
        case.ask(Request::NewGame { seed: Some(7) })
            .expect("it is ready");
        case.say("readyok\nreadyok\nreadyok");
        assert_eq!(case.poll(), Ok(Some(EngineEvent::Ready)));
        seeds.extend(case.sent().into_iter().filter(|line| line.contains("Seed")));
    }
    assert_eq!(seeds.len(), 2, "{seeds:?}");
    assert_eq!(seeds[1], "setoption name Seed value 0");
}

/// A pipe holds 64 KiB.
#[test]
fn an_engine_that_owes_no_answer_does_not_block_on_its_pipe() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut config = config("A");
    config.script = None;
    config.launch.program = "sh".into();
    let flood = "yes info depth 1 score cp 1 | head -c 1000000; : > written; exec sleep 600";
    config.launch.args = ["-c", flood].map(Into::into).to_vec();
    config.launch.dir = Some(folder.path().to_owned());
    config.infos = Infos::All;
    let mut engine = Engine::new(config);
    engine.ask(Request::Start).expect("a shell");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !folder.path().join("written").exists() {
        assert!(Instant::now() < deadline, "it blocks");
        let slice = Instant::now() + Duration::from_millis(10);
        wait_any([], [&mut engine], None, Some(slice));
    }
    assert!(engine.events.is_empty());
}
