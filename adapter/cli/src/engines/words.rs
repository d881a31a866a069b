//! Parsing of the words that describe an engine, `KEY=VALUE` or bare, into a checked [`EngineSpec`].

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use kit::session::TABLE_PATH;
use protocol::text::{excerpt, is_unsafe};
use record::clock::Limit;
use record::engine_spec::{EngineSpec, ProcessLimits, Program, Proto, Restart};
use record::plan::MAX_WAIT_MS;
use referee::engine::MAX_NAME;

use crate::paths::{self, absolute};
use crate::records::files::refuse_ledger;
use crate::usage::{Done, OrFail, all_sound, refuse};

const EXPECTED: &str = "builtin, conf=, cmd=, arg=, dir=, name=, proto=, tc=, hourglass=, st=, depth=, nodes=, timemargin=, ponder, \
                        option.NAME=, restart=, memory=, startup-ms=, ping-ms=, search-timeout-ms= or stderr=";

/// The limit of an engine without one: a tenth of a second per move.
const DEFAULT_LIMIT: &str = "st=0.1";

/// In place of the words of a program: the program of the first engine (`--rules engine`).
pub(crate) const OF_FIRST_ENGINE: &str = "engine";

/// The words of one engine, each checked: keys, and their values unless they are bare words.
#[derive(Debug, Clone, Default)]
pub struct Words(Vec<(String, Option<String>)>);

impl Words {
    /// The built-in engine with its defaults.
    pub(crate) fn builtin() -> Words {
        Words(vec![("builtin".to_owned(), None)])
    }

    /// Selects the built-in engine if the words name no program.
    pub fn or_builtin(mut self) -> Words {
        if self.find("cmd").is_none() {
            self.0.extend(Words::builtin().0);
        }
        self
    }

    /// Reads the words after a flag without looking up the engine of `conf=`. An error names the flag and each wrong word.
    pub(crate) fn read_plain(flag: &str, words: &[String]) -> Done<Words> {
        let mut read = Words::default();
        all_sound(words.iter().map(|word| read.take(word).or_usage(flag)))?;
        if read.has("builtin") && read.has("cmd") {
            return refuse!("{flag}: builtin and cmd= are two engines: leave out one");
        }
        Ok(read)
    }

    /// Adds a word; an error names it.
    pub(crate) fn take(&mut self, word: &str) -> Result<(), String> {
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (word, None),
        };
        match value {
            Some(value) => check_pair(word, key, value)?,
            None if matches!(key, "builtin" | "ponder") || is_option(key) => {}
            None => return Err(unknown(word)),
        }
        let kind = kind(key);
        let is_repeated = key == "arg" || value.is_none() || is_option(key);
        if !is_repeated && self.0.iter().any(|(known, _)| self::kind(known) == kind) {
            return Err(match kind == key {
                true => format!("{key}= is given twice: leave out one"),
                false => format!("second limit {word}: give one of {kind}"),
            });
        }
        self.0.push((key.to_owned(), value.map(str::to_owned)));
        Ok(())
    }

    fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(known, _)| known == key)
    }

    /// The value of a key.
    pub(crate) fn find(&self, key: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == key)?;
        value.as_deref()
    }

    /// The value of a key as what it was checked to be.
    pub(crate) fn parse<T: FromStr>(&self, key: &str) -> Option<T> {
        self.find(key)?.parse().ok()
    }

    /// The words of a limit: a clock or none, and a search limit, at most one of each.
    pub(crate) fn limits(&self) -> impl Iterator<Item = Limit> {
        let words = self.0.iter();
        words.filter_map(|(key, value)| Limit::parse_word(key, value.as_deref()?)?.ok())
    }

    /// The limit; an error if the words do not go together.
    pub(crate) fn limit(&self) -> Result<Option<Limit>, String> {
        match (self.limits().next(), self.limits().nth(1)) {
            (Some(one), Some(other)) => Ok(Some(one.and(other)?)),
            (Some(Limit::Unlimited), None) => {
                Err("tc=inf does not limit the search: add depth= or nodes=".to_owned())
            }
            (limit, _) => Ok(limit),
        }
    }

    /// The engine that these words describe; `each` supplies missing words.
    pub fn spec(self, flag: &str, each: &Words) -> Done<EngineSpec> {
        let own = self.over(each);
        let path = |key: &str| own.find(key).map(|path| absolute(path.as_ref()));
        let dir = path("dir");
        let args = own.0.iter().filter(|(key, _)| key == "arg");
        let program = match own.find("cmd") {
            _ if own.has("builtin") => Program::Builtin,
            Some(cmd) => Program::Command {
                path: find_program(cmd.as_ref(), dir.as_deref()),
                args: args.filter_map(|(_, value)| value.clone()).collect(),
                dir: dir.clone(),
            },
            None => return refuse!("{flag}: no engine is named: add builtin or cmd=PATH"),
        };
        if let (Program::Command { .. }, Some(dir)) = (&program, dir.filter(|dir| !dir.is_dir())) {
            return refuse!("{flag}: dir={}: there is no such folder", dir.display());
        }
        let limit = own.limit().or_usage(flag)?;
        let limit = limit.unwrap_or_else(|| DEFAULT_LIMIT.parse().expect("the default is a limit"));
        let stderr = path("stderr");
        if let Some(file) = &stderr {
            refuse_ledger("stderr=", file)?;
        }
        let mut process = ProcessLimits::default();
        for (word, limit) in process.by_word() {
            *limit = own.parse(word);
        }
        let options = own.0.iter().filter_map(|(key, value)| {
            Some((key.strip_prefix("option.")?.to_owned(), value.clone()))
        });
        Ok(EngineSpec {
            name: own.find("name").map(str::to_owned),
            program,
            proto: own.parse("proto").unwrap_or_default(),
            limit,
            margin_ms: own.parse("timemargin").unwrap_or(limit.default_margin_ms()),
            ponder: own.has("ponder"),
            options: options.collect(),
            restart: own.parse("restart").unwrap_or_default(),
            process,
            stderr,
        })
    }

    /// These words; `each` gives what they leave out. A program, a limit, the list of arguments and an option are each
    /// replaced as a whole.
    pub(crate) fn over(mut self, each: &Words) -> Words {
        let whole = |key: &str| match key {
            "builtin" | "cmd" => "a program".to_owned(),
            key if kind(key) != key => "a limit".to_owned(),
            key => key.to_ascii_lowercase(),
        };
        let own: Vec<String> = self.0.iter().map(|(key, _)| whole(key)).collect();
        let missing = each.0.iter().filter(|(key, _)| !own.contains(&whole(key)));
        let mut words: Vec<_> = missing.cloned().collect();
        words.append(&mut self.0);
        words.retain(|(key, _)| key != "conf");
        Words(words)
    }
}

/// The words of which an engine has one: all kinds of time, and of depth and nodes. Any other key is alone.
fn kind(key: &str) -> &str {
    match key {
        "tc" | "hourglass" | "st" => "tc, hourglass and st",
        "depth" | "nodes" => "depth and nodes",
        key => key,
    }
}

fn is_option(key: &str) -> bool {
    key.strip_prefix("option.")
        .is_some_and(|name| !name.is_empty())
}

fn check_pair(word: &str, key: &str, value: &str) -> Result<(), String> {
    if let Some(limit) = Limit::parse_word(key, value) {
        return limit.map(drop);
    }
    let is_process = |word: &str| {
        let mut limits = ProcessLimits::default();
        limits.by_word().iter().any(|(known, _)| *known == word)
    };
    let missing = |what: &str| value.is_empty().then(|| format!("add {what}"));
    let number = |range: RangeInclusive<u64>| {
        let is_within = value.parse().is_ok_and(|number| range.contains(&number));
        let (least, most) = (range.start(), range.end());
        (!is_within).then(|| format!("give a whole number from {least} to {most}"))
    };
    let advice = match key {
        "name" => return parse_name(value).map(drop),
        "conf" => missing("the name of an engine"),
        "cmd" if value == "builtin" => {
            Some("write builtin alone, or cmd=./builtin for a program of this name".to_owned())
        }
        "cmd" | "dir" | "stderr" => missing("a path"),
        "proto" if value.parse::<Proto>().is_err() => {
            Some("choose ugi, uci, uai, cecp or gtp".to_owned())
        }
        "restart" if value.parse::<Restart>().is_err() => Some("choose auto, on or off".to_owned()),
        "timemargin" => number(0..=86_400_000),
        "memory" => number(1..=u64::from(u32::MAX)),
        key if is_process(key) => number(1..=MAX_WAIT_MS),
        "arg" | "proto" | "restart" => None,
        key if is_option(key) => None,
        _ => return Err(unknown(word)),
    };
    match advice {
        None => Ok(()),
        Some(advice) => Err(format!("{word}: {advice}")),
    }
}

/// All keys and bare words.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    let words = EXPECTED.split(", ").flat_map(|word| word.split(" or "));
    words.map(|word| word.trim_end_matches('='))
}

fn unknown(word: &str) -> String {
    format!("unknown word {word:?}: the words are {EXPECTED}")
}

pub(crate) fn parse_name(value: &str) -> Result<String, String> {
    let fits = (1..=MAX_NAME).contains(&value.chars().count());
    let is_blank = value.trim().is_empty();
    if !fits || is_blank || value.contains(|c: char| c == '"' || is_unsafe(c)) {
        return Err(format!(
            "name=\"{}\": a name has 1 to {MAX_NAME} characters, not only blanks, and no quotation mark",
            excerpt(value)
        ));
    }
    Ok(value.to_owned())
}

/// The path of a program: one with a slash is relative to the engine's working folder, or else to the current folder; a
/// bare name that is not a file in the current folder is left to the search in `PATH`.
pub(crate) fn find_program(path: &Path, dir: Option<&Path>) -> PathBuf {
    let is_bare = path.components().count() == 1 && !path.to_string_lossy().contains('/');
    match dir {
        _ if is_bare && !path.is_file() => path.to_owned(),
        Some(dir) if !is_bare => absolute(&dir.join(path)),
        _ => absolute(path),
    }
}

/// Points the built-in engine to the folder of `linesman-lab table build`, if that exists and `TablePath` is not set.
pub(crate) fn use_tables(spec: &mut EngineSpec) {
    let is_set = |(name, _): &(String, _)| name.eq_ignore_ascii_case(TABLE_PATH);
    if spec.program != Program::Builtin || spec.options.iter().any(is_set) {
        return;
    }
    let folder = paths::tables().ok().filter(|folder| folder.is_dir());
    if let Some(folder) = folder.as_deref().and_then(Path::to_str) {
        let option = (TABLE_PATH.to_owned(), Some(folder.to_owned()));
        spec.options.push(option);
    }
}

/// Quotes a word for a shell, if necessary.
pub fn quote(word: String) -> String {
    let is_plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '.' | '=' | '-' | '_' | '/' | '+' | ',' | ':')
    };
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    shlex::try_quote(&word).map(Cow::into_owned).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::Failure;

    fn read(line: &str) -> Result<Words, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Words::read_plain("--engine", &words).map_err(|failure| match failure {
            Failure::Usage(text) => text,
            Failure::Several(texts) => texts.join("\n"),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn own_words_win() {
        let each = "st=1 option.Hash=4 option.Seed=7 name=Z timemargin=5 memory=9 ping-ms=3";
        let each = read(each).unwrap();
        let own = read("builtin depth=3 option.hash=8 restart=on memory=8").unwrap();
        let spec = own.spec("--engine", &each).unwrap();
        assert_eq!(spec.limit.to_string(), "depth=3");
        assert_eq!(spec.margin_ms, 5);
        assert_eq!(spec.restart, Restart::On);
        assert_eq!(
            (spec.process.memory, spec.process.ping_ms),
            (Some(8), Some(3))
        );
        let option = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        assert_eq!(spec.options, [option("Seed", "7"), option("hash", "8")]);
    }

    #[test]
    fn a_name_is_short_and_not_blank() {
        for name in ["", "  ", &"x".repeat(MAX_NAME + 1), "a\tb"] {
            let text = parse_name(name).expect_err(name);
            assert!(text.chars().count() < 200, "{text}");
        }
        assert_eq!(parse_name("a b").as_deref(), Ok("a b"));
    }

    #[test]
    fn bad_words_are_named() {
        for (line, named) in [
            ("foo=1", "foo=1"),
            ("susan", "susan"),
            ("cmd=", "cmd="),
            ("builtin cmd=x", "cmd="),
            ("cmd=builtin", "cmd=builtin"),
            ("st=1 tc=2", "tc=2"),
            ("tc=1 hourglass=2", "hourglass=2"),
            ("nodes=1 tc=2 depth=2", "depth=2"),
            ("proto=xboard", "proto=xboard"),
            ("name=a\"b", "name="),
            ("restart=maybe", "restart=maybe"),
            ("timemargin=-1", "timemargin=-1"),
            ("memory=0", "memory=0"),
            ("startup-ms=9999999999999", "startup-ms=9999999999999"),
            ("ping-ms=1 ping-ms=2", "ping-ms="),
            ("option.=1", "option.=1"),
            ("option.", "option."),
            ("name=a name=b", "name="),
        ] {
            let text = read(line).expect_err(line);
            assert!(
                text.starts_with("--engine: ") && text.contains(named) && text.len() > 25,
                "{text}"
            );
        }
    }

    #[test]
    fn all_bad_words_are_named() {
        let text = read("cmd=a st=x foo name=b restart=maybe").expect_err("three mistakes");
        let named = ["st=x", "\"foo\"", "restart=maybe"];
        assert_eq!(text.lines().count(), named.len(), "{text}");
        for (line, word) in text.lines().zip(named) {
            assert!(line.contains(word), "{line}");
        }
    }

    #[test]
    fn limits_stand_together_where_they_can() {
        let limit = |own: &str, each: &str| {
            let each = read(each).expect("sound words");
            let own = read(&format!("builtin {own}")).expect("sound words");
            own.spec("--engine", &each)
                .map(|spec| spec.limit.to_string())
        };
        for (own, each, both) in [
            ("nodes=5 tc=1+1", "st=1", "tc=1+1 nodes=5"),
            ("tc=inf depth=5", "st=1", "depth=5"),
            // Its own limit replaces the whole limit for all engines.
            ("nodes=5", "tc=10", "nodes=5"),
            ("name=a", "tc=10 nodes=5", "tc=10 nodes=5"),
            ("name=a", "name=b", "st=0.1"),
        ] {
            assert_eq!(limit(own, each).expect("a limit"), both, "{own}, {each}");
        }
        for (own, why) in [
            ("st=1 nodes=5", "st= and depth="),
            (
                "tc=inf",
                "tc=inf does not limit the search: add depth= or nodes=",
            ),
        ] {
            match limit(own, "timemargin=5") {
                Err(Failure::Usage(text)) => assert!(text.contains(why), "{text}"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn an_engine_must_be_something() {
        assert!(
            read("st=1")
                .unwrap()
                .spec("--engine", &Words::default())
                .is_err()
        );
    }
}
