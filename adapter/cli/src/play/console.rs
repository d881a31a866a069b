//! The conversation: asks whoever is to move, hears everyone, lets engines think.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use kit::Side;
use protocol::Line;
use referee::clock::Limit;
use referee::session::{Step, Table, TableError, Turn};

use super::listen::Listener;
use super::port::{Local, News, Who};
use super::show::{self, BoardStyle};
use super::words;
use crate::usage::Failure;

/// Nobody gets impatient so soon.
const SHORT: Duration = Duration::from_secs(2);

/// Someone, or everyone, who is told something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    One(Who),
    All,
}

/// A session and those who sit at it.
pub(crate) struct Console {
    pub(super) session: Table,
    news: Receiver<News>,
    local: Local,
    listener: Option<Listener>,
    /// Where the other person sits.
    pub(super) remote: Option<Side>,
    /// How the local person, and the other, see the board.
    looks: [BoardStyle; 2],
    /// Whether the local person can be asked twice.
    pub(super) is_interactive: bool,
    /// Whether a move that loses at once is played without a question.
    pub(super) is_sure: bool,
    /// What has to be typed once more, before it is done.
    pub(super) once_more: Option<String>,
    /// The lines of a position that is being pasted.
    pub(super) paste: Option<Vec<String>>,
    /// The diagram that was pasted last, until the next move.
    pub(super) pasted: Option<String>,
    turn_began: Instant,
    /// Whether the board has changed since it was shown.
    is_changed: bool,
    /// Whether the other person's prompt stands.
    is_remote_asked: bool,
    /// Whether someone interrupted an engine, which waits.
    pub(super) is_paused: bool,
    pub(super) is_done: bool,
}

/// What a console is made of.
pub(crate) struct Parts {
    pub(crate) session: Table,
    pub(crate) news: Receiver<News>,
    pub(crate) local: Local,
    pub(crate) listener: Option<Listener>,
    pub(crate) remote: Option<Side>,
    pub(crate) looks: [BoardStyle; 2],
    pub(crate) is_interactive: bool,
    pub(crate) is_sure: bool,
}

/// Why a conversation cannot go on: its output or its records cannot be written.
pub(super) type Done = Result<(), Failure>;

impl Console {
    pub(crate) fn new(parts: Parts) -> Console {
        Console {
            session: parts.session,
            news: parts.news,
            local: parts.local,
            listener: parts.listener,
            remote: parts.remote,
            looks: parts.looks,
            is_interactive: parts.is_interactive,
            is_sure: parts.is_sure,
            once_more: None,
            paste: None,
            pasted: None,
            turn_began: Instant::now(),
            is_changed: true,
            is_remote_asked: false,
            is_paused: false,
            is_done: false,
        }
    }

    /// Talks until someone leaves.
    pub(crate) fn run(mut self, greeting: &str) -> Done {
        if !greeting.is_empty() {
            self.say(To::All, greeting)?;
        }
        self.await_other()?;
        self.turn_began = Instant::now();
        self.tell_ending()?;
        while !self.is_done {
            match self.session.turn() {
                Turn::Engine(_) if !self.is_paused => self.think()?,
                _ => self.converse()?,
            }
        }
        self.close()
    }

    /// Nobody's clock runs before both are there.
    fn await_other(&mut self) -> Done {
        let Some(listener) = &self.listener else {
            return Ok(());
        };
        let address = listener.address;
        let (host, port) = (address.ip(), address.port());
        self.say(
            To::All,
            &format!("waiting for the other person: nc {host} {port}"),
        )?;
        loop {
            match self.news.recv() {
                Ok(News::Joined) => break,
                Ok(News::Interrupt | News::Terminate) | Err(_) => {
                    self.is_done = true;
                    return Ok(());
                }
                Ok(_) => {}
            }
        }
        self.say(To::One(Who::Local), "the other person is here")?;
        let header = show::header(&self.session);
        let header = header.lines().filter(|line| !line.starts_with("ledger:"));
        let header: Vec<&str> = header.collect();
        self.say(To::One(Who::Remote), &header.join("\n"))
    }

    fn think(&mut self) -> Done {
        self.show_board_if_changed(false)?;
        self.tell_thinking()?;
        let before = self.session.moves().len();
        match self.session.think() {
            Ok(Step::Stopped) => self.is_done = true,
            Ok(Step::Moved | Step::Ended) => self.announce(before, To::All)?,
            Err(error) => {
                self.is_paused = true;
                self.complain(Who::Local, error)?;
            }
        }
        self.note_interrupts()
    }

    /// A person who may wait for long is told what to do about it.
    fn tell_thinking(&mut self) -> Done {
        let side = self.session.side();
        let limit = self.session.clocks()[side.index()].limit();
        let is_short = matches!(limit, Limit::MoveTime(time) if time <= SHORT);
        if is_short || !self.is_interactive {
            return Ok(());
        }
        self.say(
            To::One(Who::Local),
            &format!("{side} thinks; Ctrl-C has it move"),
        )
    }

    /// An interrupt while an engine thought has had its effect: it moved. It also brings the prompt.
    pub(super) fn note_interrupts(&mut self) -> Done {
        for news in self.news.try_iter().collect::<Vec<News>>() {
            match news {
                News::Interrupt => self.is_paused = true,
                other => self.take(other)?,
            }
        }
        Ok(())
    }

    /// Tells of the last move and of the end, if there were.
    pub(super) fn announce(&mut self, moves_before: usize, to: To) -> Done {
        if self.session.moves().len() != moves_before {
            let line = show::last_move(&self.session);
            self.say(to, &line)?;
            self.changed();
        }
        self.tell_ending()
    }

    fn tell_ending(&mut self) -> Done {
        let Some(ending) = self.session.ending().map(show::ending) else {
            return Ok(());
        };
        self.show_board_if_changed(true)?;
        self.say(To::All, &ending)
    }

    /// The position is another one: nothing that was said of the old one holds.
    pub(super) fn changed(&mut self) {
        self.is_changed = true;
        self.once_more = None;
        self.turn_began = Instant::now();
        for look in &mut self.looks {
            look.ruled_out.clear();
        }
    }

    /// Asks whoever is to move, and hears one piece of news.
    fn converse(&mut self) -> Done {
        self.show_board_if_changed(true)?;
        let speaker = self.speaker();
        if self.session.turn() == Turn::Over && !self.is_interactive && !self.has_local_seat() {
            self.is_done = true;
            return Ok(());
        }
        // What is shown or asked may find the other person's line lost.
        if !self.is_done {
            self.ask(speaker)?;
        }
        if self.is_done {
            return Ok(());
        }
        match self.hear() {
            Ok(news) => self.take(news),
            Err(RecvTimeoutError::Timeout) => self.run_out(),
            Err(RecvTimeoutError::Disconnected) => {
                self.is_done = true;
                Ok(())
            }
        }
    }

    fn hear(&self) -> Result<News, RecvTimeoutError> {
        match self.allowance() {
            Some(allowance) => self.news.recv_deadline(self.turn_began + allowance),
            None => self.news.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// How long the person to move may take.
    fn allowance(&self) -> Option<Duration> {
        match self.session.turn() {
            Turn::Person(side) => self.session.clocks()[side.index()].allowance(),
            _ => None,
        }
    }

    fn run_out(&mut self) -> Done {
        let spent = self.turn_began.elapsed();
        let result = self.session.run_out(spent);
        self.carry(Who::Local, result)?;
        self.changed();
        self.tell_ending()
    }

    /// Who is asked next.
    fn speaker(&self) -> Who {
        match self.session.turn() {
            Turn::Person(side) if self.remote == Some(side) => Who::Remote,
            _ => Who::Local,
        }
    }

    fn has_local_seat(&self) -> bool {
        let is_local = |side: &Side| !self.session.is_auto(*side) && self.remote != Some(*side);
        Side::BOTH.iter().any(is_local)
    }

    fn ask(&mut self, who: Who) -> Done {
        let prompt = match &self.paste {
            Some(_) => "setup> ".to_owned(),
            None => show::prompt(&self.session, self.spent()),
        };
        if who == Who::Remote && self.paste.is_none() {
            return self.ask_remote(&prompt);
        }
        let session = &self.session;
        let words = || {
            session
                .board()
                .moves()
                .into_iter()
                .chain(words::names().map(str::to_owned))
                .collect()
        };
        self.local.ask(&prompt, words).map_err(Failure::Output)
    }

    /// The other person is asked once; the one at the console is, when he has interrupted the wait.
    fn ask_remote(&mut self, prompt: &str) -> Done {
        if !std::mem::replace(&mut self.is_remote_asked, true) {
            self.write_remote(prompt)?;
        }
        if self.once_more.is_some() {
            let words = || words::names().map(str::to_owned).collect();
            return self.local.ask(prompt, words).map_err(Failure::Output);
        }
        Ok(())
    }

    fn take(&mut self, news: News) -> Done {
        match news {
            News::Line(who, at, line) => {
                match who {
                    Who::Local => self.local.heard(&line).map_err(Failure::Output)?,
                    Who::Remote => self.is_remote_asked = false,
                }
                self.line(who, at.saturating_duration_since(self.turn_began), &line)
            }
            News::End(Who::Local) | News::Terminate => self.leave(),
            News::End(Who::Remote) => self.lose_line(),
            News::Interrupt => self.interrupt(),
            News::Joined => Ok(()),
        }
    }

    fn line(&mut self, who: Who, spent: Duration, line: &Line) -> Done {
        let text = match line {
            Line::TooLong(limit) => {
                let why =
                    format!("the line is longer than {limit} bytes: expected a move or a word");
                return self.say(To::One(who), &why);
            }
            Line::Text(text) => text,
        };
        if text.contains(|c: char| c.is_control() && c != '\t') {
            let why =
                "the line holds control characters: expected a move or a word; ? lists the words";
            return self.say(To::One(who), why);
        }
        self.obey(who, spent, text)
    }

    /// Ends the conversation; what is still said is said without a prompt.
    pub(super) fn leave(&mut self) -> Done {
        self.is_done = true;
        self.local.close().map_err(Failure::Output)
    }

    /// Ctrl-C at a prompt: the first one asks.
    fn interrupt(&mut self) -> Done {
        self.local.left().map_err(Failure::Output)?;
        let leaves = Some("quit".to_owned());
        if !self.is_interactive || self.once_more == leaves {
            return self.leave();
        }
        self.once_more = leaves;
        self.say(
            To::One(Who::Local),
            "Leave? The game is saved. Ctrl-C again or quit leaves, anything else goes on.",
        )
    }

    fn lose_line(&mut self) -> Done {
        if self.listener.is_none() {
            return Ok(());
        }
        self.listener = None;
        self.leave()?;
        self.say(To::One(Who::Local), "the line to the other person is lost")
    }

    fn close(&mut self) -> Done {
        if self.session.ending().is_some() {
            return Ok(());
        }
        let plan = self.session.plan();
        let (game, ledger) = (&plan.game.name, plan.ledger.display());
        let text = format!("the game is saved; to go on: linesman play {game} --continue {ledger}");
        self.say(To::One(Who::Remote), "the game is broken off")?;
        self.say(To::One(Who::Local), &text)
    }

    /// What the player to move has used of his time.
    pub(super) fn spent(&self) -> Duration {
        self.turn_began.elapsed()
    }

    pub(super) fn look(&mut self, who: Who) -> &mut BoardStyle {
        &mut self.looks[who as usize]
    }

    fn show_board_if_changed(&mut self, always: bool) -> Done {
        if self.is_changed && (always || !self.has_local_seat()) {
            self.is_changed = false;
            self.show_board(Who::Local)?;
            self.show_board(Who::Remote)?;
        }
        Ok(())
    }

    pub(super) fn show_board(&mut self, who: Who) -> Done {
        if who == Who::Remote && self.listener.is_none() {
            return Ok(());
        }
        let board = self.looks[who as usize].draw(&self.session);
        self.say(To::One(who), &format!("\n{board}\n"))
    }

    pub(super) fn say(&mut self, to: To, text: &str) -> Done {
        if to != To::One(Who::Remote) {
            let text = self.looks[0].fit(text);
            self.local.say(&text).map_err(Failure::Output)?;
        }
        if to != To::One(Who::Local) {
            let text = self.looks[1].fit(text);
            self.is_remote_asked = false;
            self.write_remote(&format!("{text}\n"))?;
        }
        Ok(())
    }

    fn write_remote(&mut self, text: &str) -> Done {
        let written = self
            .listener
            .as_ref()
            .map_or(Ok(()), |listener| listener.write(text));
        match written {
            Err(_) => self.lose_line(),
            Ok(()) => Ok(()),
        }
    }

    /// Tells whoever asked that it was not done; only records that cannot be written end the conversation.
    pub(super) fn carry(&mut self, who: Who, result: Result<(), TableError>) -> Done {
        result.or_else(|error| self.complain(who, error))
    }

    pub(super) fn complain(&mut self, who: Who, error: TableError) -> Done {
        match error {
            TableError::Records(error) => Err(Failure::Trouble(error.to_string())),
            other => self.say(To::One(who), &other.to_string()),
        }
    }
}
