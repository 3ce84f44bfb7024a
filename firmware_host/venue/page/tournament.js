// The tournament that is being played: who sits where in the heats of this draw, and the best so far.

import { make, mark } from "./element.js";
import { fill, texts } from "./language.js";

const SHOWN = 12;

const byId = (id) => document.getElementById(id);

/** What a draw is called; 0 is the final. */
export const drawName = (draw, draws) => (draw === 0 ? texts["venue-final"] : fill(texts["venue-draw"], { number: draw, count: draws }));

/** The heats that matter now: those of the final or of the latest draw. */
export const heatsNow = ({ heats }) => {
  const latest = heats.some(({ draw }) => draw === 0) ? 0 : Math.max(0, ...heats.map(({ draw }) => draw));
  return heats.filter(({ draw }) => draw === latest);
};

/** Draws a tournament, or takes it away; `title` returns the name of a table by its key. */
export function drawTournament(tournament, title) {
  mark(byId("tournament"), "hidden", tournament === null);
  if (tournament === null) return;
  const now = heatsNow(tournament);
  const name = now.length ? drawName(now[0].draw, tournament.draws) : texts["venue-tournament"];
  byId("tournament-title").textContent = tournament.is_over ? texts["venue-finished"] : `${texts["venue-tournament"]} · ${name}`;
  byId("heats").replaceChildren(...now.map((heat) => drawHeat(heat, title)));
  const best = tournament.ranking.filter(([, , played]) => played > 0).slice(0, SHOWN);
  byId("standings").replaceChildren(
    ...best.map(([player, points], at) => make("li", {}, make("small", { text: at + 1 }), make("bdi", { text: player }), make("b", { text: points }))),
  );
}

/** The players called to tables, by the tables' keys. */
export const calledTo = (tournament) =>
  new Map((tournament ? heatsNow(tournament) : []).filter(isCalled).map(({ table, players }) => [table, players]));

const isCalled = ({ table, is_running, standings }) => Boolean(table) && !is_running && !standings.length;

function drawHeat(heat, title) {
  const { table, is_running, players, standings } = heat;
  const state = standings.length ? "" : texts[`venue-heat-${is_running ? "runs" : table ? "called" : "waits"}`];
  const names = (standings.length ? standings : players).map((player) => make("li", {}, make("bdi", { text: player })));
  const head = make("h3", {}, make("bdi", { text: table ? title(table) : "–" }), make("small", { text: state }));
  return make("li", { class: "heat", "data-over": standings.length > 0, "data-called": isCalled(heat) }, head, make("ol", { class: "seated" }, ...names));
}
