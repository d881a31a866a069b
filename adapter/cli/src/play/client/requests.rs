//! Words: those that become requests to the table, and those of the console.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use kit::options::or_list;
use protocol::text::{excerpt, wrap};
use record::file::read_text;
use record::opening::Opening;
use table::typing::moves_at;
use table::{
    ClientInfo, CommandId, LevelChoice, Refusal, Role, SideSet, TableCommand, Turn, Voice,
};

use super::Client;
use crate::play::screen::Size;
use crate::play::socket::join::Door;
use crate::play::style::Extent;
use crate::play::words::Word;
use crate::play::{help, text};

/// Maximum size of a file that is searched for boards, in bytes.
const MAX_BOARD: usize = 1 << 16;

/// Number of lines of play that an analysis shows.
pub(super) const N_LINES: u32 = 3;

/// Default times of an analysis, and of each position of a review, in seconds.
const ANALYSIS: f64 = 3.0;
const REVIEW: f64 = 0.5;

/// The style that shows covered pieces.
const PEEK: &str = "peek";

impl Client<'_> {
    /// Executes a word.
    pub(super) fn word(&mut self, word: &Word, rest: &str) {
        let is_idle = self.game.is_over() || self.role() == Role::Spectator;
        match word.name() {
            "moves" => self.list_moves(rest),
            "played" => match self.numbered_moves(self.game.here()).as_slice() {
                [] => self.say("no moves yet"),
                moves => self.say(&wrap(moves, self.width())),
            },
            "flip" => {
                self.style.is_flipped = !self.style.is_flipped;
                self.show_board();
            }
            "board" => self.board(rest),
            "mark" => self.mark(rest),
            "keys" => self.take_keys(),
            "peek" => self.peek(rest),
            "rules" => {
                let entry = self.game.rules().entry();
                self.say(&help::rules(entry, &self.style, self.width()));
            }
            "?" if rest.is_empty() => {
                self.say(&help::list(&self.game, &self.style, self.width()));
            }
            "?" => {
                self.say(&help::one(rest, self.width()).unwrap_or_else(|why| why));
            }
            "hint" => match self.puzzle_hint() {
                Some(hint) => self.say(&hint),
                None => self.send(word, rest),
            },
            "setup" => self.setup(rest),
            "puzzle" => self.puzzle(rest),
            "password" => self.password(rest),
            "new" => self.new_game(rest),
            "stop" => self.stop(),
            "kick" => self.kick(rest),
            "quit" => self.leave(),
            "resign" if !is_idle && !self.is_confirmed("resign") => {
                self.say("Type resign again to give up.");
            }
            "auto" if rest.is_empty() => self.talk.has_new_seats = true,
            "level" if rest.is_empty() => self.say(&text::level(&self.game)),
            "pace" if rest.is_empty() => self.say(&text::pace(&self.game)),
            "load" if self.load_board(rest) => {}
            _ => self.send(word, rest),
        }
    }

    /// Sends the command of a word.
    fn send(&mut self, word: &Word, rest: &str) {
        match self.command(word, rest) {
            Err(why) => self.refuse(&format!("{}: {why}", word.name())),
            Ok(command) if word.is_aside() => self.ask_aside(command),
            Ok(command) => {
                if matches!(command.id(), CommandId::Analyse | CommandId::Review) {
                    // In a script, the next line waits for the result.
                    self.talk.study = None;
                }
                self.ask(command);
            }
        }
    }

    /// The command of a word with its arguments.
    ///
    /// # Errors
    /// The error of the arguments, and the text to type instead.
    fn command(&self, word: &Word, rest: &str) -> Result<TableCommand, String> {
        let wrong = |what: &str| format!("{:?}: type {what}", excerpt(rest));
        let path = || match rest {
            "" => Err("type the name of a file after it".to_owned()),
            path => Ok(PathBuf::from(path)),
        };
        Ok(match word.name() {
            "back" => TableCommand::Back {
                n: number(rest, 1, "a whole number")?,
            },
            "forward" => TableCommand::Forward {
                n: number(rest, 1, "a whole number")?,
            },
            "analyse" => TableCommand::Analyse {
                node: Some(self.game.here()),
                lines: Some(N_LINES),
                seconds: Some(number(rest, ANALYSIS, "seconds")?),
            },
            "review" => TableCommand::Review {
                seconds: number(rest, REVIEW, "seconds")?,
            },
            "auto" => TableCommand::SetAuto {
                sides: match rest.to_ascii_lowercase().as_str() {
                    "both" => SideSet::BOTH,
                    "off" => SideSet::NONE,
                    side => {
                        let [p1, p2] = self.game.board().side_names();
                        let known = || wrong(&format!("{p1}, {p2}, both or off"));
                        self.game.find_side(side).ok_or_else(known)?.into()
                    }
                },
            },
            "level" if rest.eq_ignore_ascii_case("forget") => TableCommand::ForgetResults,
            "level" => TableCommand::SetLevel {
                level: rest
                    .parse::<LevelChoice>()
                    .map_err(|why| format!("{rest:?}: {why}"))?,
            },
            "pace" => TableCommand::SetPace {
                seconds: rest.parse().map_err(|_| wrong("seconds from 0 to 3600"))?,
            },
            "save" => TableCommand::Save { path: path()? },
            "load" => TableCommand::Load { path: path()? },
            "claim" if !matches!(rest, "" | "draw") => return Err(wrong("claim or claim draw")),
            "claim" => TableCommand::Claim {
                draw: rest == "draw",
            },
            "say" if rest.is_empty() => {
                return Err("type a text after it, as in say Hello".to_owned());
            }
            "say" => TableCommand::Say {
                text: rest.to_owned(),
            },
            name => word
                .command
                .and_then(TableCommand::without_arguments)
                .ok_or_else(|| format!("{name} is not available here"))?,
        })
    }

    /// Starts from the board or the moves in the text of a file; `false` if the file is a record.
    fn load_board(&mut self, path: &str) -> bool {
        let is_host = self.role() == Role::Host;
        let Some(text) = read_board(Path::new(path)).filter(|_| is_host) else {
            return false;
        };
        let is_position = |line: &str| {
            !line.trim().is_empty() && self.game.rules().open(&Opening::parse(line)).is_ok()
        };
        let is_board = text.trim().lines().count() > 1 && !text.lines().any(is_position);
        if is_board {
            self.read_text(&text);
        }
        is_board
    }

    fn new_game(&mut self, rest: &str) {
        if !self.may_abandon("new", rest) {
            return;
        }
        if !rest.is_empty() {
            return self.sit_down_elsewhere(rest);
        }
        let (opening, auto) = self.talk.before_puzzles.clone().unzip();
        self.begin(opening, Vec::new(), auto);
    }

    /// Starts another game.
    pub(super) fn begin(
        &mut self,
        opening: Option<Opening>,
        lines: Vec<Vec<String>>,
        auto: Option<SideSet>,
    ) {
        self.ask(TableCommand::New {
            opening,
            lines,
            auto,
        });
    }

    /// `true` if the game may be abandoned for what this line begins: it has no moves, is over, or the line was typed twice.
    pub(super) fn may_abandon(&mut self, word: &str, rest: &str) -> bool {
        let line = format!("{word} {rest}");
        let line = line.trim_end();
        let is_under_way = !self.game.is_over() && self.game.tree().n_nodes() > 1;
        let may = !is_under_way || self.is_confirmed(line);
        if !may {
            let line = excerpt(line);
            self.say(&format!(
                "The game is not over: type {line} again to abandon it."
            ));
        }
        may
    }

    /// Moves to another table, which another game or another size of the board requires.
    fn sit_down_elsewhere(&mut self, rest: &str) {
        let Some(tables) = &mut self.another else {
            return self.refuse_as_guest(CommandId::New);
        };
        let joined = match tables.open_another(rest, &self.game) {
            Ok(joined) => joined,
            Err(why) => return self.say(&format!("new: {why}")),
        };
        let old = text::to_go_on(&self.game);
        self.change_table(joined);
        old.into_iter().for_each(|line| self.say(&line));
        self.say(&text::header(&self.game, self.is_painted));
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
        let running = &self.game.snapshot().analysis.running;
        let is_studying = self.talk.study.is_some() || is_host && running.is_some();
        if is_studying {
            self.ask_aside(TableCommand::StopAnalysis);
        }
        if !is_studying || is_host && matches!(self.game.turn(), Turn::Engine(_)) {
            self.ask_aside(TableCommand::MoveNow);
        }
    }

    fn kick(&mut self, rest: &str) {
        let clients = self.game.snapshot().clients.iter();
        let guests = clients.filter(|who| who.role != Role::Host);
        let side = self.game.find_side(rest);
        let Some(guest) = guests.clone().find(|who: &&ClientInfo| {
            let has_side = |side| matches!(who.role, Role::Player(sides) if sides.contains(side));
            who.name.eq_ignore_ascii_case(rest) || side.is_some_and(has_side)
        }) else {
            let names: Vec<&str> = guests.map(|who| who.name.as_str()).collect();
            let (rest, known) = (excerpt(rest), or_list(&names));
            return self.refuse(&match names.as_slice() {
                [] => "kick: no guest is here".to_owned(),
                _ => format!("kick: nobody here is called {rest:?}: type {known}"),
            });
        };
        let client = guest.client;
        let door = self.door.clone();
        if door.is_none_or(|door| self.renew_password(&door)) {
            self.ask(TableCommand::Kick { client });
        }
    }

    /// Shows the line with which guests join, or replaces its password.
    fn password(&mut self, rest: &str) {
        match (self.door.clone(), rest) {
            (None, _) => {
                self.refuse("password: Guests cannot join this table. Start it with --listen.");
            }
            (Some(door), "") => self.say(&door.line()),
            (Some(door), "new") => drop(self.renew_password(&door)),
            _ => self.refuse("password: Type `password` to see it, `password new` to replace it."),
        }
    }

    /// Replaces the password of guests; `false` if that failed.
    fn renew_password(&mut self, door: &Door) -> bool {
        let renewed = door.renew_password();
        match &renewed {
            Ok(()) => self.say(&format!("the new password: {}", door.line())),
            Err(error) => self.refuse(&error.to_string()),
        }
        renewed.is_ok()
    }

    fn list_moves(&mut self, rest: &str) {
        let board = self.game.board();
        let codes = match rest {
            "" => board.moves(),
            square => moves_at(board, square),
        };
        self.say(&match (codes.as_slice(), rest) {
            ([], "") => "no moves: the game is over".to_owned(),
            ([], _) => format!("no legal move at {}: moves alone lists all", excerpt(rest)),
            ([code], _) => format!("1 move: {code}"),
            (codes, _) => format!("{} moves:\n{}", codes.len(), wrap(codes, self.width())),
        });
    }

    fn board(&mut self, rest: &str) {
        let styles = self.game.board().styles();
        let name = rest.to_ascii_lowercase();
        match (name.as_str(), Size::parse(&name)) {
            ("", _) => {}
            ("plain", _) => self.style.name.clear(),
            ("all", _) => self.style.extent = Extent::All,
            ("fit", _) => self.style.extent = Extent::Screen,
            (_, Some(size)) => self.style.extent = Extent::Given(size),
            (name, None) if styles.contains(&name) => name.clone_into(&mut self.style.name),
            _ => {
                let known = [&["plain"], styles, &["all", "fit"]].concat().join(", ");
                return self.refuse(&format!(
                    "board: {:?}: type one of {known}, or the size of a screen such as 80x24",
                    excerpt(rest)
                ));
            }
        }
        // Above the board, which fills the screen. The string would reveal covered pieces.
        if !styles.contains(&PEEK) || self.style.name == PEEK {
            self.say(&format!("fen: {}", self.game.board().fen()));
        }
        if self.is_painted && self.style.extent == Extent::All {
            // The painted screen may have room for a part only.
            let page = self.style.page(self.game.board(), None, "", None);
            self.out.push_str(&format!("{}\n", page.text(false)));
        }
        self.show_board();
    }

    fn peek(&mut self, rest: &str) {
        let game = &self.game.snapshot().game.name;
        match rest.to_ascii_lowercase().as_str() {
            _ if !self.game.board().styles().contains(&PEEK) => {
                self.refuse(&format!("peek: {game} has no covered pieces"));
            }
            "on" => self.board(PEEK),
            "off" => self.board("plain"),
            _ => {
                let rest = excerpt(rest);
                self.refuse(&format!("peek: {rest:?}: type peek on or peek off"));
            }
        }
    }

    /// Inverts the marks of the given moves, or sets or removes all marks.
    fn mark(&mut self, rest: &str) {
        let board = self.game.board();
        if !self.style.has_marks(board) {
            let game = &self.game.snapshot().game.name;
            return self.refuse(&format!("mark: {game} marks no moves on its board"));
        }
        match rest.to_ascii_lowercase().as_str() {
            "" | "all" => self.style.unmarked.clear(),
            "none" => self.style.unmarked = board.moves(),
            _ => {
                let words = rest.split_whitespace();
                let codes = words.flat_map(|word| board.split_codes(word));
                match codes
                    .map(|code| board.read(code))
                    .collect::<Result<Vec<_>, _>>()
                {
                    Ok(codes) => codes.into_iter().for_each(|code| self.toggle_mark(code)),
                    Err(why) => return self.refuse(&format!("mark: {why}")),
                }
            }
        }
        self.show_board();
    }

    pub(super) fn toggle_mark(&mut self, code: String) {
        let unmarked = &mut self.style.unmarked;
        match unmarked.iter().position(|known| *known == code) {
            Some(at) => drop(unmarked.remove(at)),
            None => unmarked.push(code),
        }
    }
}

/// A number above 0 after a word, or its default.
fn number<T>(rest: &str, default: T, what: &str) -> Result<T, String>
where
    T: FromStr + PartialOrd + Default,
{
    if rest.is_empty() {
        return Ok(default);
    }
    let number = rest.parse().ok().filter(|number| *number > T::default());
    number.ok_or_else(|| format!("{:?}: type {what} above 0", excerpt(rest)))
}

/// The text of a file that may contain a board; `None` for records and large files.
fn read_board(path: &Path) -> Option<String> {
    let text = read_text(path).ok()?;
    (text.len() <= MAX_BOARD && !text.trim_start().starts_with(['{', '['])).then_some(text)
}
