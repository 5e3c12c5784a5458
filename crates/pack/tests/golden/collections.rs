//! Arrays, lists, sets, stacks, dictionaries, grids, lookups.

use super::Cases;
use super::types::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use upcall_pack::{Array2, Array3, Grouping, Lookup, PriorityQueue, Stack};

/// Their lines.
pub fn add(first: &mut Cases, extra: &mut Cases) {
    first.add("bool[]", vec![true, false]);
    first.add("string[]", vec![Some("a".to_owned()), None, Some(String::new())]);
    first.add("int?[]", vec![Some(1_i32), None]);
    first.add("Dict<int,int>", HashMap::from([(1_i32, 2_i32)]));
    first.add("int[,]", Array2::from_vec([2, 2], vec![1_i32, 2, 3, 4]).unwrap());
    first.add("HashSet<int>", std::collections::BTreeSet::from([3_i32, 4]));
    first.add("List<int>", vec![1_i32, 2]);
    extra.add("Dict<byte,int>", BTreeMap::from([(1_u8, 2_i32), (3, 4)]));
    extra.add("string[,]", Array2::from_vec([1, 2], vec![Some("a".to_owned()), None]).unwrap());
    extra.add("int[,,]", Array3::from_vec([1, 2, 1], vec![1_i32, 2]).unwrap());
    extra.add("int[,] null", None::<Array2<i32>>);
    extra.add("int[][]", vec![Some(vec![1_i32]), None]);
    for name in ["Stack 1,2,3", "ConcurrentStack 1,2,3", "ImmutableStack"] {
        extra.add(name, Stack(vec![1_i32, 2, 3]));
    }
    extra.add("PQ<byte,int>", PriorityQueue(vec![(7_u8, 1_i32)]));
    extra.add("PQ<string,int>", PriorityQueue(vec![("a".to_owned(), 1_i32)]));
    extra.add("ImmutableArray default", None::<Vec<i32>>);
    extra.add("Memory default", Vec::<i32>::new());
    extra.add("ArraySegment default", Vec::<i32>::new());
    let group = |key: &str, values: &[i32]| Grouping { key: key.to_owned(), values: values.to_vec() };
    extra.add("ILookup", Lookup(vec![group("a", &[1, 2]), group("b", &[3])]));
    extra.add("nested Dict null", None::<HashMap<String, i32>>);
    extra.add("object[] of Um via List", vec![Um { a: 1, b: 2, c: 3 }]);
    extra.add("HashSet<Um>", HashSet::from([Um { a: 1, b: 2, c: 3 }]));
}
