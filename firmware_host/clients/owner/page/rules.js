// House rules by questions: the server asks those that have an effect beside the other answers.

import { make } from "./element.js";
import { language, texts } from "./language.js";

const byId = (id) => document.getElementById(id);

/** The dialog. `post` sends a request, `done` is called with the table's answer once the rules are kept. */
export class HouseRules {
  #post;
  #done;
  #answers = {};
  #asking = Promise.resolve();

  constructor(post, done) {
    this.#post = post;
    this.#done = done;
    byId("rules-base").addEventListener("change", () => {
      this.#answers = {};
      this.#ask(byId("rules-base").value);
    });
    byId("rules-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#keep();
    });
  }

  async open() {
    this.#answers = {};
    await this.#ask(null);
    byId("rules").showModal();
  }

  /** Asks for the questions, one request after the other, so that the last one is drawn last. */
  #ask(based_on) {
    this.#asking = this.#asking.then(async () => {
      const request = { ask: "rules", based_on, answers: this.#answers };
      const answer = await this.#post(`rules?language=${language}`, { request }).catch(() => null);
      this.#say(answer?.ok ? "" : answer?.status === 422 ? await answer.text() : texts["owner-failed"]);
      if (answer?.ok) this.#draw(await answer.json(), based_on === null);
    });
    return this.#asking;
  }

  #draw({ name, based_on, bases, questions }, is_new) {
    if (is_new) {
      byId("rules-base").replaceChildren(...bases.map((base) => make("option", { value: base, text: base, selected: base === based_on })));
      byId("rules-name").value = bases.includes(name) ? `${name}-house`.slice(0, 24) : name;
    }
    const key = document.activeElement?.dataset.key;
    this.#answers = Object.fromEntries(questions.map(({ key, value }) => [key, value]));
    const titles = [...new Set(questions.map(({ section }) => section))];
    const drawn = titles.map((title) => make("section", {}, make("h3", { text: title }), ...questions.filter(({ section }) => section === title).map((each) => this.#question(each))));
    byId("rules-questions").replaceChildren(...drawn);
    if (key) byId("rules-questions").querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  /** A question: one answer of several, or some of them. The sentence of the present one is its heading. */
  #question({ key, value, answers }) {
    const several = Array.isArray(value);
    const rows = answers.map(([each, text], at) => {
      const checked = several ? value.includes(each) : each === value;
      const input = make("input", { type: several ? "checkbox" : "radio", name: key, checked, "data-key": `${key}-${at}` });
      input.addEventListener("change", () => {
        const others = several ? answers.map(([other]) => other).filter((other) => (other === each ? input.checked : this.#answers[key].includes(other))) : each;
        this.#answers[key] = others;
        this.#ask(byId("rules-base").value);
      });
      return make("label", {}, input, make("span", { text }));
    });
    const asked = texts["owner-rules-asked"][key];
    const label = asked ?? answers.find(([each]) => each === value)?.[1];
    const notes = [asked, several && value.length === 0 ? texts["owner-rules-none"] : ""].filter(Boolean);
    return make("fieldset", { "aria-label": label, class: key.includes(".") ? "part" : "" }, ...notes.map((text) => make("p", { class: "note", text })), ...rows);
  }

  async #keep() {
    await this.#asking;
    const request = { ask: "write-rules", name: byId("rules-name").value.trim(), based_on: byId("rules-base").value, answers: this.#answers };
    const answer = await this.#post(`staff?language=${language}`, { request }).catch(() => null);
    if (!answer?.ok) return this.#say(texts["owner-failed"]);
    const { done, text } = await answer.json();
    if (!done) return this.#say(text);
    byId("rules").close();
    this.#done(text);
  }

  #say(text) {
    byId("rules-problem").textContent = text;
    if (text) byId("rules").scrollTo(0, 0);
  }
}
