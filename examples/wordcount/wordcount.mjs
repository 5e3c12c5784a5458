// The word count in JavaScript: lines to words, words to counts, counts to the most frequent ones, and those alone.

/** Emits each word of a line as a record of its own. A word is a run of ASCII letters, lower-cased. */
export class Splitter {
  onObject(object, emit) {
    for (const word of object.text().match(/[A-Za-z]+/g) ?? []) emit.put(word.toLowerCase(), "");
  }
}

/** Keeps a count per word, and emits each word that changed once a batch. */
export class Counter {
  counts = new Map();

  onBatch(batch, emit) {
    const changed = new Set();
    for (const word of batch.keys()) {
      this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
      changed.add(word);
    }
    for (const word of changed) emit.put(word, this.counts.get(word));
  }
}

/** Prints the most frequent words once the input has ended. */
export class Reporter {
  counts = new Map();

  open(context) {
    this.top = Number(context.settings.top ?? 10);
  }

  onBatch(batch) {
    const counts = batch.values();
    batch.keys().forEach((word, index) => this.counts.set(word, Number(counts[index])));
  }

  flush() {
    const ranked = [...this.counts].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
    for (const [word, count] of ranked.slice(0, this.top)) {
      process.stdout.write(line(word, count));
    }
  }
}

/** Prints words and their counts as they come. */
export class Printer {
  onBatch(batch) {
    const counts = batch.values();
    batch.keys().forEach((word, index) => process.stdout.write(line(word, counts[index])));
  }
}

function line(word, count) {
  return `${String(count).padStart(7)} ${word}\n`;
}
