// What is chosen on the page. The address holds it, so a link opens the same view. What is not in the initial state is
// kept out of the address.

const listeners = [];
let defaults = {};
let current = {};

// `known` replaces what an address names and the report does not have.
export function startState(initial, known) {
  defaults = initial;
  current = known({ ...initial, ...fromAddress() });
  for (const event of ["hashchange", "popstate"])
    window.addEventListener(event, () => apply(known({ ...current, ...defaults, ...fromAddress() })));
}

export function chosen() {
  return current;
}

// Calls the function when one of these is changed.
export function whenChanged(names, listener) {
  listeners.push([names, listener]);
}

// Changes some of what is chosen. With `step`, the browser's back button undoes it.
export function choose(changes, { step = false } = {}) {
  const wanted = { ...current, ...changes };
  const address = `#${toAddress(wanted)}`;
  if (address !== (location.hash || "#")) history[step ? "pushState" : "replaceState"](null, "", address);
  apply(wanted);
}

function apply(wanted) {
  const changed = Object.keys({ ...wanted, ...current }).filter((name) => wanted[name] !== current[name]);
  if (changed.length === 0) return;
  current = wanted;
  for (const [names, listener] of listeners) {
    if (names.some((name) => changed.includes(name))) listener(changed);
  }
}

function toAddress(values) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (name in defaults && value !== defaults[name] && value !== null) parts.set(name, value);
  }
  return parts.toString();
}

function fromAddress() {
  const found = {};
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (name in defaults) found[name] = value;
  }
  return found;
}
