/* How the pages look, for browser.js: screenshots of all of them, axe-core, and whether everything that can be clicked
 * is large enough for a finger. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const sizes = [[1280, 800], [390, 844]];

/** The game after a move and its answer. */
async function move(page) {
    await page.locator(".choices button").first().click();
    await page.locator('.play[data-plies="2"]').waitFor();
}

/* Each page: its name, its address, the selector of an element that comes last, and what is done before the page is
 * checked. */
const few = (room) => [
    ["home", "/", ".games .card"],
    ["missing", "/nothing", "main a"],
    ["search", "/search/othello?k=2000", "canvas.icicle"],
    ["play", "/play/othello", ".choices button"],
    ["moved", "/play/othello?seats=human|mcts:simulations=50", ".choices button", move],
    ["cards", "/play/pokemon", ".choices button"],
    ["pitch", "/play/bloodbowl", ".choices button"],
    ["files", "/game", "main li a"],
    ["replay", "/game/othello.jsonl?ply=9", ".play img.board"],
    ["battle", "/game/battle.log?ply=40", ".half meter"],
    ["hidden", "/search/kuhn?k=300", "canvas.icicle"],
    ["explain", "/explain/tictactoe?n=20", ".phase.backup"],
    ["battles", "/showdown", "tbody tr"],
    ["decision", `/showdown/${room}`, "tbody tr"],
    ["matches", "/match", ".cross"],
    ["match", "/match/1", ".games tbody tr"],
];
const training = [
    ["runs", "/train", ".matches"],
    ["run", "/train/long?with=short", ".plot canvas"],
];
const more = [
    ["outcomes", "/explain/pig?n=20&other=exploration%3D1", ".phase.backup"],
    ["matrix", "/explain/rps?n=30", ".phase.backup"],
    ["information", "/explain/kuhn?n=20", ".phase.backup"],
    ["worlds", "/explain/pokemon?n=20", ".phase.backup"],
    ["mushrooms", "/play/mushroom", ".choices button"],
    ["hexagons", "/play/hex", ".choices button"],
    ["team", "/play/bloodbowl-3", ".choices button"],
    ["teams", "/search/bloodbowl-3?k=300", "canvas.icicle"],
];

async function accessible(page, name) {
    await page.evaluate(axe).catch(() => undefined);
    /* the page's content security policy does not restrict page.evaluate, because it comes from the debugger */
    const result = await page.evaluate((tags) => window.axe.run({ runOnly: tags, resultTypes: ["violations"], selectors: false, preload: false }), rules);
    const found = result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`);
    assert.deepEqual(found, [], `axe-core on ${name}`);
}

/** What can be clicked and is less than 24 pixels high or wide (in the bar at the top `bar` high), or is covered by something else. */
const badTargets = (page, bar) =>
    page.evaluate((least) => {
        const found = [];
        for (const one of document.querySelectorAll("details")) one.open = true;
        for (const one of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
            if (!one.checkVisibility({ visibilityProperty: true })) continue;
            const size = one.getBoundingClientRect();
            const name = one.outerHTML.slice(0, 120);
            if (size.width < 23.9 || size.height < (one.closest(".top") ? least : 24) - 0.1) found.push(`${size.width.toFixed(1)} x ${size.height.toFixed(1)}: ${name}`);
            if (one.disabled) continue;
            one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
            const { x, y, width, height } = one.getBoundingClientRect();
            const hit = document.elementFromPoint(x + width / 2, y + height / 2);
            if (!one.contains(hit)) found.push(`under ${hit?.outerHTML.slice(0, 60)}: ${name}`);
        }
        return found;
    }, bar);

/** Pictures without a name that tells where their numbers stand as a table or a list. */
const unnamed = (page) =>
    page.evaluate(() => [...document.querySelectorAll("canvas, svg.chart")].filter((one) => !/table|list|numbers/.test(one.closest('[role="img"][aria-label]')?.getAttribute("aria-label") ?? "")).map((one) => one.outerHTML.slice(0, 120)));

/* Pages whose first screen is a picture of docs/web.md (tools/pictures). */
const pictured = ["search", "explain", "cards"];

async function lookAt(page, [name, path, there, prepare], { folder, scheme, width }) {
    await page.locator(there).first().waitFor();
    await prepare?.(page);
    if (path.startsWith("/search")) await page.getByText(/Paused at/).waitFor();
    await accessible(page, `${name}, ${scheme}, ${width}`);
    assert.deepEqual(await unnamed(page), [], `pictures of ${name}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${name} is ${wide} wide on a screen of ${width}`);
    await page.screenshot({ path: join(folder, `${name}-${scheme}-${width}.png`), fullPage: true });
    if (pictured.includes(name) && scheme === "light" && width > 1000) await page.screenshot({ path: join(folder, `first-screen-${name}.png`) });
    assert.deepEqual(await badTargets(page, width < 600 ? 44 : 24), [], `${name}, ${width}`);
    if (name === "missing") page.faults = page.faults.filter((text) => !text.includes("404")); /* the browser reports the missing page */
}

export function lookTests({ tab, close, folder, runs, rooms, long }) {
    const pages = [...few(rooms[0]), ...(runs ? training : []), ...(long ? more : [])];
    return {
        async "all pages are accessible, in both schemes and both sizes"() {
            for (const scheme of ["light", "dark"])
                for (const [width, height] of sizes)
                    for (const one of pages) {
                        /* the short suite: large pages light, small ones dark */
                        if (!long && (scheme === "light") !== (width === 1280)) continue;
                        const page = await tab(one[1], { colorScheme: scheme, viewport: { width, height }, reducedMotion: "reduce" });
                        await lookAt(page, one, { folder, scheme, width });
                        await close(page);
                    }
        },

        async "on a phone tables fit, and so does a board, which is large on a large screen"() {
            const phone = { viewport: { width: 390, height: 844 } };
            for (const [path, part] of [["/search/othello?k=300", ".scroll:has(.moves)"], ["/search/othello?k=300", ".inspector .scroll"], ["/showdown", ".scroll"], ["/play/othello", ".scroll"]]) {
                const page = await tab(path, phone);
                const region = page.locator(part);
                await region.locator("tbody tr").first().waitFor();
                const hidden = await region.evaluate((one) => one.scrollWidth - one.clientWidth);
                assert.ok(hidden <= 0, `${part} of ${path} is ${hidden} pixels too wide`);
                await close(page);
            }
            const page = await tab("/play/othello");
            const { y, width, height } = await page.locator(".clickboard").boundingBox();
            assert.ok(width > 450 && y + height <= 800, `${width} x ${height} at ${y}`);
            await close(page);
        },

        async "an address that is not there leads back to the games, and asks for nothing that is not there"() {
            const page = await tab("/");
            const asked = [];
            page.on("request", (request) => asked.push(new URL(request.url()).pathname));
            await page.goto(`${new URL(page.url()).origin}/nothing`);
            await page.getByRole("heading", { name: "There is no such page" }).waitFor();
            assert.deepEqual(asked.sort(), ["/app.css", "/app.js", "/nothing"]);
            page.faults = page.faults.filter((text) => !text.includes("404"));
            await page.getByRole("link", { name: "All games" }).click();
            await page.getByRole("heading", { name: "Games", exact: true }).waitFor();
            await close(page);
        },
    };
}
