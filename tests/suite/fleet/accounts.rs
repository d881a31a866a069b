//! Credentials: files with a signed token and its key, as `nsc` writes them for servers with accounts.

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};
use nkeys::KeyPair;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Fleet, SMALL, ended};

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
    let fleet = Fleet::start_with("fleet-creds", |_| {
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
    let fleet = or_skip!(fleet);
    fleet.write("team.creds", credentials(&account));
    fleet.write("stranger.creds", credentials(&KeyPair::new_account()));
    fleet.write("nothing.creds", "no credentials\n");
    let violation = "authorization violation";
    for (words, status, why) in [
        ("--creds stranger.creds", 1, violation),
        ("", 1, violation),
        (
            "--creds nothing.creds",
            2,
            "nothing.creds: no credentials in it: name a file",
        ),
    ] {
        fleet.worker(words).fails(status, why);
    }
    let player = fleet.worker("--creds team.creds");
    let words = format!("{SMALL} --games 4 --ledger l.jsonl --creds team.creds");
    fleet.begin(&words).exits(0);
    fleet.has_each_game_once("l.jsonl", 4);
    let status = format!("fleet status {} --creds team.creds", fleet.url());
    assert_eq!(fleet.linesman(&status).exits(0).stdout[0], "no match");
    ended(player);
}
