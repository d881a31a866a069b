//! The registry of all games: one line for each game, and the only place that lists them.

use record::registry::Registry;

/// All games, in the order of their specifications.
pub static GAMES: Registry = Registry(&[
    &graph_hockey::GAME,
    &gobblet::GAME,
    &susan::GAME,
    &projex::GAME,
    &entropy::GAME,
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_about_every_game_is_true() {
        for entry in GAMES.games() {
            laws::check_about(entry);
        }
    }

    #[test]
    fn the_lesson_of_every_game_can_be_done() {
        for entry in GAMES.games() {
            laws::check_lesson(entry);
        }
    }

    #[test]
    fn the_recorded_game_of_every_game_ends_by_the_rules() {
        for entry in GAMES.games() {
            laws::check_game(entry);
        }
    }

    #[test]
    fn the_positions_of_every_game_show_its_rules() {
        for entry in GAMES.games() {
            laws::check_positions(entry);
            laws::check_places(entry);
        }
    }
}
