use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;

use super::*;

const LIMITS: Limits =
    Limits { max_batch_rows: 64, max_batch_tokens: 2048, max_queue_tokens: 8192 };

fn waiting(item: usize, tokens: usize) -> Waiting<usize> {
    Waiting { tokens, deadline: None, item }
}

fn never(_: &usize) -> bool {
    false
}

#[test]
fn a_request_larger_than_the_queue_is_told_apart_from_a_full_queue() {
    let mut batcher = Batcher::new(LIMITS);
    assert_eq!(batcher.push(vec![waiting(0, 8193)], never).unwrap_err().0, Refusal::TooLarge);
    batcher.push(vec![waiting(0, 8000)], never).unwrap();
    assert_eq!(batcher.push(vec![waiting(1, 193)], never).unwrap_err().0, Refusal::Full);
    batcher.push(vec![waiting(1, 192)], never).unwrap();
    assert_eq!(batcher.tokens(), 8192);
}

#[test]
fn windows_whose_caller_has_gone_make_room() {
    let mut batcher = Batcher::new(LIMITS);
    batcher.push(vec![waiting(7, 8192)], never).unwrap();
    batcher.push(vec![waiting(1, 100)], |item| *item == 7).unwrap();
    assert_eq!(batcher.tokens(), 100);
}

#[test]
fn a_full_batch_leaves_and_keeps_the_rest() {
    let mut batcher = Batcher::new(LIMITS);
    batcher.push((0..6).map(|i| waiting(i, 512)).collect(), never).unwrap();
    let now = Instant::now();
    let first: Vec<usize> = batcher.take(now, never).batch.into_iter().map(|w| w.item).collect();
    let rest: Vec<usize> = batcher.take(now, never).batch.into_iter().map(|w| w.item).collect();
    assert_eq!((first, rest), (vec![0, 1, 2, 3], vec![4, 5]));
}

#[test]
fn lengths_that_differ_much_do_not_share_a_batch() {
    let mut batcher = Batcher::new(LIMITS);
    batcher.push(vec![waiting(0, 500), waiting(1, 20), waiting(2, 498)], never).unwrap();
    let now = Instant::now();
    let items: Vec<usize> = batcher.take(now, never).batch.into_iter().map(|w| w.item).collect();
    assert_eq!(items, [0, 2]);
    assert_eq!(batcher.take(now, never).batch[0].item, 1);
}

#[test]
fn expired_windows_are_given_back_and_gone_ones_dropped() {
    let mut batcher = Batcher::new(LIMITS);
    let now = Instant::now();
    let late = Waiting { tokens: 10, deadline: Some(now), item: 0 };
    let in_time = Waiting { tokens: 10, deadline: Some(now + Duration::from_millis(1)), item: 2 };
    batcher.push(vec![late, waiting(1, 10), in_time], never).unwrap();
    let taken = batcher.take(now, |item| *item == 1);
    assert_eq!(taken.expired[0].item, 0);
    assert_eq!(taken.batch.len(), 1);
    assert_eq!(taken.batch[0].item, 2);
    assert_eq!(batcher.tokens(), 0);
}

#[test]
fn a_batch_has_no_more_rows_than_allowed() {
    let mut batcher = Batcher::new(Limits { max_batch_rows: 1, ..LIMITS });
    batcher.push(vec![waiting(0, 10), waiting(1, 10)], never).unwrap();
    let now = Instant::now();
    assert_eq!(
        [batcher.take(now, never).batch.len(), batcher.take(now, never).batch.len()],
        [1, 1]
    );
}

#[test]
fn one_window_longer_than_a_batch_runs_alone() {
    let mut batcher = Batcher::new(LIMITS);
    batcher.push(vec![waiting(0, 4096), waiting(1, 4096)], never).unwrap();
    assert_eq!(batcher.take(Instant::now(), never).batch.len(), 1);
}

proptest! {
    #[test]
    fn nothing_is_lost_and_every_batch_keeps_the_rules(lengths in prop::collection::vec(1usize..700, 0..60)) {
        let mut batcher = Batcher::new(Limits { max_queue_tokens: usize::MAX, ..LIMITS });
        batcher.push(lengths.iter().enumerate().map(|(i, n)| waiting(i, *n)).collect(), never).unwrap();
        let mut left: BTreeSet<usize> = (0..lengths.len()).collect();
        let now = Instant::now();
        while !batcher.is_empty() {
            let taken = batcher.take(now, never);
            let width = taken.width();
            let used: usize = taken.batch.iter().map(|w| w.tokens).sum();
            prop_assert_eq!(Some(taken.batch[0].item), left.first().copied(), "the oldest goes next");
            prop_assert!(taken.batch.len() == 1 || taken.batch.len() * width <= LIMITS.max_batch_tokens);
            prop_assert!(used * 10 > taken.batch.len() * width * 9, "padding of a tenth or more");
            for waiting in taken.batch {
                prop_assert!(left.remove(&waiting.item));
            }
            prop_assert_eq!(batcher.tokens(), left.iter().map(|i| lengths[*i]).sum::<usize>());
        }
        prop_assert!(left.is_empty());
    }
}
