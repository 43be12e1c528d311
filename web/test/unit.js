/* Bundles test/*.test.ts and runs them with Node's own test runner: node test/unit.js */
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "banyan-web-"));
const files = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
await build({
    entryPoints: files.map((name) => join(here, name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
});
const { status } = spawnSync(process.execPath, ["--test", ...readdirSync(folder).filter((name) => name.endsWith(".mjs")).map((name) => join(folder, name))], { stdio: "inherit" });
rmSync(folder, { recursive: true });
process.exit(status ?? 1);
