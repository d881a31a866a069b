//! `tune-options` over a fleet.

use super::ended;
use super::server::Server;
use super::signals::{interrupt, kill};
use super::{succeeded, worker};
use crate::support::{Folder, Run};
use crate::tune_options::assert_same_iterations;

const TUNING: &str = "tune-options susan:Size=3 --param 'Skill Level=5,0,20,2' --each nodes=20 --iterations 16 --pairs 4 \
                      --rate 0.05 --srand 1 --interval 1";

/// Waits until this iteration is finished.
fn until_iteration(run: &Run, iteration: usize) {
    let start = format!("Iteration {iteration} of 16: ");
    while !run.line().expect("it goes on").starts_with(&start) {}
}

/// The values follow from the results as on one machine, although a worker, then the coordinator are killed and the
/// coordinator is interrupted. Pairs are verified.
#[test]
fn workers_play_the_tuning_of_one_machine() {
    let Some(server) = Server::start("fleet-tuning") else {
        return;
    };
    let folder = Folder::new("fleet-tuning");
    succeeded(folder.linesman(&format!("{TUNING} --state alone")));
    let words = format!(
        "{TUNING} --state fleet --fleet {} --lost-after 1 --verify 30%",
        server.url()
    );
    let lost = worker(&folder, &server, "--concurrency 1");
    let run = folder.linesman(&words);
    until_iteration(&run, 2);
    kill(&lost);
    let workers = [(); 2].map(|()| worker(&folder, &server, "--concurrency 1"));
    until_iteration(&run, 5);
    kill(&run);
    drop(run.done());
    let run = folder.linesman(&words);
    until_iteration(&run, 9);
    interrupt(&run);
    let done = run.done();
    assert_eq!(done.status, Some(3), "{}", done.stderr);
    let expected = "to resume: the same command, which continues with fleet";
    assert!(done.stderr.contains(expected), "{}", done.stderr);
    let done = succeeded(folder.linesman(&words));
    let last = done.stdout.last().expect("a report");
    assert!(last.starts_with("'option.Skill Level="), "{last}");
    assert_same_iterations(&folder, ["alone", "fleet"]);
    let status = succeeded(folder.linesman(&format!("fleet status {}", server.url())));
    assert!(
        !status.stdout.join("\n").contains("susan"),
        "{:?}",
        status.stdout
    );
    workers.into_iter().for_each(|worker| drop(ended(worker)));
}
