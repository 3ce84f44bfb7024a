// What the owner can do, in a dialog behind a password: name tables, hide them, end the season.

import { nameOf } from "./cards.js";
import { make } from "./element.js";
import { texts } from "./language.js";
import { drawName, heatsNow } from "./tournament.js";

const MAX_TITLE = 40;
const WRONG = { 403: "venue-wrong", 429: "venue-wait" };

/** The owner's dialog. `season` and `tournament` are the latest of the server. */
export class Owner {
  season = null;
  tournament = null;
  #dialog;
  #tables;
  #csrf = null;

  constructor(button, dialog, tables) {
    this.#dialog = dialog;
    this.#tables = tables;
    button.addEventListener("click", async () => {
      await this.#draw();
      dialog.showModal();
    });
  }

  async #draw() {
    this.#say("");
    let found;
    try {
      found = await (await fetch("owner")).json();
    } catch {
      found = { has_password: true, csrf: null };
      this.#say(texts["venue-failed"]);
    }
    this.#csrf = found.csrf;
    this.#show(...(found.csrf ? this.#work() : [found.has_password ? this.#login() : make("p", { text: texts["venue-no-password"] })]));
  }

  #login() {
    const password = make("input", { type: "password", autocomplete: "current-password", required: true, maxlength: 256 });
    const form = make("form", { class: "login" }, make("label", {}, make("span", { text: texts["venue-password"] }), password), make("button", { class: "main", text: texts["venue-log-in"] }));
    return this.#sends(form, "login", () => ({ password: password.value }), () => this.#draw());
  }

  /** What there is to do: names, the season, and the way out. */
  #work() {
    const tables = this.#tables().map((card) => this.#table(card));
    const title = make("input", { type: "text", maxlength: MAX_TITLE });
    const season = make(
      "form",
      { class: "season" },
      make("h3", { text: texts["venue-end-season"] }),
      make("p", { text: texts["venue-end-why"] }),
      make("label", {}, make("span", { text: texts["venue-new-season"] }), title),
      make("button", { text: texts["venue-end-season"] }),
    );
    this.#sends(season, "season", () => ({ number: this.season?.number ?? 1, title: title.value }), () => this.#dialog.close());
    const out = make("form", {}, make("button", { text: texts["venue-log-out"] }));
    this.#sends(out, "logout", () => ({}), () => this.#draw());
    const heads = ["venue-tournament", "venue-names"].map((key) => make("h3", { text: texts[key] }));
    return [heads[0], ...(this.tournament ? this.#tournament(this.tournament) : [this.#start()]), heads[1], ...tables, season, out];
  }

  #table({ site, table, title, hidden }) {
    const name = make("input", { type: "text", value: title, placeholder: table, maxlength: MAX_TITLE, "aria-label": `${site}/${table}` });
    const shown = make("input", { type: "checkbox", checked: !hidden });
    const save = make("button", { text: texts["venue-save"], "aria-label": `${texts["venue-save"]}: ${table}` });
    const form = make("form", { class: "table" }, make("small", { text: table }), name, make("label", {}, shown, make("span", { text: texts["venue-shown"] })), save);
    this.#sends(form, "table", () => ({ site, table, title: name.value, hidden: !shown.checked }), () => {
      save.textContent = `✓ ${texts["venue-save"]}`;
    });
    const gone = make("form", { class: "delete" }, make("button", { text: texts["venue-delete"], "aria-label": `${texts["venue-delete"]}: ${table}` }));
    const row = make("div", { class: "row" }, form, this.#sends(gone, "delete", () => ({ site, table }), () => row.remove()));
    return row;
  }

  /** The form that starts a tournament. */
  #start() {
    const names = make("textarea", { rows: 5, "aria-label": texts["venue-entrants"], placeholder: texts["venue-entrants"] });
    const numbers = Object.entries({ draws: [3, 1, 12], seats: [6, 4, 8], final: [6, 0, 8] }).map(([name, [value, min, max]]) => [name, make("input", { type: "number", name, value, min, max })]);
    const labels = ["venue-draws", "venue-seats", "venue-finalists"].map((key, at) => make("label", {}, make("span", { text: texts[key] }), numbers[at][1]));
    const form = make("form", { class: "start" }, names, ...labels, make("button", { class: "main", text: texts["venue-start"] }));
    const body = () => ({
      players: names.value.split("\n").map((name) => name.trim()).filter(Boolean),
      ...Object.fromEntries(numbers.map(([name, input]) => [name, Number(input.value)])),
    });
    return this.#sends(form, "tournament/start", body, () => this.#changed());
  }

  /** What staff do in a tournament. */
  #tournament(tournament) {
    const player = make("select", { "aria-label": texts["venue-player"] }, ...tournament.present.map((name) => make("option", { text: name, value: name })));
    const late = make("input", { type: "text", maxlength: 32, "aria-label": texts["venue-enter"] });
    const latest = heatsNow(tournament);
    const heats = latest.filter(({ standings }) => standings.length === 0);
    const over = latest.filter(({ standings }) => standings.length > 0);
    const can_call = heats.some(({ table }) => !table);
    return [
      ...(tournament.can_draw ? [this.#step("venue-next", { do: "draw" }, "main")] : []),
      ...(can_call ? [this.#step("venue-call", { do: "call" }, "main")] : []),
      ...heats.filter(({ table }) => table).map((heat) => this.#report(heat, tournament)),
      ...(over.length ? [make("details", {}, make("summary", { text: texts["venue-correct"] }), ...over.map((heat) => this.#report(heat, tournament)))] : []),
      make("div", { class: "line" }, late, this.#step("venue-enter", () => ({ do: "enter", player: late.value.trim() }))),
      make("div", { class: "line" }, player, this.#step("venue-absent", () => ({ do: "absent", player: player.value })), this.#step("venue-leave", () => ({ do: "leave", player: player.value }))),
      this.#step("venue-close", { do: "close" }),
    ];
  }

  /** The result of a heat as staff tap it: the players in the order of their places. One that is over is corrected. */
  #report(heat, { draws }) {
    const is_over = heat.standings.length > 0;
    const order = [...heat.standings];
    const mark = () => names.forEach((each, at) => {
      const place = order.indexOf(heat.players[at]) + 1;
      each.dataset.place = place || "";
      each.setAttribute("aria-pressed", String(place > 0));
    });
    const names = heat.players.map((name) => {
      const button = make("button", { type: "button", "aria-pressed": "false" }, make("bdi", { text: name }));
      button.addEventListener("click", () => {
        if (order.includes(name)) order.splice(order.indexOf(name), 1);
        else order.push(name);
        mark();
      });
      return button;
    });
    mark();
    const save = is_over ? { do: "correct", heat: heat.number } : { do: "report", table: heat.table };
    const steps = [this.#step("venue-save", () => ({ ...save, standings: order }))];
    if (!is_over) steps.push(this.#step("venue-release", { do: "release", table: heat.table }));
    const title = make("b", {}, make("bdi", { text: this.#title(heat.table) }), ` · ${drawName(heat.draw, draws)}`);
    return make("div", { class: "report" }, title, make("small", { text: texts["venue-report"] }), make("div", { class: "line" }, ...names), make("div", { class: "line" }, ...steps));
  }

  #title(key) {
    const card = this.#tables().find(({ site, table }) => `${site}/${table}` === key);
    return card ? nameOf(card) : key;
  }

  /** A button that does something in the tournament as it is shown. */
  #step(key, what, how = "") {
    const form = make("form", {}, make("button", { class: how, text: texts[key] }));
    const tables = () => this.#tables().filter(({ hidden, reached }) => reached && !hidden).map(({ site, table }) => `${site}/${table}`);
    const body = () => ({ revision: this.tournament?.revision ?? 0, tables: tables(), ...(typeof what === "function" ? what() : what) });
    return this.#sends(form, "tournament", body, () => this.#changed());
  }

  /** Draws again once the page has been told of the change. */
  async #changed() {
    const before = this.tournament?.revision;
    for (let tries = 0; tries < 40 && this.tournament?.revision === before; tries += 1) await new Promise((done) => setTimeout(done, 50));
    await this.#draw();
  }

  /** Has a form send what `body` returns, and says so where it did not work. */
  #sends(form, path, body, done) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const sent = body();
      if (path === "delete" && !confirm(texts["venue-delete-why"])) return;
      if (path === "season" && !confirm(texts["venue-end-why"])) return;
      if (sent.do === "close" && !confirm(texts["venue-close"])) return;
      this.#say("");
      try {
        const answer = await this.#post(path, sent);
        if (answer.ok) await done();
        else if (answer.status === 422) this.#say(await answer.text());
        else this.#say(texts[(path === "login" && WRONG[answer.status]) || "venue-failed"]);
        if (answer.status === 403 && path !== "login") await this.#draw(); // the session is over
      } catch {
        this.#say(texts["venue-failed"]);
      }
    });
    return form;
  }

  #post(path, body) {
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": this.#csrf ?? "" };
    return fetch(`owner/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  #say(text) {
    this.#dialog.querySelector("[role=alert]").textContent = text;
  }

  #show(...parts) {
    this.#dialog.querySelector("#owner-content").replaceChildren(...parts);
  }
}
