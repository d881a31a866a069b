use protocol::Score;
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::Registry;

use super::*;

static GAMES: [&kit::GameEntry; 2] = [&entropy::GAME, &projex::GAME];

/// A program, and the game on its board.
struct Case {
    program: CecpProgram,
    board: Box<dyn DynHistory>,
    fen: Option<String>,
}

impl Case {
    /// A game of the catalogue with its options, perhaps at a position.
    fn new(game: &str, fen: Option<&str>) -> Case {
        let rules = Registry(&GAMES).rules(&GameSpec::new(game, []));
        let rules = rules.expect("a game").expect("its rules");
        let line = fen.map_or_else(Opening::default, |fen| Opening::at(fen.to_owned()));
        let board = rules.open(&line).expect("a position");
        Case {
            program: CecpProgram::new(Some(game.to_owned())),
            board,
            fen: line.fen,
        }
    }

    fn begin(&mut self) -> Result<String, String> {
        let mut lines = Vec::new();
        let begun = self
            .program
            .begin(self.board.as_ref(), self.fen.as_deref(), &mut lines);
        begun.map(|()| lines.join("|"))
    }

    fn play(&mut self, code: &str) -> String {
        let mut lines = Vec::new();
        let board = self.board.as_ref();
        self.program
            .play(board, code, &mut lines)
            .expect("a legal move");
        self.board.play(code).expect("a legal move");
        lines.join("|")
    }

    fn go(&mut self, go: &str) -> String {
        let parsed = protocol::Command::parse(go).expect("a command");
        let protocol::Command::Go(go) = parsed.command else {
            panic!("{go}");
        };
        let mut lines = Vec::new();
        let board = self.board.as_ref();
        let sent = self.program.go(&go, board, &mut lines);
        sent.map_or_else(|why| why, |()| lines.join("|"))
    }

    fn hear(&mut self, line: &str) -> Option<ProgramEvent> {
        self.program.hear(line, &mut Vec::new())
    }

    fn code(&self, text: &str) -> Option<String> {
        self.program.code(self.board.as_ref(), text)
    }
}

#[test]
fn a_game_is_told_move_by_move() {
    let mut case = Case::new("entropy", None);
    assert_eq!(case.begin().as_deref(), Ok("new|variant entropy|force"));
    assert_eq!(case.play("a2-a3"), "usermove a2a3");
    assert_eq!(case.go("go nodes 500"), "sd 0|nps 1|st 500|go");
    let Some(ProgramEvent::Thought(info)) = case.hear("3 -100002 7 99 a4b3 b2c3") else {
        panic!("a thought");
    };
    assert_eq!((info.depth, info.score), (Some(3), Some(Score::Mate(-4))));
    assert_eq!(info.pv, ["a4b3", "b2c3"]);
    let moved = ProgramEvent::Moved("a4b3".to_owned());
    assert_eq!(case.hear("move a4b3"), Some(moved));
    assert_eq!(case.code("a4b3").as_deref(), Some("a4-b3"));
    assert_eq!(case.code("a4a3"), None, "a3 is taken");
    case.play("a4-b3");
    assert_eq!(case.go("go nodes 500"), "go", "the limit is the same");
    case.begin().expect("lines");
    assert_eq!(
        case.go("go p1time 60000 p2time 30000 p1inc 500 p2inc 250"),
        "sd 0|nps 0|level 0 1 0.5|time 6000|otim 3000|go"
    );
}

#[test]
fn a_pass_is_told_as_a_position() {
    let mut case = Case::new("entropy", Some("s1o1o/o2s1/3o1/s1sss/1osoo o 0"));
    let board = "s1S1S/S2s1/3S1/s1sss/1SsSS";
    let expected = format!("new|variant entropy|force|setboard {board} w - - 0 1");
    assert_eq!(case.begin(), Ok(expected));
    assert_eq!(case.go("go depth 3"), "sd 3|nps 0|st 31536000|go");
    assert_eq!(case.code("@@@@").as_deref(), Some("pass"));
    assert_eq!(case.play("pass"), format!("setboard {board} b - - 0 1"));
}

#[test]
fn what_cannot_be_played_is_a_failure() {
    let mut case = Case::new("entropy", None);
    case.begin().expect("lines");
    for (line, why) in [
        ("tellusererror no licence", "no licence"),
        ("Illegal move (why): a2a3", "illegal move a2a3: why"),
        (
            "Error (unsupported variant): variant entropy",
            "unsupported variant",
        ),
        (
            "setup (PNBRQKpnbrqk) 8x8+0_fairy 8/8 w - - 0 1",
            "the program's board is 8x8+0_fairy, not 5x5+0_fairy",
        ),
    ] {
        let failed = Some(ProgramEvent::Failed(format!("CECP: {why}")));
        assert_eq!(case.hear(line), failed, "{line}");
    }
}

#[test]
fn a_loss_of_its_own_is_a_resignation_and_other_claims_are_notes() {
    let mut case = Case::new("entropy", None);
    case.begin().expect("lines");
    case.go("go depth 1");
    for line in ["resign", "0-1 {White resigns}", "0-1 {Black mates}"] {
        assert_eq!(case.hear(line), Some(ProgramEvent::Resigned), "{line}");
    }
    for (line, text) in [
        ("offer draw", "offers a draw"),
        ("1/2-1/2 {bored}", "claims 1/2-1/2 {bored}; the rules go on"),
        (
            "1-0 {White mates}",
            "claims 1-0 {White mates}; the rules go on",
        ),
    ] {
        assert_eq!(case.hear(line), Some(ProgramEvent::Noted(text.to_owned())));
    }
}

#[test]
fn what_the_program_has_is_what_it_is_sent() {
    let mut case = Case::new("entropy", None);
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
    let lines = case.go("go p1time 60000 p2time 60000");
    assert!(!lines.contains("time"), "{lines}");
    assert!(case.program.is_used_up());
}

#[test]
fn features_end_the_handshake() {
    let mut case = Case::new("entropy", None);
    let mut sent = Vec::new();
    assert_eq!(case.program.hear("feature done=0", &mut sent), None);
    let line = "feature myname=\"A B\" variants=\"normal,susan\" san=1 colors=0 done=1";
    assert_eq!(
        case.program.hear(line, &mut sent),
        Some(ProgramEvent::Ready)
    );
    assert_eq!(case.program.name().as_deref(), Some("A B"));
    assert!(sent.contains(&"rejected san".to_owned()), "{sent:?}");
    let error = case.begin().unwrap_err();
    assert_eq!(error, "the program plays normal,susan, not entropy");
}

#[test]
fn what_cecp_cannot_tell_is_refused() {
    let mut case = Case::new("entropy", Some("s1o1o/o2s1/3o1/s1sss/1osoo s 1"));
    let error = case.begin().unwrap_err();
    assert!(error.contains("CECP does not transmit counters"), "{error}");
}

#[test]
fn limits_of_a_plain_program_are_those_of_the_protocol() {
    for (go, lines) in [
        ("go depth 4", "sd 4|go"),
        ("go movetime 1500", "st 1.5|go"),
        // Programs read `st 0.1` as none.
        ("go movetime 100", "level 1 0:01 0|time 10|otim 10|go"),
        (
            "go p1time 61000 p2time 5 p1inc 2000",
            "level 0 1:01 2|time 6100|otim 0|go",
        ),
        (
            "go nodes 5",
            "CECP has no limit of nodes: use tc=, st= or depth=",
        ),
        ("go infinite", "go"),
    ] {
        let mut case = Case::new("entropy", None);
        case.program.game = None;
        assert_eq!(case.go(go), lines, "{go}");
    }
}
