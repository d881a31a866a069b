//! Why a table refuses a request, and the sentence that says so.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize, Serializer};

use super::command::{CommandId, Voice};
use super::people::SeatId;
use record::game_spec::GameSpec;

/// A reason to refuse a request. The game is unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "refusal", rename_all = "kebab-case")]
pub enum Refusal {
    /// A guest asks more often than allowed.
    TooManyRequests,
    /// The command is the host's.
    OnlyHost {
        /// The command.
        command: CommandId,
    },
    /// A spectator uses a command of players.
    OnlyPlayers {
        /// The command.
        command: CommandId,
    },
    /// The client has no seat.
    NotPlaying,
    /// The engines are being started.
    Starting,
    /// The game is over.
    GameOver,
    /// A person is to move who is not the sender.
    OthersTurn {
        /// The player to move, as in `Ann (red)`.
        player: String,
    },
    /// An engine is to move.
    EnginesTurn {
        /// The engine.
        player: String,
    },
    /// The move is for a node that is no longer the current one.
    PositionChanged,
    /// The rules reject a move or a position.
    Rules {
        /// In the words of the game.
        reason: String,
    },

    /// Partners get no help while they play.
    NoHelpForPartners,
    /// Between two people help must be allowed before the first move.
    HelpIsOff,
    /// The other person is asked to allow help.
    HelpIsAsked {
        /// The other person.
        player: String,
    },
    /// Another person's proposal is open.
    AnswerFirst {
        /// The proposal, as in `Bob (o) offers a draw`.
        proposal: String,
    },
    /// The sender's draw offer is open.
    OfferIsOpen,
    /// An engine declines a draw.
    DrawDeclined {
        /// The engine.
        player: String,
    },
    /// No proposal awaits the sender's answer.
    NothingProposed,
    /// A rematch is for a finished game.
    GameGoesOn,
    /// Partners cannot exchange their sides.
    PartnersPlay,
    /// Partners may not talk while they play.
    PartnersTalk,

    /// No opponent who has left is to move.
    NothingToClaim,
    /// The opponent is still connected.
    HasNotLeft {
        /// The opponent.
        player: String,
    },
    /// The opponent left too short a time ago.
    LeftJustNow {
        /// The opponent.
        player: String,
        /// Seconds since then.
        away: u64,
        /// Seconds after which the game can be claimed.
        wait: u64,
    },

    /// No move to take back.
    NothingToUndo,
    /// No move to play again.
    NothingToRedo,
    /// No move in this direction.
    NoFurtherMove,
    /// The tree has no such node.
    NoNode {
        /// The node.
        node: usize,
        /// The last node.
        last: usize,
    },
    /// A number is out of its range.
    OutOfRange {
        /// What the number counts.
        what: Amount,
        /// The smallest one allowed.
        least: f64,
        /// The largest one allowed.
        most: f64,
    },

    /// No engine is thinking.
    NothingToStop,
    /// The engine's search already has a limit.
    HasLimit,
    /// A search would never end.
    NoLimit,
    /// The sender's last question is not answered yet, or too many are open.
    QuestionIsOpen,
    /// No analysis is running.
    NoAnalysis,
    /// The node to analyse is the end of a game.
    OverThere,
    /// The game to review has no moves.
    NothingToReview,
    /// The analysing engine failed, or an engine rejects an option.
    Engine {
        /// In the words of the engine.
        reason: String,
    },

    /// There is no such seat.
    NoSeat {
        /// The seat.
        seat: SeatId,
    },
    /// The seat's guest is connected.
    SeatIsUsed {
        /// The side.
        side: String,
        /// The guest.
        guest: String,
    },
    /// The seat is not free for the joining client.
    SeatIsTaken,
    /// No seat is kept for the token.
    UnknownToken,
    /// The client has already joined.
    HasJoined,
    /// A seat for a guest cannot have an engine.
    EngineForGuest,
    /// There is no such guest.
    NoGuest,
    /// The host cannot be removed.
    HostStays,

    /// A file cannot be used.
    File {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file contains another game.
    OtherGame {
        /// The path.
        path: PathBuf,
        /// The game in it.
        found: GameSpec,
        /// The table's game.
        wanted: GameSpec,
    },
    /// The name of a file to save has an unknown ending.
    FileName {
        /// The path.
        path: PathBuf,
    },
    /// There is no folder for the results that an adaptive level follows.
    NoRatings,
    /// The system or the input fails: the text says how.
    Failed {
        /// What failed.
        reason: String,
    },
}

/// What a number in a request counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// The pause before a move.
    Pause,
    /// The level of engines.
    Level,
    /// The lines of an analysis.
    Lines,
    /// The time of an analysis, or of each position of a review.
    Time,
    /// The moves of a line.
    Moves,
}

impl Refusal {
    /// The reason for people at this kind of client.
    pub fn sentence(&self, voice: Voice) -> String {
        let name = |command: CommandId| command.row().name(voice);
        match self {
            Refusal::TooManyRequests => "Too many requests. Wait a moment.".to_owned(),
            Refusal::OnlyHost { command } => {
                format!("Only the host can use {}.", name(*command))
            }
            Refusal::OnlyPlayers { command } => {
                format!("You are watching. Only players can use {}.", name(*command))
            }
            Refusal::NotPlaying => "You do not play in this game.".to_owned(),
            Refusal::Starting => "The engines are starting. Wait a moment.".to_owned(),
            Refusal::GameOver => format!(
                "The game is over. Use {} to start another, or {} to take a move back.",
                name(CommandId::New),
                name(CommandId::Undo)
            ),
            Refusal::OthersTurn { player } => format!("{player} is to move."),
            Refusal::EnginesTurn { player } => format!("{player}, an engine, is to move."),
            Refusal::PositionChanged => {
                "The position has changed. Look at it and move again.".to_owned()
            }
            Refusal::Rules { reason } | Refusal::Failed { reason } => reason.clone(),

            Refusal::NoHelpForPartners => {
                "This game is played without hints and analysis.".to_owned()
            }
            Refusal::HelpIsOff => "Hints and analysis are off: both players must agree to them \
                                   before the first move."
                .to_owned(),
            Refusal::HelpIsAsked { player } => format!(
                "Hints and analysis are off between two people. {player} is asked to allow them for both."
            ),
            Refusal::AnswerFirst { proposal } => {
                let [accept, decline] = [CommandId::Accept, CommandId::Decline].map(name);
                format!("{proposal}. Answer first: {accept} or {decline}.")
            }
            Refusal::OfferIsOpen => {
                "Your draw offer is still open. Wait for the answer.".to_owned()
            }
            Refusal::DrawDeclined { player } => format!("{player} declines the draw."),
            Refusal::NothingProposed => "There is no proposal to answer.".to_owned(),
            Refusal::GameGoesOn => "This game is not over. Finish it first.".to_owned(),
            Refusal::PartnersPlay => "Partners cannot exchange their sides.".to_owned(),
            Refusal::PartnersTalk => "Partners may not chat while the game runs.".to_owned(),

            Refusal::NothingToClaim => {
                "A game can be claimed only while an opponent who has left is to move.".to_owned()
            }
            Refusal::HasNotLeft { player } => format!("{player} has not left."),
            Refusal::LeftJustNow { player, away, wait } => {
                format!("{player} left {away} s ago. The game can be claimed after {wait} s.")
            }

            Refusal::NothingToUndo => "There is no move to take back.".to_owned(),
            Refusal::NothingToRedo => "There is no move to play again.".to_owned(),
            Refusal::NoFurtherMove => "There is no further move.".to_owned(),
            Refusal::NoNode { node, last } => {
                format!("There is no position {node}: the last one is {last}.")
            }
            Refusal::OutOfRange { what, least, most } => {
                let (what, unit) = match what {
                    Amount::Pause => ("The pause must be", " seconds"),
                    Amount::Level => ("The level must be", ""),
                    Amount::Lines => ("An analysis shows", " lines"),
                    Amount::Time => ("The time must be", " seconds"),
                    Amount::Moves => ("A line has", " moves"),
                };
                format!("{what} {least} to {most}{unit}.")
            }

            Refusal::NothingToStop => "No engine is thinking.".to_owned(),
            Refusal::HasLimit => "This engine already has a limit.".to_owned(),
            Refusal::NoLimit => "Give the search a limit.".to_owned(),
            Refusal::QuestionIsOpen => {
                "Another question is being answered. Wait for its answer.".to_owned()
            }
            Refusal::NoAnalysis => "No analysis is running.".to_owned(),
            Refusal::OverThere => "The game is over there: there is nothing to analyse.".to_owned(),
            Refusal::NothingToReview => "There are no moves to review.".to_owned(),
            Refusal::Engine { reason } => reason.clone(),

            Refusal::NoSeat { seat } => format!("There is no seat {seat}."),
            Refusal::SeatIsUsed { side, guest } => {
                format!("{side} is the seat of {guest}, who is connected.")
            }
            Refusal::SeatIsTaken => {
                "This seat is taken, or not kept for a guest. You can join to watch.".to_owned()
            }
            Refusal::UnknownToken => {
                "This seat is no longer kept for you. Ask the host for a new link.".to_owned()
            }
            Refusal::HasJoined => "You have already joined.".to_owned(),
            Refusal::EngineForGuest => {
                "A guest's seat is for a person, not for an engine.".to_owned()
            }
            Refusal::NoGuest => "There is no such guest.".to_owned(),
            Refusal::HostStays => "The host cannot be removed.".to_owned(),

            Refusal::File { path, reason } => format!("{}: {reason}", path.display()),
            Refusal::OtherGame {
                path,
                found,
                wanted,
            } => format!(
                "{} contains a game of {found}, and this table plays {wanted}.",
                path.display()
            ),
            Refusal::FileName { path } => format!(
                "{}: the name must end in .pgn, or in .jsonl for a ledger with all branches",
                path.display()
            ),
            Refusal::NoRatings => {
                "The level cannot follow your results: there is no folder for them.".to_owned()
            }
        }
    }
}

/// In the words of the JSON.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Voice::Json))
    }
}

impl std::error::Error for Refusal {}

/// Serializes a refusal with its sentence, `why`, for programs that show it.
pub(super) fn spoken<S: Serializer>(refusal: &Refusal, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Spoken<'a> {
        #[serde(flatten)]
        refusal: &'a Refusal,
        why: String,
    }
    let why = refusal.to_string();
    Spoken { refusal, why }.serialize(serializer)
}
