// The story so far: the sentences of the public events, one a line, the last one in sight.

import { make } from "./element.js";

const MAX_SENTENCES = 60;

/** Adds sentences to the list `place`. */
export function addSentences(place, sentences) {
  const follows = place.scrollTop + place.clientHeight > place.scrollHeight - 40; // unless the person has scrolled up
  place.append(...sentences.map((text) => make("li", { text })));
  while (place.children.length > MAX_SENTENCES) place.firstElementChild.remove();
  if (follows) place.scrollTop = place.scrollHeight;
}
