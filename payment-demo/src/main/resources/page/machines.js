// Workers and Redis, and which of the two Redis buttons there is; none in a demo without Redis.
import { element, make } from "./dom.js";

const list = element("machines");
const button = element("redis-button");
let shown = "";

const REDIS = { UP: "up", STOPPED: "stopped", NOT_OURS: "given, not ours to stop" };

export function showMachines(machines) {
  const now = JSON.stringify(machines);
  if (now === shown) {
    return;
  }
  shown = now;
  const without = machines.redis === "NONE";
  list.replaceChildren(...machines.workers.map(worker), ...(without ? [] : [redis(machines.redis)]));
  button.hidden = without;
  button.disabled = machines.redis === "NOT_OURS";
  button.dataset.action = machines.redis === "STOPPED" ? "start-redis" : "stop-redis";
  button.textContent = machines.redis === "STOPPED" ? "Start Redis" : "Stop Redis";
}

function worker(view) {
  const killed = view.kills ? `, killed ${view.kills === 1 ? "once" : `${view.kills} times`}` : "";
  return machine(view.name, view.ready ? "up" : "coming back", view.ready, `process ${view.pid}${killed}`);
}

function redis(state) {
  return machine("redis", REDIS[state], state !== "STOPPED", "keys and leases");
}

function machine(name, state, good, detail) {
  return make(
    "li",
    { "data-machine": name, "data-good": String(good) },
    make("span", { class: "dot", "aria-hidden": "true" }),
    make("span", { class: "name" }, name),
    make("span", { class: "state" }, state),
    make("span", { class: "detail" }, detail),
  );
}
