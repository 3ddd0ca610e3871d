// Keeps a page that is served up to date: follows what the server tells, and asks for every new document.
import { offerHandles, showDocument, showProblems, showStatus } from "sheetmbs/main.js";

/** @typedef {import("sheetmbs/document.js").Problem} Problem */
/**
 * How the workbook stands, as `State` of sheetmbs/live/page_state.py tells it.
 * @typedef {object} State
 * @property {number} number of the document to show, 0 while there is none
 * @property {"waiting"|"done"|"failed"|"error"} status of the last run
 * @property {string} sentence
 * @property {Problem[]} problems
 * @property {number} seconds that the last run took
 * @property {string} written where its results are
 * @property {number|null} fraction done of a run, null while none is under way
 * @property {boolean} ended
 */

/** Milliseconds after which the server, which speaks every five seconds, is taken for gone. */
const SILENCE = 15000;
const AGAIN = 2000;

/** @type {EventSource|null} */
let events = null;
let silence = 0;
/** Number of the document that is shown. */
let shown = 0;
let hasEnded = false;

function connect() {
  if (events || hasEnded) return;
  events = new EventSource("events");
  events.addEventListener("alive", heard);
  events.addEventListener("state", (event) => {
    heard();
    take(JSON.parse(event.data)).catch(fail);
  });
  events.addEventListener("error", () => {
    if (hasEnded) return;
    showStatus("The connection to sheetmbs is lost; waiting for it ...");
    if (events?.readyState === EventSource.CLOSED) reconnect();
  });
  heard();
}

function disconnect() {
  clearTimeout(silence);
  events?.close();
  events = null;
}

/** Begin again in a moment: who connects is told how things are now. */
function reconnect() {
  disconnect();
  setTimeout(connect, AGAIN);
}

/** Something was heard: wait for the next from now on. */
function heard() {
  clearTimeout(silence);
  silence = window.setTimeout(() => {
    showStatus("sheetmbs is silent; asking again ...");
    reconnect();
  }, SILENCE);
}

/** @param {State} state */
async function take(state) {
  if (state.ended) {
    hasEnded = true;
    disconnect();
    showStatus("sheetmbs has ended; start it again and open its new address");
    return;
  }
  if (state.number !== shown) await update();
  tell(state);
}

/** Show the newest document. Of several that are under way, an older one never follows a newer one. */
async function update() {
  const answer = await fetch("document");
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  const found = await answer.json();
  if (found.number <= shown) return;
  const keep = shown > 0;
  shown = found.number;
  showDocument(found.document, { keep });
  document.documentElement.dataset.number = String(shown);
  await offer();
}

/** Offer the cells of the workbook as it is now. */
async function offer() {
  const answer = await fetch("handles");
  if (answer.ok) offerHandles(await answer.json(), { move: (name, changes) => post("move", { case: name, changes }), write: (changes) => post("write", { changes }) });
}

/**
 * @param {string} path
 * @param {unknown} asked
 * @returns {Promise<any>}
 */
async function post(path, asked) {
  const given = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) };
  const answer = await fetch(path, given);
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return answer.json();
}

/** @param {State} state */
function tell(state) {
  const isWrong = state.status === "error";
  const stays = shown ? "; this is the last good motion" : "";
  showProblems(isWrong ? state.problems : [], `The workbook cannot be analysed${stays}`);
  if (state.fraction !== null) {
    const part = state.fraction ? ` ${Math.round(100 * state.fraction)} %` : "";
    showStatus(state.status === "waiting" && state.sentence ? state.sentence : `Analysing${part} ...`);
  } else if (isWrong) {
    showStatus(`Mistakes in the workbook${stays}`);
  } else if (state.sentence) {
    const where = state.written ? `; ${state.written}` : "";
    showStatus(`${state.sentence}, ${state.seconds.toFixed(2)} s${where}`);
  }
}

/** @param {unknown} error */
function fail(error) {
  console.error(error);
  showStatus(`This page could not be brought up to date: ${String(error)}`);
  reconnect();
}

// browsers keep few connections to one address: a page that nobody sees gives its own back, and catches up afterwards
document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
window.addEventListener("pageshow", connect);
connect();
