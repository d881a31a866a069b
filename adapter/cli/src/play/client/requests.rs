//! Words: those that become requests to the table, and those of the console.

use std::path::{Path, PathBuf};

use kit::options::or_list;
use protocol::text::excerpt;
use record::file::read_text;
use record::opening::Opening;
use table::{
    ClientInfo, CommandId, LevelChoice, Refusal, Role, SideSet, TableCommand, Turn, Voice,
};

use super::Client;
use crate::play::words::Word;
use crate::play::{help, rules, text};

/// Maximum size of a file that is searched for boards, in bytes.
const MAX_BOARD: usize = 1 << 16;

/// Number of lines of play that an analysis shows.
pub(super) const N_LINES: u32 = 3;

/// Default times of an analysis, and of each position of a review, in seconds.
const ANALYSIS: f64 = 3.0;
const REVIEW: f64 = 0.5;

impl Client<'_> {
    /// Executes a word.
    pub(super) fn word(&mut self, word: &Word, rest: &str, asked: Option<&str>) {
        let command = match word.name() {
            "moves" => return self.list_moves(rest),
            "played" => return self.list_played(),
            "flip" => return self.flip(),
            "board" => return self.board(rest),
            "mark" => return self.mark(rest),
            "keys" => return self.take_keys(),
            "peek" => return self.peek(rest),
            "rules" => {
                let entry = self.game.rules().entry();
                return self.say(&rules::page(entry, &self.style, self.width()));
            }
            "?" if rest.is_empty() => {
                return self.say(&help::list(&self.game, &self.style, self.width()));
            }
            "?" => {
                let text = help::one(rest, self.width());
                return self.say(&text.unwrap_or_else(|why| why));
            }
            "hint" => match self.puzzle_hint() {
                Some(hint) => return self.say(&hint),
                None => self.command(word, rest),
            },
            "setup" => return self.setup(rest, asked),
            "puzzle" => return self.puzzle(rest, asked),
            "password" => return self.password(rest),
            "new" => return self.new_game(rest, asked),
            "stop" => return self.stop(),
            "kick" => return self.kick(rest),
            "quit" => return self.leave(),
            "resign" if !self.may_resign(asked) => {
                return self.say("Type resign again to give up.");
            }
            "auto" if rest.is_empty() => {
                self.talk.has_new_seats = true;
                return;
            }
            "level" if rest.is_empty() => return self.say(&text::level(&self.game)),
            "pace" if rest.is_empty() => return self.say(&text::pace(&self.game)),
            "load" if self.load_board(rest) => return,
            _ => self.command(word, rest),
        };
        match command {
            Err(why) => self.refuse(&format!("{}: {why}", word.name())),
            Ok(command) if word.is_aside() => self.ask_aside(command),
            Ok(command) => {
                if matches!(
                    command,
                    TableCommand::Analyse { .. } | TableCommand::Review { .. }
                ) {
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
    /// What is wrong with the arguments, and what to type instead.
    fn command(&self, word: &Word, rest: &str) -> Result<TableCommand, String> {
        let wrong = |what: &str| format!("{:?}: type {what}", excerpt(rest));
        let seconds = |default| match rest {
            "" => Ok(default),
            text => {
                let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
                seconds.ok_or_else(|| wrong("seconds above 0"))
            }
        };
        let n_moves = || match rest {
            "" => Ok(1),
            text => {
                let n = text.parse().ok().filter(|n| *n > 0);
                n.ok_or_else(|| wrong("a whole number above 0"))
            }
        };
        let path = || match rest {
            "" => Err("type the name of a file after it".to_owned()),
            path => Ok(PathBuf::from(path)),
        };
        Ok(match word.name() {
            "back" => TableCommand::Back { n: n_moves()? },
            "forward" => TableCommand::Forward { n: n_moves()? },
            "analyse" => TableCommand::Analyse {
                node: Some(self.game.here()),
                lines: Some(N_LINES),
                seconds: Some(seconds(ANALYSIS)?),
            },
            "review" => TableCommand::Review {
                seconds: seconds(REVIEW)?,
            },
            "auto" => TableCommand::SetAuto {
                sides: match rest.to_ascii_lowercase().as_str() {
                    "both" => SideSet::BOTH,
                    "off" => SideSet::NONE,
                    side => match self.game.find_side(side) {
                        Some(side) => SideSet::from(side),
                        None => {
                            let [p1, p2] = self.game.board().side_names();
                            return Err(wrong(&format!("{p1}, {p2}, both or off")));
                        }
                    },
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
        let text = read_board(Path::new(path)).filter(|_| self.role() == Role::Host);
        let is_position =
            |line: &str| !line.trim().is_empty() && self.game.accepts(&Opening::parse(line));
        match text {
            Some(text) if text.trim().lines().count() > 1 && !text.lines().any(is_position) => {
                self.read_text(&text);
                true
            }
            _ => false,
        }
    }

    fn new_game(&mut self, rest: &str, asked: Option<&str>) {
        if self.is_under_way() && !self.is_confirmed("new", asked) {
            return self
                .say("The game is not over: type new again to abandon it and start another.");
        }
        if !rest.is_empty() {
            return self.sit_down_elsewhere(rest);
        }
        let (opening, auto) = self.talk.before_puzzles.clone().unzip();
        self.ask(TableCommand::New {
            opening,
            lines: Vec::new(),
            auto,
        });
    }

    /// `true` for a game with moves that is not over.
    pub(super) fn is_under_way(&self) -> bool {
        !self.game.is_over() && self.game.tree().n_nodes() > 1
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
        let is_wanted = |who: &&ClientInfo| {
            let has_side = |side| matches!(who.role, Role::Player(sides) if sides.contains(side));
            who.name.eq_ignore_ascii_case(rest) || side.is_some_and(has_side)
        };
        let Some(guest) = guests.clone().find(is_wanted) else {
            let names: Vec<&str> = guests.map(|who| who.name.as_str()).collect();
            let (rest, known) = (excerpt(rest), or_list(&names));
            return self.refuse(&match names.as_slice() {
                [] => "kick: no guest is here".to_owned(),
                _ => format!("kick: nobody here is called {rest:?}: type {known}"),
            });
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
                self.refuse("password: Guests cannot join this table. Start it with --listen.");
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
            Ok(()) => {
                self.say(&format!("the new password: {}", door.line()));
                true
            }
            Err(error) => {
                self.refuse(&error.to_string());
                false
            }
        }
    }

    /// `false` if the person must confirm first.
    fn may_resign(&mut self, asked: Option<&str>) -> bool {
        self.game.is_over() || self.role() == Role::Spectator || self.is_confirmed("resign", asked)
    }
}

/// The text of a file that may contain a board; `None` for records and large files.
fn read_board(path: &Path) -> Option<String> {
    let text = read_text(path).ok()?;
    let is_record = text.trim_start().starts_with(['{', '[']);
    (text.len() <= MAX_BOARD && !is_record).then_some(text)
}
