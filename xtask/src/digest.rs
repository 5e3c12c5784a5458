//! SHA-256, for what is downloaded and for what a cached build was made from.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

/// The SHA-256 of parts, each counted with its length, in hexadecimal.
pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hex(&hasher.finalize())
}

/// Compares a file with the SHA-256 that is pinned for it.
pub fn verify(file: &Path, pinned: &str) -> Result<()> {
    let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let found = hex(&Sha256::digest(&bytes));
    if found != pinned {
        bail!(
            "checking the SHA-256 of {}: found {found}, expected {pinned}; \
             the package has changed since it was pinned: do not use it",
            file.display()
        );
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_download_is_refused_with_both_sums() {
        let file = std::env::temp_dir().join(format!("xtask-digest-{}", std::process::id()));
        fs::write(&file, "abc").unwrap();
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        verify(&file, abc).unwrap();
        fs::write(&file, "abd").unwrap();
        let refused = verify(&file, abc).unwrap_err().to_string();
        fs::remove_file(&file).unwrap();
        assert!(refused.contains(abc) && refused.contains("a52d159f262b2c6d"), "{refused}");
    }

    #[test]
    fn moving_a_byte_from_one_part_to_the_next_changes_the_sum() {
        assert_ne!(of_parts([b"ab".as_slice(), b"c"]), of_parts([b"a".as_slice(), b"bc"]));
    }
}
