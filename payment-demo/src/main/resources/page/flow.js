// Operations on their way, newest on top.
import { element, euros, make, time } from "./dom.js";

const MOST = 25;
const list = element("flow");
const items = new Map();

const REPLIES = { 0: "no reply", 202: "202 taken", 409: "409 under way", 422: "422 other amount", 503: "503 store away" };

export function showFlow(operations, fromScratch) {
  if (fromScratch) {
    items.clear();
    list.replaceChildren();
  }
  for (const operation of operations) {
    put(operation);
  }
  while (list.children.length > MOST) {
    items.delete(list.lastElementChild.dataset.id);
    list.lastElementChild.remove();
  }
  element("flow-empty").hidden = list.children.length > 0;
}

function put(operation) {
  const item = render(operation);
  const old = items.get(operation.id);
  if (old) {
    old.replaceWith(item);
  } else {
    item.classList.add("new");
    list.prepend(item);
  }
  items.set(operation.id, item);
}

function render(operation) {
  const name = operation.kind === "PAYOUT" ? "Payout" : "Payment";
  return make(
    "li",
    { "data-id": operation.id, "data-key": operation.key },
    make(
      "div",
      { class: "what" },
      make("strong", {}, operation.amount ? `${name} of ${euros(operation.amount)}` : name),
      make("span", { class: "key", title: operation.tenant ? `tenant ${operation.tenant}` : undefined }, operation.key || operation.id),
      make("time", { datetime: new Date(operation.at).toISOString() }, time(operation.at)),
    ),
    make("ol", { class: "steps", "aria-label": `Steps of ${operation.key || operation.id}` }, ...operation.steps.map(step)),
    make("ul", { class: "replies", "aria-label": "Replies" }, ...operation.replies.map(reply)),
  );
}

function step(view) {
  return make(
    "li",
    { "data-state": view.state, "data-scope": view.scope, title: view.worker ? `by ${view.worker}` : undefined },
    make("span", { class: "scope" }, view.scope),
    make("span", { class: "state" }, view.state === "WAITING" ? "waiting" : view.state),
    ...notes(view).map((note) => make("span", { class: "note" }, note)),
  );
}

function notes(view) {
  const client = view.scope === "intake";
  return [
    view.takeovers ? `taken over${times(view.takeovers)}` : "",
    ...Object.entries(view.parts).map(([name, how]) => `${name} ${how}`),
    view.foundInInbox ? "found committed, not repeated" : "",
    view.duplicates ? `${client ? "replayed" : "duplicate skipped"}${times(view.duplicates)}` : "",
    view.deferred ? `${client ? "409 meanwhile" : "deferred"}${times(view.deferred)}` : "",
  ].filter(Boolean);
}

function times(count) {
  return count > 1 ? ` × ${count}` : "";
}

function reply(view) {
  const text = view.replayed ? `${view.status} replayed` : REPLIES[view.status] ?? String(view.status);
  return make(
    "li",
    { "data-status": view.replayed ? "replayed" : view.status },
    view.count > 1 ? `${text} × ${view.count}` : text,
  );
}
