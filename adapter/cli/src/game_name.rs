//! Names of games: exact on command lines, which scripts write; where a person is asked and sees the choice, as people type
//! them: in any case, with or without hyphens, or abbreviated to an unambiguous prefix.

use kit::GameEntry;
use kit::options::or_list;
use record::game_spec::{ANY, GameSpec};
use record::registry::{Registry, Rules};
use referee::rules_program::defaults_of;

use crate::usage::{Done, Failure, OrFail, refuse};

/// Maximum number of typing errors in a name that is suggested as a correction.
const MAX_ERRORS: usize = 2;

/// Parses `NAME[:OPTION=VALUE,...]` with the exact name, for a command that needs rules. The result also has the options
/// that the engines file or `--rules` sets.
pub fn parse_game(text: &str, registry: Registry) -> Done<GameSpec> {
    parse_with(text, registry, exact, ANY_WITH_RULES).or_usage("GAME")
}

/// As [`parse_game`], for a command that also takes a game without rules.
pub fn parse_game_or_any(text: &str, registry: Registry) -> Done<GameSpec> {
    parse_with(text, registry, exact, ANY).or_usage("GAME")
}

/// Parses `NAME[:OPTION=VALUE,...]` as a person types it; otherwise like [`parse_game`]. The error does not name the
/// argument.
pub fn parse_typed_game(text: &str, registry: Registry) -> Result<GameSpec, String> {
    parse_with(text, registry, find, ANY_WITH_RULES)
}

/// `any` is how the command takes a game without built-in rules, for the error; empty if it takes none.
type Find = fn(typed: &str, registry: Registry, any: &'static str) -> Result<&'static str, String>;

fn parse_with(
    text: &str,
    registry: Registry,
    find: Find,
    any: &'static str,
) -> Result<GameSpec, String> {
    let mut spec = GameSpec::parse(text)?;
    let mut name = find(&spec.name, registry, any)?;
    // With --rules, any game is theirs.
    let first = registry.games().first();
    if let (ANY, Some(first)) = (name, first.filter(|first| first.is_of_program())) {
        name = first.name;
    }
    for (default, value) in defaults_of(registry.find(name).map_or(&[][..], |entry| entry.args)) {
        let is_default = |(own, _): &(String, _)| own.eq_ignore_ascii_case(default);
        if !spec.options.iter().any(is_default) {
            spec.options.push((default.to_owned(), value.to_owned()));
        }
    }
    name.clone_into(&mut spec.name);
    Ok(spec)
}

/// The registry's entry of the game that a text names.
pub fn parse_entry(text: &str, registry: Registry) -> Done<&'static GameEntry> {
    let game = parse_with(text, registry, exact, "").or_usage("GAME")?;
    if game.name == ANY {
        let known = or_list(&names(registry));
        return refuse!("GAME: any has no built-in engine: name {known}");
    }
    if text.contains(':') {
        return refuse!("GAME: {game}: name {} alone, without options", game.name);
    }
    Ok(registry.find(&game.name)?)
}

/// A game without built-in rules, for a command that needs rules.
pub(crate) const ANY_WITH_RULES: &str = "any with --rules";

/// The error of a command line without a game; `any` is how the command takes a game without built-in rules.
pub fn missing_game(registry: Registry, any: &'static str) -> Failure {
    Failure::Usage(format!("GAME is missing: name {}", expected(registry, any)))
}

/// The rules of a game in the words of [`parse_game`]; it is an error if it has none.
pub fn rules_of(text: &str, registry: Registry) -> Done<Rules> {
    rules(registry, &parse_game(text, registry)?)
}

/// The rules of a game; it is an error if it has none.
pub fn rules(registry: Registry, game: &GameSpec) -> Done<Rules> {
    registry.rules(game)?.ok_or("any has no rules of its own: add --rules cmd=PROGRAM, or name a game that linesman games lists").or_usage("GAME")
}

/// `true` if a word among an engine's words is a game, with or without options.
pub fn looks_like_game(word: &str) -> bool {
    !matches!(word, "builtin" | "ponder")
        && !word.starts_with("option.")
        && word.split([':', '=']).next() == word.split(':').next()
}

fn names(registry: Registry) -> Vec<&'static str> {
    registry.games().iter().map(|entry| entry.name).collect()
}

/// Finds a game by its name, or a hint at the one that may be meant.
fn exact(typed: &str, registry: Registry, any: &'static str) -> Result<&'static str, String> {
    let mut known = names(registry).into_iter().chain([ANY]);
    let near = || match find(typed, registry, any) {
        Ok(near) => unknown(typed, Some(near), registry, any),
        Err(why) => why,
    };
    known.find(|name| *name == typed).ok_or_else(near)
}

/// Finds a game as a person types it. The first way in which exactly one game fits decides.
fn find(typed: &str, registry: Registry, any: &'static str) -> Result<&'static str, String> {
    let wanted = fold(typed);
    let games = registry.games().iter().map(|entry| match entry.args {
        [] => (entry.name, vec![entry.name, entry.about().title]),
        // The title of a program's game is known only once it runs.
        _ => (entry.name, vec![entry.name]),
    });
    let known: Vec<_> = games.chain([(ANY, vec![ANY])]).collect();
    let is_whole = |text: &str| fold(text) == wanted;
    let is_begun =
        |text: &str| !wanted.is_empty() && beginnings(text).any(|text| text.starts_with(&wanted));
    // `Gobblet! Jr.`, `e-mail Entropy`.
    let is_among = |text: &str| {
        let mut words = typed.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| fold(word) == fold(text))
    };
    // `grhock`.
    let is_shortened = |text: &str| {
        let words: Vec<String> = text.split([' ', '-']).map(fold).collect();
        is_shortened(&wanted, &words)
    };
    let ways: [&dyn Fn(&str) -> bool; 4] = [&is_whole, &is_begun, &is_among, &is_shortened];
    for fits in ways {
        let fits = |(_, texts): &&(_, Vec<&str>)| texts.iter().any(|text| fits(text));
        let fitting: Vec<&'static str> = known.iter().filter(fits).map(|(name, _)| *name).collect();
        match fitting.as_slice() {
            [] => {}
            [name] => return Ok(name),
            several => {
                let several = or_list(several);
                return Err(format!("{typed:?} may be {several}: type more letters"));
            }
        }
    }
    let names = names(registry);
    let distance = |name: &&&'static str| {
        let n_errors = beginnings(name).map(|text| strsim::damerau_levenshtein(&text, &wanted));
        n_errors.min().unwrap_or(usize::MAX)
    };
    let near = names.iter().min_by_key(distance);
    let near = near.filter(|name| distance(name) <= MAX_ERRORS.min(wanted.len() / 2));
    Err(unknown(typed, near.copied(), registry, any))
}

/// `true` if a text consists of beginnings of all the words, at least two letters of each.
fn is_shortened(text: &str, words: &[String]) -> bool {
    match words {
        [] => text.is_empty(),
        [first, rest @ ..] => (2..=text.len().min(first.len()))
            .any(|n| text[..n] == first[..n] && is_shortened(&text[n..], rest)),
    }
}

/// The letters and digits of a text, in lower case.
fn fold(text: &str) -> String {
    let kept = text.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// The folded texts of which an abbreviation may be a prefix: the whole name, and each word of it.
fn beginnings(name: &str) -> impl Iterator<Item = String> {
    std::iter::once(fold(name)).chain(name.split([' ', '-']).map(fold))
}

/// The error of a name that no game has, with the one that may be meant.
fn unknown(typed: &str, near: Option<&str>, registry: Registry, any: &'static str) -> String {
    let known = expected(registry, any);
    match near {
        Some(near) => {
            format!("unknown game {typed:?}: did you mean {near}? The games are {known}")
        }
        None => format!("unknown game {typed:?}: the games are {known}"),
    }
}

/// The games that a command takes.
fn expected(registry: Registry, any: &'static str) -> String {
    let any = Some(any).filter(|any| !any.is_empty());
    or_list(&names(registry).into_iter().chain(any).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;

    #[test]
    fn games_are_found_by_what_people_type() {
        for (typed, name) in [
            ("susan", "susan"),
            ("SUSAN", "susan"),
            ("s", "susan"),
            ("Graph Hockey", "graph-hockey"),
            ("graphhockey", "graph-hockey"),
            ("graph_hockey", "graph-hockey"),
            ("hockey", "graph-hockey"),
            ("Hock", "graph-hockey"),
            ("gob", "gobblet"),
            ("ENTROPY", "entropy"),
            ("ANY", "any"),
            ("Gobblet! Jr.", "gobblet"),
            ("e-mail Entropy", "entropy"),
            ("grhock", "graph-hockey"),
        ] {
            assert_eq!(find(typed, GAMES, ANY), Ok(name), "{typed}");
        }
        let spec = parse_typed_game("Proj:Size=5", GAMES).expect("a game");
        assert_eq!(spec.to_string(), "projex:Size=5");
        assert!(parse_game("Proj:Size=5", GAMES).is_err());
    }

    #[test]
    fn scripts_write_whole_names() {
        assert_eq!(exact("graph-hockey", GAMES, ANY), Ok("graph-hockey"));
        assert_eq!(exact("any", GAMES, ANY), Ok("any"));
        for (typed, hint) in [
            ("go", "did you mean gobblet?"),
            ("SUSAN", "did you mean susan?"),
            ("graphhockey", "did you mean graph-hockey?"),
            ("susna", "did you mean susan?"),
            ("g", "may be graph-hockey or gobblet"),
            ("chess", ": the games are graph-hockey, gobblet"),
        ] {
            let why = exact(typed, GAMES, ANY).expect_err(typed);
            assert!(why.contains(hint), "{why}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_what_is_near() {
        let error = |typed| find(typed, GAMES, ANY).expect_err(typed);
        assert_eq!(
            error("g"),
            "\"g\" may be graph-hockey or gobblet: type more letters"
        );
        for (typed, near) in [
            ("susna", "susan"),
            ("goblet", "gobblet"),
            ("hocky", "graph-hockey"),
        ] {
            let error = error(typed);
            assert!(error.contains(&format!("did you mean {near}?")), "{error}");
        }
        let all = "the games are graph-hockey, gobblet, susan, projex, entropy or any";
        for typed in ["chess", "", "x", ":"] {
            assert_eq!(error(typed), format!("unknown game {typed:?}: {all}"));
        }
    }
}
