//! Credentials: files with a signed token and its key, as `nsc` writes them for servers with accounts.

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};
use nkeys::KeyPair;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::server::Server;
use super::{SMALL, assert_each_game_once, ended, succeeded};
use crate::support::Folder;

/// A token of NATS: claims about `subject`, signed by `issuer`.
fn token(issuer: &KeyPair, subject: &KeyPair, name: &str, claims: &Value) -> String {
    let mut body = json!({"iat": 1_700_000_000, "iss": issuer.public_key(), "name": name, "sub": subject.public_key(), "nats": claims});
    let digest = Sha256::digest(body.to_string());
    body["jti"] = BASE32_NOPAD.encode(&digest).into();
    let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let header = json!({"typ": "JWT", "alg": "ed25519-nkey"});
    let text = format!("{}.{}", part(&header), part(&body));
    let signature = issuer.sign(text.as_bytes()).expect("a whole key");
    format!("{text}.{}", BASE64URL_NOPAD.encode(&signature))
}

/// The credentials of a user of an account.
fn credentials(account: &KeyPair) -> String {
    let user = KeyPair::new_user();
    let claims = json!({"type": "user", "version": 2, "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1});
    format!(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        token(account, &user, "team", &claims),
        user.seed().expect("a whole key")
    )
}

fn account_claims(storage: i64) -> Value {
    json!({"type": "account", "version": 2, "default_permissions": {"pub": {}, "sub": {}}, "limits": {
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": storage, "disk_storage": storage, "streams": storage, "consumer": storage}})
}

#[test]
fn credentials_let_in_and_those_of_another_account_do_not() {
    let (operator, system, account) = (
        KeyPair::new_operator(),
        KeyPair::new_account(),
        KeyPair::new_account(),
    );
    let server = Server::start_with("fleet-creds", |_| {
        let operator_claims = json!({"type": "operator", "version": 2});
        let accounts = [(&system, "SYS", 0), (&account, "TEAM", -1)].map(|(key, name, storage)| {
            let token = token(&operator, key, name, &account_claims(storage));
            format!("{}: {token}", key.public_key())
        });
        format!(
            "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n{}\n}}\n",
            token(&operator, &operator, "operator", &operator_claims),
            system.public_key(),
            accounts.join("\n")
        )
    });
    let server = or_skip!(server);
    let folder = Folder::new("fleet-creds");
    let write = |name: &str, text: &str| std::fs::write(folder.path(name), text).expect("a file");
    write("team.creds", &credentials(&account));
    write("stranger.creds", &credentials(&KeyPair::new_account()));
    write("nothing.creds", "no credentials\n");
    let url = server.url();
    for (words, status, why) in [
        ("--creds stranger.creds", 1, "authorization violation"),
        ("", 1, "authorization violation"),
        (
            "--creds nothing.creds",
            2,
            "nothing.creds: no credentials in it: name a file",
        ),
    ] {
        folder
            .linesman(&format!("fleet worker {url} {words}"))
            .fails(status, why);
    }
    let player = folder.linesman(&format!("fleet worker {url} --creds team.creds"));
    succeeded(folder.linesman(&format!(
        "fleet match {SMALL} --games 4 --ledger l.jsonl --fleet {url} --creds team.creds"
    )));
    assert_each_game_once(&folder, "l.jsonl", 4);
    let status = succeeded(folder.linesman(&format!("fleet status {url} --creds team.creds")));
    assert_eq!(status.stdout[0], "no match");
    ended(player);
}
