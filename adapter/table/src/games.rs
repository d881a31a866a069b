//! Replacing the current game with another.

use std::path::Path;
use std::time::Duration;

use crate::model::{
    ClientId, NodeId, ProposalEnd, Proposed, Refusal, SideSet, StudyEnd, TableEvent,
};
use kit::Side;
use record::adjudication::Adjudication;
use record::event::StartedGame;
use record::game::Ending;
use record::game_spec::GameSpec;
use record::opening::Opening;
use referee::arbiter::Arbiter;
use referee::live_game::LiveGame;

use crate::analyst::StudyState;
use crate::error::{TableError, refuse};
use crate::journal::{FoundGame, Journal, RecordedEnding, new_id, read_game, settled};
use crate::state::{NextGame, Table};

impl Table {
    /// Starts another game with the moves of the first line; needs consent if a game with another person is in progress.
    pub(super) fn new_game(
        &mut self,
        client: ClientId,
        opening: Option<Opening>,
        lines: Vec<Vec<String>>,
        auto: Option<SideSet>,
    ) -> Result<(), TableError> {
        let opening = opening.unwrap_or_else(|| self.opening.clone());
        self.rules.open(&opening)?;
        let mut journal = Journal::new(new_id(), opening);
        journal.add_lines(lines);
        settled(&self.rules, &journal)?;
        self.refuse_guest_seats(auto.unwrap_or_default())?;
        self.replace_game(client, NextGame { journal, auto })
    }

    /// Loads the game of a file; needs consent if a game with another person is in progress.
    ///
    /// # Errors
    /// The file cannot be used; the message names it and the reason. The game is unchanged.
    pub(super) fn load(&mut self, client: ClientId, path: &Path) -> Result<(), TableError> {
        let unusable = |error: &dyn ToString| Refusal::File {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let read = read_game(path, new_id());
        let FoundGame { game, journal, .. } = read.map_err(|error| unusable(&error))?;
        if let Some(found) = game.filter(|game| !self.is_own_game(game)) {
            return refuse(Refusal::OtherGame {
                path: path.to_owned(),
                found,
                wanted: self.setup.plan.game.clone(),
            });
        }
        settled(&self.rules, &journal).map_err(|error| unusable(&error))?;
        let auto = None;
        self.replace_game(client, NextGame { journal, auto })
    }

    /// `true` if this is the table's game with equal options, regardless of how they are written.
    fn is_own_game(&self, game: &GameSpec) -> bool {
        let rules = self.setup.host.registry.rules(game).ok().flatten();
        rules.is_some_and(|rules| rules.is_same(&self.rules))
    }

    fn replace_game(&mut self, client: ClientId, next: NextGame) -> Result<(), TableError> {
        let is_under_way = self.over.is_none() && !self.moves().is_empty();
        if is_under_way {
            return self.propose(client, Proposed::NewGame, Some(Box::new(next)));
        }
        self.start_next(next)
    }

    /// Starts a game, after its engines have taken their seats: one that sat down later could have moved by then.
    pub(super) fn start_next(&mut self, next: NextGame) -> Result<(), TableError> {
        if let Some(sides) = next.auto {
            self.set_auto(sides)?;
        }
        self.adopt(next.journal)
    }

    /// Replaces the current game, writes the new one to the journal, and notifies the clients.
    pub(super) fn adopt(&mut self, journal: Journal) -> Result<(), TableError> {
        self.give_up_searches();
        self.end_study(StudyEnd::NewGame);
        self.analyst.study = StudyState::default();
        self.analyst.leave_study();
        self.end_proposal(ProposalEnd::Withdrawn);
        self.note_game(&journal)?;
        self.replay(journal)?;
        // A game that was over when it was loaded is not recorded again.
        if let Some(outcome) = self.board().outcome() {
            let ending = RecordedEnding {
                node: self.tree.here(),
                result: outcome.into(),
                number: 0,
            };
            self.endings.push(ending);
        }
        self.is_held = false;
        let [p1, p2] = Side::BOTH.map(|side| self.player_name(side));
        let number = self.records.n_games() + 1;
        self.tell_all(TableEvent::GameStarted(StartedGame {
            game: number,
            pair: number,
            p1,
            p2,
            opening: self.opening.clone(),
        }));
        self.send_snapshots();
        self.check_outcome()
    }

    /// Sets up the game at the journal's current node.
    ///
    /// # Errors
    /// A move is illegal; the message names it. The table must not be used afterwards.
    pub(super) fn replay(&mut self, journal: Journal) -> Result<(), TableError> {
        let tree = settled(&self.rules, &journal)?;
        let board = self.rules.open(&journal.opening)?;
        let arbiter = Arbiter::rules(board, &journal.opening);
        let clocks = Side::BOTH.map(|side| self.fresh_clock(side));
        for seat in self.seats.iter_mut().flatten() {
            seat.forget_game();
            seat.absence = Duration::ZERO;
        }
        self.game = LiveGame::new(arbiter, Default::default(), clocks, Adjudication::NONE);
        self.game.keeps_pv = self.setup.plan.outputs.pgn_comments.pv;
        self.name_teams();
        self.id = journal.id;
        self.opening = journal.opening;
        self.endings = journal.endings;
        self.tree = tree;
        self.clock_since = journal.clock_since;
        self.restarted_at = None;
        self.allows_hints = false;
        self.timer.reset();
        let here = self.tree.here();
        self.tree.go(NodeId::ROOT);
        self.stand_at(here)?;
        self.over = journal.ended.map(|record| Ending {
            result: record.result,
            termination: record.termination,
            reason: record.reason,
            fault: record.fault,
        });
        self.restore_offer(journal.offer);
        Ok(())
    }
}
