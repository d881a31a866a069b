//! Translates lines between the dialects.
//!
//! UGI and UCI differ in the words for the handshake, a new game and the clocks, and in mate distances: UGI counts
//! plies, UCI moves of the side to move.

use protocol::{Command, Dialect, Info, Reply, Score};

/// Translates a client's command for an engine of another dialect.
pub(super) fn translate_command(command: Command, from: Dialect, to: Dialect) -> Command {
    match command {
        Command::Handshake(_) => Command::Handshake(to),
        Command::Go(mut go) => {
            go.mate = go.mate.map(|distance| match (from, to) {
                (Dialect::Ugi, Dialect::Uci | Dialect::Uai) => distance.div_ceil(2),
                (Dialect::Uci | Dialect::Uai, Dialect::Ugi) => {
                    distance.saturating_mul(2).saturating_sub(1)
                }
                _ => distance,
            });
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
                Score::Mate(distance) => Score::Mate(translate_mate(distance, from, to)),
                points => points,
            }),
            ..info
        }),
        other => other,
    }
}

/// Translates a mate distance. A win in n moves is 2n - 1 plies, a loss in n moves 2n plies.
fn translate_mate(distance: i32, from: Dialect, to: Dialect) -> i32 {
    match (from, to) {
        (Dialect::Ugi, Dialect::Uci | Dialect::Uai) if distance > 0 => distance / 2 + distance % 2,
        (Dialect::Ugi, Dialect::Uci | Dialect::Uai) => distance / 2,
        (Dialect::Uci | Dialect::Uai, Dialect::Ugi) if distance > 0 => {
            distance.saturating_mul(2) - 1
        }
        (Dialect::Uci | Dialect::Uai, Dialect::Ugi) => distance.saturating_mul(2),
        _ => distance,
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
        assert_eq!(reply("ugiok", Dialect::Ugi, Dialect::Uci), "uciok");
        assert_eq!(
            reply("info score cp -7", Dialect::Ugi, Dialect::Uci),
            "info score cp -7"
        );
    }
}
