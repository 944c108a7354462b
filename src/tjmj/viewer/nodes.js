// Elements of the page. Text gets in as text only.

const SVG = "http://www.w3.org/2000/svg";

/** An element: a tag with classes (`"li.last"`), attributes, and children that are elements or text. */
export function node(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag.split(".")[0]), tag, attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag.split(".")[0]), tag, attributes, children);
}

function filled(made, tag, attributes, children) {
  const classes = tag.split(".").slice(1);
  if (classes.length) made.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** A tile as a picture; `name` is "back" for one from behind. */
export function tile(name, { wild = false, classes = "" } = {}) {
  return node(`i.tile.tile-${name}${wild ? ".wild" : ""}${classes}`);
}

/** Fills elements, and leaves those alone whose content has not changed. */
export class Slots {
  constructor() {
    this.keys = new Map();
  }

  holds(slot, content) {
    return this.keys.get(slot) === JSON.stringify(content);
  }

  fill(slot, content, build) {
    const key = JSON.stringify(content);
    if (this.keys.get(slot) === key) return;
    this.keys.set(slot, key);
    slot.replaceChildren(...build());
  }
}
