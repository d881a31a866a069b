//! Passes lines between a client and an engine, and translates between their dialects, line by line.

use std::io::Write;
use std::time::Instant;

use kit::session::Session;
use protocol::{Command, Dialect, Go, Info, Line, Reply, Score};
use record::clock::{Limit, SearchLimit};
use record::registry::Rules;

use super::pipe::{Happened, Pipe};
use crate::{BridgeError, BridgeSetup, Lines};

/// Relays lines until one side ends.
///
/// # Errors
/// The engine cannot be started or ends unexpectedly, or the output cannot be written.
pub(super) fn run(
    setup: &BridgeSetup,
    rules: Option<Rules>,
    lines: &Lines,
    output: &mut dyn Write,
) -> Result<(), BridgeError> {
    if setup.overrides_limit && matches!(setup.engine.limit, Limit::Clock(..)) {
        let why = "--engine: a clock cannot override the client's: expected st=, depth= or nodes=";
        return Err(BridgeError::Unsuitable(why.to_owned()));
    }
    let inner = setup.engine.proto.into();
    let changed = rules
        .as_ref()
        .map_or_else(Vec::new, |rules| rules.spec().options);
    let options = changed.into_iter().map(|(name, value)| (name, Some(value)));
    let options = options.collect();
    // A UGI engine answers questions itself.
    let rules = rules.filter(|_| inner != Dialect::Ugi);
    let mut relay = Relay {
        setup,
        options,
        needs_options: true,
        session: rules.map(|rules| Session::on(*rules.entry(), rules.options())),
        pipe: Pipe::start(setup)?,
        inner,
        outer: None,
        output,
        is_quitting: false,
    };
    let served = relay.serve(lines);
    relay.pipe.end();
    served
}

struct Relay<'a> {
    setup: &'a BridgeSetup,
    /// Options of the game that differ from their defaults.
    options: Vec<(String, Option<String>)>,
    /// `true` until the engine has the options, after its start and after each handshake.
    needs_options: bool,
    /// The game, for an engine without UGI's questions.
    session: Option<Session>,
    pipe: Pipe,
    /// Dialect of the engine.
    inner: Dialect,
    /// Dialect of the client, after its handshake.
    outer: Option<Dialect>,
    output: &'a mut dyn Write,
    is_quitting: bool,
}

impl Relay<'_> {
    fn serve(&mut self, lines: &Lines) -> Result<(), BridgeError> {
        let mut hears_client = true;
        loop {
            match self.pipe.wait(lines, hears_client, None) {
                Happened::Line(received) => {
                    if let Line::Text(text) = received.line {
                        self.pass_command(&text)?;
                    }
                }
                Happened::End => {
                    // The engine completes its pending commands.
                    hears_client = false;
                    self.is_quitting = true;
                    self.pipe.close_input();
                }
                Happened::Stopped | Happened::TimedOut => return Ok(()),
                Happened::FromEngine(text) => self.pass_reply(&text)?,
                Happened::EngineClosed => return self.pipe.check_end(self.is_quitting),
            }
        }
    }

    fn pass_command(&mut self, text: &str) -> Result<(), BridgeError> {
        let Ok(parsed) = Command::parse(text) else {
            // The engine reports the error.
            return self.pipe.send(text);
        };
        match parsed.command {
            Command::Handshake(dialect) => {
                self.outer = Some(dialect);
                self.needs_options = true;
            }
            Command::Quit => self.is_quitting = true,
            // A client may write on without waiting for the end of the handshake, or leave it out.
            _ => self.send_options()?,
        }
        let is_question = matches!(parsed.command, Command::Query(_));
        let replies = self.follow(&parsed.command, text);
        replies.iter().try_for_each(|reply| self.reply(reply))?;
        if is_question && self.inner != Dialect::Ugi {
            return Ok(());
        }
        let outer = self.outer.unwrap_or(self.inner);
        let limited = self.limited(&parsed.command);
        if outer == self.inner && limited.is_none() {
            return self.pipe.send(text);
        }
        let command = limited.unwrap_or(parsed.command);
        let command = translate_command(command, outer, self.inner);
        self.pipe.send(&command.display(self.inner).to_string())
    }

    /// Passes a line to the game that the questions are about. Returns the reply to a question, or why a position is
    /// illegal.
    fn follow(&mut self, command: &Command, text: &str) -> Vec<Reply> {
        let follow = |session: &mut Session| {
            let line = Line::Text(text.to_owned());
            session.receive(&line, Instant::now())
        };
        match (command, &mut self.session) {
            (Command::SetOption { .. }, Some(session)) => {
                // An option may be the engine's alone.
                follow(session);
                Vec::new()
            }
            (Command::NewGame | Command::Position { .. } | Command::Query(_), Some(session)) => {
                follow(session)
            }
            (Command::Query(_), None) if self.inner != Dialect::Ugi => {
                let why = format!("query: {} has no rules", self.setup.game);
                vec![Reply::Error(why)]
            }
            _ => Vec::new(),
        }
    }

    fn reply(&mut self, reply: &Reply) -> Result<(), BridgeError> {
        writeln!(self.output, "{reply}")?;
        Ok(self.output.flush()?)
    }

    /// Replaces the limit of a `go` if the engine's own limit overrides the client's.
    fn limited(&self, command: &Command) -> Option<Command> {
        let Command::Go(go) = command else {
            return None;
        };
        if !self.setup.overrides_limit || go.infinite || go.mate.is_some() || go.ponder {
            return None;
        }
        let mut own = Go {
            search_moves: go.search_moves.clone(),
            ..Go::default()
        };
        match self.setup.engine.limit {
            Limit::MoveTime(time) => own.move_time = Some(time),
            Limit::Search(SearchLimit::Depth(depth)) => own.depth = Some(depth),
            Limit::Search(SearchLimit::Nodes(nodes)) => own.nodes = Some(nodes),
            Limit::Clock(..) | Limit::Unlimited => return None,
        }
        Some(Command::Go(own))
    }

    fn pass_reply(&mut self, text: &str) -> Result<(), BridgeError> {
        let reply = Reply::parse(text);
        if let Ok(Reply::HandshakeOk(_)) = reply {
            self.send_options()?;
        }
        let outer = self.outer.unwrap_or(self.inner);
        let line = match reply {
            Ok(reply) if outer != self.inner => {
                translate_reply(reply, self.inner, outer).to_string()
            }
            _ => text.to_owned(),
        };
        writeln!(self.output, "{line}")?;
        Ok(self.output.flush()?)
    }

    /// Sends the game options that differ from their defaults, and those of `--engine`, unless the engine has them.
    fn send_options(&mut self) -> Result<(), BridgeError> {
        if !std::mem::take(&mut self.needs_options) {
            return Ok(());
        }
        let options = self.options.iter().chain(&self.setup.engine.options);
        for (name, value) in options.cloned() {
            let command = Command::SetOption { name, value };
            self.pipe.send(&command.display(self.inner).to_string())?;
        }
        Ok(())
    }
}

/// Translates a client's command for an engine of another dialect.
pub(super) fn translate_command(command: Command, from: Dialect, to: Dialect) -> Command {
    match command {
        Command::Handshake(_) => Command::Handshake(to),
        Command::Go(mut go) => {
            let distance = go.mate.map(|n| i32::try_from(n).unwrap_or(i32::MAX));
            go.mate = distance.map(|n| translate_mate(n, from, to).unsigned_abs());
            Command::Go(go)
        }
        other => other,
    }
}

/// Translates an engine's reply for a client of another dialect.
pub(super) fn translate_reply(reply: Reply, from: Dialect, to: Dialect) -> Reply {
    match reply {
        Reply::HandshakeOk(_) => Reply::HandshakeOk(to),
        Reply::Info(info) => Reply::Info(Info {
            score: info.score.map(|score| match score {
                Score::Mate(distance) => Score::Mate(translate_mate(distance, from, to)),
                points => points,
            }),
            ..info
        }),
        other => other,
    }
}

/// Translates a mate distance. A win in n moves is 2n - 1 plies, a loss in n moves 2n plies.
pub(crate) fn translate_mate(distance: i32, from: Dialect, to: Dialect) -> i32 {
    match (from == Dialect::Ugi, to == Dialect::Ugi) {
        (true, false) => distance / 2 + (distance % 2).max(0),
        (false, true) => distance.saturating_mul(2) - i32::from(distance > 0),
        _ => distance,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str, from: Dialect, to: Dialect) -> String {
        let command = Command::parse(line).expect("a command").command;
        translate_command(command, from, to).display(to).to_string()
    }

    fn reply(line: &str, from: Dialect, to: Dialect) -> String {
        let reply = Reply::parse(line).expect("a reply");
        translate_reply(reply, from, to).to_string()
    }

    #[test]
    fn commands_take_the_words_of_the_other_dialect() {
        for (ugi, uci) in [
            ("ugi", "uci"),
            ("uginewgame", "ucinewgame"),
            (
                "go p1time 1000 p2time 900 p1inc 5",
                "go wtime 1000 btime 900 winc 5",
            ),
            ("go mate 5", "go mate 3"),
            (
                "position startpos moves a1 b2",
                "position startpos moves a1 b2",
            ),
            ("isready", "isready"),
        ] {
            assert_eq!(command(ugi, Dialect::Ugi, Dialect::Uci), uci);
            assert_eq!(command(uci, Dialect::Uci, Dialect::Ugi), ugi);
        }
    }

    #[test]
    fn mates_are_counted_in_plies_and_in_moves() {
        for (plies, moves) in [(1, 1), (3, 2), (5, 3), (-2, -1), (-4, -2), (0, 0)] {
            let (ugi, uci) = (
                format!("info depth 7 score mate {plies} pv a1"),
                format!("info depth 7 score mate {moves} pv a1"),
            );
            assert_eq!(reply(&ugi, Dialect::Ugi, Dialect::Uci), uci);
            assert_eq!(reply(&uci, Dialect::Uci, Dialect::Ugi), ugi);
        }
        assert_eq!(reply("ugiok", Dialect::Ugi, Dialect::Uci), "uciok");
        assert_eq!(
            reply("info score cp -7", Dialect::Ugi, Dialect::Uci),
            "info score cp -7"
        );
    }
}
