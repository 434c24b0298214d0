// The few things that every part of the page needs. Text always goes in as text, never as markup.

export function element(id) {
  return document.getElementById(id);
}

/** Makes an element with attributes and children; what is a string becomes text. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

/** Sets text only where it differs, so that nothing is announced or repainted for nothing. */
export function setText(target, text) {
  if (target.textContent !== String(text)) {
    target.textContent = text;
  }
}

export function announce(text) {
  setText(element("announcements"), text);
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export function time(millis) {
  return clock.format(new Date(millis));
}

export function euros(cents) {
  return (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 }) + " EUR";
}
