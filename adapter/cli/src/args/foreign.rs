//! Flags of other match runners: the error names Linesman's flag instead of the nearest spelling.

use std::ffi::OsString;

use crate::usage::Failure;

/// Flags of fastchess and cutechess-cli for `match` that have another name in Linesman, or need none.
const FOREIGN: &str = include_str!("foreign.txt");

/// The flag of Linesman for a flag of another match runner, or the reason that there is none.
pub(super) fn hint(name: &str) -> Option<&'static str> {
    let mut flags = FOREIGN.lines().filter_map(|line| line.split_once(": "));
    let found = flags.find(|(foreign, _)| *foreign == name);
    found.map(|(_, ours)| ours)
}

/// Rejects flags of other match runners, and long flags after a single dash, since clap reads `-engine` as short
/// flags.
pub(super) fn refuse(args: &[OsString], command: &clap::Command) -> Result<(), Failure> {
    let named = args.get(1).and_then(|word| word.to_str());
    if matches!(named, Some("fastchess" | "cutechess")) {
        return Ok(());
    }
    let is_match = named == Some("match");
    let (mut refused, mut unknown) = (Vec::new(), Vec::new());
    let chosen = named.and_then(|name| command.find_subcommand(name));
    for arg in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        let Some(name) = arg.strip_prefix('-') else {
            continue;
        };
        let (name, is_double) = match name.strip_prefix('-') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let is_ours = knows(chosen.unwrap_or(command), name);
        let foreign = hint(name).filter(|_| is_match);
        if is_ours && !is_double && name.len() > 1 {
            refused.push(match chosen {
                Some(_) => format!("unknown flag -{name}: expected --{name}"),
                None => format!(
                    "-{name} without a command: expected linesman match GAME --{name} ..., \
                     or linesman fastchess ... for a command line of fastchess"
                ),
            });
        } else if let Some(ours) = foreign.filter(|_| !is_ours) {
            refused.push(format!("unknown flag {arg}: expected {ours}"));
        } else if let Some(command) = chosen.filter(|_| is_double && !name.is_empty()) {
            let flag = name.split('=').next().unwrap_or_default();
            if !["help", "version", "rules"].contains(&flag) && !knows(command, flag) {
                let name = command.get_name();
                unknown.push(format!(
                    "unknown flag --{flag}: expected one that linesman {name} --help lists"
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
    ["--pgn", "--log", "--epdout", "--ledger", "--save-config"].contains(&flag).then(|| {
        format!(
            "{flag} file={path}: expected {flag} {path}; further words are flags too, as --pgn-append and --log-level"
        )
    })
}

/// `true` if the command or one of its subcommands has this flag.
fn knows(command: &clap::Command, flag: &str) -> bool {
    let mut flags = command.get_arguments().filter_map(clap::Arg::get_long);
    flags.any(|long| long == flag) || command.get_subcommands().any(|below| knows(below, flag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::command;

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
            Some("unknown flag -engine: expected --engine")
        );
        let text = refused("linesman -engine cmd=a -each tc=1").expect("a hint");
        assert!(
            text.contains("expected linesman match GAME --engine"),
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
            ("-rounds", "--games N"),
            ("--rounds", "--games N"),
            ("-pgnout", "--pgn FILE"),
            ("--ratinginterval", "--rating-interval N"),
        ] {
            let text = refused(&format!("linesman match susan {flag} 3")).expect(flag);
            assert!(
                text.starts_with(&format!("unknown flag {flag}: expected {ours}")),
                "{text}"
            );
        }
        let several = refused(
            "linesman match susan --engin builtin --rounds 2 --gamez=3 --games 2 --rules cmd=a --json",
        );
        let several = several.expect("three are unknown");
        assert_eq!(several.lines().count(), 3, "{several}");
        assert!(
            several.contains("unknown flag --gamez: expected one that linesman match --help lists")
        );
        assert_eq!(refused("linesman match susan --gamez 3"), None);
        // A later version may give another command one of these flags.
        assert_eq!(refused("linesman stats l --rounds"), None);
    }

    #[test]
    fn no_flag_is_foreign_and_ours() {
        let command = command();
        let ours = command.find_subcommand("match").expect("there is match");
        for (flag, _) in FOREIGN.lines().filter_map(|line| line.split_once(": ")) {
            assert!(
                ours.get_arguments().all(|arg| arg.get_long() != Some(flag)),
                "{flag}"
            );
        }
    }
}
