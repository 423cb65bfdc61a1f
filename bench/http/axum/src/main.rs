//! The inputs of the benchmark as axum's users would write them (`usual`), and in the fastest form that
//! still checks the same (`fast`): fields borrowed from the body, which is sent back as it came.
//!
//! usage: http-axum PORT THREADS usual|fast

use axum::{
    body::{Body, Bytes},
    extract::DefaultBodyLimit,
    http::{header, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
    Json, Router,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Echo {
    name: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EchoView<'a> {
    #[serde(borrow, rename = "name")]
    _name: Cow<'a, str>,
    #[serde(borrow, rename = "text")]
    _text: Cow<'a, str>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Address {
    street: String,
    city: String,
    zip: u32,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Order {
    id: u64,
    customer: String,
    email: String,
    amount: f64,
    quantity: u32,
    paid: bool,
    note: Option<String>,
    currency: String,
    created: i64,
    to: Address,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct AddressView<'a> {
    #[serde(borrow)]
    street: Cow<'a, str>,
    #[serde(borrow)]
    city: Cow<'a, str>,
    zip: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct OrderView<'a> {
    id: u64,
    #[serde(borrow)]
    customer: Cow<'a, str>,
    #[serde(borrow)]
    email: Cow<'a, str>,
    amount: f64,
    quantity: u32,
    paid: bool,
    #[serde(borrow)]
    note: Option<Cow<'a, str>>,
    #[serde(borrow)]
    currency: Cow<'a, str>,
    created: i64,
    #[serde(borrow)]
    to: AddressView<'a>,
}

fn as_it_came(body: Bytes) -> Response {
    Response::builder()
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .unwrap()
}

async fn echo(Json(body): Json<Echo>) -> Json<Echo> {
    Json(body)
}

async fn echo_fast(body: Bytes) -> Response {
    match serde_json::from_slice::<EchoView>(&body) {
        Ok(_) => as_it_came(body),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

async fn order(Json(body): Json<Order>) -> Json<Order> {
    Json(body)
}

async fn order_fast(body: Bytes) -> Response {
    match serde_json::from_slice::<OrderView>(&body) {
        Ok(_) => as_it_came(body),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

/// NDJSON: how many records there are, each of them checked in full.
async fn lines(body: Bytes) -> Response {
    let mut accepted = 0u64;
    for line in body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(line) {
            return (StatusCode::BAD_REQUEST, error.to_string()).into_response();
        }
        accepted += 1;
    }
    (StatusCode::ACCEPTED, Json(serde_json::json!({"accepted": accepted, "rejected": 0}))).into_response()
}

async fn serve(port: u16, fast: bool) {
    let routes = Router::new().route("/lines", post(lines));
    let routes = if fast {
        routes.route("/echo", post(echo_fast)).route("/order", post(order_fast))
    } else {
        routes.route("/echo", post(echo)).route("/order", post(order))
    };
    let app = routes.layer(DefaultBodyLimit::max(64 << 20));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    axum::serve(listener, app).await.unwrap();
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (port, threads) = (arguments[1].parse().unwrap(), arguments[2].parse().unwrap());
    let mut builder = if threads == 1 {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    if threads > 1 {
        builder.worker_threads(threads);
    }
    builder.enable_all().build().unwrap().block_on(serve(port, arguments[3] == "fast"));
}
