// What happened, newest on top.
import { element, make, time } from "./dom.js";

const MOST = 60;
const list = element("log");

export function showLog(lines, fromScratch) {
  if (fromScratch) {
    list.replaceChildren();
  }
  for (const line of lines) {
    list.prepend(make("li", {}, make("time", { datetime: new Date(line.at).toISOString() }, time(line.at)), " ", make("span", {}, line.text)));
  }
  while (list.children.length > MOST) {
    list.lastElementChild.remove();
  }
}
