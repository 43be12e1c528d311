/* The page: connects, and shows what the address names. */
import { render } from "preact";
import { state } from "./server/link.ts";
import * as link from "./server/link.ts";
import { route } from "./route.ts";
import * as routes from "./route.ts";
import { catalogue, load } from "./catalogue.ts";
import { Explain } from "./pages/explain.tsx";
import { Home } from "./pages/home.tsx";
import { MatchList, OneMatch } from "./pages/match.tsx";
import { Play } from "./pages/play.tsx";
import { Files, Replay } from "./pages/replay.tsx";
import { Battles, OneBattle } from "./pages/showdown.tsx";
import { Search } from "./pages/search.tsx";
import { OneRun, RunList } from "./pages/train.tsx";
import "./style.css";
import "./follow.css";

function Connection() {
    const text = {
        connecting: "Connecting …",
        open: "",
        lost: "Disconnected. Trying again …",
        refused: "banyan web was started anew, or this link has no token. Please open the link that it printed.",
    }[state.value];
    return (
        <p class="connection" role="status">
            {text}
        </p>
    );
}

function Missing() {
    return (
        <main>
            <h1>There is no such page</h1>
            <p>
                <a href="/">All games</a>
            </p>
        </main>
    );
}

function Page() {
    const { page, name } = route.value;
    const known = catalogue.value;
    if (!known) return <main aria-busy="true" />;
    const game = known.games.find((one) => one.name === name);
    if (page === "") return <Home />;
    if (page === "search" && game) return <Search key={game.name} game={game} />;
    if (page === "game") return name ? <Replay key={name} name={name} /> : <Files />;
    if (page === "explain" && game) return <Explain key={game.name} game={game} />;
    if (page === "showdown") return name ? <OneBattle key={name} room={name} /> : <Battles />;
    if (page === "play" && game) return <Play key={game.name} game={game} />;
    if (page === "match" && !name) return <MatchList />;
    if (page === "match" && Number(name) >= 1) return <OneMatch key={name} id={Number(name)} />;
    if (page === "train") return name ? <OneRun key={name} name={name} /> : <RunList />;
    return <Missing />;
}

/** The pages that the bar at the top leads to. */
const places = [
    ["game", "Recorded games"],
    ["match", "Matches"],
    ["train", "Training"],
    ["showdown", "Battles"],
];

function Frame() {
    const { page } = route.value;
    return (
        <>
            <header class="top">
                <a href="/" class="brand" aria-current={page === "" ? "page" : undefined}>
                    Banyan
                </a>
                {places.map(([path, words]) => (
                    <a key={path} href={`/${path}`} aria-current={page === path ? "page" : undefined}>
                        {words}
                    </a>
                ))}
                <Connection />
            </header>
            <Page />
        </>
    );
}

routes.start();
link.start();
link.whenOpen(load);
render(<Frame />, document.getElementById("page") as HTMLElement);
