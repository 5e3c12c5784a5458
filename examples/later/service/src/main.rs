//! A service that takes its time: GET /KEY is answered, after a delay, with the key reversed.

mod arguments;

use arguments::Arguments;
use clap::Parser;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use std::convert::Infallible;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // One thread is enough for a service that does nothing but wait, and leaves the others to whoever asks it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime.and_then(|runtime| runtime.block_on(serve(&arguments))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: listen on {}: {error}", arguments.address);
            ExitCode::FAILURE
        }
    }
}

/// Answers until Ctrl-C.
async fn serve(arguments: &Arguments) -> io::Result<()> {
    let listener = TcpListener::bind(&arguments.address).await?;
    let delay = arguments.delay;
    let accept = async {
        let mut out = io::stdout();
        writeln!(out, "listening on {}", listener.local_addr()?)?;
        out.flush()?;
        loop {
            match listener.accept().await {
                Ok((connection, _)) => drop(tokio::spawn(answer_all(connection, delay))),
                // Too many files are open, say: some will be closed.
                Err(error) => {
                    eprintln!("warning: accept a connection: {error}");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    };
    // In this order: Ctrl-C is awaited before anybody is told that the service listens.
    tokio::select! {
        biased;
        ended = tokio::signal::ctrl_c() => ended,
        ended = accept => ended,
    }
}

/// Answers what comes on a connection, until the other side closes it.
async fn answer_all(connection: TcpStream, delay: Duration) {
    // Answers are short: they are not to wait for more.
    drop(connection.set_nodelay(true));
    let answer = service_fn(async |request: Request<Incoming>| {
        sleep(delay).await;
        Ok::<_, Infallible>(answer(request.method(), request.uri().path()))
    });
    let served =
        http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(connection), answer);
    // A client that breaks off is no mistake of the service.
    drop(served.await);
}

fn answer(method: &Method, path: &str) -> Response<Full<Bytes>> {
    let (status, text) = match percent_decode_str(path.trim_start_matches('/')).decode_utf8() {
        _ if method != Method::GET => (StatusCode::METHOD_NOT_ALLOWED, "ask with GET\n".to_owned()),
        Ok(key) if key.is_empty() => (StatusCode::NOT_FOUND, "ask for a key: GET /KEY\n".to_owned()),
        Ok(key) => (StatusCode::OK, key.chars().rev().collect()),
        Err(_) => (StatusCode::BAD_REQUEST, "the key is not UTF-8\n".to_owned()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let text = hyper::header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(hyper::header::CONTENT_TYPE, text);
    response
}
