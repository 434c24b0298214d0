// Connects the stream of frames with what shows them, and the buttons with the demo.
import { act } from "./actions.js";
import { showFlow } from "./flow.js";
import { showLedger } from "./ledger.js";
import { showLog } from "./log.js";
import { showMachines } from "./machines.js";
import { element } from "./dom.js";

const live = element("live");
let lastKey = "";

function connected(state, text) {
  live.dataset.state = state;
  element("live-text").textContent = text;
}

function show(frame, fromScratch) {
  connected("live", "Live");
  showFlow(frame.operations, fromScratch);
  showLog(frame.lines, fromScratch);
  showLedger(frame.ledger);
  showMachines(frame.machines);
  showLast(frame.last);
}

function showLast(key) {
  if (key !== lastKey) {
    lastKey = key;
    element("last").textContent = key ? `Your latest: ${key}` : "Needs something sent.";
    for (const button of document.querySelectorAll("[data-needs-last]")) {
      button.disabled = !key;
    }
  }
}

const stream = new EventSource("stream");
stream.addEventListener("everything", (event) => show(JSON.parse(event.data), true));
stream.addEventListener("change", (event) => show(JSON.parse(event.data), false));
stream.addEventListener("error", () => connected("lost", "The demo does not answer; trying again"));

element("wish").addEventListener("submit", (event) => {
  event.preventDefault();
  act(event.submitter);
});
for (const button of document.querySelectorAll("button[type=button][data-action]")) {
  button.addEventListener("click", () => act(button));
}
