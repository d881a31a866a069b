//! Flags of other match runners: the error names Linesman's flag instead of the nearest spelling.

use std::ffi::OsString;

use crate::usage::{Done, Failure};

/// The page of matches. Its last table has the flags of fastchess and cutechess-cli, and ours.
const PAGE: &str = include_str!("match.md");

/// The row of the table for a flag of another match runner with its dash, or for a word of theirs: Linesman's, or the reason
/// that there is none.
pub(crate) fn hint(name: &str) -> Option<String> {
    let (_, table) = PAGE.split_once("| theirs | ours |\n")?;
    let is_it = |(theirs, _): &(&str, &str)| {
        let mut flags = theirs.split('`').skip(1).step_by(2);
        flags.any(|flag| flag.replace("--", "-").split([' ', '=']).next() == Some(name))
    };
    let mut rows = table.lines().filter_map(|line| line.split_once(" | "));
    let (_, ours) = rows.find(is_it)?;
    Some(ours.trim_end_matches(" |").replace('`', ""))
}

/// Rejects flags of other match runners, and long flags after a single dash, since clap reads `-engine` as short
/// flags.
pub(crate) fn refuse(args: &[OsString], command: &clap::Command) -> Done {
    let named = args.get(1).and_then(|word| word.to_str());
    let is_match = named == Some("match");
    let (mut refused, mut unknown) = (Vec::new(), Vec::new());
    let chosen = named.and_then(|name| command.find_subcommand(name));
    let program = command.get_name();
    for arg in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        let Some(name) = arg.strip_prefix('-') else {
            continue;
        };
        let is_double = name.starts_with('-');
        let name = name.strip_prefix('-').unwrap_or(name);
        if matches!(name, "help" | "version") {
            continue;
        }
        let is_ours = knows(chosen.unwrap_or(command), name);
        if is_ours && !is_double && name.len() > 1 {
            let has_match = command.find_subcommand("match").is_some();
            let which = if has_match { "match GAME" } else { "COMMAND" };
            refused.push(match chosen {
                Some(_) => format!("unknown flag -{name}: write --{name}"),
                None => format!("-{name} without a command: write {program} {which} --{name} ..."),
            });
        } else if is_match
            && !is_ours
            && let Some(ours) = hint(&format!("-{name}"))
        {
            refused.push(format!("unknown flag {arg}: Linesman has {ours}"));
        } else if let Some(command) = chosen.filter(|_| is_double && !name.is_empty()) {
            let flag = name.split('=').next().unwrap_or_default();
            if flag != "rules" && !knows(command, flag) {
                let name = command.get_name();
                unknown.push(format!(
                    "unknown flag --{flag}: {program} help {name} lists all flags"
                ));
            }
        }
        if chosen.is_none() && !refused.is_empty() {
            break;
        }
    }
    if is_match {
        refused.extend(args.windows(2).filter_map(file_after_flag));
    }
    if named == Some("play") && has_password_word(args) {
        refused.push(
            "--password: other users of this machine would see the word: write it to a file, as in --password-file FILE, \
             or give --password alone to be asked for it"
                .to_owned(),
        );
    }
    // Clap explains a single one, with the nearest spelling.
    if refused.len() + unknown.len() > 1 {
        refused.append(&mut unknown);
    }
    match refused.is_empty() {
        true => Ok(()),
        false => Err(Failure::Several(refused)),
    }
}

/// The error of a flag whose path is named by `file=`, as those of other runners are.
fn file_after_flag(words: &[OsString]) -> Option<String> {
    let flag = words[0].to_str()?;
    let path = words[1].to_str()?.strip_prefix("file=")?;
    ["--pgn", "--log", "--epdout", "--ledger", "--save-plan"].contains(&flag).then(|| {
        format!(
            "{flag} file={path}: write {flag} {path}; further words are flags too, as --pgn-append and --log-level"
        )
    })
}

/// `true` if a word that is not the game follows `--password`.
fn has_password_word(args: &[OsString]) -> bool {
    let is_word = |arg: &OsString| !arg.to_string_lossy().starts_with('-');
    let has_game = args.get(2).is_some_and(is_word);
    let is_given = |arg: &OsString| arg.to_string_lossy().starts_with("--password=");
    let mut pairs = args.windows(2);
    pairs.any(|pair| has_game && pair[0] == "--password" && is_word(&pair[1]))
        || args.iter().any(is_given)
}

/// `true` if the command or one of its subcommands has this flag.
fn knows(command: &clap::Command, flag: &str) -> bool {
    command.get_arguments().any(|arg: &clap::Arg| {
        let aliases = arg.get_all_aliases().unwrap_or_default();
        arg.get_long() == Some(flag) || aliases.contains(&flag)
    }) || command.get_subcommands().any(|below| knows(below, flag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    fn refused(line: &str) -> Option<String> {
        let args: Vec<OsString> = line.split(' ').map(Into::into).collect();
        match refuse(&args, &command()) {
            Ok(()) => None,
            Err(Failure::Several(lines)) => Some(lines.join("\n")),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn single_dashes_are_explained() {
        let text = refused("linesman match susan -engine cmd=a");
        assert_eq!(
            text.as_deref(),
            Some("unknown flag -engine: write --engine")
        );
        let text = refused("linesman -engine cmd=a -each tc=1").expect("a hint");
        assert!(
            text.contains("write linesman match GAME --engine"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1);
        let text = refused("linesman match susan -engine cmd=a -rounds 3 -pgnout x");
        assert_eq!(text.map(|text| text.lines().count()), Some(3));
        for word in ["--engine", "-h", "-", "engine", "-unheard"] {
            assert_eq!(refused(&format!("linesman {word}")), None);
        }
    }

    #[test]
    fn flags_of_other_runners_lead_to_ours() {
        for (flag, ours) in [
            ("-rounds", "--games 20, all games"),
            ("--rounds", "--games 20, all games"),
            ("-pgnout", "--pgn new.pgn"),
            ("--ratinginterval", "--rating-interval 20"),
        ] {
            let text = refused(&format!("linesman match susan {flag} 3")).expect(flag);
            assert!(
                text.starts_with(&format!("unknown flag {flag}: Linesman has {ours}")),
                "{text}"
            );
        }
        let several = refused(
            "linesman match susan --engin builtin --rounds 2 --gamez=3 --games 2 --rules cmd=a --json",
        );
        let several = several.expect("three are unknown");
        assert_eq!(several.lines().count(), 3, "{several}");
        assert!(several.contains("unknown flag --gamez: linesman help match lists all flags"));
        assert_eq!(refused("linesman match susan --gamez 3"), None);
        // A later version may give another command one of these flags.
        assert_eq!(refused("linesman stats l --rounds"), None);
    }
}
