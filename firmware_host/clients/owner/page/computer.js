// The table's computer: closing time, time zone, Wi-Fi, and copies of the table. Root makes each change.

import { make, mark, write } from "./element.js";
import { fill, texts } from "./language.js";

const PIECE = 24 * 1024; // the page may send that much in one connection
const SENT_MS = 125; // between two pieces
const MAX_COPY = 16 * 1024 * 1024;
const TRIES = 5;
const SOUNDS = "/etc/dudo-table/sounds"; // where the owner's file names no other folder
const byId = (id) => document.getElementById(id);

/** The panels. `change` sends a change and tells why it did not begin, `fetch_with` fetches in the session, and `say`
 * shows a result wherever the page is scrolled to. */
export class Computer {
  #change;
  #fetch;
  #say;
  #shown = {};
  #touched = new Set(); // forms with values that are not kept yet
  #sent = ""; // the form that was sent last
  #awaits = false; // the result of a change, also over a restart of the table

  constructor(change, fetch_with, say) {
    this.#change = change;
    this.#fetch = fetch_with;
    this.#say = say;
    const zones = Intl.supportedValuesOf?.("timeZone") ?? [];
    byId("zone").replaceChildren(...zones.map((zone) => make("option", { value: zone, text: zone.replaceAll("_", " ") })));
    for (const form of byId("setup").querySelectorAll("form")) {
      form.addEventListener("input", () => this.#touched.add(form.id));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.#send(form);
      });
    }
    byId("wifi-look").addEventListener("click", () => change({ do: "networks" }));
    byId("copy-make").addEventListener("click", () => change({ do: "copy" }));
    byId("copy-save").addEventListener("click", () => this.#save());
  }

  /** Shows the present settings, but in no form that a hand has begun to fill in. */
  show(setup) {
    mark(byId("setup"), "hidden", setup === null);
    if (setup === null) return;
    const { facts, outcome, note, lines } = setup;
    if (this.#shown.outcome === "begun" && outcome !== "begun") this.#touched.delete(this.#sent);
    this.#shown = setup;
    const result = [note, ...(outcome === "not-set" ? lines : [])].filter(Boolean).join(": ");
    const is_wrong = ["not-set", "not-joined", "no-wifi", "damaged", "no-answer"].includes(outcome);
    write(byId("setup-note"), result);
    mark(byId("setup-note"), "data-wrong", is_wrong);
    if (this.#awaits && result && outcome !== "begun") this.#say(result, is_wrong);
    this.#awaits = outcome === "begun" || (this.#awaits && !result);
    if (outcome === "networks") byId("wifi-names").replaceChildren(...lines.map((name) => make("option", { value: name })));
    mark(byId("copy-save"), "hidden", outcome !== "copied");
    const is_at_work = outcome === "begun";
    for (const button of byId("setup").querySelectorAll("button")) button.disabled = is_at_work;
    if (!this.#touched.has("closing")) {
      byId("closing-on").checked = facts.closes;
      byId("closing-time").value = facts.time;
      byId("closing-late").value = facts.late;
    }
    write(byId("closing-own"), facts.by_hand ? fill(texts["owner-closing-own"], { times: facts.by_hand }) : "");
    if (!this.#touched.has("voice")) this.#show_voice(facts);
    if (!this.#touched.has("zones")) this.#show_zone(facts.zone || Intl.DateTimeFormat().resolvedOptions().timeZone);
  }

  #show_voice({ speaks, voice }) {
    if (!byId("voice-language").length) {
      const languages = [...byId("language").options].map(({ value, text }) => make("option", { value, text }));
      byId("voice-language").replaceChildren(make("option", { value: "", text: texts["owner-layout"] }), ...languages);
    }
    byId("voice-on").checked = speaks;
    byId("voice-language").value = voice.language;
    byId("voice-quiet").checked = voice.quiet;
    byId("voice-card").value = voice.card;
    byId("voice-clips").checked = Boolean(voice.sounds);
    write(byId("voice-folder"), fill(texts["owner-voice-clips"], { folder: voice.sounds || SOUNDS }));
  }

  #show_zone(zone) {
    if (zone && ![...byId("zone").options].some(({ value }) => value === zone)) byId("zone").prepend(make("option", { value: zone, text: zone }));
    byId("zone").value = zone;
  }

  async #send(form) {
    const send = { closing: () => this.#close(), zones: () => this.#change({ do: "time-zone", zone: byId("zone").value }), voice: () => this.#voice(), wifi: () => this.#join(), restore: () => this.#restore() };
    this.#sent = form.id;
    await send[form.id]();
  }

  #close() {
    const [time, late] = [byId("closing-time").value, byId("closing-late").value];
    return this.#change(byId("closing-on").checked ? { do: "closing", time, late } : { do: "closing" });
  }

  #voice() {
    const [on, quiet, clips] = ["voice-on", "voice-quiet", "voice-clips"].map((id) => byId(id).checked);
    return this.#change({ do: "voice", on, quiet, clips, language: byId("voice-language").value, card: byId("voice-card").value.trim() });
  }

  async #join() {
    const [name, password] = [byId("wifi-name").value, byId("wifi-password").value];
    if (!confirm(fill(texts["owner-wifi-asks"], { name }))) return;
    byId("wifi-password").value = "";
    await this.#change({ do: "network", name, password });
  }

  /** Fetches the copy piece by piece, and hands it to the browser as a file. */
  async #save() {
    const pieces = [];
    let got = 0;
    do {
      const answer = await this.#fetch(`copy/${got}`).catch(() => null);
      if (!answer?.ok) return write(byId("setup-note"), texts["owner-failed"]);
      pieces.push(await answer.blob());
      got += pieces.at(-1).size;
    } while (pieces.at(-1).size > 0 && got < MAX_COPY);
    const address = URL.createObjectURL(new Blob(pieces, { type: "application/gzip" }));
    make("a", { href: address, download: this.#shown.lines[0] ?? "dudo-table.tar.gz" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  /** Sends a copy piece by piece, and has root put it back. */
  async #restore() {
    const [file] = byId("restore-file").files;
    if (!file) return;
    if (file.size > MAX_COPY) return write(byId("setup-note"), texts["owner-copy-large"]);
    if (!confirm(fill(texts["owner-copy-asks"], { name: file.name }))) return;
    for (let sent = 0; sent < file.size; sent += PIECE) {
      write(byId("setup-note"), `${Math.floor((100 * sent) / file.size)} %`);
      if (!(await this.#piece(sent, file.slice(sent, sent + PIECE)))) return write(byId("setup-note"), texts["owner-failed"]);
      await new Promise((done) => setTimeout(done, SENT_MS));
    }
    await this.#change({ do: "restore", layouts: byId("restore-layouts").checked });
    byId("restore").reset();
  }

  async #piece(offset, piece) {
    const request = { method: "POST", body: piece, headers: { "Content-Type": "application/octet-stream" } };
    for (let tried = 1; tried <= TRIES; tried++) {
      const answer = await this.#fetch(`received/${offset}`, request).catch(() => null);
      if (answer !== null) return answer.ok;
      await new Promise((done) => setTimeout(done, tried * 1000)); // too many connections: the page has some more soon
    }
    return false;
  }
}
