/* Bundles the page: node bundle.js FOLDER [--watch]
 *
 *     src/main.tsx and all that it imports --> FOLDER/app.js, app.css, index.html, each with its .gz
 *
 * With --watch the page is bundled anew whenever a file changes; `banyan web --web-dir=FOLDER` serves it. */
import { build, context } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "dist");
const names = ["index.html", "app.js", "app.css"];

function compress() {
    writeFileSync(join(folder, "index.html"), readFileSync(join(here, "src/index.html")));
    for (const name of names)
        writeFileSync(join(folder, name + ".gz"), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
}

const options = {
    entryPoints: { app: join(here, "src/main.tsx") },
    outdir: folder,
    bundle: true,
    minify: true,
    legalComments: "none",
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
    plugins: [{ name: "compress", setup: (plugin) => plugin.onEnd((result) => result.errors.length || compress()) }],
};

mkdirSync(folder, { recursive: true });
if (process.argv.includes("--watch")) await (await context(options)).watch();
else await build(options);
