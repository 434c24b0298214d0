// What the buttons do.
import { element } from "./dom.js";

// Other sites cannot make a browser send this header: see the server's filter.
const HEADERS = { "Content-Type": "application/json", "X-Idem-Demo": "page" };

function wish() {
  const field = element("amount");
  const wrong = element("amount-wrong");
  const text = field.value.trim().replace(",", ".");
  const cents = /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
  const valid = cents > 0;
  field.setAttribute("aria-invalid", String(!valid));
  wrong.textContent = valid ? "" : "Type an amount such as 12.50.";
  if (!valid) {
    field.focus();
    return null;
  }
  return { kind: document.querySelector("input[name=kind]:checked").value, cents };
}

function tell(text, failed) {
  const told = element("told");
  told.textContent = text;
  told.dataset.failed = String(failed);
}

async function post(action, body) {
  const reply = await fetch(`actions/${action}`, {
    method: "POST",
    headers: HEADERS,
    body: body ? JSON.stringify(body) : undefined,
  });
  const answer = await reply.json();
  tell(reply.ok ? answer.text : answer.detail, !reply.ok);
}

/** Does what a button says. The button keeps the focus, and cannot be pressed twice meanwhile. */
export async function act(button) {
  if (button.getAttribute("aria-busy") === "true") {
    return;
  }
  const action = button.dataset.action;
  const needsWish = action === "send" || "wish" in button.dataset;
  const body = needsWish ? wish() : null;
  if (needsWish && !body) {
    return;
  }
  button.setAttribute("aria-busy", "true");
  try {
    await post(action, body);
  } catch (unreachable) {
    tell("The demo does not answer.", true);
  } finally {
    button.removeAttribute("aria-busy");
  }
}
