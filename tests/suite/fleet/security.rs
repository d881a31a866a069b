//! TLS and passwords.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{Fleet, SMALL, ended};
use crate::support::{installed, lacks};

/// Makes a certificate authority, and a server certificate for 127.0.0.1 that it signs; `false` if openssl failed.
fn make_certificates(folder: &Path) -> bool {
    let script = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -days 2 \
        -subj /CN=authority && \
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out server.csr -subj /CN=server && \
        printf 'subjectAltName=IP:127.0.0.1' > names && \
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile names";
    let made = Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    made.is_ok_and(|status| status.success())
}

#[test]
fn a_fleet_with_tls_and_passwords() {
    or_skip!(installed("openssl"));
    let fleet = Fleet::start_with("fleet-tls", |folder| {
        assert!(make_certificates(folder));
        let file = |name: &str| folder.join(name).display().to_string();
        let (cert, key) = (file("cert.pem"), file("key.pem"));
        format!(
            "tls {{ cert_file: \"{cert}\", key_file: \"{key}\" }}\nauthorization {{ user: \"team@home\", password: \"se%cret/@:\" }}\n"
        )
    });
    let fleet = or_skip!(fleet);
    let ca = fleet.server.folder().join("ca.pem").display().to_string();
    let url = |who: &str| format!("tls://{who}127.0.0.1:{}", fleet.server.port());
    let ours = url("team%40home:se%25cret%2F%40%3A@");
    let wrong = url("team%40home:secret@");
    // The second authority is not known to the system.
    for words in [format!("{wrong} --tls-ca {ca}"), ours.clone()] {
        let refused = fleet.linesman(&format!("fleet worker {words}")).exits(1);
        lacks(&refused.stderr, "cret");
    }
    fleet
        .linesman(&format!("fleet worker {} --creds none.creds", url("")))
        .fails(2, "none.creds");
    // As the variables of NATS's own command line.
    let by_name = "NATS_USER=team@home NATS_PASSWORD=se%cret/@: exec LINESMAN";
    let player = fleet.shell(&format!("{by_name} fleet worker {} --tls-ca {ca}", url("")));
    fleet
        .linesman(&format!(
            "fleet match {SMALL} --games 4 --ledger l.jsonl --fleet {ours} --tls-ca {ca}"
        ))
        .exits(0);
    fleet.has_each_game_once("l.jsonl", 4);
    ended(player);
}
