//! The loop of a dialogue, which waits for input and for the table's events; and the events as text.

use std::time::{Duration, Instant};

use crossbeam_channel::{RecvError, after, at, never, select};
use table::{
    ClientId, CommandId, Mover, ProposalEnd, Question, RequestId, Role, StudyEnd, StudyKind,
    TableEvent, Turn, Voice,
};

use super::{BATCH, Client, End, Left};
use crate::play::screen::Input;
use crate::play::text;
use crate::usage::{Done, Failure};

/// Minimum thinking time of an engine after which a notice is shown.
const SHORT: Duration = Duration::from_secs(2);

/// Interval at which a painted screen is repainted, for its clock and changes of its size.
const PAINT_INTERVAL: Duration = Duration::from_millis(200);

/// Interval of messages during an analysis or a review.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);

impl Client<'_> {
    /// Runs the dialogue until the person leaves or the table ends.
    ///
    /// # Errors
    /// The screen cannot be written, or the table sends an illegal move.
    pub(crate) fn run(mut self, greeting: &str) -> Done<Left> {
        self.say(greeting);
        self.note_turn();
        self.show_old_ending();
        if let Some(proposal) = &self.game.snapshot().proposal {
            self.say(&text::proposal(proposal));
        }
        if let Some(text) = self.talk.held.take() {
            self.read_text(&text);
        }
        if let Some(first) = self.talk.puzzle_set.as_ref().and_then(|set| set.first) {
            self.take_line(Instant::now(), &format!("puzzle {first}"));
        }
        loop {
            self.advance();
            self.leave_if_nobody_plays();
            if let Some(end) = self.end.take() {
                self.leave_keys();
                let text = std::mem::take(&mut self.out);
                self.screen.close(&text);
                return Ok(Left {
                    end,
                    game: self.game,
                    n_refused: self.n_refused,
                });
            }
            if self.paste.is_none() && std::mem::take(&mut self.returns_to_keys) {
                self.take_keys();
            }
            // All events that one request causes are shown together.
            if self.talk.pending.is_none() && !self.talk.is_turn_due {
                self.flush().map_err(Failure::Output)?;
            }
            self.wait()?;
        }
    }

    /// Waits for input or an event, and handles it.
    fn wait(&mut self) -> Done {
        let thinking_notice_at = self.talk.thinking_notice_at.map_or_else(never, at);
        let events = self.table.events.clone();
        // A key refers to what is on the screen, so it waits for the effects of the previous one.
        let is_busy = self.talk.pending.is_some() || self.talk.is_turn_due;
        let input = match is_busy && self.screen.reads_keys() {
            true => never(),
            false => self.screen.input().clone(),
        };
        let tick = match self.is_painted {
            true => after(PAINT_INTERVAL),
            false => never(),
        };
        select! {
            recv(events) -> event => self.on_events(event),
            recv(input) -> heard => self.hear_all(heard.unwrap_or(Input::End)),
            recv(thinking_notice_at) -> _ => {
                self.show_interruption();
                Ok(())
            }
            recv(tick) -> _ => Ok(()),
        }
    }

    /// Handles an event and those queued behind it, so that they are shown together.
    fn on_events(&mut self, first: Result<TableEvent, RecvError>) -> Done {
        let Ok(first) = first else {
            self.end_by("the table is closed", false);
            return Ok(());
        };
        let events = self.table.events.clone();
        for event in std::iter::once(first).chain(events.try_iter().take(BATCH)) {
            self.on_event(&event)?;
        }
        Ok(())
    }

    /// Updates the game by an event and shows what happened.
    fn on_event(&mut self, event: &TableEvent) -> Done {
        let old_id = self.game.snapshot().id.clone();
        let old_movers: Vec<Mover> = self.game.movers().collect();
        let old_here = self.game.here();
        let was_over = self.game.is_over();
        let broken = |why| Failure::Trouble(format!("the table reported an illegal move: {why}"));
        if self.game.update(event).map_err(broken)? {
            self.note_change();
        }
        self.talk.has_new_seats |= !self.game.movers().eq(old_movers);
        match event {
            TableEvent::MovePlayed { placed, .. } => {
                self.talk.is_turn_due = true;
                self.judge_try(placed.by);
                // The person who typed a move has seen it.
                if placed.by == Mover::Engine || !self.game.is_last_own() {
                    self.say(&text::last_move(&self.game));
                }
            }
            TableEvent::GameOver { record } => {
                self.talk.is_turn_due = true;
                self.show_board_if_changed();
                self.say(&text::ending(&self.game, record.result, &record.reason));
                let is_live = self.screen.input_mode().asks_twice();
                if is_live && self.role() == Role::Host && self.game.has_seat() {
                    self.say(&text::after_the_end(&self.game, record.result));
                }
                self.drop_stale();
            }
            TableEvent::Lagged { dropped, .. } => {
                // The answer to the last request may be among the lost events.
                self.talk.pending = None;
                self.talk.study = None;
                self.say(&format!(
                    "{dropped} events were lost: this client read too slowly"
                ));
            }
            TableEvent::Note { engine, text } => self.say(&format!("{engine} {text}")),
            TableEvent::Snapshot(_) => {
                self.talk.is_turn_due = false;
                if self.game.snapshot().id != old_id {
                    self.show_new_game();
                    self.show_puzzle();
                    self.drop_stale();
                }
            }
            TableEvent::WentTo { .. } => {
                self.talk.is_turn_due = true;
                if was_over {
                    self.hide_said();
                }
                self.say(&text::went(&self.game, old_here));
                self.drop_stale();
            }
            // The next line of a script waits for the result of the study.
            TableEvent::Done { .. }
                if self.talk.study.is_some() && !self.screen.input_mode().is_live() => {}
            TableEvent::Done { request } => drop(self.finish_request(*request)),
            TableEvent::Refused { request, why } => {
                let why = why.sentence(Voice::Console);
                match self.finish_request(*request) {
                    Some(CommandId::Play) => self.refuse_move(&why),
                    _ => self.refuse(&why),
                }
            }
            TableEvent::Joined(who) if !self.is_own(who.client) => {
                let who = text::client(&self.game, who);
                self.say(&format!("{who} joined"));
            }
            TableEvent::Left { who, why } => {
                let is_player = matches!(who.role, Role::Player(_));
                let who = text::client(&self.game, who);
                self.say(&format!("{who} left: {why}"));
                if is_player && self.game.has_seat() && !self.game.is_over() {
                    self.say("if they do not come back in their turn: claim, or claim draw");
                }
            }
            TableEvent::Said { who, text } if !self.is_own(who.client) => {
                let who = text::client(&self.game, who);
                self.say(&format!("{who}: {text}"));
            }
            TableEvent::Turn { .. } => {
                self.talk.is_turn_due = false;
                self.note_turn();
            }
            TableEvent::PaceChanged { .. } => self.say(&text::pace(&self.game)),
            TableEvent::LedgerBegun { path } => {
                self.say(&format!("ledger: {}", path.display()));
            }
            TableEvent::LevelChanged { .. } => self.say(&text::level(&self.game)),
            TableEvent::Proposed(proposal) => self.say(&text::proposal(proposal)),
            TableEvent::ProposalEnded { end } => self.say(match end {
                ProposalEnd::Accepted => "accepted",
                ProposalEnd::Declined => "declined",
                ProposalEnd::Withdrawn => "the proposal was withdrawn",
            }),
            TableEvent::AskedEngine { who, what } if !self.is_own(who.client) => {
                let who = text::client(&self.game, who);
                self.say(&match what {
                    Question::Hint => format!("{who} asked an engine for a hint"),
                    Question::Eval => format!("{who} asked an engine for a score"),
                });
            }
            TableEvent::AnalysisStarted(study) if self.is_own(study.client) => {
                self.talk.study = Some(study.clone());
                let is_live = self.screen.input_mode().is_live();
                self.progress_at = is_live.then(|| Instant::now() + PROGRESS_INTERVAL);
            }
            TableEvent::Analysed(_) | TableEvent::Reviewed { .. } => self.show_progress(),
            TableEvent::AnalysisStarted(study) => self.say(&match study.what {
                StudyKind::Analysis => format!("{} started an analysis", study.name),
                StudyKind::Review => format!("{} started a review", study.name),
            }),
            TableEvent::AnalysisEnded { end, .. } => self.end_study(end),
            TableEvent::Clocks { .. } => self.say(&text::clocks(&self.game)),
            TableEvent::Analysis {
                what,
                side,
                analysis,
                ..
            } => self.say(&text::answer(&self.game, *what, *side, analysis)),
            TableEvent::Saved { path } => {
                self.say(&format!("saved in {}", path.display()));
            }
            TableEvent::Fault { engine, text } => self.say(&format!("{engine}: {text}")),
            TableEvent::Removed { why, .. } => self.end_by(why, false),
            TableEvent::Closed { why, is_error } => self.end_by(why, *is_error),
            _ => {}
        }
        Ok(())
    }

    /// Ends a script that plays no seat when the game is over.
    fn leave_if_nobody_plays(&mut self) {
        let is_idle = !self.screen.input_mode().is_live() && self.talk.pending.is_none();
        if is_idle && self.game.is_over() && !self.game.has_seat() {
            self.leave();
        }
    }

    /// Drops the waiting lines of a person when the game has ended or moved elsewhere, since they were typed for another
    /// position. Those behind a line that did this stay.
    fn drop_stale(&mut self) {
        if self.screen.input_mode().is_live() && self.talk.pending.is_none() {
            self.drop_waiting();
        }
    }

    /// Shows how to interrupt a thinking engine.
    fn show_interruption(&mut self) {
        self.talk.thinking_notice_at = None;
        if let Turn::Engine(side) = self.game.turn() {
            let side = self.game.side_name(side);
            self.say(&format!("{side} is thinking; Ctrl-C makes it move now"));
        }
    }

    /// Ends the dialogue, unless it has ended for another reason.
    pub(super) fn end_by(&mut self, why: &str, is_error: bool) {
        let why = why.to_owned();
        self.end.get_or_insert(End::Closed { why, is_error });
    }

    /// Shows the results so far of a long study that this person started.
    fn show_progress(&mut self) {
        let now = Instant::now();
        if let Some(study) = &self.talk.study
            && let Some(at) = self.progress_at.filter(|at| *at <= now)
            && let Some(text) = text::progress(&self.game, study)
        {
            self.progress_at = Some(at.max(now) + PROGRESS_INTERVAL);
            self.say(&text);
        }
    }

    /// Shows the result of the study that this person started.
    fn end_study(&mut self, end: &StudyEnd) {
        let Some(study) = self.talk.study.take() else {
            return;
        };
        if !self.screen.input_mode().is_live() {
            self.talk.pending = None;
        }
        let is_live = study.what == StudyKind::Analysis && study.node.is_none();
        if *end != StudyEnd::Finished && !is_live {
            self.say(&format!("{}: {end}", study.what));
        }
        let text = match study.what {
            StudyKind::Analysis => text::analysis(&self.game, study.node),
            StudyKind::Review => text::review(&self.game, self.style.is_ascii),
        };
        if let Some(text) = text {
            self.say(&text);
        }
    }

    fn is_own(&self, client: ClientId) -> bool {
        self.game.snapshot().client == client
    }

    /// Clears the request that the next line waits for, if this is its answer. Returns its command.
    fn finish_request(&mut self, request: RequestId) -> Option<CommandId> {
        let pending = self.talk.pending.take_if(|(id, _)| *id == request);
        pending.map(|(_, command)| command)
    }

    fn show_new_game(&mut self) {
        self.hide_said();
        match self.game.tree().path(self.game.here()).is_empty() {
            true => self.say("a new game"),
            false => self.say(&text::position(&self.game)),
        }
        self.show_old_ending();
    }

    /// Shows the end of the current game, if it has already ended.
    pub(super) fn show_old_ending(&mut self) {
        if let Some(ending) = self.game.snapshot().ending.clone() {
            self.show_board_if_changed();
            self.say(&text::ending(&self.game, ending.result, &ending.reason));
        }
    }

    fn show_board_if_changed(&mut self) {
        if self.is_changed {
            self.show_board();
        }
    }

    /// Drops questions and marks of the old position after a change.
    fn note_change(&mut self) {
        self.is_changed = true;
        self.talk.pending_confirmation = None;
        self.style.unmarked.clear();
        self.keys.forget();
    }

    /// Schedules the notice for a person at a terminal who waits for an engine.
    pub(super) fn note_turn(&mut self) {
        let is_thinking = matches!(self.game.turn(), Turn::Engine(_));
        let is_told = is_thinking && self.screen.input_mode().asks_twice();
        self.talk.thinking_notice_at = is_told.then(|| Instant::now() + SHORT);
    }
}
