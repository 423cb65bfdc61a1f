//! The work of the benchmarks by serde_json.

use peers_rust::{Library, NUMBERS, OTHERS, STRINGS};
use serde::{de::IgnoredAny, Deserialize, Serialize};
use serde_json::Value;

struct SerdeJson;

impl Library for SerdeJson {
    type Tree = Value;

    /// What is ignored is not checked for UTF-8, so that this comes first.
    fn is_json(text: &[u8]) -> bool {
        std::str::from_utf8(text).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
    }
    fn tree(text: &[u8]) -> Option<Value> {
        serde_json::from_slice(text).ok()
    }
    fn sum(tree: &Value, what: u32) -> u64 {
        match tree {
            Value::Number(number) if what & NUMBERS != 0 => number.as_f64().unwrap().to_bits(),
            Value::String(text) if what & STRINGS != 0 => text.len() as u64,
            Value::Bool(truth) if what & OTHERS != 0 => 2 - *truth as u64,
            Value::Array(list) => {
                list.iter().fold(0, |sum: u64, each| sum.wrapping_add(Self::sum(each, what)))
            }
            Value::Object(map) => {
                map.values().fold(0, |sum: u64, each| sum.wrapping_add(Self::sum(each, what)))
            }
            _ => 0,
        }
    }
    fn write(tree: &Value) -> String {
        serde_json::to_string(tree).unwrap()
    }
    /// All of the text is checked, also what is skipped: hence from_str.
    fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Option<T> {
        serde_json::from_str(std::str::from_utf8(text).ok()?).ok()
    }
    fn write_typed<T: Serialize>(value: &T) -> String {
        serde_json::to_string(value).unwrap()
    }
}

fn main() {
    peers_rust::run::<SerdeJson>();
}
