/** "Did you mean". */

/** The word that was likely meant, if there is one. */
export function nearest(given: string, words: readonly string[]): string | undefined {
  const [lower, most] = [given.toLowerCase(), Math.max(1, Math.floor(given.length / 3))];
  const all = words.map((word) => ({ word, away: distance(lower, word.toLowerCase()) }));
  return all.filter(({ away }) => away <= most).sort((a, b) => a.away - b.away)[0]?.word;
}

/** Characters to insert, delete or change: Levenshtein's. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length]!;
}
