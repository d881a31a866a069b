//! What each client shows, and what it may do now.

use kit::Side;
use record::game::{GameResult, Termination};

use crate::model::{
    Action, ActionArgs, ActionId, ClientId, CommandId, Place, Proposed, Refusal, Role, TableView,
    Turn,
};
use crate::state::{Pending, Table};

/// Pauses before each move of two engines, in seconds.
const PACES: [f64; 5] = [0.0, 0.3, 0.8, 2.0, 5.0];

impl Table {
    /// Sends each client its view if that has changed.
    pub(super) fn send_views(&mut self) {
        if !self.clients.has_told() {
            return;
        }
        for client in self.clients.ids() {
            let view = self.view(client);
            self.clients.show(client, view);
        }
    }

    /// The table as this client shows it.
    pub(super) fn view(&self, client: ClientId) -> TableView {
        let plays = self.playing(client);
        let mut own = plays.iter();
        let alone = match (own.next(), own.next()) {
            (Some(side), None) => Some(side),
            _ => None,
        };
        let turn = self.turn();
        let is_own_turn =
            matches!(turn, Turn::Person(side) if self.owns(client, self.seat_id(side)));
        let heading = match &self.over {
            Some(_) => self.result_heading(alone),
            None => (is_own_turn && alone.is_some()).then(|| "Your turn".to_owned()),
        };
        TableView {
            note: self.note_for(heading.as_deref(), alone.filter(|_| is_own_turn)),
            heading,
            plays,
            is_own_turn,
            cannot_move: self.refuse_move(client),
            actions: self.actions(client),
        }
    }

    /// The heading of a result, for the player of one side or for the others.
    fn result_heading(&self, alone: Option<Side>) -> Option<String> {
        let over = self.over.as_ref()?;
        let winner = match over.result {
            GameResult::P1Win => Some(Side::P1),
            GameResult::P2Win => Some(Side::P2),
            GameResult::Draw | GameResult::Unknown => None,
        };
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
            return if is_told {
                String::new()
            } else {
                over.reason.clone()
            };
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

    /// What the client may do now, and what it may do at other times with the reason.
    fn actions(&self, client: ClientId) -> Vec<Action> {
        let role = self.clients.find(client).map(|client| client.info.role);
        let role = role.unwrap_or(Role::Spectator);
        if role == Role::Spectator {
            return Vec::new();
        }
        let is_host = role == Role::Host;
        let mut actions = self.panel(client, role);
        if let Some(Pending { proposal, .. }) = &self.proposal {
            let is_own = proposal.client == client;
            if self.may_answer(client) {
                actions.push(action(ActionId::Accept, Place::Proposal, CommandId::Accept));
                actions.push(action(
                    ActionId::Decline,
                    Place::Proposal,
                    CommandId::Decline,
                ));
            } else if is_own {
                let withdraw = action(ActionId::Decline, Place::Proposal, CommandId::Decline);
                actions.push(withdraw.labelled("Withdraw"));
            }
        }
        if let Turn::Person(side) = self.turn()
            && self.playing(client).contains(side.other())
            && self.seat(side).left.is_some()
        {
            let claim = |id| action(id, Place::Turn, CommandId::Claim);
            actions.push(claim(ActionId::Claim));
            let draw = claim(ActionId::ClaimDraw).labelled("Claim a draw");
            actions.push(Action {
                args: ActionArgs {
                    draw: true,
                    ..ActionArgs::default()
                },
                ..draw
            });
        }
        if is_host {
            self.add_of_engines(&mut actions);
        }
        if self.over.is_some() {
            let has_partners = self.seats.iter().any(|seats| seats.len() != 1);
            if is_host {
                let again = action(ActionId::Again, Place::Ending, CommandId::New);
                actions.push(again.labelled("Play again"));
            }
            if !has_partners {
                let rematch = action(ActionId::Rematch, Place::Ending, CommandId::Rematch);
                actions.push(if is_host {
                    rematch.labelled("Swap sides")
                } else {
                    rematch
                });
            }
        }
        actions
    }

    /// The usual buttons of a player.
    fn panel(&self, client: ClientId, role: Role) -> Vec<Action> {
        let plays = self.own_side(client).ok_or(Refusal::NotPlaying).map(drop);
        let has_offered = self
            .proposal
            .as_ref()
            .is_some_and(|Pending { proposal, .. }| {
                proposal.what == Proposed::Draw && proposal.client == client
            });
        let offers = if has_offered {
            Err(Refusal::OfferIsOpen)
        } else {
            plays.clone()
        };
        let undo = self.undo_target(client).ok_or(Refusal::NothingToUndo);
        let panel = [
            (ActionId::Undo, CommandId::Undo, undo.map(drop)),
            (ActionId::Hint, CommandId::Hint, self.refuse_help(client)),
            (ActionId::Draw, CommandId::OfferDraw, offers),
            (ActionId::Resign, CommandId::Resign, plays),
        ];
        let panel = panel.map(|(id, command, possible)| {
            let possible = self.refuse_by_row(role, command).and(possible);
            let is_final = command == CommandId::Resign;
            Action {
                refused: possible.err(),
                confirm: is_final.then(|| "The other side wins.".to_owned()),
                ..action(id, Place::Panel, command)
            }
        });
        panel.into()
    }

    /// The host's buttons for engines.
    fn add_of_engines(&self, actions: &mut Vec<Action>) {
        let is_watched = self.is_watched();
        let at_turn = |id, command| action(id, Place::Turn, command);
        match self.turn() {
            Turn::Engine(_) => {
                actions.push(at_turn(ActionId::MoveNow, CommandId::MoveNow));
                if !is_watched {
                    return;
                }
                actions.push(at_turn(ActionId::Pause, CommandId::Pause));
                let pace = self.pace.pause.as_secs_f64();
                let slower = PACES.into_iter().find(|other| *other > pace);
                let faster = PACES.into_iter().rev().find(|other| *other < pace);
                for (id, label, seconds) in [
                    (ActionId::Slower, "Slower", slower),
                    (ActionId::Faster, "Faster", faster),
                ] {
                    let args = ActionArgs {
                        seconds,
                        ..ActionArgs::default()
                    };
                    let set = at_turn(id, CommandId::SetPace).labelled(label);
                    actions.extend(seconds.map(|_| Action { args, ..set }));
                }
            }
            Turn::Held(_) if is_watched => {
                actions.push(at_turn(ActionId::Go, CommandId::Go).labelled("Go on"));
                let step = at_turn(ActionId::Step, CommandId::Go).labelled("One move");
                let args = ActionArgs {
                    once: true,
                    ..ActionArgs::default()
                };
                actions.push(Action { args, ..step });
            }
            Turn::Held(_) => actions.push(at_turn(ActionId::Go, CommandId::Go)),
            _ => {}
        }
    }
}

impl Action {
    fn labelled(self, label: &str) -> Action {
        Action {
            label: label.to_owned(),
            ..self
        }
    }
}

/// An action with the label of its command.
fn action(id: ActionId, place: Place, command: CommandId) -> Action {
    Action {
        id,
        place,
        label: command.row().label.to_owned(),
        command,
        args: ActionArgs::default(),
        confirm: None,
        refused: None,
    }
}
