//! Lists of CPU numbers.

use std::fmt;
use std::str::FromStr;

use crate::text_serde::serde_as_text;

/// Largest CPU number accepted.
const MAX_CPU: usize = 1023;

/// A list of CPU numbers, written as `0,2,4-7`. The empty list means all CPUs that this process may use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CpuList(pub Vec<usize>);

impl CpuList {
    /// The index of a CPU in the list; 0 if the list does not contain it.
    pub fn rank(&self, cpu: usize) -> usize {
        self.0.iter().position(|known| *known == cpu).unwrap_or(0)
    }
}

impl FromStr for CpuList {
    type Err = String;

    fn from_str(text: &str) -> Result<CpuList, String> {
        let mut cpus = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = first.parse().ok().zip(last.parse().ok());
            let range = range.filter(|(first, last)| first <= last && *last <= MAX_CPU);
            let (first, last) = range.ok_or_else(|| {
                format!("expected numbers of CPUs up to {MAX_CPU}, as in 0,2,4-7")
            })?;
            for cpu in first..=last {
                if cpus.contains(&cpu) {
                    return Err(format!("CPU {cpu} twice: expected each once"));
                }
                cpus.push(cpu);
            }
        }
        Ok(CpuList(cpus))
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

serde_as_text!(CpuList);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_as_numbers_and_ranges() {
        for (text, cpus) in [("", &[][..]), ("3", &[3]), ("0,2,4-6", &[0, 2, 4, 5, 6])] {
            let list: CpuList = text.parse().expect(text);
            assert_eq!(list.0, cpus);
            assert_eq!(list.to_string().parse(), Ok(list));
        }
        for text in ["x", "1,", "-1", "4-2", "1,0-2", "1024", "0 1"] {
            assert!(text.parse::<CpuList>().is_err(), "{text}");
        }
    }
}
