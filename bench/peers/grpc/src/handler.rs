//! The handler, the batches that it gets, and what it must answer.

use anyhow::{Result, ensure};
use prost::bytes::Bytes;

use crate::Client;
use generated::{Answers, Batch, Item};

/// What tonic's generator makes of `handlers.proto`.
pub mod generated {
    tonic::include_proto!("handlers");
}

/// Keys of ten bytes and values of 64, as our own batches have them; no two are alike.
pub fn batch(items: usize) -> Batch {
    let item = |index| Item {
        key: Bytes::from(format!("key-{index:06}")),
        value: Bytes::from(
            format!("value {index:06} {}", "of 64 bytes".repeat(5)).into_bytes()[..64].to_vec(),
        ),
    };
    Batch { items: (0..items).map(item).collect() }
}

/// The end of the key and the start of the value, eight bytes of each, for every item: whoever answers has read both.
pub fn on_batch(batch: &Batch) -> Answers {
    let answer = |item: &Item| {
        let (key, value) = (&item.key[item.key.len() - 8..], &item.value[..8]);
        Bytes::from([key, value].concat())
    };
    Answers { values: batch.items.iter().map(answer).collect() }
}

/// Whether a server answers as it must.
pub async fn check(mut client: Client, batch: &Batch) -> Result<()> {
    let found = client.on_batch(batch.clone()).await?.into_inner().values;
    let wanted = on_batch(batch).values;
    ensure!(found.len() == wanted.len(), "{} answers to {} items", found.len(), wanted.len());
    for (index, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        ensure!(found == wanted, "the answer to item {index} is {found:?}, not {wanted:?}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_the_sizes_of_our_own_and_answers_16_bytes_of_each() {
        let batch = batch(1024);
        assert!(batch.items.iter().all(|item| (item.key.len(), item.value.len()) == (10, 64)));
        let answers = on_batch(&batch).values;
        assert_eq!((answers.len(), &answers[7][..]), (1024, &b"y-000007value 00"[..]));
    }
}
