// Builds what a page has of code and style: one script, one style sheet, and the licences of what is in them.

import { readFileSync, readdirSync, mkdirSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const OUT = "../python/sdy/page/static";
const ALLOWED = ["MIT", "BSD-3-Clause", "Apache-2.0"];

const result = await build({
  entryPoints: { report: "src/app.js" },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  outdir: OUT,
  metafile: true,
  logLevel: "warning",
});

/** The folders of the packages that something in the bundle is from. */
function packages() {
  const found = new Set();
  for (const path of Object.keys(result.metafile.inputs)) {
    const at = path.lastIndexOf("node_modules/");
    if (at < 0) continue;
    const parts = path.slice(at + "node_modules/".length).split("/");
    found.add(path.slice(0, at) + join("node_modules", ...parts.slice(0, parts[0].startsWith("@") ? 2 : 1)));
  }
  return [...found].sort();
}

const texts = packages().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!ALLOWED.includes(license)) throw new Error(`${name}: the licence ${license} is not one of ${ALLOWED.join(", ")}`);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : `Licensed under ${license}.`;
  return `${name} ${version} (${license})\n\n${text}\n`;
});
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, "THIRD_PARTY.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
