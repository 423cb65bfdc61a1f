//! The work of the benchmarks by a JSON library of Rust. text_jobs.h and worker.h describe jobs,
//! protocol and sums; here they are once more, for Rust.

pub mod documents;

use documents::{BriefTimeline, Catalog, Collection, Sum, Timeline};
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::time::Instant;

pub const NUMBERS: u32 = 1;
pub const STRINGS: u32 = 2;
pub const OTHERS: u32 = 4;

/// What a library must be able to do.
pub trait Library {
    type Tree;
    fn is_json(text: &[u8]) -> bool;
    fn tree(text: &[u8]) -> Option<Self::Tree>;
    fn sum(tree: &Self::Tree, what: u32) -> u64;
    fn write(tree: &Self::Tree) -> String;
    fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Option<T>;
    fn write_typed<T: Serialize>(value: &T) -> String;
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Answer {
    accepted: u64,
    refused: u64,
    refused_lines: u64,
    sum: u64,
}

fn answer_of(good: bool, sum: u64) -> Answer {
    Answer { accepted: good as u64, sum: if good { sum } else { 0 }, ..Answer::default() }
}

fn serve(mut job: impl FnMut() -> Answer) {
    let first = job();
    for line in std::io::stdin().lock().lines() {
        let Ok(times) = line.unwrap_or_default().trim().parse::<u64>() else { return };
        let start = Instant::now();
        for _ in 0..times {
            if job() != first {
                return;
            }
        }
        let taken = start.elapsed().as_nanos();
        let Answer { accepted, refused, refused_lines, sum } = first;
        println!("{taken} {accepted} {refused} {refused_lines} {sum}");
        std::io::stdout().flush().ok();
    }
}

/// Fields of a record, for lines.
#[derive(Deserialize)]
struct Three<'a> {
    #[serde(borrow, default)]
    service: std::borrow::Cow<'a, str>,
    #[serde(borrow, default)]
    text: std::borrow::Cow<'a, str>,
    #[serde(default)]
    took_ms: f64,
}

#[derive(Deserialize)]
struct Two<'a> {
    #[serde(borrow, default)]
    tag: std::borrow::Cow<'a, str>,
    #[serde(borrow, default)]
    body: std::borrow::Cow<'a, str>,
}

fn three<L: Library>(line: &[u8]) -> Option<u64> {
    let found: Three = L::read(line)?;
    let thousandths = (found.took_ms * 1000.0 + 0.5) as u64;
    Some(found.service.len() as u64 + found.text.len() as u64 + thousandths)
}

fn two<L: Library>(line: &[u8]) -> Option<u64> {
    let found: Two = L::read(line)?;
    Some(found.tag.len() as u64 + 3 * found.body.len() as u64)
}

fn read_lines(text: &[u8], record: impl Fn(&[u8]) -> Option<u64>) -> Answer {
    let mut answer = Answer::default();
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    for (number, line) in body.split(|&byte| byte == b'\n').enumerate() {
        match record(line) {
            Some(sum) => {
                answer.accepted += 1;
                answer.sum = answer.sum.wrapping_add(sum);
            }
            None => {
                answer.refused += 1;
                answer.refused_lines += number as u64;
            }
        }
    }
    answer
}

fn serve_typed<L: Library, T: DeserializeOwned + Serialize + Sum>(job: &str, text: &[u8]) {
    let Some(value) = L::read::<T>(text) else { return };
    if job != "write_typed" {
        let sum = value.sum();
        return serve(|| answer_of(L::read::<T>(text).is_some(), sum));
    }
    let once = L::write_typed(&value);
    let sum = L::tree(once.as_bytes()).map_or(0, |tree| L::sum(&tree, NUMBERS | STRINGS | OTHERS));
    serve(|| answer_of(L::write_typed(&value).len() == once.len(), sum))
}

fn serve_document<L: Library>(text: &[u8]) {
    let sum = L::tree(text).map_or(0, |tree| L::sum(&tree, NUMBERS | STRINGS | OTHERS));
    serve(|| answer_of(L::tree(text).is_some(), sum))
}

fn serve_sum<L: Library>(text: &[u8], what: u32) {
    serve(|| match L::tree(text) {
        Some(tree) => answer_of(true, L::sum(&tree, what)),
        None => Answer::default(),
    })
}

fn serve_write<L: Library>(text: &[u8]) {
    let Some(tree) = L::tree(text) else { return };
    let once = L::write(&tree);
    let sum = L::tree(once.as_bytes()).map_or(0, |tree| L::sum(&tree, NUMBERS | STRINGS | OTHERS));
    serve(|| answer_of(L::write(&tree).len() == once.len(), sum))
}

fn has(text: &[u8], name: &str) -> bool {
    text.windows(name.len()).any(|window| window == name.as_bytes())
}

/// One of the programs: `worker text|lines JOB FILE`.
pub fn run<L: Library>() {
    let words: Vec<String> = std::env::args().collect();
    let [_, part, job, path] = &words[..] else { std::process::exit(2) };
    let Ok(text) = std::fs::read(path) else { std::process::exit(2) };
    let text = text.as_slice();
    match (part.as_str(), job.as_str()) {
        ("lines", "check") => serve(|| read_lines(text, |line| L::is_json(line).then_some(0))),
        ("lines", "three") => serve(|| read_lines(text, three::<L>)),
        ("lines", _) => serve(|| read_lines(text, two::<L>)),
        (_, "check") => serve(|| answer_of(L::is_json(text), 0)),
        (_, "document") => serve_document::<L>(text),
        (_, "numbers") => serve_sum::<L>(text, NUMBERS),
        (_, "strings") => serve_sum::<L>(text, STRINGS),
        (_, "write") => serve_write::<L>(text),
        (_, "brief") => serve_typed::<L, BriefTimeline>(job, text),
        _ if has(text, "\"statuses\"") => serve_typed::<L, Timeline>(job, text),
        _ if has(text, "\"areaNames\"") => serve_typed::<L, Catalog>(job, text),
        _ => serve_typed::<L, Collection>(job, text),
    }
}
