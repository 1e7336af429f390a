// Numbers in, the text that the page shows for them out: as the library writes them.

const UNDEFINED = "–";

// Decimals as Python writes them: a number that lies exactly between two is rounded to the even one.
export function fixed(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return UNDEFINED;
  const text = value.toFixed(digits);
  const exact = value.toFixed(Math.min(digits + 20, 100));
  const rest = exact.slice(exact.length - 20);
  const isBetween = /^50*$/.test(rest) && !/^-?0\.?0*$/.test(exact);
  if (isBetween && Number(text.at(-1)) % 2 === 1) {
    const lower = exact.slice(0, exact.length - 20);
    return digits === 0 ? lower.replace(/\.$/, "") : lower;
  }
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}

export function signed(value, digits = 4) {
  if (value === null || Number.isNaN(value)) return UNDEFINED;
  const text = fixed(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text.replace("-", "−");
}

// A whole number with its thousands apart.
export function count(value) {
  return value.toLocaleString("en-US");
}

export function short(value) {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(4)));
}

export function pValue(p) {
  if (p === null) return "";
  return p < 0.0001 ? "p < 0.0001" : `p = ${p.toFixed(p < 0.001 ? 5 : 3)}`;
}

export function plural(amount, one, many) {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}

export function rankText(rank) {
  return rank === 0 ? UNDEFINED : String(rank);
}

// What a difference is, where positive ones are better.
export function kindOf(gain) {
  return gain > 0 ? "gain" : gain < 0 ? "loss" : "same";
}
