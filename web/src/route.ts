/* The address of the page holds everything that is shown: /search/othello?moves=f5+d6&k=1000 */
import { signal } from "@preact/signals";

export interface Route {
    page: string; // "search"; "": home
    name: string; // "othello"
    query: Record<string, string>;
}

/** Reads a path such as "/search/othello" and a query such as "?k=10". */
export function read(path: string, search: string): Route {
    const [, page = "", name = ""] = path.split("/");
    return { page, name: decodeURIComponent(name), query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The address of a route; empty values are left out. */
export function write(route: Route): string {
    const query = new URLSearchParams(Object.entries(route.query).filter(([, value]) => value !== ""));
    const path = `/${route.page}${route.name ? `/${encodeURIComponent(route.name)}` : ""}`;
    return `${query}` ? `${path}?${query}` : path;
}

/** A longer address may not reach the server when the page is loaded anew. */
const longest = 2000;

/** The address of a page that begins with a position, with boards flipped if they are flipped here; "" if the position
 * has no text, because some of it is hidden, or if its text is too long. */
export function addressOf(page: string, name: string, position: string): string {
    const address = write({ page, name, query: { position, flip: route.value.query["flip"] ?? "" } });
    return position && address.length <= longest ? address : "";
}

export const route = signal<Route>({ page: "", name: "", query: {} });

/** Goes to another route; with `replace` the browser's Back does not return to the present one. */
export function go(next: Route, replace = false): void {
    if (replace) history.replaceState(null, "", write(next));
    else history.pushState(null, "", write(next));
    route.value = next;
}

/** Changes values of the query. */
export function setQuery(values: Record<string, string>, replace = false): void {
    go({ ...route.value, query: { ...route.value.query, ...values } }, replace);
}

export function start(): void {
    const look = () => (route.value = read(location.pathname, location.search));
    window.addEventListener("popstate", look);
    document.addEventListener("click", follow);
    look();
}

/** Links inside the page change the route and load nothing. */
function follow(event: MouseEvent): void {
    const link = (event.target as Element).closest("a");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target || link.hash) return;
    event.preventDefault();
    go(read(link.pathname, link.search));
    window.scrollTo(0, 0);
}
