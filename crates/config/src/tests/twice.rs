//! What is there twice.

use super::mistakes::wrong;
use insta::assert_snapshot;

#[test]
fn the_same_key_twice() {
    assert_snapshot!(wrong("[pool.\"/a\"]\nkeep = 1\nkeep = 2"), @r#"
    error: `keep` is there twice
     --> flow.toml:3:1
      |
    3 | keep = 2
      | ^^^^
      |
      = help: give it once
    "#);
}

#[test]
fn a_pool_that_is_described_twice() {
    let text = "[pool.\"/a\"]\n[pool.\"/b\"]\n\n[pool.\"/a\"]\nkind = \"trigger\"\n";
    assert_snapshot!(wrong(text), @r#"
    error: pool /a is described twice
     --> flow.toml:4:7
      |
    4 | [pool."/a"]
      |       ^^^^
      |
      = help: describe each pool once, with all of its keys
    "#);
}

#[test]
fn a_pool_that_is_described_twice_with_the_same_keys_is_one_mistake() {
    let text = "[pool.\"/a\"]\nkeep = 1\n[pool.\"/a\"]\nkeep = 1\n[pool.\"/b\"]\nkeep = 2\nkeep = 2\n";
    assert_snapshot!(wrong(text), @r#"
    error: pool /a is described twice
     --> flow.toml:3:7
      |
    3 | [pool."/a"]
      |       ^^^^
      |
      = help: describe each pool once, with all of its keys

    error: `keep` is there twice
     --> flow.toml:7:1
      |
    7 | keep = 2
      | ^^^^
      |
      = help: give it once
    "#);
}
