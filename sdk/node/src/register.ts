/** For `node --import`: files of TypeScript can be imported, as a flow imports its handlers. */

import { join } from "node:path";
import { compilerOf, nodeStrips, strip } from "./strip.js";

if (!nodeStrips()) strip(compilerOf(join(process.cwd(), "package.json")));
