// The story of the evening, a sentence a line, the last one in sight.

import { make } from "./element.js";

const KEPT = 60;

/** Adds sentences to the list `place`. */
export function tell(place, sentences) {
  const follows = place.scrollTop + place.clientHeight > place.scrollHeight - 40; // unless somebody reads further up
  place.append(...sentences.map((text) => make("li", { text })));
  while (place.children.length > KEPT) place.firstElementChild.remove();
  if (follows) place.scrollTop = place.scrollHeight;
}
