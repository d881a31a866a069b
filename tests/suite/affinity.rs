//! `--affinity`: the engines of each game run on separate CPUs.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;

use laws::needed::lacking;

use crate::support::{Done, Folder, SCRIPTED, begins, has};

/// The CPUs that this process may use, as the system lists them.
fn allowed() -> Vec<usize> {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system tells");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let ranges = line.expect("a list").trim().split(',').map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.parse::<usize>().expect("a number");
        number(first)..=number(last)
    });
    ranges.flatten().collect()
}

/// An engine that writes down the CPUs that it may use.
fn write_engine(folder: &Folder) {
    let script =
        format!("#!/bin/sh\ngrep Cpus_allowed_list /proc/$$/status >> seen\nexec {SCRIPTED}\n");
    folder.write("noting", script);
    folder.shell("chmod +x noting").exits(0);
}

fn seen(folder: &Folder) -> BTreeSet<String> {
    let text = folder.read("seen");
    let lists = text
        .lines()
        .map(|line| line.split_whitespace().last().expect("a list"));
    lists.map(str::to_owned).collect()
}

fn plays(folder: &Folder, words: &str) -> Done {
    folder.linesman(words).exits(0)
}

const TWO: &str = "match susan --engine cmd=./noting name=A --engine cmd=./noting name=B --each nodes=20 restart=on";

#[test]
fn engines_run_where_they_are_pinned() {
    let folder = Folder::new("affinity");
    write_engine(&folder);
    let last = *allowed().last().expect("one CPU at least");
    plays(
        &folder,
        &format!("{TWO} --games 4 --ledger l --affinity {last}"),
    );
    assert_eq!(seen(&folder), BTreeSet::from([last.to_string()]));
    let (plan, _) = folder.ledger("l");
    assert_eq!(plan["plan"]["affinity"], last.to_string());
}

#[test]
fn games_at_once_share_no_cpu() {
    let cpus = allowed();
    let folder = Folder::new("affinity-two");
    if cpus.len() < 2 {
        return lacking("there is one CPU here", "run it where there are two");
    }
    write_engine(&folder);
    plays(
        &folder,
        &format!("{TWO} --games 40 --concurrency 2 --ledger l --affinity"),
    );
    let seen = seen(&folder);
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(
        seen.iter()
            .all(|list| list.parse::<usize>().is_ok_and(|cpu| cpus.contains(&cpu)))
    );
}

#[test]
fn too_few_cpus_are_an_error_before_the_first_engine() {
    let folder = Folder::new("affinity-few");
    write_engine(&folder);
    let n_cpus = allowed().len();
    for (words, needed) in [
        (
            format!("--concurrency {} --affinity", n_cpus + 1),
            n_cpus + 1,
        ),
        ("--affinity --each option.Threads=500".to_owned(), 500),
        (
            "--affinity --each option.Threads=500 ponder".to_owned(),
            1000,
        ),
    ] {
        let done = folder
            .linesman(&format!("{TWO} --games 2 {words} --ledger l"))
            .exits(1);
        let why = format!("needs {needed} CPUs");
        begins(&done.stderr, "error: --affinity: ");
        has(&done.stderr, &why);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
    assert!(!folder.has("seen") && !folder.has("l"));
    folder
        .linesman(&format!("{TWO} --affinity 1023 --ledger l"))
        .fails(1, "CPU 1023 is not among those");
    folder.linesman(&format!("{TWO} --affinity 3-1")).exits(2);
}
