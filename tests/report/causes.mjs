// What the page says of the causes of collectives: `node causes.mjs FILE` prints them as JSON, by the data in the file.

import { readFileSync } from "node:fs";
import { Model } from "../../web/src/model.js";

const { plans: [plan] } = new Model(JSON.parse(readFileSync(process.argv[2], "utf8")));
const rows = plan.collectives.map((one, index) => [one.id, plan.around(index).map(({ role, value, came }) => [role, plan.program.data.values.name[value], came.axis, came.dim, came.kind, came.origin, came.hops])]);
process.stdout.write(JSON.stringify(rows));
