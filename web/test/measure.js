/* What the page costs in the browser: node test/measure.js BANYAN [MINUTES [SIMULATIONS]]
 *
 * Prints each figure with its bound; exit status 1 if a figure exceeds its bound, 77 without Chromium.  The bounds of
 * time hold on an idle machine.  MINUTES: how long a search is watched, default 30. */
import { spawn, spawnSync } from "node:child_process";
import { chromium } from "playwright-core";

const [program, minutes = "30", simulations = "1000000"] = process.argv.slice(2);
const path = ["chromium", "chromium-browser", "google-chrome"].map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim()).find((found) => found);
if (!path) {
    console.log("there is no Chromium here");
    process.exit(77);
}
const child = spawn(program, ["web"]);
const link = await new Promise((done) => child.stdout.once("data", (text) => done(new URL(String(text).split("\n")[0]))));
const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--enable-precise-memory-info"] });
let missed = 0;

function report(what, value, bound, kept) {
    missed += kept ? 0 : 1;
    console.log(`${kept ? "ok     " : "MISSED "} ${what}: ${value} (bound: ${bound})`);
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** A new tab that can read the browser's own measures. */
async function tab(where) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(3_600_000);
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    page.measure = async (name) => (await session.send("Performance.getMetrics")).metrics.find((one) => one.name === name).value;
    page.collect = () => session.send("HeapProfiler.collectGarbage");
    page.received = [];
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => page.received.push(payload)));
    if (where) await page.goto(link.origin + where + link.hash);
    return page;
}

/** How the first page opens: paint, first data, bytes, requests to other hosts. */
async function opening() {
    const paints = [];
    const data = [];
    let bytes = 0;
    let others = 0;
    for (let i = 0; i < 10; ++i) {
        const page = await tab("");
        bytes = 0;
        page.on("request", (request) => (others += new URL(request.url()).host === link.host ? 0 : 1));
        page.on("response", async (answer) => (bytes += Number((await answer.allHeaders())["content-length"] ?? 0)));
        await page.addInitScript(() => {
            new MutationObserver(() => {
                if (!window.firstData && document.querySelector(".card")) window.firstData = performance.now();
            }).observe(document, { childList: true, subtree: true });
        });
        await page.goto(link.origin + "/" + link.hash);
        await page.locator(".card").first().waitFor();
        const [paint, first] = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity, window.firstData]);
        paints.push(paint);
        data.push(first);
        await page.context().close();
    }
    report("first contentful paint", `${median(paints).toFixed(0)} ms`, "300 ms, median of 10", median(paints) <= 300);
    report("first data", `${median(data).toFixed(0)} ms`, "500 ms, median of 10", median(data) <= 500);
    report("bytes of the page's files", bytes, 100000, bytes > 0 && bytes <= 100_000);
    report("requests to other hosts", others, 0, others === 0);
}

/** The icicle of a large tree. */
async function icicle() {
    const page = await tab(`/search/othello?k=${simulations}&memory=1G`);
    await page.getByText(/Paused at/).waitFor();
    const trees = () => page.received.filter((text) => JSON.parse(text).t === "tree");
    while (!trees().some((text) => JSON.parse(text).simulations === Number(simulations))) await page.waitForTimeout(100);
    const rows = trees().map((text) => JSON.parse(text).columns.visits.length);
    const longest = Math.max(...trees().map((text) => text.length));
    report(`rows of the tree of ${simulations} simulations`, Math.max(...rows), 5000, Math.max(...rows) <= 5000);
    report("bytes of its message", longest, 250000, longest <= 250_000);
    const before = await page.measure("TaskDuration");
    const frames = 50;
    for (let i = 0; i < frames; ++i) {
        await page.mouse.move(300 + 10 * i, 500); /* each move draws the icicle anew, with the rectangle that is pointed at */
        await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    const frame_ms = (1000 * ((await page.measure("TaskDuration")) - before)) / frames;
    report("main thread in each frame", `${frame_ms.toFixed(1)} ms`, "20 ms of processor time", frame_ms <= 20);
    await page.context().close();
}

/** A search that is watched for long. */
async function watching() {
    const page = await tab("/search/othello");
    await page.getByRole("spinbutton").fill("1000000000000");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const wait = (s) => page.waitForTimeout(1000 * s);
    const heap = async () => (await page.collect(), page.measure("JSHeapUsedSize"));
    const cost = async (updates) => {
        const [script, seen] = [await page.measure("TaskDuration"), page.received.length];
        while (page.received.length < seen + updates) await wait(0.1);
        return ((await page.measure("TaskDuration")) - script) / (page.received.length - seen);
    };
    const total_s = 60 * Number(minutes);
    const first = await cost(100);
    await wait(Math.min(60, total_s / 10));
    const early = await heap();
    page.received.length = 0;
    await wait(total_s);
    const last = await cost(100);
    const late = await heap();
    report(`heap after ${minutes} min of updates`, `${(late / early).toFixed(2)} times that after 1 min`, "1.2", late < 1.2 * early);
    report("cost of the last 100 updates", `${(last / first).toFixed(2)} times that of the first 100`, "1.2", last <= 1.2 * first);
    await page.context().close();
}

await opening();
await icicle();
await watching();
await browser.close();
child.kill();
process.exit(missed ? 1 : 0);
