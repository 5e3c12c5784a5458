import { countIf, greet, mean, EmptyError, statisticsVersion, Sum, summarize } from "../build/typescript";

declare const console: { log(text: string): void };

const values = new Float64Array([1, 2, 3, 6]);
console.log(`version ${statisticsVersion()}`);
console.log(`mean ${mean(values)}`);
const summary = summarize(values);
console.log(`${summary.count} values from ${summary.min} to ${summary.max}`);
console.log(`${countIf(values, (value) => value > 1.5)} are above 1.5`);
console.log(greet("TypeScript"));
{
  using sum = new Sum(10);
  sum.add(1);
  console.log(`sum ${sum.add(2)}`);
}
try {
  mean(new Float64Array());
} catch (error) {
  if (!(error instanceof EmptyError)) throw error;
  console.log(`error ${error.code}: ${error.message}`);
}
