//! The handler in Rust, as a server of tonic.

use anyhow::{Context, Result};
use tokio::net::UnixListener;
use tokio_stream::wrappers::UnixListenerStream;
use tonic::transport::Server;
use tonic::{Request, Response, Status, async_trait};

use crate::child;
use crate::handler::generated::handler_server::{Handler, HandlerServer};
use crate::handler::generated::{Answers, Batch};
use crate::handler::on_batch;

struct OnBatch;

#[async_trait]
impl Handler for OnBatch {
    async fn on_batch(&self, request: Request<Batch>) -> Result<Response<Answers>, Status> {
        Ok(Response::new(on_batch(request.get_ref())))
    }
}

/// Answers at a socket until the process is killed.
pub async fn serve(socket: &str) -> Result<()> {
    let listener = UnixListener::bind(child::path(socket)).context("listening at the socket")?;
    println!("{}", child::READY);
    let server = Server::builder().add_service(HandlerServer::new(OnBatch));
    server.serve_with_incoming(UnixListenerStream::new(listener)).await.context("serving")
}
