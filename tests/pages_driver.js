/* Uses a page as a reader would and tells the page around it what it found: tests/test_pages.sh puts this
 * script at the start of each page, and shows the pages in frames of two sizes. */
"use strict";
const failures = [];
const check = (good, what) => { if (!good) failures.push(what); };
onerror = (message, file, line) => { failures.push(`${message}, line ${line}`); };

/* Every box of the first screen of a tree lies within the window from left to right. */
function checkTree() {
  const boxes = [...document.querySelectorAll("g.box rect")].map(box => box.getBoundingClientRect());
  const roots = [...document.querySelectorAll('g.box rect[rx="18"]')].map(box => box.getBoundingClientRect());
  check(boxes.length > 1, "a tree has a root and actions");
  check(boxes.every(box => box.width > 60), "boxes can be read");
  check(roots.some(box => box.top >= 0 && box.bottom <= innerHeight), "the root is on the first screen");
  if (innerWidth < 640)
    check(boxes.every(box => box.left >= 0 && box.right <= innerWidth), "no box is cut");
  const before = boxes.length;
  document.getElementById("unfold").click();
  check(document.querySelectorAll("g.box").length >= before, "unfold shows no fewer boxes");
  document.getElementById("fold").click();
  check(document.querySelectorAll("g.box").length <= before, "fold shows no more boxes");
}

/* A page that steps through a game or a battle. */
function checkSteps() {
  const at = document.getElementById("at"), last = Number(at.max);
  const place = () => Number(at.value);
  const press = key => dispatchEvent(new KeyboardEvent("keydown", { key: key }));
  check(last > 0, "there are steps");
  document.getElementById("last").click();
  check(place() === last, "the last step");
  press("ArrowLeft");
  check(place() === last - 1, "one step back");
  press("Home");
  check(place() === 0, "the first step");
  document.getElementById("on").click();
  check(place() === 1, "one step on");
  at.value = String(last);
  at.oninput();
  check(document.querySelectorAll(".now").length === 1, "one row is marked");
  const board = document.querySelector("#board pre");
  if (board && innerWidth > 1000) check(parseFloat(getComputedStyle(board).fontSize) >= 18, "a text board is large");
}

/* What the bot expected, in a battle's page: each decision is one line, which opens. */
function checkDecisions(list) {
  check(list.length === 3, "three decisions are shown");
  for (const box of list) {
    const summary = box.querySelector("summary");
    check(/^\d+\u00a0% wins · .+ \d+\u00a0% · reply Iron Head, Dynamax 40\u00a0% · then the foe: Surf$/.test(summary.textContent), summary.textContent);
    check(summary.getBoundingClientRect().height < 30, "a closed decision is one line");
    check(!box.open, "decisions are closed");
    summary.click();
    check(box.open && box.querySelectorAll("table").length === 2, "a click shows two tables");
    check(box.scrollWidth <= box.clientWidth, "the tables fit");
    check(box.textContent.includes("Foul Play against switch to Mew"), "the line of play is shown");
  }
}

addEventListener("load", () => {
  try {
    const root = document.documentElement;
    check(document.title && document.body.innerText.length > 40, "the page shows something");
    check(root.scrollWidth <= innerWidth, `the page is ${root.scrollWidth} wide in a window of ${innerWidth}`);
    if (document.querySelector("g.box")) checkTree();
    if (document.getElementById("last")) checkSteps();
    if (document.querySelector("#log details")) checkDecisions(document.querySelectorAll("#log details"));
    for (const button of document.querySelectorAll("button")) { button.click(); button.click(); }
    for (const row of [...document.querySelectorAll("tbody tr, #log div")].slice(0, 5)) row.click();
  } catch (e) { failures.push(String(e.stack || e)); }
  parent.postMessage(`${document.title}, ${innerWidth} wide: ${failures.join("; ") || "good"}`, "*");
});
