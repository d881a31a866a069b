//! The game at the table: taking moves back, replaying them and going to other branches, adding variations, replacing
//! the game with another, and saving it to a file.

use std::io;
use std::path::Path;
use std::time::Duration;

use crate::model::{
    Amount, ClientId, Mover, NodeId, Ply, ProposalEnd, Proposed, Refusal, SeatId, SideSet, Studies,
    StudyEnd, TableEvent,
};
use kit::Side;
use record::adjudication::Adjudication;
use record::event::{Recorder, StartedGame};
use record::game::Ending;
use record::game_spec::GameSpec;
use record::ledger::{LedgerWriter, SyncPolicy};
use record::opening::Opening;
use record::outputs::PgnComment;
use referee::arbiter::Arbiter;
use referee::date::today;
use referee::derived_file::DerivedFile;
use referee::live_game::LiveGame;

use crate::error::{Done, TableError, failed, refuse};
use crate::journal::{
    FoundGame, Journal, JournalEntry, RecordedEnding, entries, line_record, new_id, read_game,
    settled,
};
use crate::records::lines;
use crate::state::{NextGame, Table};

/// The longest variation that can be added at once, in plies.
const MAX_LINE: f64 = 256.0;

impl Table {
    /// Goes back to this client's last turn; if engines play both sides, by one move.
    pub(super) fn undo(&mut self, client: ClientId) -> Done {
        let target = self.undo_target(client).ok_or(Refusal::NothingToUndo)?;
        self.propose(client, self.going_to(target, self.is_watched()))
    }

    /// The node of this client's last turn.
    pub(super) fn undo_target(&self, client: ClientId) -> Option<NodeId> {
        let own = self.own_turns(client);
        let path = self.tree.path(self.tree.here());
        let is_own = |node: &&NodeId| self.is_turn_of(&own, **node);
        let last = path.iter().rev().find(is_own)?;
        Some(self.tree.parent(*last))
    }

    /// Goes forward to this client's next turn, or to the end of the line.
    pub(super) fn redo(&mut self, client: ClientId) -> Done {
        let own = self.own_turns(client);
        let mut target = self.tree.here();
        while let Some(next) = self.tree.next(target) {
            target = next;
            let after = self.tree.next(target);
            if after.is_none_or(|after| self.is_turn_of(&own, after)) {
                break;
            }
        }
        if target == self.tree.here() {
            return refuse(Refusal::NothingToRedo);
        }
        self.propose(client, self.going_to(target, self.is_watched()))
    }

    /// Goes to a node on request; engines then wait for `go`.
    pub(super) fn look(&mut self, client: ClientId, node: NodeId) -> Done {
        self.refuse_unknown(node)?;
        if node == self.tree.here() {
            return refuse(Refusal::NoFurtherMove);
        }
        self.propose(client, self.going_to(node, true))
    }

    /// The action of going to a node. If `is_held`, engines wait there for `go`.
    pub(super) fn going_to(&self, node: NodeId, is_held: bool) -> Proposed {
        let ply = self.opening.moves.len() + self.tree.path(node).len();
        Proposed::GoTo { node, ply, is_held }
    }

    pub(super) fn refuse_unknown(&self, node: NodeId) -> Done {
        let (node, last) = (node.0, self.tree.n_nodes() - 1);
        match node <= last {
            true => Ok(()),
            false => refuse(Refusal::NoNode { node, last }),
        }
    }

    /// The seats whose turns `undo` and `redo` look for: the client's; if it has none, those of all persons; if engines
    /// play both sides, all.
    fn own_turns(&self, client: ClientId) -> Vec<SeatId> {
        let is_person = |id: &SeatId| !self.seat_at(*id).is_auto;
        let persons: Vec<SeatId> = self.seat_ids().filter(is_person).collect();
        let owns = |id: &SeatId| self.owns(client, *id);
        let own = persons.iter().copied().filter(owns).collect();
        let all = self.seat_ids().collect();
        let mut candidates = [own, persons, all].into_iter();
        candidates
            .find(|seats: &Vec<SeatId>| !seats.is_empty())
            .unwrap_or_default()
    }

    /// `true` if the move that leads to a node was made by one of these seats.
    fn is_turn_of(&self, seats: &[SeatId], node: NodeId) -> bool {
        self.mover(node).is_some_and(|id| seats.contains(&id))
    }

    /// Moves the game to a node, writes this to the journal, and notifies the clients.
    pub(super) fn go_to(&mut self, node: NodeId) -> Done {
        self.give_up_searches();
        self.end_proposal(ProposalEnd::Withdrawn);
        self.stand_at(node)?;
        self.over = None;
        self.note(&JournalEntry::At(node))?;
        self.timer.reset();
        self.tell_all(TableEvent::WentTo { node });
        self.check_outcome()
    }

    /// Takes back and replays the moves between the current node and another one, and restores the clocks of that node.
    pub(super) fn stand_at(&mut self, target: NodeId) -> Done {
        let from = self.tree.path(self.tree.here());
        let to = self.tree.path(target);
        let pairs = from.iter().zip(&to);
        let n_shared = pairs.take_while(|(one, other)| one == other).count();
        for _ in n_shared..from.len() {
            self.game.take_back();
        }
        for &node in &to[n_shared..] {
            if let Some(ply) = self.tree.ply(node) {
                self.game.replay(&ply.code, ply.record.clone())?;
            }
        }
        self.tree.go(target);
        self.count_clocks();
        Ok(())
    }

    /// Adds moves after a node; the current node does not change.
    ///
    /// # Errors
    /// There is no such node, or a move is illegal; the message names the first such move. Nothing is added then.
    pub(super) fn add_line(&mut self, from: NodeId, codes: &[String]) -> Done {
        self.refuse_unknown(from)?;
        Amount::Moves.check(codes.len() as f64, 1.0..=MAX_LINE)?;
        let path = self.tree.path(from).into_iter();
        let played = path.filter_map(|node| Some(self.tree.ply(node)?.code.clone()));
        let opening = Opening {
            fen: self.opening.fen.clone(),
            moves: self.opening.moves.iter().cloned().chain(played).collect(),
        };
        let mut board = self.rules.open(&opening)?;
        let mut plies = Vec::with_capacity(codes.len());
        for code in codes {
            plies.push(Ply {
                side: board.side(),
                code: board.play(code)?,
                by: Mover::Person,
                record: None,
            });
        }
        let nodes = self.tree.add_line(from, &plies);
        let codes = plies.iter().map(|ply| ply.code.clone()).collect();
        self.note(&JournalEntry::Line { from, codes })?;
        self.tell_all(TableEvent::LineAdded { from, plies, nodes });
        Ok(())
    }

    /// Starts another game with the moves of the first line; needs consent if a game with another person is in progress.
    pub(super) fn new_game(
        &mut self,
        client: ClientId,
        opening: Option<Opening>,
        lines: Vec<Vec<String>>,
        auto: Option<SideSet>,
    ) -> Done {
        let opening = opening.unwrap_or_else(|| self.opening.clone());
        self.rules.open(&opening)?;
        let mut journal = Journal::new(new_id(), opening);
        journal.add_lines(lines);
        settled(&self.rules, &journal)?;
        self.refuse_guest_seats(auto.unwrap_or_default())?;
        self.replace_game(client, (journal, auto))
    }

    /// Loads the game of a file; needs consent if a game with another person is in progress.
    ///
    /// # Errors
    /// The file cannot be used; the message names it and the reason. The game is unchanged.
    pub(super) fn load(&mut self, client: ClientId, path: &Path) -> Done {
        let unusable = |error: &dyn ToString| Refusal::File {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let read = read_game(path, new_id());
        let FoundGame { game, journal, .. } = read.map_err(|error| unusable(&error))?;
        // Equal options may be written in several ways.
        let rules = |game: &GameSpec| self.setup.host.registry.rules(game).ok().flatten();
        let is_own = |game: &GameSpec| rules(game).is_some_and(|it| it.is_same(&self.rules));
        if let Some(found) = game.filter(|game| !is_own(game)) {
            return refuse(Refusal::OtherGame {
                path: path.to_owned(),
                found,
                wanted: self.setup.plan.game.clone(),
            });
        }
        settled(&self.rules, &journal).map_err(|error| unusable(&error))?;
        self.replace_game(client, (journal, None))
    }

    fn replace_game(&mut self, client: ClientId, next: NextGame) -> Done {
        let awaited = self.awaited(client);
        if self.over.is_some() || self.moves().is_empty() || awaited.is_empty() {
            return self.start_next(next);
        }
        self.put_proposal(client, awaited, Proposed::NewGame)?;
        self.next_game = Some(next);
        Ok(())
    }

    /// Starts a game, after its engines have taken their seats: one that sat down later could have moved by then.
    pub(super) fn start_next(&mut self, (journal, auto): NextGame) -> Done {
        auto.map_or(Ok(()), |sides| self.set_auto(sides))?;
        self.adopt(journal)
    }

    /// Replaces the current game, writes the new one to the journal, and notifies the clients.
    pub(super) fn adopt(&mut self, journal: Journal) -> Done {
        self.give_up_searches();
        self.end_study(StudyEnd::NewGame);
        self.analyst.waiting.clear();
        self.analyst.told = Studies::default();
        self.refuse_questions(|_| true, &Refusal::PositionLeft);
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
        let number = self.records.n_games + 1;
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
    pub(super) fn replay(&mut self, journal: Journal) -> Done {
        let tree = settled(&self.rules, &journal)?;
        let board = self.rules.open(&journal.opening)?;
        let arbiter = Arbiter::rules(board, &journal.opening);
        let clocks = Side::BOTH.map(|side| self.fresh_clock(side));
        for seat in self.seats.iter_mut().flatten() {
            seat.forget_game();
            seat.absence = Duration::ZERO;
        }
        self.game = LiveGame::new(arbiter, Default::default(), clocks, Adjudication::default());
        let comments = &self.setup.plan.outputs.pgn_comments;
        self.game.keeps_pv = comments.contains(&PgnComment::Pv);
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

    /// Saves the game to a new file, which `load` accepts: the moves up to the current position as PGN if the name ends
    /// in `.pgn`, else all branches as a ledger.
    ///
    /// # Errors
    /// The file has another ending, or cannot be written; the message names it. The table stays open.
    pub(super) fn save(&self, path: &Path) -> Done {
        // Its text names the file.
        let failed = |error: io::Error| TableError::Refused(failed(error));
        let ending = path.extension().unwrap_or("jsonl".as_ref());
        match &*ending.to_string_lossy().to_lowercase() {
            "pgn" => return self.save_pgn(path).map_err(failed),
            "jsonl" => {}
            _ => {
                let path = path.to_owned();
                return refuse(Refusal::FileName { path });
            }
        }
        let mut plan = self.setup.plan.clone();
        plan.ledger = path.to_owned();
        plan.pgn = None;
        let helper = JournalEntry::Helper(Box::new(self.setup.helper.clone()));
        let auto = JournalEntry::Auto(self.autos());
        let journal = Journal {
            tree: self.tree.clone(),
            ..Journal::new(self.id.clone(), self.opening.clone())
        };
        let mut saved = vec![helper, auto];
        saved.extend(entries(&journal));
        let (sync, begun_here) = (SyncPolicy::default(), self.setup.begun_here.as_ref());
        let written = LedgerWriter::create(path, &plan, &lines(&saved), sync, begun_here);
        written.map(drop).map_err(failed)
    }

    fn save_pgn(&self, path: &Path) -> io::Result<()> {
        let names = Side::BOTH.map(|side| self.player_name(side));
        let (opening, ending) = (&self.opening, self.over.clone());
        let mut record = line_record(self.number(), names, opening, &self.tree, ending, today());
        record.first = self.rules.first_mover(opening).unwrap_or(Side::P1);
        let mut plan = self.setup.plan.clone();
        plan.outputs.pgn_start = None;
        DerivedFile::pgn(path, self.setup.host.registry, &plan, None)?.record(&record)
    }
}
