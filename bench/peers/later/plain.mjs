// Asks a service COUNT times, IN_FLIGHT requests at a time, and keeps the answers: what a program without a flow does.
// `node plain.mjs URL COUNT IN_FLIGHT`; `cargo xtask bench later` runs it.

const [url, count, inFlight] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const answers = new Map();
let next = 1;

async function worker() {
  while (next <= count) {
    const key = String(next);
    next += 1;
    const answer = await fetch(`${url}/${encodeURIComponent(key)}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    answers.set(key, text);
  }
}

await Promise.all(Array.from({ length: inFlight }, worker));
if (answers.size !== count) throw new Error(`${answers.size} of ${count} answers came`);
process.exit(0);
