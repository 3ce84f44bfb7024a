// The story so far: the public events in sentences, one a line, the last one in sight, and read aloud as they come.

import { make } from "./element.js";

const MAX_SENTENCES = 60;

export class Story {
  #list;
  #scroller;
  #log;

  /** `list` is the visible list, `log` the hidden live region, which also speaks while the list is folded. */
  constructor(list, log) {
    this.#list = list;
    this.#scroller = list.parentElement;
    this.#log = log;
  }

  /** Begins with the sentences of this run of the table, instead of any from before: they are not read aloud. */
  begin(sentences) {
    this.#list.replaceChildren();
    this.#show(sentences);
    this.showLast();
  }

  /** Scrolls to the last sentence: while the story is folded it has no height to scroll in. */
  showLast() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Adds the sentences of an event. */
  add(sentences) {
    this.#show(sentences);
    this.#log.replaceChildren(...sentences.map((text) => make("p", { text })));
  }

  #show(sentences) {
    const [list, { scrollTop, clientHeight, scrollHeight }] = [this.#list, this.#scroller];
    const follows = scrollTop + clientHeight > scrollHeight - 40; // unless the person has scrolled up
    list.append(...sentences.map((text) => make("li", { text })));
    while (list.children.length > MAX_SENTENCES) list.firstElementChild.remove();
    if (follows) this.showLast();
  }
}
