// An HTTP server whose requests go through a flow: `node server.mjs [PORT]`.

import { createServer } from "node:http";
import { Flow } from "upcall/flow";

/** Responses that wait for their answer, by the number of the request. */
const open = new Map();

function respond(number, status, text) {
  const response = open.get(number);
  open.delete(number);
  const body = Buffer.from(`${text}\n`);
  response?.writeHead(status, { "content-type": "text/plain; charset=utf-8", "content-length": body.length }).end(body);
}

/** Counts the visits to each path: the same class would run in `upcall run`. */
class Visits {
  visits = new Map();

  onObject(request, emit) {
    const path = request.key;
    if (path === "/fail") throw new RangeError(`${path} is not to be visited`);
    const visits = (this.visits.get(path) ?? 0) + 1;
    this.visits.set(path, visits);
    emit.put(path, visits);
    emit.putTo("/answers", request.text(), `visit ${visits} of ${path}`);
  }
}

const flow = await Flow.describe({ name: "server" })
  .pool("/requests", { kind: "trigger" })
  .pool("/visits", { type: "u64" })
  .pool("/answers", { kind: "trigger" })
  .on("/requests", ["/visits", "/answers"], Visits)
  .on("/answers", [], (answer) => respond(Number(answer.key), 200, answer.text()))
  .start();

/** Requests that failed are answered, too. */
async function answerTheDead() {
  for await (const event of flow.watch("/dead/requests")) {
    if (event.what !== "put") continue;
    const { value, cause } = JSON.parse(event.text());
    respond(Number(Buffer.from(value, "base64")), 500, `${cause.type}: ${cause.message}`);
  }
}

const requests = flow.pool("/requests");
let last = 0;
const server = createServer((request, response) => {
  const number = ++last;
  open.set(number, response);
  response.once("close", () => open.delete(number));
  // The path is the key: visits of one path are counted in their order.
  requests.put(request.url, String(number)).catch((error) => {
    if (open.has(number) && !response.headersSent) respond(number, 503, error.message);
  });
});

/** No more requests; those that are in the flow are answered. */
async function stop() {
  const closed = new Promise((resolve) => server.close(resolve));
  await flow.drain({ signal: AbortSignal.timeout(5000) });
  const visits = flow.pool("/visits");
  for (const path of visits.list()) console.log(`${visits.get(path).number} to ${path}`);
  await flow.close();
  await dead;
  server.closeIdleConnections?.();
  await closed;
}

const dead = answerTheDead();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
