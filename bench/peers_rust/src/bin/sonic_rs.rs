//! The work of the benchmarks by sonic-rs.

use peers_rust::{Library, NUMBERS, OTHERS, STRINGS};
use serde::{de::IgnoredAny, Deserialize, Serialize};
use sonic_rs::{JsonContainerTrait, JsonType, JsonValueTrait, Value};

struct SonicRs;

impl Library for SonicRs {
    type Tree = Value;

    fn is_json(text: &[u8]) -> bool {
        std::str::from_utf8(text).is_ok_and(|text| sonic_rs::from_str::<IgnoredAny>(text).is_ok())
    }
    fn tree(text: &[u8]) -> Option<Value> {
        sonic_rs::from_slice(text).ok()
    }
    fn sum(tree: &Value, what: u32) -> u64 {
        match tree.get_type() {
            JsonType::Number if what & NUMBERS != 0 => tree.as_f64().unwrap().to_bits(),
            JsonType::String if what & STRINGS != 0 => tree.as_str().unwrap().len() as u64,
            JsonType::Boolean if what & OTHERS != 0 => 2 - tree.as_bool().unwrap() as u64,
            JsonType::Array => tree
                .as_array()
                .unwrap()
                .iter()
                .fold(0, |sum: u64, each| sum.wrapping_add(Self::sum(each, what))),
            JsonType::Object => tree
                .as_object()
                .unwrap()
                .iter()
                .fold(0, |sum: u64, (_, each)| sum.wrapping_add(Self::sum(each, what))),
            _ => 0,
        }
    }
    fn write(tree: &Value) -> String {
        sonic_rs::to_string(tree).unwrap()
    }
    fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Option<T> {
        sonic_rs::from_slice(text).ok()
    }
    fn write_typed<T: Serialize>(value: &T) -> String {
        sonic_rs::to_string(value).unwrap()
    }
}

fn main() {
    peers_rust::run::<SonicRs>();
}
