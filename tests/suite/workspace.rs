//! The statements of the architecture page about the whole workspace, compared with its manifests and sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const GAMES: [&str; 5] = ["entropy", "gobblet", "graph-hockey", "projex", "susan"];

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the workspace").to_owned()
}

/// The packages of the workspace, from `cargo metadata`.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .expect("cargo is there");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

fn package(name: &str) -> Value {
    let mut packages = packages().into_iter();
    let package = packages.find(|package| package["name"] == name);
    package.unwrap_or_else(|| panic!("there is no package {name}"))
}

fn names(list: &Value, is_wanted: impl Fn(&Value) -> bool) -> Vec<&str> {
    let list = list.as_array().expect("a list").iter();
    let wanted = list.filter(|entry| is_wanted(entry));
    wanted.filter_map(|entry| entry["name"].as_str()).collect()
}

/// `cargo install` installs the binaries of one package.
#[test]
fn each_program_is_installed_alone() {
    let is_bin = |target: &Value| target["kind"][0] == "bin";
    for name in [
        "linesman",
        "linesman-club",
        "linesman-fleet",
        "linesman-lab",
    ] {
        assert_eq!(names(&package(name)["targets"], is_bin), [name]);
    }
    for name in ["linesman-tests", "linesman-nim", "perft-bench"] {
        let never = Value::Array(Vec::new());
        assert_eq!(package(name)["publish"], never, "{name} is published");
    }
}

#[test]
fn crates_depend_as_drawn() {
    let own = |package: &str| -> Vec<String> {
        let package = self::package(package);
        // A dependency for tests only has a kind.
        let is_own = |entry: &Value| entry["path"].is_string() && entry["kind"].is_null();
        let own = names(&package["dependencies"], is_own);
        own.into_iter().map(str::to_owned).collect()
    };
    assert_eq!(own("linesman-protocol"), [""; 0]);
    assert_eq!(own("linesman-draw"), ["linesman-protocol"]);
    assert_eq!(own("linesman-kit"), ["linesman-draw", "linesman-protocol"]);
    for game in GAMES {
        let own = own(&format!("linesman-{game}"));
        assert_eq!(own, ["linesman-draw", "linesman-kit"]);
    }
    // The first command of the README builds no other program.
    let linesman = own("linesman");
    for other in ["linesman-fleet", "linesman-lab", "linesman-lab-core"] {
        assert!(!linesman.iter().any(|name| name == other), "{other}");
    }
    let below = ["linesman-kit", "linesman-protocol"];
    let draw = "linesman-draw";
    let record = "linesman-record";
    let referee = "linesman-referee";
    let adapter = [
        (record, vec![]),
        (referee, vec![draw, record]),
        ("linesman-table", vec![draw, record, referee]),
        ("linesman-check", vec![draw, record, referee]),
    ];
    for (package, above) in adapter {
        let mut own = own(package);
        own.sort();
        let mut expected = [&below, above.as_slice()].concat();
        expected.sort_unstable();
        assert_eq!(own, expected, "{package}");
    }
    assert_eq!(own("linesman-report"), ["linesman-protocol", record]);
}

/// A crate is not needed to build what does not use it: games by e-mail are a separate program.
#[test]
fn the_first_program_needs_no_crate_of_the_others() {
    let packages = packages();
    let mut needed = vec!["linesman".to_owned()];
    let mut at = 0;
    while let Some(name) = needed.get(at).cloned() {
        at += 1;
        let Some(package) = packages
            .iter()
            .find(|package| package["name"] == name.as_str())
        else {
            continue;
        };
        let is_needed = |entry: &Value| entry["kind"].is_null() && entry["optional"] == false;
        for name in names(&package["dependencies"], is_needed) {
            if !needed.iter().any(|known| known == name) {
                needed.push(name.to_owned());
            }
        }
    }
    assert!(needed.iter().any(|name| name == "linesman-kit"));
    for name in [
        "linesman-club",
        "linesman-fleet",
        "async-nats",
        "rusqlite",
        "mail-parser",
        "mail-builder",
    ] {
        assert!(!needed.iter().any(|needed| needed == name), "{name}");
    }
}

/// The sources of libraries and programs, without tests.
fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for folder in ["adapter", "engines", "protocol"] {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 200, "{} files", files.len());
    files
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str());
        match name {
            Some("tests" | "tests.rs" | "target" | "node_modules") => {}
            _ if path.is_dir() => collect(&path, files),
            Some(name) if name.ends_with(".rs") => {
                let text = fs::read_to_string(&path).expect("a source");
                files.push((path, text));
            }
            _ => {}
        }
    }
}

fn is_platform(path: &Path) -> bool {
    path.components()
        .any(|part| part.as_os_str() == "platform" || part.as_os_str() == "platform.rs")
}

/// Unix-only code is in `platform`: a port to another system changes this module only.
#[test]
fn unix_code_is_in_one_module() {
    for (path, text) in sources() {
        // Unit tests are at the end of a file.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for name in ["std::os::", "rustix::", "signal_hook", "libc::", "nix::"] {
            let is_found = text.contains(name) && !is_platform(&path);
            assert!(!is_found, "{name} in {}", path.display());
        }
    }
}

/// A destructor may run while another failure is handled: it must not start anything that can fail too.
#[test]
fn destructors_start_no_threads() {
    let mut n_found = 0;
    for (path, text) in sources() {
        for body in text.split("fn drop(&mut self) {").skip(1) {
            let body = body.split("\n    }\n").next().unwrap_or_default();
            assert!(!body.contains("spawn"), "{}: {body}", path.display());
            n_found += 1;
        }
    }
    assert!(n_found > 3, "{n_found} destructors");
}

/// Linux-only code is compiled on Linux only: the libraries must also compile on macOS, where no test has run yet.
#[test]
fn linux_code_is_marked() {
    const LINUX: [&str; 7] = [
        "pidfd",
        "Pidfd",
        "subreaper",
        "\"/proc",
        "epoll",
        "prctl",
        "memfd",
    ];
    let mut n_marked = 0;
    for (path, text) in sources().iter().filter(|(path, _)| is_platform(path)) {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            if is_comment || !LINUX.iter().any(|name| line.contains(name)) {
                continue;
            }
            // Items begin and end in the first column.
            let mut item = lines[..=at].iter().rev().take_while(|line| **line != "}");
            let is_marked = item.any(|line| *line == "#[cfg(target_os = \"linux\")]");
            assert!(is_marked, "{}: {line}", path.display());
            n_marked += 1;
        }
    }
    assert!(n_marked > 0, "the names are no longer those of the sources");
}
