/* The sequential test as a gauge: where the log likelihood ratio stands between its bounds.  There is no line over
 * time: past values say nothing that the present one does not. */
import { signed } from "../numbers.ts";
import type { Sprt } from "../server/protocol.ts";

const width = 400;
const height = 44;

/** What the test says, in words. */
export function verdict(sprt: Sprt): string {
    const claim = (elo: number) => `the difference is ${elo} Elo rather than ${elo === sprt.elo0 ? sprt.elo1 : sprt.elo0}`;
    if (sprt.answer === "elo0") return `elo0 holds: ${claim(sprt.elo0)}.`;
    if (sprt.answer === "elo1") return `elo1 holds: ${claim(sprt.elo1)}.`;
    return "Undecided.";
}

export function Gauge({ sprt }: { sprt: Sprt }) {
    const [lower, upper] = sprt.bounds;
    const x = (llr: number) => (width * (Math.min(upper, Math.max(lower, llr)) - lower)) / (upper - lower);
    const [from, to] = [Math.min(x(0), x(sprt.llr)), Math.max(x(0), x(sprt.llr))];
    const text = `LLR ${signed(sprt.llr, 2)} in [${signed(lower, 2)}, ${signed(upper, 2)}]`;
    return (
        <section aria-labelledby="gauge-title">
            <h2 id="gauge-title">Test of {sprt.elo0} against {sprt.elo1} Elo</h2>
            <p class="help">
                How much more likely the results are with {sprt.elo1} Elo than with {sprt.elo0}, as a log likelihood ratio (LLR). At the right end the test answers {sprt.elo1}, at the left end {sprt.elo0}.
            </p>
            <div role="meter" aria-label="Log likelihood ratio" aria-valuemin={lower} aria-valuemax={upper} aria-valuenow={Math.min(upper, Math.max(lower, sprt.llr))} aria-valuetext={text}>
                <svg class="gauge" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
                    <rect class="track" x="0" y="4" width={width} height="18" />
                    <rect class="filled" x={from} y="4" width={to - from} height="18" />
                    <line x1={x(0)} x2={x(0)} y1="0" y2="26" />
                    <line class="now" x1={x(sprt.llr)} x2={x(sprt.llr)} y1="0" y2="26" />
                    <text x="0" y="40">{signed(lower, 2)}: {sprt.elo0} Elo</text>
                    <text x={x(0)} y="40" text-anchor="middle">0</text>
                    <text x={width} y="40" text-anchor="end">{sprt.elo1} Elo: {signed(upper, 2)}</text>
                </svg>
            </div>
            <p class="llr">{text}. {verdict(sprt)}</p>
        </section>
    );
}
