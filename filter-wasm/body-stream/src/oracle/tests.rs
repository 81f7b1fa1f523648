use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grown_bodies_read_alike_in_any_pieces_and_as_the_twin_says(
        choices in prop::collection::vec(any::<u8>(), 0..400),
        cuts in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let body = body(&choices);
        check(&body, &super::cuts(&cuts)).map_err(|error| {
            TestCaseError::fail(format!("{error}\nbody: {}", String::from_utf8_lossy(&body)))
        })?;
    }

    #[test]
    fn damaged_bodies_read_alike_in_any_pieces_and_as_the_twin_says(
        choices in prop::collection::vec(any::<u8>(), 0..200),
        damage in prop::collection::vec(any::<u8>(), 4..12),
        cuts in prop::collection::vec(any::<u8>(), 0..8),
    ) {
        let body = mutate(body(&choices), &damage);
        check(&body, &super::cuts(&cuts)).map_err(|error| {
            TestCaseError::fail(format!("{error}\nbody: {}", String::from_utf8_lossy(&body)))
        })?;
    }
}
