// The figures of the house: tonight's and of all time, as lists, and as plots where a plot says more.

import { make } from "../element.js";
import { LANGUAGES, bidInWords, fill, language, texts } from "../words.js";

/* global uPlot */
const RETRY_MS = 15_000;
const COLORS = ["#ffd479", "#7ed492", "#8fb8ff", "#ff9d85", "#d3a6ff", "#5fd6c8"];
const plurals = new Intl.PluralRules(language);
const percent = new Intl.NumberFormat(language, { style: "percent" });
const byId = (id) => document.getElementById(id);
const counted = (key, count) => fill(texts[key][plurals.select(count) === "one" ? 0 : 1], { count });
const day = (text) => new Date(`${text}T12:00`).toLocaleDateString(language, { day: "numeric", month: "short", year: "numeric" });

let figures = null;
let shown = "tonight";
let plots = [];

document.documentElement.lang = language;
document.title = texts.figures;
for (const each of document.querySelectorAll("[data-text]")) each.textContent = texts[each.dataset.text];
for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", texts[each.dataset.label]);
byId("language").append(...Object.entries(LANGUAGES).map(([value, text]) => make("option", { value, text, lang: value })));
byId("language").value = language;
byId("language").addEventListener("change", ({ target }) => {
  const address = new URL(location.href);
  address.searchParams.set("language", target.value);
  location.replace(address);
});
for (const id of ["tonight", "all"]) {
  byId(id).addEventListener("click", () => {
    shown = id;
    draw();
  });
}
let resizing = 0;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => figures && drawPlots(), 150);
});
await load();

async function load() {
  try {
    const answer = await fetch("figures.json");
    if (!answer.ok) throw new Error(answer.status);
    figures = await answer.json();
    draw();
  } catch {
    if (!figures) byId("state").textContent = texts["figures-gone"];
  }
  setTimeout(load, figures ? 4 * RETRY_MS : RETRY_MS);
}

function draw() {
  const part = figures?.[shown];
  byId("content").hidden = !part;
  byId("state").hidden = Boolean(part);
  if (!part) {
    byId("state").textContent = texts["figures-none"];
    return;
  }
  for (const id of ["tonight", "all"]) byId(id).setAttribute("aria-pressed", id === shown);
  const days = part.first === part.last ? day(part.last) : `${day(part.first)} – ${day(part.last)}`;
  byId("span").textContent = `${days} · ${counted("figures-matches", part.matches)} · ${counted("figures-rounds", part.rounds)}`;
  drawChampion(part);
  byId("players").replaceChildren(...part.players.map((one, at) => row(one, at, part.players[0].won)));
  byId("told").replaceChildren(...told(part));
  drawPlots();
}

function drawChampion({ players: [best] }) {
  byId("champion").hidden = !best?.won;
  if (best?.won) {
    const won = fill(texts["figures-won"], { won: best.won, of: best.matches });
    byId("champion").replaceChildren(make("b", {}, make("bdi", { text: best.name })), make("span", { text: won }));
  }
}

function row({ name, won, matches }, at, most) {
  const bar = make("i", {});
  bar.style.width = `${most ? (100 * won) / most : 0}%`;
  return make("li", {},
    make("span", { class: "place", text: at + 1 }),
    make("span", { class: "who", title: name }, make("bdi", { text: name })),
    make("span", { class: "won" }, make("b", { text: won }), ` / ${matches}`),
    make("span", { class: "bar", "aria-hidden": "true" }, bar));
}

/** What is worth telling again, each with its title; what nobody has done is left out. */
function told({ best, bluffs: [bluff], rules: [rules], longest, shortest }) {
  const facts = [
    bluff && ["bluff", bluff.name, fill(texts["figures-bluff-why"], { bid: bidInWords(bluff), count: bluff.missing })],
    best.right?.right && ["caller", best.right.name, fill(texts["figures-caller-why"], { share: percent.format(best.right.right), count: best.right.calls })],
    best.streak?.streak >= 2 && ["streak", best.streak.name, counted("figures-in-a-row", best.streak.streak)],
    best.slain?.slain && ["slayer", best.slain.name, counted("figures-slain", best.slain.slain)],
    rules && ["rules", rules.name, counted("figures-matches", rules.matches)],
    longest && ["length", "", fill(texts["figures-length-why"], { longest, shortest })],
  ];
  return facts.filter(Boolean).map(([key, name, why]) => make("div", {},
    make("dt", { text: texts[`figures-${key}`] }),
    make("dd", {}, name && make("b", {}, make("bdi", { text: name })), name && " · ", why)));
}

// Plots

function drawPlots() {
  for (const plot of plots) plot.destroy();
  plots = [];
  const title = byId("plot-first").querySelector("h2");
  const part = figures[shown];
  if (shown === "tonight") {
    title.textContent = texts["figures-race"];
    race("plot-first", part.players.slice(0, COLORS.length).map(({ name }) => name));
  } else {
    title.textContent = texts["figures-evenings"];
    const days = figures.days;
    bars("plot-first", days.map((_, at) => at), days.map(([, count]) => count), (at) => (days[at] ? short(days[at][0]) : ""));
  }
  bars("plot-lengths", part.lengths.map(([rounds]) => rounds), part.lengths.map(([, count]) => count), (rounds) => String(rounds));
}

const short = (text) => new Date(`${text}T12:00`).toLocaleDateString(language, { day: "numeric", month: "numeric" });

/** The matches that each of these players has won, one match after the other. */
function race(id, names) {
  const xs = [0, ...figures.race.map((_, at) => at + 1)];
  const lines = names.map((name) => xs.map((upTo) => figures.race.slice(0, upTo).filter((winner) => winner === name).length));
  const series = names.map((label, at) => ({ label, stroke: COLORS[at], width: 3, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }));
  plot(id, [xs, ...lines], series, String, names.map((name, at) => `${name}: ${lines[at].at(-1)}`).join(", "), names.length > 0);
}

function bars(id, xs, ys, label) {
  const series = [{ label: texts["figures-plot"], fill: COLORS[0], stroke: COLORS[0], width: 0, paths: uPlot.paths.bars({ size: [.7, 60] }), points: { show: false } }];
  const said = xs.map((x, at) => `${label(x)}: ${ys[at]}`).join(", ");
  plot(id, [xs, ys], series, label, said, false);
}

function plot(id, data, series, label, said, hasLegend) {
  const section = byId(id);
  const place = section.querySelector("div");
  section.hidden = data[0].length === 0;
  if (section.hidden) return;
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const font = `${Math.round(size * .8)}px system-ui, sans-serif`;
  const whole = (values) => values.map((value) => (Number.isInteger(value) ? String(value) : ""));
  const axis = { stroke: "#b9ad9b", font, grid: { stroke: "#332b23", width: 1 }, ticks: { show: false }, size: size * 1.7, gap: 4 };
  const room = hasLegend ? size * 2.2 * Math.ceil(series.length / 3) : 0;
  const first = data[0][0], last = data[0].at(-1);
  const pad = series[0].fill ? .6 : 0;
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", said);
  plots.push(new uPlot({
    width: place.clientWidth,
    height: Math.max(80, place.clientHeight - room),
    cursor: { show: false },
    legend: { show: hasLegend, live: false },
    scales: { x: { time: false, range: [first - pad, Math.max(last, first + 1) + pad] }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] } },
    axes: [{ ...axis, grid: { show: false }, space: size * 3.2, values: (_, values) => values.map((value) => (Number.isInteger(value) ? label(value) : "")) }, { ...axis, space: size * 2, values: (_, values) => whole(values) }],
    series: [{}, ...series],
  }, data, place));
}
