// The AssemblyScript compiler, for many modules: most of what it does for one is to begin.
// node asc.mjs COMPILER OPTIONS...  -- and the options of the next module
import { pathToFileURL } from "node:url";

const [compiler, ...given] = process.argv.slice(2);
const { main } = await import(pathToFileURL(compiler));
for (let rest = given; rest.length > 0; ) {
  const end = rest.indexOf("--");
  const { error } = await main(rest.slice(0, end), { stdout: process.stdout, stderr: process.stderr });
  if (error) process.exit(1);
  rest = rest.slice(end + 1);
}
