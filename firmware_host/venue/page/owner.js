// What the owner can do, in a dialog behind a password: name tables, hide them, end the season.

import { make } from "./element.js";
import { texts } from "./words.js";

const MAX_TITLE = 40;
const WRONG = { 403: "venue-wrong", 429: "venue-wait" };

/** The owner's dialog. `season` is the latest ranking of the server, which has the season's number. */
export class Owner {
  season = null;
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
    return [make("h3", { text: texts["venue-names"] }), ...tables, season, out];
  }

  #table({ site, table, title, hidden }) {
    const name = make("input", { type: "text", value: title, placeholder: table, maxlength: MAX_TITLE, "aria-label": `${site}/${table}` });
    const shown = make("input", { type: "checkbox", checked: !hidden });
    const save = make("button", { text: texts["venue-save"], "aria-label": `${texts["venue-save"]}: ${table}` });
    const form = make("form", { class: "table" }, make("small", { text: table }), name, make("label", {}, shown, make("span", { text: texts["venue-shown"] })), save);
    return this.#sends(form, "table", () => ({ site, table, title: name.value, hidden: !shown.checked }), () => {
      save.textContent = `✓ ${texts["venue-save"]}`;
    });
  }

  /** Has a form send what `body` returns, and says so where it did not work. */
  #sends(form, path, body, done) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (path === "season" && !confirm(texts["venue-end-why"])) return;
      this.#say("");
      try {
        const answer = await this.#post(path, body());
        if (answer.ok) await done();
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
