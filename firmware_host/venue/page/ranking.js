// The rankings: tonight's or the season's, the best first.

import { make, mark } from "./element.js";
import { texts } from "./language.js";

/** Draws one of the rankings; two buttons choose which. */
export class Ranking {
  #buttons;
  #place;
  #news = null;
  #title = (site, table) => table;
  #chosen = "tonight";

  constructor(which, place) {
    this.#place = place;
    this.#buttons = ["tonight", "season"].map((key) => {
      const button = make("button", { type: "button", text: texts[`venue-${key}`], "aria-pressed": "false" });
      button.addEventListener("click", () => {
        this.#chosen = key;
        this.rename();
      });
      return button;
    });
    which.append(...this.#buttons);
    this.rename();
  }

  draw(news, title) {
    this.#news = news;
    this.#title = title;
    this.rename();
  }

  /** Draws what is known; tables may have other names by now. */
  rename() {
    this.#buttons.forEach((button, at) => mark(button, "aria-pressed", String(["tonight", "season"][at] === this.#chosen)));
    this.#buttons[1].textContent = this.#news?.title || texts["venue-season"];
    const rows = this.#news?.[this.#chosen] ?? [];
    if (rows.length === 0) {
      this.#place.replaceChildren(make("p", { class: "none", text: texts["venue-unplayed"] }));
      return;
    }
    const head = ["", "venue-player", "venue-points", "venue-wins", "venue-played"].map((key) => make("th", { scope: "col", text: key && texts[key] }));
    head[0] = make("td");
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows.map((row, at) => this.#row(row, at, rows))));
    this.#place.replaceChildren(table);
  }

  #row([site, table, player, points, wins, matches], at, rows) {
    // Equal results share a place.
    const place = rows.findIndex(([, , , ...other]) => other.join() === [points, wins, matches].join()) + 1;
    const who = make("th", { scope: "row" }, make("bdi", { text: player }), make("small", { text: this.#title(site, table) }));
    return make("tr", { "data-place": place }, make("td", { text: place }), who, ...[points, wins, matches].map((number) => make("td", { text: number })));
  }
}
