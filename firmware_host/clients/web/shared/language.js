// The language of a page, and its texts with their gaps filled in.

import { make } from "./element.js";
import all from "./texts.js";

const KEPT = "language"; // where a page may keep a person's choice

const browsers = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
const isPhone = matchMedia("(pointer: coarse)").matches; // it has one person; a television and a computer have the table's
const wanted = [
  new URL(location.href).searchParams.get("language"),
  kept(),
  ...(isPhone ? browsers : []),
  document.querySelector("meta[name=table-language]").content,
  ...browsers,
];
export const language = wanted.find((code) => Object.hasOwn(all, code ?? "")) ?? "en";
export const texts = all[language];

/** Puts the texts of the document in the language, by `data-text` and `data-label`. */
export function translateDocument() {
  document.documentElement.lang = language;
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = texts[each.dataset.text];
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", texts[each.dataset.label]);
}

/** The same, and offers the others in the document's list: `choose` is called with a code. */
export function translatePage(choose = openIn, optionOf = (code, name) => name) {
  translateDocument();
  const list = document.getElementById("language");
  for (const [code, { "language-name": name }] of Object.entries(all)) {
    list.append(make("option", { value: code, lang: code, text: optionOf(code, name) }));
  }
  list.value = language;
  list.addEventListener("change", () => choose(list.value));
}

/** Opens the page in a language, which its address then names. */
function openIn(code) {
  const address = new URL(location.href);
  address.searchParams.set("language", code);
  location.replace(address);
}

/** The language of an earlier visit; a browser that blocks storage has none. */
function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** Keeps a language for the next visits, and begins the page again in it. */
export function keepLanguage(code) {
  localStorage.setItem(KEPT, code);
  location.reload();
}

/** A text with its gaps filled in; a gap without a name gets the only fact there is. */
export function fill(text, gaps) {
  return text.replace(/\{(\w*)\}/g, (whole, name) => String(gaps[name || Object.keys(gaps)[0]] ?? whole));
}

const plurals = new Intl.PluralRules(language);
const lists = new Intl.ListFormat(language);
// A browser prepares these at their first use, for tens of milliseconds: here no player waits for it.
plurals.select(2);
lists.format(["", ""]);
const form = ([one, many], count) => (plurals.select(count) === "one" ? one : many);

/** The singular or the plural of a text, with the number in its gap. */
export const counted = (forms, count) => fill(form(forms, count), { count });
export const dice = (count) => counted(texts.dice, count);
export const faces = ({ quantity, face }) => form(texts.faces[face], quantity);
/** A bid in words: "5 trains". */
export const bidInWords = (bid) => `${bid.quantity} ${faces(bid)}`;
/** Dice in words, in their order: "ace, train, train". */
export const diceInWords = (hand) => hand.map((face) => texts.faces[face][0]).join(", ");
export const listed = (words) => lists.format(words);
export const either = (words) => new Intl.ListFormat(language, { type: "disjunction" }).format(words);
