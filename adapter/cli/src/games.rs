//! The games that `linesman` knows: one line each, and nowhere else.

use referee::registry::{GameEntry, Registry};

/// All games, in the order of the documents that they come from.
pub static GAMES: Registry = Registry(&[
    GameEntry::of::<graph_hockey::GraphHockey>("draw the puck's path into your goal (Robert Maas)")
        .asking(&[
            ("Side", "Distance on either side of the goals, in inches"),
            ("Gap", "Distance between the goals, in inches"),
        ]),
    GameEntry::of::<gobblet::Gobblet>("gobble up and line up (Thierry Denoual)"),
    GameEntry::of::<susan::Susan>("surround a stone on a hexagonal board (Stephen Linhart)"),
    GameEntry::of::<projex::Projex>("close a loop round the projective plane (Bill Taylor)"),
    GameEntry::of::<entropy::Entropy>(
        "touch the enemy with every piece, never your own (Augustine Carreno)",
    ),
]);
