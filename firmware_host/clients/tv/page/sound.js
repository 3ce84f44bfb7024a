// The table's sounds on this page: the server sends what is due, and this plays the clips that it names.

import { Connection } from "./connection.js";
import mix from "./mix.js";

const STORAGE_KEY = "sound";
const MAX_CLIPS = mix.sounds.length + mix.phrases;
const LATE_MS = 800; // a clip that took longer to load says what is no longer so
const FADE_S = 0.03;

/** A button that switches the sounds on and off. A browser lets a page be heard only after a touch or a key. */
export class Sound {
  #button;
  #language;
  #context = null;
  #sounds = null; // the gain of all sounds
  #connection = null;
  #clips = new Map(); // by name, promises of decoded sound
  #speaking = null;
  #phrase = 0; // counts phrases, so that one that was cut off while it loaded is not heard

  constructor(button, language) {
    this.#button = button;
    this.#language = language;
    button.addEventListener("click", () => this.#switch(this.#connection === null));
    if (localStorage.getItem(STORAGE_KEY) === "on") this.#awaitGesture();
  }

  #switch(is_on) {
    localStorage.setItem(STORAGE_KEY, is_on ? "on" : "off");
    if (is_on) this.#begin();
    else this.#end();
  }

  /** Goes on after a reload at the first touch or key; on the button itself that is a click of its own. */
  #awaitGesture() {
    const ended = new AbortController();
    const begin = ({ target }) => {
      if (target === this.#button) return;
      ended.abort();
      if (localStorage.getItem(STORAGE_KEY) === "on") this.#begin();
    };
    this.#button.addEventListener("click", () => ended.abort(), { signal: ended.signal });
    for (const kind of ["pointerup", "keydown"]) addEventListener(kind, begin, { signal: ended.signal });
  }

  #begin() {
    if (this.#connection !== null) return;
    this.#context ??= new AudioContext();
    if (this.#sounds === null) {
      this.#sounds = new GainNode(this.#context);
      this.#sounds.connect(this.#context.destination);
    }
    this.#context.resume();
    for (const name of mix.sounds) this.#clip(name);
    const take = (cues) => cues.forEach((cue) => this.#take(cue));
    this.#connection = new Connection(`sounds/${this.#language}`, { message: take, offline: () => this.#hush() });
    this.#button.setAttribute("aria-pressed", "true");
  }

  #end() {
    this.#connection?.close();
    this.#connection = null;
    this.#hush();
    this.#context?.suspend();
    this.#button.setAttribute("aria-pressed", "false");
  }

  #take({ play, say, hush }) {
    if (play) this.#play(play);
    if (say || hush) this.#hush();
    if (say) this.#play(say, this.#phrase);
  }

  /** Plays a clip as soon as it is loaded: a sound beside others, a phrase unless it has been cut off. */
  async #play(name, phrase = null) {
    const due_ms = performance.now();
    const clip = await this.#clip(name);
    if (clip === null || this.#connection === null || performance.now() - due_ms > LATE_MS) return;
    if (phrase !== null && phrase !== this.#phrase) return;
    const source = new AudioBufferSourceNode(this.#context, { buffer: clip });
    const volume = new GainNode(this.#context);
    source.connect(volume).connect(phrase === null ? this.#sounds : this.#context.destination);
    source.start();
    this.#button.dataset.heard = name;
    if (phrase === null) return;
    this.#speaking = { source, volume };
    this.#duck(mix.ducked);
    source.addEventListener("ended", () => this.#speaking?.source === source && this.#duck(1));
  }

  /** Lets the phrase fade out within a moment. */
  #hush() {
    this.#phrase += 1;
    if (this.#speaking === null) return;
    const { source, volume } = this.#speaking;
    this.#speaking = null;
    this.#duck(1);
    const ends_s = this.#context.currentTime + FADE_S;
    volume.gain.setValueAtTime(1, this.#context.currentTime);
    volume.gain.linearRampToValueAtTime(0, ends_s);
    source.stop(ends_s);
  }

  /** Brings all sounds to a level within a moment. */
  #duck(level) {
    this.#sounds.gain.setTargetAtTime(level, this.#context.currentTime, FADE_S / 3);
  }

  /** The sound of a clip, null for one that can't be loaded now. */
  #clip(name) {
    if (!this.#clips.has(name)) {
      if (this.#clips.size >= MAX_CLIPS) this.#clips.delete([...this.#clips.keys()].find((each) => !mix.sounds.includes(each)));
      const loaded = this.#load(name);
      this.#clips.set(name, loaded);
      loaded.then((clip) => clip === null && this.#clips.delete(name));
    }
    return this.#clips.get(name);
  }

  async #load(name) {
    try {
      const answer = await fetch(`clips/${name}.wav`);
      return answer.ok ? await this.#context.decodeAudioData(await answer.arrayBuffer()) : null;
    } catch {
      return null;
    }
  }
}
