use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};

use super::*;

static GAMES: [&kit::GameEntry; 2] = [&entropy::GAME, &projex::GAME];

/// A program, the rules and the line of its game.
struct Case {
    program: CecpProgram,
    rules: Rules,
    line: Opening,
}

impl Case {
    fn new(game: &str, options: &[(&str, &str)]) -> Case {
        let spec = GameSpec::new(game, options.iter().copied());
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
    let expected = "new|variant entropy|force|usermove a2a3|sd 0|nps 0|level 0 0:30 0.25|time 3000|otim 6000|go";
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
        ("tellusererror no licence", "no licence"),
        ("Illegal move (why): a2a3", "illegal move a2a3: why"),
        (
            "Error (unsupported variant): variant entropy",
            "unsupported variant",
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
fn a_loss_of_its_own_is_a_resignation_and_other_claims_are_notes() {
    let noted = |text: &str| Some(ProgramEvent::Noted(text.to_owned()));
    for line in ["resign", "0-1 {White resigns}", "0-1 {Black mates}"] {
        let mut case = Case::new("entropy", &[]);
        case.search("go depth 1", true).expect("lines");
        assert_eq!(case.hear(line), Some(ProgramEvent::Resigned), "{line}");
        assert_eq!(case.hear("move a2a3"), None, "{line}");
    }
    let mut case = Case::new("entropy", &[]);
    case.search("go depth 1", true).expect("lines");
    assert_eq!(case.hear("offer draw"), noted("offers a draw"));
    for line in ["1/2-1/2 {bored}", "1-0 {White mates}"] {
        assert_eq!(
            case.hear(line),
            noted(&format!("claims {line}; the rules go on"))
        );
    }
    assert_eq!(case.hear("move a2a3"), moved("a2-a3"), "it goes on");
    // Said while the opponent is to move: it counts when the program is next.
    assert_eq!(case.hear("resign"), None);
    case.line
        .moves
        .extend(["a2-a3", "a4-b3"].map(str::to_owned));
    case.search("go depth 1", false).expect("lines");
    assert_eq!(case.program.event_of_search(), Some(ProgramEvent::Resigned));
    // A new game begins without it.
    assert_eq!(case.hear("resign"), None);
    case.line = Opening::default();
    case.search("go depth 1", true).expect("lines");
    assert_eq!(case.program.event_of_search(), None);
}

#[test]
fn what_the_program_has_is_what_it_is_sent() {
    let mut case = Case::new("entropy", &[]);
    let mut sent = Vec::new();
    let line = "feature option=\"Own Book -check 1\" memory=1 smp=1 time=0 reuse=0 san=0 done=1";
    assert!(case.program.hear(line, &mut sent).is_some());
    assert!(
        !sent.iter().any(|line| line.starts_with("rejected")),
        "{sent:?}"
    );
    let names: Vec<&str> = case
        .program
        .options()
        .iter()
        .map(|option| option.name.as_str())
        .collect();
    assert_eq!(names, ["Own Book", "Hash", "Threads"]);
    for (name, value, line) in [
        ("Own Book", "false", "option Own Book=0"),
        ("Hash", "32", "memory 32"),
        ("Threads", "2", "cores 2"),
    ] {
        assert_eq!(case.program.set_option(name, Some(value)), [line]);
    }
    let lines = case
        .search("go p1time 60000 p2time 60000", true)
        .expect("lines");
    assert!(
        !lines.iter().any(|line| line.starts_with("time")),
        "{lines:?}"
    );
    assert!(case.program.is_used_up());
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
    assert!(error.contains("CECP does not transmit counters"), "{error}");
}

#[test]
fn limits_of_a_plain_program_are_those_of_the_protocol() {
    let lines = |go: &str| {
        let parsed = protocol::Command::parse(go).expect("a command");
        let protocol::Command::Go(go) = parsed.command else {
            panic!("{go}");
        };
        plain_limit_lines(&go, Side::P1, go.p1_time).map(|lines| lines.join("|"))
    };
    let expected = |text: &str| Ok(text.to_owned());
    assert_eq!(lines("go depth 4"), expected("sd 4"));
    assert_eq!(lines("go movetime 1500"), expected("st 1.5"));
    let tenth = Go {
        move_time: Some(Duration::from_millis(100)),
        ..Go::default()
    };
    let told = CecpProgram::default().told_limit(&tenth);
    let level = plain_limit_lines(&told, Side::P1, told.p1_time);
    assert_eq!(level, Ok(vec!["level 1 0:01 0".to_owned()]));
    assert_eq!(told.p2_time, tenth.move_time, "time and otim follow");
    assert_eq!(
        lines("go p1time 61000 p2time 5 p1inc 2000"),
        expected("level 0 1:01 2")
    );
    assert!(lines("go nodes 5").is_err());
    assert_eq!(lines("go infinite"), expected(""));
}
