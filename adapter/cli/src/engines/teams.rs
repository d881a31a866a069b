//! `--team`: engines that take turns as one side.

use std::collections::HashSet;

use record::engine_spec::EngineSpec;
use record::plan::PARTNERS;

use crate::usage::{Failure, OrFail};

/// The engines of each team, as indices.
pub(crate) fn find(
    teams: &[Vec<String>],
    engines: &[EngineSpec],
) -> Result<Vec<Vec<usize>>, Failure> {
    let member = |name: &String| find_engine(name, engines).or_usage("--team");
    let members = |names: &Vec<String>| names.iter().map(member).collect();
    let found: Vec<Vec<usize>> = teams.iter().map(members).collect::<Result<_, _>>()?;
    check(&found, engines).or_usage("--team")?;
    Ok(found)
}

fn find_engine(name: &str, engines: &[EngineSpec]) -> Result<usize, String> {
    let is_it = |engine: &EngineSpec| engine.name.as_deref() == Some(name);
    let mut found = (0..).zip(engines).filter(|(_, engine)| is_it(engine));
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(index),
        (Some(_), Some(_)) => Err(format!(
            "{name:?}: two engines have this name=: expected one"
        )),
        (None, _) => Err(format!("{name:?}: expected the name= of an engine")),
    }
}

fn check(teams: &[Vec<usize>], engines: &[EngineSpec]) -> Result<(), String> {
    let name = |index: &usize| engines[*index].name.as_deref().unwrap_or_default();
    let mut placed = HashSet::new();
    if let Some(twice) = teams.iter().flatten().find(|index| !placed.insert(**index)) {
        return Err(format!(
            "{:?} appears twice: expected each engine in one team, once",
            name(twice)
        ));
    }
    for team in teams {
        let clock = |index: &usize| (engines[*index].limit, engines[*index].margin_ms);
        if let Some(other) = team.iter().find(|index| clock(index) != clock(&team[0])) {
            let (first, second) = (name(&team[0]), name(other));
            return Err(format!(
                "{first:?} and {second:?} share a clock: expected the same limit and timemargin"
            ));
        }
    }
    let alone = (0..engines.len()).filter(|index| !placed.contains(index));
    let alone = alone.filter_map(|index| engines[index].name.clone());
    let joined = |team: &Vec<usize>| team.iter().map(name).collect::<Vec<_>>().join(PARTNERS);
    let mut taken: HashSet<String> = alone.collect();
    match teams
        .iter()
        .map(joined)
        .find(|name| !taken.insert(name.clone()))
    {
        Some(name) => Err(format!(
            "two sides have the name {name:?}: expected different names"
        )),
        None => Ok(()),
    }
}
