//! Passes lines between a client and an engine, and translates between their dialects, line by line.

use std::fmt::Display;
use std::io::Write;
use std::time::{Duration, Instant};

use kit::Side;
use kit::session::Session;
use protocol::{Command, Dialect, Go, Info, Line, Reply, Score};
use record::clock::{Clock, Limit, limits};
use record::registry::Rules;

use super::pipe::{Happened, Pipe};
use crate::{BridgeError, BridgeSetup, Done, Lines};

/// Relays lines until one side ends.
///
/// # Errors
/// The engine cannot be started or ends unexpectedly, or the output cannot be written.
pub(super) fn run(
    setup: &BridgeSetup,
    rules: Option<Rules>,
    lines: &Lines,
    output: &mut dyn Write,
) -> Done {
    if setup.overrides_limit && matches!(setup.engine.limit, Limit::Clock(..)) {
        let why = "--engine: a clock cannot override the client's: expected st=, depth= or nodes=";
        return Err(BridgeError::Unsuitable(why.to_owned()));
    }
    let inner = setup.engine.proto.into();
    let changed = rules.as_ref().map(|rules| rules.spec().options);
    let changed = changed.into_iter().flatten();
    let options = changed.map(|(name, value)| (name, Some(value)));
    let options = options.chain(setup.engine.options.iter().cloned());
    let options = options.map(|(name, value)| Command::SetOption { name, value });
    // A UGI engine answers questions itself.
    let rules = rules.as_ref().filter(|_| inner != Dialect::Ugi);
    let mut relay = Relay {
        setup,
        options: options.collect(),
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
    /// Sets the options of the game that differ from their defaults, and those of `--engine`.
    options: Vec<Command>,
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
    /// `true` after `quit` or the end of the client's output: the engine completes its pending commands.
    is_quitting: bool,
}

impl Relay<'_> {
    fn serve(&mut self, lines: &Lines) -> Done {
        loop {
            match self.pipe.wait(lines, !self.is_quitting, None) {
                Happened::Line(line) => {
                    if let Line::Text(text) = line {
                        self.pass_command(&text)?;
                    }
                }
                Happened::End => self.is_quitting = true,
                Happened::Stopped | Happened::TimedOut => return Ok(()),
                Happened::FromEngine(text) => self.pass_reply(text)?,
                Happened::EngineClosed => return self.pipe.check_end(self.is_quitting),
            }
            if self.is_quitting {
                self.pipe.close_input();
            }
        }
    }

    fn outer(&self) -> Dialect {
        self.outer.unwrap_or(self.inner)
    }

    fn pass_command(&mut self, text: &str) -> Done {
        let Ok(parsed) = Command::parse(text) else {
            // The engine reports the error.
            return self.pipe.send(text);
        };
        let command = parsed.command;
        match command {
            Command::Handshake(dialect) => {
                self.outer = Some(dialect);
                self.needs_options = true;
            }
            Command::Quit => self.is_quitting = true,
            // A client may write on without waiting for the end of the handshake, or leave it out.
            _ => self.send_options()?,
        }
        for reply in self.follow(&command, text) {
            self.write(&reply)?;
        }
        if matches!(command, Command::Query(_)) && self.inner != Dialect::Ugi {
            return Ok(());
        }
        let limited = self.limited(&command);
        if self.outer() == self.inner && limited.is_none() {
            return self.pipe.send(text);
        }
        let command = translate_command(limited.unwrap_or(command), self.outer(), self.inner);
        self.pipe.send(&command.display(self.inner).to_string())
    }

    /// Passes a line to the game that the questions are about. Returns the reply to a question, or why a position is
    /// illegal.
    fn follow(&mut self, command: &Command, text: &str) -> Vec<Reply> {
        let is_question = matches!(command, Command::Query(_));
        let Some(session) = &mut self.session else {
            let why = format!("query: {} has no rules", self.setup.game);
            let is_unanswered = is_question && self.inner != Dialect::Ugi;
            return is_unanswered
                .then_some(Reply::Error(why))
                .into_iter()
                .collect();
        };
        let is_option = matches!(command, Command::SetOption { .. });
        let is_game = matches!(command, Command::NewGame | Command::Position { .. });
        if !(is_question || is_option || is_game) {
            return Vec::new();
        }
        let replies = session.receive(text, Instant::now());
        // An option may be the engine's alone.
        if is_option { Vec::new() } else { replies }
    }

    fn write(&mut self, line: impl Display) -> Done {
        writeln!(self.output, "{line}")?;
        Ok(self.output.flush()?)
    }

    /// Replaces the limit of a `go` if the engine's own limit overrides the client's.
    fn limited(&self, command: &Command) -> Option<Command> {
        let Command::Go(go) = command else {
            return None;
        };
        let limit = self.setup.engine.limit;
        let is_replaced = self.setup.overrides_limit && limit != Limit::Unlimited;
        if !is_replaced || go.infinite || go.mate.is_some() || go.ponder {
            return None;
        }
        let clock = || Clock::new(limit, Duration::ZERO);
        let own = limits(Side::P1, &[clock(), clock()]);
        let search_moves = go.search_moves.clone();
        Some(Command::Go(Go {
            search_moves,
            ..own
        }))
    }

    fn pass_reply(&mut self, text: String) -> Done {
        let reply = Reply::parse(&text);
        if let Ok(Reply::HandshakeOk(_)) = reply {
            self.send_options()?;
        }
        match reply {
            Ok(reply) if self.outer() != self.inner => {
                self.write(translate_reply(reply, self.inner, self.outer()))
            }
            _ => self.write(text),
        }
    }

    /// Sends the options, unless the engine has them.
    fn send_options(&mut self) -> Done {
        if std::mem::take(&mut self.needs_options) {
            for command in &self.options {
                self.pipe.send(&command.display(self.inner).to_string())?;
            }
        }
        Ok(())
    }
}

/// Translates a client's command for an engine of another dialect.
pub(super) fn translate_command(command: Command, from: Dialect, to: Dialect) -> Command {
    match command {
        Command::Handshake(_) => Command::Handshake(to),
        Command::Go(mut go) => {
            let plies = go.mate_plies(from);
            go.mate = plies.map(|n| to.mate_distance(n.cast_signed()).unsigned_abs());
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
                Score::Mate(distance) => Score::Mate(to.mate_distance(from.plies(distance))),
                points => points,
            }),
            ..info
        }),
        other => other,
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
        assert_eq!(
            reply("info score mate -1", Dialect::Ugi, Dialect::Uci),
            "info score mate -1",
            "the side to move may lose by its own move"
        );
        assert_eq!(reply("ugiok", Dialect::Ugi, Dialect::Uci), "uciok");
        assert_eq!(
            reply("info score cp -7", Dialect::Ugi, Dialect::Uci),
            "info score cp -7"
        );
    }
}
