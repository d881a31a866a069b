//! A match's engines on the workers' machines: options from a worker's engines file, and engines that the coordinator
//! sends.

use std::fs;

use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::process::Signal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tar::{Builder, EntryType, Header};

use super::client::Client;
use super::hostile::Announcement;
use super::{Fleet, refused};
use crate::support::{Folder, SCRIPTED, begins, has, lacks};

/// An engine with an option for a file name, which it writes down; it does not answer otherwise.
const READS_FILES: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
        ugi) echo "option name TablePath type string default none"; echo ugiok ;;
        setoption*) echo "$line" >> set ;;
        isready) echo readyok ;;
        quit) exit 0 ;;
    esac
done
"#;

#[test]
fn without_consent_the_network_names_no_file() {
    let (fleet, there) = (
        or_skip!(Fleet::start("fleet-file")),
        Folder::new("fleet-there"),
    );
    for folder in [&*fleet, &there] {
        folder.write_program("engine", READS_FILES);
    }
    let run = fleet.announced("susan --each nodes=1 --engine cmd=./engine name=T option.TablePath=/etc/passwd --engine cmd=./engine name=U \
         --games 2 --ledger l.jsonl --lost-after-s 1",
    );
    let entry = "[[engine]]\nname = \"T\"\ncmd = \"./engine\"\n";
    there.write("without.toml", entry);
    there.write("with.toml", format!("{entry}option.tablepath = \"own\"\n"));
    let error = refused(fleet.worker_in(&there, "--engines without.toml --idle-s 1"));
    has(&error, "option.TablePath of engine T is a text");
    assert!(!there.has("set"), "it was not set");
    // The worker's engines file gives the file on this machine.
    let player = fleet.worker_in(&there, "--engines with.toml");
    begins(&player.line().unwrap_or_default(), "Match ");
    let set = there.read("set");
    assert!(set.lines().all(|line| line.ends_with("value own")), "{set}");
    drop(player);
    // With consent, the match gives it.
    let player = fleet.worker_in(&there, "--engines without.toml --accept-engines");
    begins(&player.line().unwrap_or_default(), "Match ");
    has(&there.read("set"), "value /etc/passwd");
    drop(player);
    run.signal(Signal::INT);
    has(&run.exits(3).stdout, "Note: fleet worker");
}

/// A resumed match may use a table for adjudication, which no flag of the resuming command shows.
#[test]
fn a_match_that_a_table_adjudicates_is_not_for_workers() {
    let folder = Folder::new("fleet-table");
    let match_ = "match susan --each nodes=1 --games 2 --ledger l.jsonl --quiet";
    folder.linesman(match_).exits(0);
    let (mut plan, _) = folder.ledger("l.jsonl");
    plan["plan"]["adjudicate_table"] = "/tables/susan".into();
    folder.write("l.jsonl", format!("{plan}\n"));
    let resume = "fleet match --resume l.jsonl --trust --fleet nats://127.0.0.1:1";
    let why = "--fleet: workers do not have the table that ends games";
    folder.linesman(resume).fails(2, why);
}

/// Each worker runs the rules: sent by the coordinator to a worker that accepts them, or the same program from there.
#[test]
fn rules_of_a_program_are_sent_to_workers_that_accept_them() {
    let (fleet, there) = (
        or_skip!(Fleet::start("fleet-rules")),
        Folder::new("fleet-worker"),
    );
    fleet.copy_data("counts.py");
    let engine = "--engine cmd=SCRIPTED arg=counts nodes=1";
    let play = |ledger: &str| {
        let words = format!(
            "counts --rules cmd=python3 arg=counts.py {engine} name=A {engine} name=B --openings none --games 4 \
             --ledger {ledger} --send-engines"
        );
        fleet.announced(&words)
    };
    let engines = ["A", "B"].map(|name| {
        format!("[[engine]]\nname = \"{name}\"\ncmd = \"{SCRIPTED}\"\nargs = [\"counts\"]\n")
    });
    there.write("engines.toml", engines.concat());
    let run = play("sent.jsonl");
    let error = refused(fleet.worker_in(&there, "--engines engines.toml --idle-s 1"));
    let expected =
        "the rules of counts: give them by --rules or in the engines file, with content ";
    has(&error, expected);
    let player = fleet.worker_in(&there, "--accept-engines --idle-s 2");
    run.exits(0);
    fleet.has_each_game_once("sent.jsonl", 4);
    let games = fleet.games("sent.jsonl");
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{games:?}"
    );
    player.exits(0);
    assert!(!cached(&there).is_empty());
    there.copy_data("counts.py");
    let run = play("own.jsonl");
    let own = "--engines engines.toml --idle-s 2 --rules cmd=python3 arg=counts.py";
    let player = fleet.worker_in(&there, own);
    run.exits(0);
    fleet.has_each_game_once("own.jsonl", 4);
    player.exits(0);
}

/// An engine in a folder that has another file it needs.
pub(super) fn make_engine(folder: &Folder) {
    fs::create_dir_all(folder.path("engine/net")).expect("a folder");
    let run = format!("#!/bin/sh\ngrep -q weights net/file || exit 1\nexec {SCRIPTED} \"$@\"\n");
    folder.write_program("engine/run", &run);
    folder.write("engine/net/file", "weights\n");
}

pub(super) const SENT: &str = "susan --each nodes=1 --engine cmd=./run dir=engine name=S --engine cmd=./run dir=engine name=S2 \
                    --ledger l.jsonl --send-engines";

/// Names in a folder's cache of engines.
fn cached(folder: &Folder) -> Vec<String> {
    let found = fs::read_dir(folder.path("cache/linesman/engines"));
    let found = found.into_iter().flatten().flatten();
    let names = found.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}

#[test]
fn an_engine_is_sent_to_workers_that_accept_it() {
    let fleet = or_skip!(Fleet::start("fleet-sent"));
    make_engine(&fleet);
    let run = fleet.announced(&format!("{SENT} --games 40"));
    let id = fleet.match_id("l.jsonl");
    // The worker runs the engine from its cache: the original is deleted here.
    fs::remove_dir_all(fleet.path("engine")).expect("ours");
    let error = fleet.refuses("--idle-s 1");
    has(&error, "engine S: not in ");
    has(
        &error,
        "or --accept-engines to run what the coordinator sends (1 KiB)",
    );
    assert!(!fleet.has("cache"), "nothing is unpacked");
    let players = [(); 2].map(|()| fleet.worker("--accept-engines --concurrency 1 --idle-s 2"));
    run.exits(0);
    fleet.has_each_game_once("l.jsonl", 40);
    let said = players.map(|player| player.exits(0).said()).concat();
    has(&said, "Engine ");
    let cached = cached(&fleet);
    assert_eq!(cached.len(), 1, "{cached:?}");
    let engine = fleet.path("cache/linesman/engines").join(&cached[0]);
    assert!(engine.join("folder/net/file").exists(), "{cached:?}");
    let games = fleet.games("l.jsonl");
    assert!(
        games.iter().all(|game| game["termination"] == "normal"),
        "{games:?}"
    );
    // Removing a match from the server also removes its engines.
    let asked = format!("$JS.API.STREAM.INFO.LINESMAN_OBJECTS_{id}");
    let answer = Client::connect(&fleet.server).request(&asked, b"");
    let answer: Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(answer["error"]["description"], "stream not found");
}

/// The coordinator and the server lose their files; the engine is sent again.
#[test]
fn a_server_that_loses_its_files_gets_the_engines_again() {
    let mut fleet = or_skip!(Fleet::start("fleet-again"));
    make_engine(&fleet);
    let run = fleet.announced(&format!("{SENT} --games 4"));
    fleet.server.restart_empty();
    // The match is announced again after the server is back.
    run.until("is connected again");
    let player = fleet.worker("--accept-engines --idle-s 5");
    run.exits(0);
    fleet.has_each_game_once("l.jsonl", 4);
    player.exits(0);
}

#[test]
fn a_worker_whose_disk_is_full_says_so() {
    let fleet = or_skip!(Fleet::start("fleet-disk"));
    make_engine(&fleet);
    fleet.write("engine/large", vec![7; 100_000]);
    let run = fleet.announced(&format!("{SENT} --games 2"));
    let words = format!("fleet worker {} --accept-engines --idle-s 1", fleet.url());
    let worker = format!("trap '' XFSZ; ulimit -f 8; exec LINESMAN {words}");
    let error = refused(fleet.shell(&worker));
    has(&error, "engine S: from the coordinator: ");
    assert!(error.ends_with("folder/large: File too large"), "{error}");
    let cached = cached(&fleet);
    assert!(cached.is_empty(), "{cached:?}");
    run.signal(Signal::INT);
    has(&run.done().stdout, "Note: fleet worker");
}

/// A folder that cannot be packed is rejected before the match is announced.
#[test]
fn a_folder_with_a_link_is_not_sent() {
    let fleet = or_skip!(Fleet::start("fleet-link"));
    make_engine(&fleet);
    std::os::unix::fs::symlink("/etc", fleet.path("engine/etc")).expect("a link");
    let why = "\"folder/etc\" is neither file nor folder, but a link or a device";
    let done = fleet.begin(SENT).fails(1, why);
    begins(&done.stderr, "error: engine S: ");
}

/// A compressed archive with one entry of this kind, name and size.
fn archive(kind: EntryType, name: &str, size: u64) -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.set_entry_type(kind);
    header.set_mode(0o755);
    header.set_size(size);
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_link_name("/etc/passwd").expect("it is short");
    header.set_cksum();
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    builder.append(&header, &b"x"[..]).expect("memory");
    builder
        .into_inner()
        .and_then(GzEncoder::finish)
        .expect("memory")
}

fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Stores bytes as an object of a match under a hash, as any NATS client may, in pieces of this length.
fn put(client: &mut Client, id: &str, hash: &str, bytes: &[u8]) {
    for (number, piece) in bytes.chunks(1000).chain([&[][..]]).enumerate() {
        client.request(&format!("linesman.object.{id}.{hash}.{number}"), piece);
        assert!(number < 100);
    }
}

#[test]
fn hostile_archives_are_refused_and_run_nothing() {
    let fleet = or_skip!(Fleet::start("fleet-archive"));
    let sent = Announcement::new(&fleet);
    let id = sent.id;
    let mut client = Client::connect(&fleet.server);
    for (name, subjects) in [
        ("LINESMAN_MATCHES", json!(["linesman.match.*"])),
        (
            &format!("LINESMAN_OBJECTS_{id}"),
            json!([format!("linesman.object.{id}.*.*")]),
        ),
    ] {
        let config = json!({"name": name, "subjects": subjects, "retention": "limits", "storage": "file", "num_replicas": 1,
                            "max_consumers": -1, "max_msgs": -1, "max_msgs_per_subject": 1, "max_bytes": -1, "discard": "old", "allow_direct": true});
        let subject = format!("$JS.API.STREAM.CREATE.{name}");
        let made = client.request(&subject, config.to_string().as_bytes());
        lacks(&*String::from_utf8_lossy(&made), "\"error\"");
    }
    let file = EntryType::Regular;
    let sound = archive(file, "program/run", 1);
    let cases = [
        (archive(file, "../../evil", 1), "leaves the folder"),
        (
            archive(EntryType::Symlink, "program/run", 0),
            "neither file nor folder",
        ),
        (
            archive(file, "program/run", 1 << 40),
            "too much for an archive",
        ),
        (sound[..sound.len() - 9].to_vec(), "not an archive"),
    ];
    let announce = |client: &mut Client, hash: &str, n_bytes: u64, program: Value| {
        let archive = json!({"hash": hash, "n_bytes": n_bytes, "program": program, "args": [], "has_folder": false});
        sent.publish(client, |found| {
            found["engines"][0] = json!({"hash": "00", "archive": archive})
        });
    };
    let run = json!({"file": "program/run"});
    let refused_for = |why: &str| {
        let error = fleet.refuses("--accept-engines --idle-s 1");
        has(&error, "engine A: from the coordinator: ");
        has(&error, why);
        let cached = cached(&fleet);
        assert!(cached.is_empty(), "{why}: {cached:?}");
    };
    for (bytes, why) in &cases {
        let hash = hash(bytes);
        put(&mut client, id, &hash, bytes);
        announce(&mut client, &hash, bytes.len() as u64, run.clone());
        refused_for(why);
    }
    assert!(!fleet.has("cache/linesman/evil"));
    let wanted = hash(&sound);
    let length = sound.len() as u64;
    // No archive; a different archive; more bytes than announced; a path instead of a hash.
    announce(&mut client, &wanted, length, run.clone());
    refused_for("");
    let mut other = sound.clone();
    other[4] ^= 1;
    put(&mut client, id, &wanted, &other);
    refused_for("its content is ");
    announce(&mut client, &wanted, length - 1, run.clone());
    refused_for(" bytes, not ");
    announce(&mut client, &wanted, 1 << 40, run.clone());
    refused_for(" bytes, more than ");
    announce(&mut client, "../../../etc", length, run);
    refused_for("is not a hash");
}
