//! Words about who plays, what engines think, and how people end a game.

use kit::Side;
use protocol::text::excerpt;
use referee::session::{DrawAnswer, Turn};

use super::console::{Console, Done, To};
use super::port::Who;
use super::show;
use super::words::Word;

impl Console {
    pub(super) fn go(&mut self, who: Who) -> Done {
        self.is_paused = false;
        self.session.go_on();
        if let Turn::Person(_) = self.session.turn() {
            let before = self.session.moves().len();
            return match self.session.think() {
                Ok(_) => self.announce(before, To::All),
                Err(error) => self.complain(who, error),
            };
        }
        Ok(())
    }

    pub(super) fn advise(&mut self, who: Who, word: Word) -> Done {
        let side = self.session.side();
        match self.session.advise() {
            Ok(advice) if word == Word::Hint => self.say(To::One(who), &show::hint(&advice))?,
            Ok(advice) => self.say(To::One(who), &show::judgement(side, &advice))?,
            Err(error) => self.complain(who, error)?,
        }
        self.note_interrupts()
    }

    pub(super) fn auto(&mut self, who: Who, rest: &str) -> Done {
        let auto = match rest.to_ascii_lowercase().as_str() {
            "" => return self.say(To::One(who), &self.seats()),
            "p1" => [true, false],
            "p2" => [false, true],
            "both" => [true, true],
            "off" => [false, false],
            _ => {
                let why = format!("auto: {:?}: expected p1, p2, both or off", excerpt(rest));
                return self.say(To::One(who), &why);
            }
        };
        match self.session.set_auto(auto) {
            Ok(()) => {
                self.is_paused = false;
                self.say(To::All, &self.seats())
            }
            Err(error) => self.complain(who, error),
        }
    }

    pub(super) fn seats(&self) -> String {
        let seat = |side: Side| {
            let player = if self.session.is_auto(side) {
                "an engine"
            } else {
                "a person"
            };
            format!("{side} is played by {player}")
        };
        Side::BOTH.map(seat).join(", ")
    }

    pub(super) fn level(&mut self, who: Who, rest: &str) -> Done {
        let level: Option<u32> = rest.parse().ok().filter(|level| *level <= 20);
        let Some(level) = level else {
            let why = format!(
                "level: {:?}: expected a whole number from 0 to 20",
                excerpt(rest)
            );
            return self.say(To::One(who), &why);
        };
        match self.session.set_level(level) {
            Ok(()) => self.say(To::All, &format!("engines play at level {level}")),
            Err(error) => self.complain(who, error),
        }
    }

    pub(super) fn draw(&mut self, who: Who) -> Done {
        let Some(side) = self.own_side(who) else {
            return self.say(To::One(who), "draw: you do not play");
        };
        match self.session.offer_draw(side) {
            Ok(DrawAnswer::Offered) => self.say(
                To::All,
                &format!("{side} offers a draw: draw agrees, a move declines"),
            ),
            Ok(DrawAnswer::Declined) => self.say(
                To::One(who),
                &format!("{} plays on", self.session.name(side.other())),
            ),
            Ok(DrawAnswer::Agreed) => self.announce(self.session.moves().len(), To::All),
            Err(error) => self.complain(who, error),
        }
    }

    pub(super) fn resign(&mut self, who: Who, asked: Option<String>) -> Done {
        let Some(side) = self.own_side(who) else {
            return self.say(To::One(who), "resign: you do not play");
        };
        if self.session.ending().is_none() && who == Who::Local && self.asks_again("resign", asked)
        {
            return self.say(To::One(who), "Type resign again to give up.");
        }
        match self.session.resign(side) {
            Ok(()) => self.announce(self.session.moves().len(), To::All),
            Err(error) => self.complain(who, error),
        }
    }

    pub(super) fn quit(&mut self, who: Who) -> Done {
        self.leave()?;
        if who == Who::Remote {
            self.say(To::One(Who::Local), "the other person leaves")?;
        }
        Ok(())
    }

    /// The side that this person plays; at a console for two, the one to move.
    pub(super) fn own_side(&self, who: Who) -> Option<Side> {
        let is_own = |side: &Side| !self.session.is_auto(*side) && self.sits_at(*side) == who;
        let to_move = self.session.side();
        [to_move, to_move.other()].into_iter().find(is_own)
    }

    /// Whether a word has to be typed once more; a pipe is never asked.
    pub(super) fn asks_again(&mut self, word: &str, asked: Option<String>) -> bool {
        if !self.is_interactive || asked.as_deref() == Some(word) {
            return false;
        }
        self.once_more = Some(word.to_owned());
        true
    }
}
