//! Words that become requests to the table.

use std::path::{Path, PathBuf};

use protocol::text::excerpt;
use record::file::read_text;
use record::opening::Opening;
use table::{
    ClientInfo, CommandId, LevelChoice, Refusal, Role, SideSet, TableCommand, Turn, Voice,
};

use super::Client;
use crate::play::word::{self, Word};
use crate::play::{help, rules, text};

/// Maximum size of a file that is searched for boards, in bytes.
const MAX_BOARD: usize = 1 << 16;

/// Number of lines of play that an analysis shows.
pub(super) const N_LINES: u32 = 3;

/// Default time of an analysis, in seconds.
const ANALYSIS: f64 = 3.0;

/// Default time per position of a review, in seconds.
const REVIEW: f64 = 0.5;

impl Client<'_> {
    /// Executes a word.
    pub(super) fn word(&mut self, word: Word, rest: &str, asked: Option<&str>) {
        match word {
            Word::Moves => self.list_moves(rest),
            Word::Played => self.list_played(),
            Word::Flip => self.flip(),
            Word::Board => self.board(rest),
            Word::Mark => self.mark(rest),
            Word::Keys => self.take_keys(),
            Word::Peek => self.peek(rest),
            Word::Rules => self.say(&rules::page(
                self.game.rules().entry(),
                &self.style,
                self.width(),
            )),
            Word::Help => self.help(rest),

            Word::Undo => self.ask(TableCommand::Undo),
            Word::Redo => self.ask(TableCommand::Redo),
            Word::Back => self.step(word, rest, |n| TableCommand::Back { n }),
            Word::Forward => self.step(word, rest, |n| TableCommand::Forward { n }),
            Word::Go => self.ask(TableCommand::Go {
                limit: None,
                once: false,
            }),
            Word::Auto => self.auto(rest),
            Word::Level => self.level(rest),
            Word::Pace => self.pace(rest),
            Word::Save => self.file(word, rest, |path| TableCommand::Save { path }),
            Word::Load => self.load(rest),
            Word::New => self.new_game(rest, asked),
            Word::Setup => self.setup(rest, asked),
            Word::Puzzle => self.puzzle(rest, asked),
            Word::Draw => self.ask(TableCommand::OfferDraw),

            Word::Yes => self.ask_aside(TableCommand::Accept),
            Word::No => self.ask_aside(TableCommand::Decline),
            Word::Claim => self.claim(rest),
            Word::Stop => self.stop(),
            Word::Hint => self.ask_aside(TableCommand::Hint),
            Word::Eval => self.ask_aside(TableCommand::Eval),
            Word::Analyse => self.analyse(rest),
            Word::Review => self.review(rest),
            Word::Clock => self.ask_aside(TableCommand::Clock),
            Word::Say => self.speak(rest),
            Word::Kick => self.kick(rest),
            Word::Password => self.password(rest),
            Word::Resign => self.resign(asked),
            Word::Quit => self.leave(),
        }
    }

    fn help(&mut self, rest: &str) {
        let text = match rest {
            "" => Ok(help::list(&self.game, &self.style, self.width())),
            word => help::one(word, self.width()),
        };
        self.say(&text.unwrap_or_else(|why| why));
    }

    fn step(&mut self, word: Word, rest: &str, command: fn(usize) -> TableCommand) {
        let n = if rest.is_empty() {
            Some(1)
        } else {
            rest.parse().ok().filter(|n| *n > 0)
        };
        match n {
            Some(n) => self.ask(command(n)),
            None => self.refuse(&format!(
                "{}: {:?}: expected a whole number above 0",
                word::entry(word).usage,
                excerpt(rest)
            )),
        }
    }

    /// Analyses the current position.
    fn analyse(&mut self, rest: &str) {
        let node = Some(self.game.here());
        if let Some(seconds) = self.seconds(Word::Analyse, rest, ANALYSIS) {
            self.ask_study(TableCommand::Analyse {
                node,
                lines: Some(N_LINES),
                seconds: Some(seconds),
            });
        }
    }

    /// Reviews the game: the loss of each move.
    fn review(&mut self, rest: &str) {
        if let Some(seconds) = self.seconds(Word::Review, rest, REVIEW) {
            self.ask_study(TableCommand::Review { seconds });
        }
    }

    /// Requests an analysis or a review. In a script, the next line waits for its result.
    fn ask_study(&mut self, command: TableCommand) {
        self.talk.study = None;
        self.ask(command);
    }

    /// Parses an optional time in seconds; shows an error and returns `None` if it is invalid.
    fn seconds(&mut self, word: Word, rest: &str, default: f64) -> Option<f64> {
        if rest.is_empty() {
            return Some(default);
        }
        let seconds = rest.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
        if seconds.is_none() {
            let (usage, rest) = (word::entry(word).usage, excerpt(rest));
            self.refuse(&format!("{usage}: {rest:?}: expected seconds above 0"));
        }
        seconds
    }

    fn auto(&mut self, rest: &str) {
        let sides = match rest.to_ascii_lowercase().as_str() {
            "" => {
                self.talk.has_new_seats = true;
                return;
            }
            "both" => SideSet::BOTH,
            "off" => SideSet::NONE,
            word => match self.game.find_side(word) {
                Some(side) => side.into(),
                None => return self.refuse(&self.no_such_side(rest)),
            },
        };
        self.ask(TableCommand::SetAuto { sides });
    }

    fn no_such_side(&self, word: &str) -> String {
        let [p1, p2] = self.game.board().side_names();
        let word = excerpt(word);
        format!("auto: {word:?}: expected {p1}, {p2}, both or off")
    }

    fn level(&mut self, rest: &str) {
        if rest.is_empty() {
            return self.say(&text::level(&self.game));
        }
        if rest.eq_ignore_ascii_case("forget") {
            return self.ask(TableCommand::ForgetResults);
        }
        match rest.parse() {
            Ok(level) => self.ask(TableCommand::SetLevel { level }),
            Err::<LevelChoice, _>(expected) => {
                self.refuse(&format!("level: {:?}: {expected}", excerpt(rest)))
            }
        }
    }

    fn pace(&mut self, rest: &str) {
        if rest.is_empty() {
            return self.say(&text::pace(&self.game));
        }
        match rest.parse() {
            Ok(seconds) => self.ask(TableCommand::SetPace { seconds }),
            Err(_) => self.refuse(&format!(
                "pace: {:?}: expected seconds from 0 to 3600",
                excerpt(rest)
            )),
        }
    }

    /// Continues the game of a file, or starts from the board or the moves in its text.
    fn load(&mut self, rest: &str) {
        let text = read_board(Path::new(rest)).filter(|_| self.role() == Role::Host);
        let is_position =
            |line: &str| !line.trim().is_empty() && self.game.accepts(&Opening::parse(line));
        match text {
            Some(text) if text.trim().lines().count() > 1 && !text.lines().any(is_position) => {
                self.read_text(&text);
            }
            _ => self.file(Word::Load, rest, |path| TableCommand::Load { path }),
        }
    }

    fn file(&mut self, word: Word, rest: &str, command: fn(PathBuf) -> TableCommand) {
        if rest.is_empty() {
            return self.refuse(&format!(
                "{}: expected the name of a file",
                word::entry(word).usage
            ));
        }
        self.ask(command(PathBuf::from(rest)));
    }

    fn new_game(&mut self, rest: &str, asked: Option<&str>) {
        if self.is_under_way() && !self.is_confirmed("new", asked) {
            return self
                .say("The game is not over: type new again to abandon it and start another.");
        }
        if rest.is_empty() {
            let (opening, autos) = self.talk.before_puzzles.clone().unzip();
            let lines = Vec::new();
            self.ask(TableCommand::New { opening, lines });
            if let Some(sides) = autos {
                // The table carries out the requests in this order.
                let _ = self.table.send(TableCommand::SetAuto { sides });
            }
            return;
        }
        self.sit_down_elsewhere(rest);
    }

    /// `true` for a game with moves that is not over.
    pub(super) fn is_under_way(&self) -> bool {
        !self.game.is_over() && self.game.tree().n_nodes() > 1
    }

    /// Moves to another table, which another game or another size of the board requires.
    fn sit_down_elsewhere(&mut self, rest: &str) {
        let Some(open) = &mut self.another else {
            return self.refuse_as_guest(CommandId::New);
        };
        let joined = match open(rest, &self.game) {
            Ok(joined) => joined,
            Err(why) => return self.say(&format!("new: {why}")),
        };
        let old = text::to_go_on(&self.game);
        self.change_table(joined);
        old.into_iter().for_each(|line| self.say(&line));
        let header = text::header(&self.game, self.keys.is_some());
        self.say(&header);
        self.note_turn();
    }

    /// Refuses a command of the host.
    pub(super) fn refuse_as_guest(&mut self, command: CommandId) {
        let why = Refusal::OnlyHost { command };
        self.refuse(&why.sentence(Voice::Console));
    }

    /// Ends the own analysis or review; the host's `stop` ends any, and makes a thinking engine move.
    fn stop(&mut self) {
        let is_host = self.role() == Role::Host;
        let is_running = is_host && self.game.snapshot().analysis.running.is_some();
        if self.talk.study.is_some() || is_running {
            self.ask_aside(TableCommand::StopAnalysis);
        }
        let is_idle = self.talk.study.is_none() && !is_running;
        if is_idle || is_host && matches!(self.game.turn(), Turn::Engine(_)) {
            self.ask_aside(TableCommand::MoveNow);
        }
    }

    fn claim(&mut self, rest: &str) {
        match rest {
            "" | "draw" => self.ask_aside(TableCommand::Claim {
                draw: rest == "draw",
            }),
            _ => self.refuse(&format!(
                "claim: {:?}: expected draw or nothing",
                excerpt(rest)
            )),
        }
    }

    fn kick(&mut self, rest: &str) {
        let snapshot = self.game.snapshot();
        let guests = snapshot.clients.iter().filter(|who| who.role != Role::Host);
        let is_wanted = |who: &&ClientInfo| {
            let side = self.game.find_side(rest);
            let has_side = |side| matches!(who.role, Role::Player(sides) if sides.contains(side));
            who.name.eq_ignore_ascii_case(rest) || side.is_some_and(has_side)
        };
        let Some(guest) = guests.clone().find(is_wanted) else {
            let names: Vec<&str> = guests.map(|who| who.name.as_str()).collect();
            let names = match names.as_slice() {
                [] => "there is no guest".to_owned(),
                names => format!("expected one of {}", names.join(", ")),
            };
            return self.refuse(&format!("kick: {:?}: {names}", excerpt(rest)));
        };
        let client = guest.client;
        if self.door.is_none() || self.renew_password() {
            self.ask(TableCommand::Kick { client });
        }
    }

    /// Shows the line with which guests join, or replaces its password.
    fn password(&mut self, rest: &str) {
        match (&self.door, rest) {
            (None, _) => {
                self.refuse("password: Guests cannot join this table. Start it with --listen.")
            }
            (Some(door), "") => {
                let line = door.line();
                self.say(&line);
            }
            (Some(_), "new") => {
                self.renew_password();
            }
            _ => self.refuse("password: Type `password` to see it, `password new` to replace it."),
        }
    }

    /// Replaces the password of guests; `false` if that failed.
    fn renew_password(&mut self) -> bool {
        let Some(door) = self.door.clone() else {
            return false;
        };
        match door.renew_password() {
            Ok(()) => self.say(&format!("the new password: {}", door.line())),
            Err(error) => {
                self.refuse(&error.to_string());
                return false;
            }
        }
        true
    }

    fn speak(&mut self, rest: &str) {
        if rest.is_empty() {
            return self.refuse("say: type a text after it, as in say Hello");
        }
        self.ask_aside(TableCommand::Say {
            text: rest.to_owned(),
        });
    }

    fn resign(&mut self, asked: Option<&str>) {
        let may_resign = !self.game.is_over() && self.role() != Role::Spectator;
        if may_resign && !self.is_confirmed("resign", asked) {
            return self.say("Type resign again to give up.");
        }
        self.ask_aside(TableCommand::Resign);
    }
}

/// The text of a file that may contain a board; `None` for records and large files.
fn read_board(path: &Path) -> Option<String> {
    let text = read_text(path).ok()?;
    let is_record = text.trim_start().starts_with(['{', '[']);
    (text.len() <= MAX_BOARD && !is_record).then_some(text)
}
