//! Dialogues with an engine in memory, at times set by the test.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use kit::{Outcome, Side};
use protocol::{Dialect, Go, Query, Score};

use super::memory::Wire;
use super::*;
use crate::process::Death;

const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(10),
    ping: Duration::from_secs(5),
    search: Duration::from_secs(600),
};
const SECOND: Duration = Duration::from_secs(1);

/// A client with an in-memory engine and a simulated time.
struct Case {
    client: Client,
    wire: Wire,
    now: Instant,
}

impl Case {
    /// A client that has just sent the handshake.
    fn started(dialect: Dialect) -> Case {
        let (wire, now) = (Wire::silent(), Instant::now());
        let client = Client::new(Box::new(wire.clone()), dialect, TIMEOUTS, now);
        Case { client, wire, now }
    }

    /// A client whose engine has completed the handshake.
    fn ready(dialect: Dialect) -> Case {
        let mut case = Case::started(dialect);
        let ok = match dialect {
            Dialect::Ugi => "ugiok",
            Dialect::Uci | Dialect::Uai => "uciok",
        };
        case.say(ok);
        assert_eq!(case.poll(), Ok(Some(ClientEvent::Greeted)));
        case.wire.sent();
        case
    }

    /// A client whose engine has been searching for a millisecond and has answered the `isready` fence.
    fn thinking(dialect: Dialect) -> Case {
        let mut case = Case::ready(dialect);
        case.go("position startpos moves a1")
            .expect("nothing was unasked");
        case.say("readyok");
        assert_eq!(case.poll(), Ok(None));
        case.wire.sent();
        case
    }

    fn pondering() -> Case {
        let mut case = Case::ready(Dialect::Ugi);
        assert!(
            case.client
                .ponder("position startpos moves a1 b1", Go::default(), case.now)
        );
        assert_eq!(
            case.wire.sent(),
            ["position startpos moves a1 b1", "go ponder"]
        );
        case.pass(SECOND);
        case
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
    }

    /// Makes the engine send these lines a millisecond later.
    fn say(&mut self, lines: &str) {
        self.pass(Duration::from_millis(1));
        self.wire.say(self.now, lines);
        self.pass(Duration::from_millis(1));
    }

    fn poll(&mut self) -> Result<Option<ClientEvent>, Fault> {
        self.client.poll(self.now)
    }

    fn go(&mut self, position: &str) -> Result<(), Fault> {
        let go = Go {
            nodes: Some(7),
            ..Go::default()
        };
        self.client.go(position, go, SECOND, self.now)
    }

    fn new_game(&mut self) {
        self.client.new_game(self.now);
    }

    /// The `bestmove` that the next poll returns.
    fn best_move(&mut self) -> BestMove {
        match self.poll() {
            Ok(Some(ClientEvent::BestMove(best))) => best,
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
                let options: Vec<_> = option.into_iter().collect();
                self.client.set_options(&options, self.now);
            }
            "new" => self.new_game(),
            "end" => {
                let (position, won) = words.split_once(", ").unwrap_or((words, ""));
                let result = (won == "won by p2").then_some(Outcome::Win(Side::P2));
                let position = position.replacen("game", "position", 1);
                self.client.end_game(&position, result, self.now);
            }
            "go" => asked = self.go(&format!("position {words}")),
            "ask" => {
                let (position, queries) = words.split_once(": ").expect(line);
                let all = [("gameover", Query::GameOver), ("result", Query::Result)];
                let query = |word| all.iter().find(|(name, _)| *name == word).expect(line).1;
                let queries: Vec<Query> = queries.split(' ').map(query).collect();
                let position = format!("position {position}");
                asked = self.client.ask(&position, &queries, self.now);
            }
            "ponder" => asked = self.client.ponder_hit(SECOND, self.now),
            "move" => self.client.move_now(),
            "give" => self.client.give_up(self.now),
            "quit" => self.client.ask_to_quit(),
            "reads" => self.wire.deafen(),
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
            "sent" => self.wire.sent().join(" / "),
            "complaint" => match self.client.complaint() {
                None => "none".to_owned(),
                Some(complaint) => format!("{}: {}", complaint.command, complaint.words),
            },
            "hears" => match self.poll() {
                Ok(None) => "nothing".to_owned(),
                Ok(Some(ClientEvent::BestMove(best))) if expected.contains(" after ") => {
                    format!("move {} after {} ms", best.code, best.elapsed.as_millis())
                }
                Ok(Some(ClientEvent::BestMove(best))) => format!("move {}", best.code),
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
    for case in include_str!("tests/dialogues.txt").split("== ").skip(1) {
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

fn unasked(line: &str) -> Fault {
    Fault::Unasked(line.to_owned())
}

#[test]
fn a_handshake_tells_name_and_options() {
    let mut case = Case::started(Dialect::Ugi);
    assert_eq!(case.wire.sent(), ["ugi"]);
    case.say("junk\nid name Some Engine\noption name Hash type spin default 1 min 1 max 8");
    assert_eq!(case.poll(), Ok(None));
    case.say("ugiok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Greeted)));
    assert_eq!(case.client.id_name(), Some("Some Engine"));
    assert_eq!(case.client.declared()[0].name, "Hash");
}

#[test]
fn each_dialect_has_its_greeting() {
    let mut case = Case::started(Dialect::Uci);
    assert_eq!(case.wire.sent(), ["uci"]);
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
        assert_eq!(case.wire.sent(), lines);
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
    let before = case.now;
    case.pass(Duration::from_millis(1));
    case.go("position startpos moves")
        .expect("it was not received yet");
    case.wire.say(before, "bestmove a1");
    assert_eq!(case.poll(), Err(unasked("bestmove a1")));
    for _ in 0..3 {
        case.wire.sent();
        case.new_game();
        case.say("bestmove b1");
        assert_eq!(case.poll(), Ok(None), "the search of before is over");
        case.say("readyok");
        assert_eq!(case.poll(), Ok(Some(ClientEvent::Ready)));
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
        case.wire.close();
        assert_eq!(case.poll(), Ok(None), "it has a moment to end");
        if let Some(death) = death {
            case.wire.exit(death);
        }
        case.pass(EXIT_TIMEOUT);
        let due = Some("bestmove");
        assert_eq!(
            case.poll(),
            Err(Fault::Died {
                death: told,
                due,
                memory: None
            })
        );
    }
}

#[test]
fn last_output_counts() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say("bestmove a1");
    case.wire.close();
    case.wire.exit(Death::Exited(5));
    assert_eq!(case.best_move().code, "a1");
    case.go("position startpos moves a1 a2")
        .expect("nothing was unasked");
    let (death, due) = (Death::Exited(5), Some("bestmove"));
    assert_eq!(
        case.poll(),
        Err(Fault::Died {
            death,
            due,
            memory: None
        })
    );
}

#[test]
fn a_death_behind_an_open_pipe_is_found() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.wire.exit(Death::Exited(6));
    case.pass(LIFE_CHECK);
    assert_eq!(case.poll(), Ok(None), "its last words may be on their way");
    case.pass(LIFE_CHECK);
    let (death, due) = (Death::Exited(6), Some("bestmove"));
    assert_eq!(
        case.poll(),
        Err(Fault::Died {
            death,
            due,
            memory: None
        })
    );
}

#[test]
fn a_flood_holds_nobody_up_and_does_not_extend_a_deadline() {
    let mut case = Case::thinking(Dialect::Ugi);
    case.say(&"readyok\n".repeat(2 * MAX_MESSAGES));
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(
        case.client.deadline(case.now),
        Some(case.now),
        "there is more"
    );
    assert_eq!(case.poll(), Ok(None));
    case.pass(SECOND);
    case.say("readyok\nreadyok");
    assert_eq!(case.poll(), Err(Fault::Silent("bestmove")));
}

#[test]
fn a_probe_finds_what_is_answered() {
    let mut case = Case::ready(Dialect::Ugi);
    case.client
        .probe(&[Query::P1Turn, Query::GameOver, Query::Moves], case.now);
    assert_eq!(case.wire.sent().len(), 6, "a fence after each question");
    case.say("info error no\nreadyok\nresponse false\nreadyok\nresponse a1 b1\nreadyok");
    assert_eq!(case.poll(), Ok(None));
    assert_eq!(case.wire.sent(), ["query p1turn", "isready"], "to be sure");
    case.say("info error no\nreadyok");
    let answered = vec![Query::GameOver, Query::Moves];
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Probed(answered))));
}

/// Each `readyok` is sent twice: that of the options, and those of the probe.
#[test]
fn a_doubled_readyok_is_not_taken_for_an_unanswered_query() {
    let mut case = Case::ready(Dialect::Ugi);
    case.client.set_options(&[], case.now);
    case.say("readyok");
    assert_eq!(case.poll(), Ok(Some(ClientEvent::Set)));
    const ALL: [Query; 4] = [Query::P1Turn, Query::GameOver, Query::Result, Query::Moves];
    case.client.probe(&ALL, case.now);
    case.say("readyok");
    for answer in ["true", "false", "none", "a1 b1"] {
        case.say(&format!("response {answer}\nreadyok\nreadyok"));
    }
    assert_eq!(case.poll(), Err(Fault::OutOfStep));
    assert_eq!(
        Fault::OutOfStep.to_string(),
        "answers isready with more than one readyok, or before it answers an earlier query"
    );
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
