// The language of the page, and its texts: chosen here, else that of the table, else that of the browser, else English.

import en from "./texts/en.js";
import es from "./texts/es.js";
import fr from "./texts/fr.js";

const STORAGE_KEY = "language";
const LANGUAGES = { en, es, fr };

/** The languages by code, each with the name that its speakers use. */
export const LANGUAGE_NAMES = { en: "English", es: "Español", fr: "Français" };

export let language = "en";
export let texts = en;

/** Decides the language; `table` is the language of the table's displays, null as long as it is not known. */
export function decideLanguage(table = null) {
  const kept = localStorage.getItem(STORAGE_KEY);
  const wanted = [kept, table === "en" ? null : table, ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
  language = wanted.find((code) => Object.hasOwn(LANGUAGES, code ?? "")) ?? "en";
  texts = LANGUAGES[language];
  document.documentElement.lang = language;
}

/** Puts the texts of a document in the language: those of one part, by `data-text` and `data-label`. */
export function label(part) {
  for (const place of document.querySelectorAll("[data-text]")) place.textContent = texts[part][place.dataset.text];
  for (const place of document.querySelectorAll("[data-label]")) place.setAttribute("aria-label", texts[part][place.dataset.label]);
}

/** Keeps a person's choice and begins the page again in it: the chair and the story survive a reload. */
export function choose(code) {
  localStorage.setItem(STORAGE_KEY, code);
  location.reload();
}

/** A text with its {gaps} filled in. */
export function fill(text, gaps) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in gaps ? String(gaps[name]) : whole));
}

/** The singular or the plural of a text, with the number in its gap {count}. */
export function counted([one, many], count) {
  return fill(new Intl.PluralRules(language).select(count) === "one" ? one : many, { count });
}

export const listed = (words) => new Intl.ListFormat(language).format(words);
export const either = (words) => new Intl.ListFormat(language, { type: "disjunction" }).format(words);

/** A bid in words: "5 trains". */
export function bidInWords(quantity, face) {
  return `${quantity} ${counted(texts.faces[face], quantity)}`;
}

/** Dice in words, in their order: "ace, train, train". */
export const diceInWords = (faces) => faces.map((face) => texts.faces[face][0]).join(", ");
