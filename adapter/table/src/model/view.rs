//! The view of a table for one client: heading, note and possible actions.

use serde::{Deserialize, Serialize};

use super::command::CommandId;
use super::people::SideSet;
use super::refusal::Refusal;

/// The table as one client shows it. Sent after each change.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableView {
    /// `Your turn` or `You won`; absent where the caption of the board is the heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// A line below the heading, or empty: the reason of a result, what the table waits for.
    pub note: String,
    /// The sides that the client plays now.
    pub plays: SideSet,
    /// `true` if the client is to move in an own seat.
    pub is_own_turn: bool,
    /// Why the client may not move now. A host may move in place of a waiting engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cannot_move: Option<Refusal>,
    /// The same as a sentence in the words of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The possible actions, in the order of the buttons.
    pub actions: Vec<Action>,
}

/// An action of the person at a client: a command with its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Action {
    /// Its name, unique in a view.
    pub id: ActionId,
    /// Where it belongs.
    pub place: Place,
    /// The label of its button.
    pub label: String,
    /// The command to send.
    pub command: CommandId,
    /// Its arguments.
    pub args: ActionArgs,
    /// The warning before it, if it must be confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// Why it is not possible now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
    /// The same as a sentence in the words of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Action {
    /// The action with its usual label.
    pub(crate) fn new(id: ActionId) -> Action {
        use CommandId as C;
        let (place, command, label) = match id {
            ActionId::Undo => (Place::Panel, C::Undo, None),
            ActionId::Hint => (Place::Panel, C::Hint, None),
            ActionId::Draw => (Place::Panel, C::OfferDraw, None),
            ActionId::Resign => (Place::Panel, C::Resign, None),
            ActionId::Accept => (Place::Proposal, C::Accept, None),
            ActionId::Decline => (Place::Proposal, C::Decline, None),
            ActionId::Claim => (Place::Turn, C::Claim, None),
            ActionId::ClaimDraw => (Place::Turn, C::Claim, Some("Claim a draw")),
            ActionId::MoveNow => (Place::Turn, C::MoveNow, None),
            ActionId::Pause => (Place::Turn, C::Pause, None),
            ActionId::Slower => (Place::Turn, C::SetPace, None),
            ActionId::Faster => (Place::Turn, C::SetPace, Some("Faster")),
            ActionId::Go => (Place::Turn, C::Go, None),
            ActionId::Step => (Place::Turn, C::Go, Some("One move")),
            ActionId::Again => (Place::Ending, C::New, Some("Play again")),
            ActionId::Rematch => (Place::Ending, C::Rematch, None),
        };
        Action {
            id,
            place,
            label: label.unwrap_or(command.row().label).to_owned(),
            command,
            args: ActionArgs {
                draw: id == ActionId::ClaimDraw,
                once: id == ActionId::Step,
                seconds: None,
            },
            confirm: (id == ActionId::Resign).then(|| "The other side wins.".to_owned()),
            refused: None,
            why: None,
        }
    }

    /// The action with another label.
    pub(crate) fn labelled(self, label: &str) -> Action {
        Action {
            label: label.to_owned(),
            ..self
        }
    }
}

/// The arguments of an action's command.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActionArgs {
    /// Of `claim`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draw: bool,
    /// Of `go`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// Of `set-pace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// The name of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // Its command explains it.
pub enum ActionId {
    Undo,
    Hint,
    Draw,
    Resign,
    Accept,
    Decline,
    Claim,
    ClaimDraw,
    MoveNow,
    Pause,
    Slower,
    Faster,
    Go,
    Step,
    Again,
    Rematch,
}

/// Where an action belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Among the usual buttons.
    Panel,
    /// Below an open proposal.
    Proposal,
    /// Below the line that says whose turn it is.
    Turn,
    /// Below a result.
    Ending,
}
