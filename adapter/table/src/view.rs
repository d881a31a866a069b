//! Messages to the clients of a table: events, the snapshot, and the view of each client with the actions that it has now.

use kit::Side;
use record::game::{GameResult, Termination};

use crate::model::{
    Action, ActionId, ClientId, Refusal, Role, SideSet, Snapshot, TableEvent, TableView, Turn,
};
use crate::state::Table;

/// Pauses before each move of two engines, in seconds.
const PACES: [f64; 5] = [0.0, 0.3, 0.8, 2.0, 5.0];

impl Table {
    /// The state of the table as one client sees it.
    pub(super) fn snapshot(&self, client: ClientId) -> TableEvent {
        let role = self.clients.role(client).unwrap_or(Role::Spectator);
        let is_told_ledger = role == Role::Host && self.records.is_begun();
        let clients = self.clients.all.values();
        let snapshot = Snapshot {
            client,
            role,
            game: self.setup.plan.game.clone(),
            id: self.id.clone(),
            number: self.number(),
            opening: self.opening.clone(),
            tree: self.tree.clone(),
            seats: Side::BOTH.map(|side| self.seat_info(side)),
            clocks: self.clocks(),
            turn: self.turn(),
            player: self.turn_name(),
            proposal: self.proposal.clone(),
            view: self.view(client),
            ending: self.over.clone(),
            level: self.level,
            is_adaptive: self.is_adaptive,
            pace: self.pace.pause.as_secs_f64(),
            analysis: self.analyst.told.clone(),
            clients: clients.map(|client| client.info.clone()).collect(),
            ledger: is_told_ledger.then(|| self.setup.plan.ledger.clone()),
        };
        TableEvent::Snapshot(Box::new(snapshot))
    }

    /// Sends an event to one client.
    pub(super) fn tell(&mut self, client: ClientId, event: TableEvent) {
        if let Some(client) = self.clients.all.get_mut(&client) {
            client.tell(event);
        }
    }

    /// Sends an event to all clients.
    pub(super) fn tell_all(&mut self, event: TableEvent) {
        use TableEvent::{Analysed, EngineLine, Reviewed};
        let is_output = matches!(event, EngineLine { .. } | Analysed(_) | Reviewed { .. });
        self.clients.has_told |= !is_output;
        for client in self.clients.all.values_mut() {
            client.tell(event.clone());
        }
    }

    /// Sends a fresh snapshot to every client.
    pub(super) fn send_snapshots(&mut self) {
        for client in self.clients.ids_where(|_| true) {
            let snapshot = self.snapshot(client);
            self.tell(client, snapshot);
        }
    }

    /// Sends each client its view if that has changed.
    pub(super) fn send_views(&mut self) {
        if !std::mem::take(&mut self.clients.has_told) {
            return;
        }
        for client in self.clients.ids_where(|_| true) {
            let view = self.view(client);
            let client = self.clients.all.get_mut(&client);
            if let Some(client) = client.filter(|client| client.view != view) {
                client.view = view.clone();
                client.tell(TableEvent::TableView(Box::new(view)));
            }
        }
    }

    /// The table as this client shows it.
    pub(super) fn view(&self, client: ClientId) -> TableView {
        let plays = self.playing(client);
        let alone = plays.iter().next().filter(|_| plays != SideSet::BOTH);
        let turn = self.turn();
        let is_own_turn =
            matches!(turn, Turn::Person(side) if self.owns(client, self.seat_id(side)));
        let heading = match &self.over {
            Some(_) => self.result_heading(alone),
            None => (is_own_turn && alone.is_some()).then(|| "Your turn".to_owned()),
        };
        let cannot_move = self.refuse_move(client);
        TableView {
            note: self.note_for(heading.as_deref(), alone.filter(|_| is_own_turn)),
            heading,
            plays,
            is_own_turn,
            why: self.worded(client, cannot_move.as_ref()),
            cannot_move,
            actions: self.actions(client),
        }
    }

    /// The heading of a result, for the player of one side or for the others.
    fn result_heading(&self, alone: Option<Side>) -> Option<String> {
        let over = self.over.as_ref()?;
        let is_winner = |side: &Side| over.result == GameResult::win(*side);
        let winner = Side::BOTH.into_iter().find(is_winner);
        let is_by_rules =
            over.termination == Termination::Normal && self.board().outcome().is_some();
        match (winner, alone) {
            (Some(winner), Some(own)) if winner == own => Some("You won".to_owned()),
            (Some(_), Some(_)) => Some("You lost".to_owned()),
            (_, None) if is_by_rules => None,
            (Some(winner), None) => Some(format!("{} wins", self.side_name(winner))),
            (None, _) => Some("A draw".to_owned()),
        }
    }

    fn note_for(&self, heading: Option<&str>, own: Option<Side>) -> String {
        if let Some(over) = &self.over {
            let is_told = heading.is_none_or(|heading| heading == over.reason);
            let reason = (!is_told).then(|| over.reason.clone());
            return reason.unwrap_or_default();
        }
        if let Some(side) = own {
            return match self.side_name(side) {
                name if name == side.to_string() => format!("You play player {}.", &name[1..]),
                name => format!("You play {name}."),
            };
        }
        match self.turn() {
            Turn::Starting => "The engines are starting …",
            Turn::Engine(_) => "The engine is thinking …",
            Turn::Held(_) => "The engine is waiting.",
            Turn::Waiting(_) => "Waiting for the guest.",
            Turn::Person(_) | Turn::Over => "",
        }
        .to_owned()
    }

    /// The client's actions: those that are possible now, and the others with the reason.
    fn actions(&self, client: ClientId) -> Vec<Action> {
        let role = self.clients.role(client).unwrap_or(Role::Spectator);
        if role == Role::Spectator {
            return Vec::new();
        }
        let is_host = role == Role::Host;
        let mut actions: Vec<Action> = self.panel(client, role).into();
        if self.may_answer(client) {
            actions.extend([ActionId::Accept, ActionId::Decline].map(Action::new));
        } else if self.is_proposer(client) {
            actions.push(Action::new(ActionId::Decline).labelled("Withdraw"));
        }
        if let Turn::Person(side) = self.turn()
            && self.playing(client).contains(side.other())
            && self.seat(side).left.is_some()
        {
            actions.extend([ActionId::Claim, ActionId::ClaimDraw].map(Action::new));
        }
        if is_host {
            actions.extend(self.engine_actions());
        }
        if self.over.is_some() {
            actions.extend(is_host.then(|| Action::new(ActionId::Again)));
            let rematch = Action::new(ActionId::Rematch);
            actions.extend((!self.has_partners()).then(|| match is_host {
                true => rematch.labelled("Swap sides"),
                false => rematch,
            }));
        }
        actions
    }

    /// The usual buttons of a player.
    fn panel(&self, client: ClientId, role: Role) -> [Action; 4] {
        let plays = self.own_side(client).map(drop).ok_or(Refusal::NotPlaying);
        let offers = match self.is_draw_proposed() && self.is_proposer(client) {
            true => Err(Refusal::OfferIsOpen),
            false => plays.clone(),
        };
        let undo = self.undo_target(client).map(drop);
        let panel = [
            (ActionId::Undo, undo.ok_or(Refusal::NothingToUndo)),
            (ActionId::Hint, self.refuse_help(client)),
            (ActionId::Draw, offers),
            (ActionId::Resign, plays),
        ];
        panel.map(|(id, possible)| {
            let action = Action::new(id);
            let possible = self.refuse_by_row(role, action.command).and(possible);
            let refused = possible.err();
            Action {
                why: self.worded(client, refused.as_ref()),
                refused,
                ..action
            }
        })
    }

    /// A refusal in the words of this client.
    fn worded(&self, client: ClientId, refused: Option<&Refusal>) -> Option<String> {
        let client = self.clients.all.get(&client)?;
        refused.map(|why| why.sentence(client.voice))
    }

    /// The host's buttons for engines.
    fn engine_actions(&self) -> Vec<Action> {
        let is_watched = self.is_watched();
        match self.turn() {
            Turn::Engine(_) if is_watched => {
                let pace = self.pace.pause.as_secs_f64();
                let slower = PACES.into_iter().find(|other| *other > pace);
                let faster = PACES.into_iter().rev().find(|other| *other < pace);
                let mut actions = Vec::from([ActionId::MoveNow, ActionId::Pause].map(Action::new));
                for (id, seconds) in [(ActionId::Slower, slower), (ActionId::Faster, faster)] {
                    let mut action = Action::new(id);
                    action.args.seconds = seconds;
                    actions.extend(seconds.map(|_| action));
                }
                actions
            }
            Turn::Engine(_) => vec![Action::new(ActionId::MoveNow)],
            Turn::Held(_) if is_watched => {
                let go = Action::new(ActionId::Go).labelled("Go on");
                vec![go, Action::new(ActionId::Step)]
            }
            Turn::Held(_) => vec![Action::new(ActionId::Go)],
            _ => Vec::new(),
        }
    }
}
