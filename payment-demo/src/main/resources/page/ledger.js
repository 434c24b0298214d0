// The verdict on top and the table of consumers.
import { announce, element, make, setText } from "./dom.js";

const verdict = element("verdict");
const table = element("consumers");

export function showLedger(ledger) {
  for (const figure of ["promised", "rows", "lost", "double"]) {
    setText(element(figure), ledger[figure]);
  }
  for (const figure of ["lost", "double"]) {
    element(figure).parentElement.dataset.any = String(ledger[figure] > 0);
  }
  showVerdict(judge(ledger));
  table.replaceChildren(...ledger.consumers.map(row));
}

function judge(ledger) {
  const trouble = [
    ledger.lost ? `${ledger.lost} lost` : "",
    ledger.double ? `${ledger.double} double` : "",
    ledger.wrong ? `${ledger.wrong} not as asked for` : "",
  ].filter(Boolean);
  if (trouble.length) {
    return ["trouble", "Something went wrong", `Effects: ${trouble.join(", ")}.`];
  }
  if (ledger.underWay) {
    return ["working", "On the way", `${ledger.underWay} ${ledger.underWay > 1 ? "effects are" : "effect is"} still to come. Nothing doubled.`];
  }
  if (ledger.promised) {
    return ["clean", "Nothing lost, nothing doubled", "Every promise to a client took effect once, at every consumer."];
  }
  return ["waiting", "Nothing promised yet", "Send a payment, then do your worst."];
}

function showVerdict([state, text, detail]) {
  if (verdict.dataset.verdict !== state) {
    verdict.dataset.verdict = state;
    announce(`${text}. ${detail}`);
  }
  setText(element("verdict-text"), text);
  setText(element("verdict-detail"), detail);
}

function row(consumer) {
  const figures = [consumer.promised, consumer.rows, consumer.missing, consumer.double];
  return make(
    "tr",
    { "data-consumer": consumer.consumer },
    make("th", { scope: "row" }, consumer.consumer),
    ...figures.map((figure) => make("td", {}, String(figure))),
  );
}
