// The figures of the house: those of the last evening and of all time, as lists, and as plots where a plot says more.

import { make } from "../element.js";
import { bidInWords, counted, fill, language, texts, translatePage } from "../language.js";
import { colored } from "../names.js";

/* global uPlot */
const RETRY_MS = 10_000;
const INTERVAL_MS = 60_000;
const REDRAW_MS = 150;
const COLORS = ["red", "blue", "yellow", "green", "purple", "orange", "turquoise", "pink"]; // of seats, by place
const MAX_LINES = 6;
const MAX_ROWS = 12;
const GRID = "#332b23", FAINT = "#b9ad9b";
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000];
const percent = new Intl.NumberFormat(language, { style: "percent" });
const byId = (id) => document.getElementById(id);
const dated = (text, form) => new Date(`${text}T12:00`).toLocaleDateString(language, form);
const day = (text) => dated(text, { day: "numeric", month: "short", year: "numeric" });
const short = (text) => dated(text, { day: "numeric", month: "short" });

let figures = null;
let shown = "tonight";
let plots = [];
let redrawing = 0;

document.title = texts.figures;
translatePage();
byId("back").href = `../${location.search}`;
for (const id of ["tonight", "all"]) {
  byId(id).addEventListener("click", () => {
    shown = id;
    draw();
  });
}
addEventListener("resize", () => {
  clearTimeout(redrawing);
  redrawing = setTimeout(() => figures && drawPlots(), REDRAW_MS);
});
load();

/** Gets the figures now and again. Those that are shown stay when they can't be had. */
async function load() {
  let wait_ms = INTERVAL_MS;
  try {
    const answer = await fetch("figures.json");
    if (!answer.ok) throw new Error(answer.status);
    figures = await answer.json();
    draw();
  } catch {
    wait_ms = RETRY_MS;
    if (!figures) byId("state").textContent = texts["figures-gone"];
  }
  setTimeout(load, wait_ms);
}

function draw() {
  const part = figures?.[shown];
  byId("content").hidden = !part;
  byId("state").hidden = Boolean(part);
  for (const id of ["tonight", "all"]) byId(id).setAttribute("aria-pressed", id === shown);
  if (!part) {
    if (figures !== null || byId("state").textContent !== texts["figures-gone"]) byId("state").textContent = texts["figures-none"];
    return;
  }
  const days = part.first === part.last ? day(part.last) : `${day(part.first)} – ${day(part.last)}`;
  byId("span").textContent = `${days}\u00a0· ${counted(texts["figures-matches"], part.matches)}\u00a0· ${counted(texts["figures-rounds"], part.rounds)}`;
  const [best] = part.players;
  byId("first").hidden = !best?.won;
  if (best?.won) {
    const won = fill(texts["figures-won"], { won: best.won, of: best.matches });
    byId("first").replaceChildren(make("b", {}, make("bdi", { text: best.name })), make("span", { text: won }));
  }
  const people = part.players.slice(0, MAX_ROWS - part.robots.length);
  byId("players").replaceChildren(...people.map((one, at) => row(one, at + 1, best.won)), ...part.robots.map(robotRow));
  byId("told").replaceChildren(...told(part));
  drawPlots();
}

function row({ name, won, matches }, place, most) {
  const bar = make("i");
  bar.style.width = `${most ? (100 * won) / most : 0}%`;
  return colored(make("li", {},
    make("span", { class: "place", text: place }),
    make("span", { class: "who", title: name }, make("bdi", { text: name })),
    make("span", { class: "won" }, make("b", { text: won }), ` / ${matches}`),
    make("span", { class: "bar", "aria-hidden": "true" }, bar)), COLORS[(place - 1) % COLORS.length]);
}

/** A level of robots has no place among the people. */
function robotRow({ level, won, matches }) {
  return make("li", { class: "robot" },
    make("span", { class: "who" }, make("span", { text: texts[`robot-${level}`] ?? level })),
    make("span", { class: "won" }, make("b", { text: won }), ` / ${matches}`));
}

/** What is worth telling again, each with its title; what nobody has done is left out. */
function told({ best, bluffs: [bluff], rules: [rules], longest, shortest }) {
  const { right, streak, slain } = best;
  const facts = [
    bluff && ["bluff", bluff.name, fill(texts["figures-bluff-why"], { bid: bidInWords(bluff), count: bluff.missing })],
    right?.right && ["caller", right.name, fill(texts["figures-caller-why"], { share: percent.format(right.right), count: right.calls })],
    streak?.streak >= 2 && ["streak", streak.name, counted(texts["figures-in-a-row"], streak.streak)],
    slain?.slain && ["slayer", slain.name, counted(texts["figures-slain"], slain.slain)],
    rules && ["rules", rules.name, counted(texts["figures-matches"], rules.matches)],
    longest && ["length", "", longest === shortest ? counted(texts["figures-rounds"], longest) : fill(texts["figures-length-why"], { longest, shortest })],
  ];
  return facts.filter(Boolean).map(([key, name, why]) => make("div", {},
    make("dt", { text: texts[`figures-${key}`] }),
    make("dd", {}, name && make("b", {}, make("bdi", { text: name })), name && " · ", why)));
}

// Plots

function drawPlots() {
  for (const plot of plots) plot.destroy();
  plots = [];
  if (shown === "tonight") drawRace(figures[shown].players.filter(({ won }) => won).slice(0, MAX_LINES));
  else drawEvenings();
}

/** The matches that each of these players has won, one match after the other. */
function drawRace(players) {
  const section = byId("plot");
  const count = figures.race.length;
  const matches = [...Array.from({ length: count + 1 }, (_, at) => at), count + .5];
  const totals = players.map(({ name }) => matches.map((upTo) => figures.race.slice(0, upTo).filter((winner) => winner === name).length));
  const most = Math.max(1, ...totals.flat());
  const apart = (most * .035) * Math.min(1, 4 / players.length); // so that lines of the same height are all seen
  const lines = totals.map((line, at) => line.map((won) => won && won - at * apart)); // zero wins are on zero
  const series = players.map((_, at) => ({ stroke: inkOf(COLORS[at]), width: rem() * .17, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }));
  section.querySelector("h2").textContent = texts["figures-race"];
  section.querySelector(".legend").replaceChildren(...players.map(({ name }, at) =>
    colored(make("span", {}, make("bdi", { text: name }), ` ${totals[at].at(-1)}`), COLORS[at])));
  const said = players.map(({ name }, at) => `${name}: ${totals[at].at(-1)}`).join(", ");
  plot(section, [matches, ...lines], series, (match) => String(match), said, { from: 0, to: count + .5, least: -most * .02 });
}

/** The matches of each evening. */
function drawEvenings() {
  const section = byId("plot");
  const rows = figures.days.map(([date, count]) => [short(date), count]);
  const series = [{ fill: inkOf("yellow"), width: 0, paths: uPlot.paths.bars({ size: [.76, 90] }), points: { show: false } }];
  const data = [rows.map((_, at) => at), rows.map(([, count]) => count)];
  const said = rows.map(([label, count]) => `${label}: ${count}`).join(", ");
  section.querySelector("h2").textContent = texts["figures-evenings"];
  section.querySelector(".legend").replaceChildren();
  plot(section, data, series, (at) => rows[at]?.[0] ?? "", said, { from: -.6, to: Math.max(rows.length, 3) - .4, least: 0 });
}

/** The colour of a seat as the plots need it. */
function inkOf(color) {
  const probe = colored(make("i"), color);
  document.body.append(probe);
  const ink = getComputedStyle(probe).getPropertyValue("--named").trim();
  probe.remove();
  return ink;
}

/** Pixels of the letters of the page. */
const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Draws a plot in a section; `said` are its numbers for a screen reader. Without data the section is hidden. */
function plot(section, data, series, label, said, { from, to, least }) {
  section.hidden = data[0].length === 0 || series.length === 0;
  if (section.hidden) return;
  const place = section.querySelector("div");
  const whole = (values, text) => values.map((value) => (Number.isInteger(value) && value >= 0 ? text(value) : ""));
  const axis = { stroke: FAINT, font: `${Math.round(rem() * .8)}px system-ui, sans-serif`, ticks: { show: false }, gap: rem() * .25, incrs: STEPS };
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", said);
  plots.push(new uPlot({
    width: place.clientWidth,
    height: Math.max(60, place.clientHeight),
    padding: [rem() * .5, rem() * .6, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: false, range: [from, to] }, y: { range: (_, __, most) => [least, Math.max(1, most)] } },
    axes: [
      { ...axis, size: rem() * 1.5, space: rem() * 3.6, grid: { show: false }, values: (_, values) => whole(values, label) },
      { ...axis, size: rem() * 1.9, space: rem() * 2.4, grid: { stroke: GRID, width: 1 }, values: (_, values) => whole(values, String) },
    ],
    series: [{}, ...series],
  }, data, place));
}
