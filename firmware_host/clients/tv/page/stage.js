// Draws a message of the server: the scene in the middle, the players below it, and what stands around them.

import { draw, make, mark, write } from "./element.js";
import { dice, faces, fill, language, texts } from "./language.js";
import { named } from "./names.js";
import { Lesson } from "./lesson.js";
import { about, bid, claimed, letters, line, title } from "./parts.js";
import { recap } from "./recap.js";
import { Reveal } from "./reveal.js";
import { Seats, measured, still } from "./seats.js";
import { news, round, spoken, titleOf, total, waiting } from "./words.js";

const DEAL_LETTERS = 11; // as many as a display shows before the shake, and after the match
const MATCH_LETTERS = 16;
const NEWS_MS = 8000;
const LAND = [{ transform: "scale(1.5)", opacity: 0 }, { transform: "scale(.97)", opacity: 1, offset: 0.7 }, { transform: "scale(1)" }];
const WIN = [{ transform: "scale(.4)", opacity: 0 }, { transform: "scale(1.08)", opacity: 1, offset: 0.6 }, { transform: "scale(1)" }];

const RAY_DEGREES = 18; // of a ray and the gap after it

const onRim = (degrees) => `${(100 * Math.sin((degrees * Math.PI) / 180)).toFixed(2)} ${(-100 * Math.cos((degrees * Math.PI) / 180)).toFixed(2)}`;
/** Light from the middle of a drawing. A mask over a gradient would cost a slow computer each frame. */
const RAYS = Array.from({ length: 360 / RAY_DEGREES }, (_, at) => at * RAY_DEGREES)
  .map((from) => `M0 0L${onRim(from)}A100 100 0 0 1 ${onRim(from + RAY_DEGREES / 2)}Z`)
  .join("");

const byId = (id) => document.getElementById(id);
const coarse = matchMedia("(any-pointer: coarse)");
const moves = () => !still.matches && !document.hidden;

export class Stage {
  #stage = byId("stage");
  #middle = byId("middle");
  #seats = new Seats(byId("seats"));
  #reveal = new Reveal(this.#seats, this.#middle, moves);
  #lesson = new Lesson(this.#middle);
  #key = "";
  #about = "";
  #quiet = null;

  draw({ is_connected, state, wild, names, moment, news: event, address, check, recap: evening, invite = null }) {
    this.#phones(address, check, invite);
    if (state === null) return;
    const is_attract = state.scene === "lobby" && state.players.length === 0;
    const is_closing = is_attract && evening !== null;
    const is_bare = is_attract && state.seats.every((seat) => seat.missing.length);
    const rest = is_closing ? null : !is_connected ? "off" : state.paused ? "paused" : is_bare ? "bare" : null;
    mark(this.#stage, "data-scene", rest ?? (is_closing ? "recap" : is_attract ? "attract" : state.scene));
    const crowd = (state.order.length ? state.order : state.players).length;
    mark(this.#stage, "data-crowd", crowd > 6 ? "7" : crowd > 4 ? "5" : null);
    this.#around(state, wild, names, rest);
    this.#news(event, state);
    if (rest !== null) this.#rest(rest, state);
    else if (is_closing) this.#closing(state, evening);
    else if (is_attract) {
      this.#leave();
      this.#seats.draw(state);
      this.#lesson.show(wild);
    } else if (state.scene === "reveal") {
      this.#lesson.end();
      if (this.#key !== "reveal") this.#reveal.end(); // the middle has shown something else
      this.#key = "reveal";
      this.#reveal.show(state, moment);
    } else this.#scene(state, moment, names);
    const is_away = rest === "off" || rest === "bare";
    write(byId("spoken"), is_away ? `${texts[rest]}. ${texts[`${rest}-why`]}` : is_closing ? this.#middle.textContent : spoken(state));
  }

  /** A table that is paused, switched off or without seats: the sentence in the middle, and the bid that stands. Shown dice stay. */
  #rest(rest, state) {
    this.#lesson.end();
    if (state.scene === "reveal") this.#reveal.show(state, null);
    else {
      this.#reveal.end();
      this.#seats.draw(state);
    }
    const { standing, seats } = state;
    const stands = standing && ["bidding", "called"].includes(state.scene);
    const key = JSON.stringify([rest, standing]);
    if (key === this.#key) return;
    this.#key = key;
    mark(this.#middle, "data-step", null);
    const parts = [title(rest), line("why", texts[`${rest}-why`])];
    if (stands) parts.push(make("div", { class: "kept" }, bid(standing), about("by", `${faces(standing)}, ${texts["bid-by"]}`, seats[standing.seat])));
    this.#middle.replaceChildren(...parts);
  }

  /** The recap of the evening, drawn once. */
  #closing(state, evening) {
    this.#lesson.end();
    this.#reveal.end();
    this.#seats.draw(state);
    const key = `recap ${JSON.stringify(evening)}`;
    if (key === this.#key) return;
    this.#key = key;
    mark(this.#middle, "data-step", null);
    this.#middle.replaceChildren(...recap(evening).filter(Boolean));
  }

  #scene(state, moment, names) {
    this.#lesson.end();
    this.#reveal.end();
    this.#seats.draw(state);
    const { scene, standing, passer, turn, called, players, waiting_for, countdown_s, clock_s, winner, choices, rolls } = state;
    const key = JSON.stringify([scene, standing, passer, turn, called, players, waiting_for, countdown_s, clock_s, winner, choices, rolls]);
    if (key === this.#key) return;
    const before = this.#key;
    this.#key = key;
    mark(this.#middle, "data-step", null);
    this.#middle.replaceChildren(...SCENES[scene](state, names).filter(Boolean));
    if (!moves()) return;
    if (scene === "bidding" && !before.includes(JSON.stringify(standing))) this.#middle.querySelector(".amount")?.animate(LAND, { duration: 380, easing: "ease-out" });
    if (scene === "called") this.#middle.querySelector(".slam")?.animate(LAND, { duration: 300, easing: "ease-out" });
    if (scene === "over" && moment?.kind === "won" && moment.elapsed_ms < 3000) {
      this.#middle.querySelector(".won")?.animate(WIN, { duration: 900, easing: "ease-out" });
      rain(this.#stage);
    }
  }

  #leave() {
    this.#reveal.end();
    this.#key = "attract";
    mark(this.#middle, "data-step", null);
  }

  #around(state, wild, names, rest) {
    const parts = state.scene === "over" || rest === "off" ? [] : round(state, wild, names);
    if (parts.length && total(state)) parts.push(dice(total(state)));
    const count = rest !== null ? 0 : { shaking: state.deal === null ? 0 : DEAL_LETTERS, over: MATCH_LETTERS }[state.scene] ?? 0;
    const head = count && state.head ? letters(state.head, count) : "";
    const key = JSON.stringify([parts, head]);
    if (key === this.#about) return;
    this.#about = key;
    measured(byId("round"), parts.join(" · ").length).replaceChildren(...parts.map((text) => make("span", { text })));
    const seal = head && [make("span", { text: texts.sealed }), make("code", { text: head }), make("small", { text: texts["sealed-why"] })];
    byId("seal").replaceChildren(...seal);
  }

  #news(event, state) {
    const place = byId("news");
    clearTimeout(this.#quiet);
    write(place, event === null ? "" : news(event.event, state));
    if (event !== null) this.#quiet = setTimeout(() => write(place, ""), NEWS_MS - event.elapsed_ms);
  }

  /**
   * The code for phones stays as long as there is an address for them; after a match it opens the check of its dice, and
   * before one, with an `invite`, a seat.
   */
  #phones(address, check, invite) {
    const place = byId("phones");
    const isHidden = (address ?? invite) === null || coarse.matches; // on a phone already
    mark(place, "hidden", isHidden);
    mark(place, "data-check", check !== null);
    mark(place, "data-invite", invite !== null);
    mark(this.#stage, "data-code", isHidden ? null : check === null ? "watch" : "check");
    const check_or_watch = check === null ? `qr.svg?${address}` : `check/qr.svg?match=${check}&${address}`;
    const source = invite === null ? check_or_watch : `invite.svg?${invite.code}`;
    const image = place.querySelector("img");
    if (!isHidden && image.getAttribute("src") !== source) {
      const text = texts[invite !== null ? "play-by-phone" : check === null ? "watch" : "check"];
      const typed = invite && [make("span", { text: invite.address.replace(/^http:\/\/|\/$/g, "") }), make("b", { text: invite.code.replace(/(.{4})(?=.)/g, "$1 ") })];
      place.querySelector("figcaption").replaceChildren(text, ...(typed ?? []));
      image.src = source;
      image.alt = `${text}: ${invite?.address ?? address}`;
    }
    mark(byId("check"), "hidden", check === null);
    mark(byId("check"), "href", check === null ? null : `check/?match=${check}&language=${language}`);
  }
}

const SCENES = { lobby, choosing, shaking, bidding, called, over };

function lobby(state) {
  const { countdown_s: countdown, broken_off: is_broken_off, players } = state;
  if (countdown !== null) return [line("slam", String(countdown)), line("turn", fill(texts.begins[countdown === 1 ? 0 : 1], { countdown }))];
  return [
    make("p", { class: "game", text: "Dudo" }),
    is_broken_off ? line("after", texts["broken-off"]) : null,
    line("turn", players.length < 2 ? texts["who-else"] : texts["may-start"]),
    line("after", texts.join),
  ];
}

function choosing(state, names) {
  const seat = state.seats[state.waiting_for[0] ?? state.round.owner];
  const titles = state.choices.map((kind) => titleOf(kind, names)).filter(Boolean);
  return [about("turn", texts.chooses, seat), make("div", { class: "choices" }, ...titles.map((title) => line("choice", title)))];
}

function shaking(state) {
  const first = state.round?.first ?? null;
  const rolled = state.rolls.flatMap((faces_, seat) => (faces_.length ? [about("rolled", `{name}: ${faces_.join(" ")}`, state.seats[seat])] : []));
  return [
    line("shake", first === null ? texts.roll : texts.shake),
    rolled.length ? make("div", { class: "rolls" }, ...rolled) : null,
    line("turn", waiting(state)),
    first === null ? null : about("after", texts.opens, state.seats[first]),
  ];
}

function bidding(state) {
  const { standing, passer, turn, seats, clock_s: clock } = state;
  return [
    standing ? bid(standing) : line("no-bid", texts["no-bid"]),
    standing && about("by", `${faces(standing)}, ${texts["bid-by"]}`, seats[standing.seat]),
    passer === null ? null : about("by", texts.passed, seats[passer]),
    turn === null ? null : about("turn", clock === null ? texts.turn : `${texts.turn} · ${clock}`, seats[turn]),
  ];
}

function called(state) {
  const { called: { call, seat }, standing, passer } = state;
  const doubted = passer ?? standing.seat;
  return [line("slam", texts.calls[call]), claimed("turn", state, call, seat, doubted, passer !== null), passer === null ? bid(standing) : null];
}

/** A moment for the winner: the name, and all players in the order in which they lasted. */
function over(state) {
  const length = state.standings.reduce((sum, seat) => sum + state.seats[seat].name.length + 5, 0);
  const places = state.standings.map((seat) => make("li", {}, named(state.seats[seat])));
  return [
    draw("svg", { class: "rays", viewBox: "-100 -100 200 200", "aria-hidden": "true" }, draw("path", { d: RAYS })),
    about("won", texts.wins, state.seats[state.winner]),
    measured(make("ol", { class: "places", "aria-label": texts.places }, ...places), length),
  ];
}

/** Golden dice fall once. Each is made when it begins to fall: all at once, a slow computer would halt. */
function rain(stage) {
  for (let at = 0; at < 26; at += 1) setTimeout(fall, (at * 137) % 1400, stage, at);
}

function fall(stage, at) {
  const drop = make("i", { class: "drop", "aria-hidden": "true" });
  drop.style.setProperty("--x", `${(at * 61) % 100}%`);
  stage.append(drop);
  const turned = `rotate(${200 + ((at * 97) % 500)}deg)`;
  const falling = drop.animate([{ transform: "translateY(-20%)" }, { transform: `translateY(120dvh) ${turned}` }], {
    duration: 2600 + ((at * 211) % 1900),
    easing: "cubic-bezier(.4, 0, .9, .7)",
  });
  falling.finished.then(() => drop.remove(), () => drop.remove());
}
