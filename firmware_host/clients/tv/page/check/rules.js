// The text form of a rule set, such as "perudo" or "ours=perudo(calza=false)". The table's program gives the data.

import data from "./rule-data.js";
import { concat, utf8 } from "./hashes.js";
import { NotationError, isPrintable, partition } from "./text.js";

const { rulesets, fields, defaults } = data;
export const KINDS = data.kinds;
const BASES = Object.values(rulesets).slice(0, 5); // proofs commit to a text that is based on one of these
const PARTS = ["exact", "pass"];
const FORM = /^([^=()]*)=([a-z-]+)(?:\(([^()]*)\))?$/;
const RESERVED = " %=(),";

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Reads a rule set. Throws a NotationError. */
export function parseRules(text) {
  if (Object.hasOwn(rulesets, text)) return rulesets[text];
  const found = isPrintable(text) ? FORM.exec(text) : null;
  const names = Object.keys(rulesets).join(", ");
  if (!found) throw new NotationError(text, `expected ${names}, or a custom one such as ours=perudo(to_aces=half)`);
  const [, name, base, changes] = found;
  if (!Object.hasOwn(rulesets, base)) throw new NotationError(text, `'${base}' is not a rule set, expected one of ${names}`);
  let rules = { ...rulesets[base], name: respelled(name) };
  const seen = new Set();
  for (const change of changes === undefined ? [] : changes.split(",")) {
    const [key, value] = partition(change, "=");
    if (seen.has(key)) throw new NotationError(change, "expected each key once");
    seen.add(key);
    rules = changed(rules, "rules", key, value, change);
  }
  return rules;
}

/** Writes the one text of a rule set. */
export function writeRules(rules) {
  if (Object.hasOwn(rulesets, rules.name) && isEqual(rules, rulesets[rules.name])) return rules.name;
  const [base, changes] = BASES.map((each) => [each, changesFrom(each, rules, "rules")]).reduce((best, each) => (each[1].length < best[1].length ? each : best));
  return `${rules.name}=${base.name}${changes.length ? `(${changes.join(",")})` : ""}`;
}

function changesFrom(old, now, part) {
  return fields[part].flatMap(({ key, type }) => {
    if (isEqual(now[key], old[key])) return [];
    const inner = PARTS.includes(type) && now[key] !== null ? changesFrom(old[key] ?? defaults[type], now[key], type) : [];
    return inner.length ? inner.map((change) => `${key}.${change}`) : [`${key}=${word(now[key], type)}`];
  });
}

function word(value, type) {
  if (type === "kinds") return value.join("+") || "-";
  return PARTS.includes(type) ? String(value !== null) : String(value);
}

function changed(owner, part, path, value, change) {
  const [root, rest] = partition(path, ".");
  const field = fields[part].find(({ key }) => key === root);
  if (!field) throw new NotationError(change, "expected a key of the rules");
  const was = owner[root];
  if (!rest) return { ...owner, [root]: valueOf(value, field, was, change) };
  if (!PARTS.includes(field.type)) throw new NotationError(change, `expected no part of ${root}, it has none`);
  return { ...owner, [root]: changed(was ?? defaults[field.type], field.type, rest, value, change) };
}

function valueOf(text, { type, choices }, was, change) {
  let values = new Map(choices.map((choice) => [String(choice), choice]));
  if (type === "kinds") return text === "-" ? [] : text.split("+").map((kind) => oneOf(kind, values, change));
  if (PARTS.includes(type)) values = new Map([["true", was ?? defaults[type]], ["false", null]]);
  else if (type === "switch") values = new Map([["true", true], ["false", false]]);
  return oneOf(text, values, change);
}

function oneOf(text, values, change) {
  if (!values.has(text)) throw new NotationError(change, `expected one of ${[...values.keys()].join(", ")}`);
  return values.get(text);
}

// Names, in which reserved characters stand as %XX of their UTF-8

const spelled = (text) => Array.from(text, (character) => (isPrintable(character) && !RESERVED.includes(character) ? character : percent(utf8(character)))).join("");
const percent = (bytes) => Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** The one spelling of a name. Half a pair of surrogates, which a browser's decoder refuses, may be in it. */
function respelled(name) {
  const error = new NotationError(name, "expected a name, in it %XX of UTF-8 for what is reserved");
  if (!/^(?:[^%]|%[0-9A-F]{2})*$/.test(name)) throw error;
  const parts = name.match(/%..|[^%]+/g) ?? [];
  const bytes = concat(...parts.map((part) => (part[0] === "%" ? Uint8Array.of(parseInt(part.slice(1), 16)) : utf8(part))));
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let [text, from] = ["", 0];
  for (let at = 0; at <= bytes.length; at += 1) {
    const isHalf = bytes[at] === 0xed && bytes[at + 1] >= 0xa0 && bytes[at + 1] < 0xc0 && (bytes[at + 2] & 0xc0) === 0x80;
    if (!isHalf && at < bytes.length) continue;
    try {
      text += spelled(decoder.decode(bytes.subarray(from, at)));
    } catch {
      throw error;
    }
    if (isHalf) text += percent(bytes.subarray(at, at + 3));
    from = at + 3;
  }
  return text;
}
