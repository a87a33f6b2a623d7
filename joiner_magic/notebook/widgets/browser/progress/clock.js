import { el, put } from "../elements.js";
import { number } from "../pieces.js";

export const time = (s) => (s < 100 ? s.toFixed(1) : number(Math.round(s))) + " s";
const shade = (i) => `opacity:${0.7 ** i}`; // of the stages, in their order

// The clock, and how the time is spent on stages. Between two scenes they go on by themselves.
export class Clock {
  element = el("b");
  bar = el("div", { class: "bar" });
  stages = el("ul", { class: "stages" });

  // `since` are the seconds since the scene came, all of which the stage at work has taken.
  draw({ seconds, spent, stage: atWork }, since) {
    const now = spent.map(([stage, s]) => [stage, s + (stage === atWork && since)]);
    const share = ([, s], i) => el("i", { style: `flex:${1000 * s};${shade(i)}` }); // below 1 it fills no bar
    const line = ([stage, s], i) =>
      el("li", {}, el("i", { style: shade(i) }), stage, el("span", { class: "n" }, time(s)));
    put(this.element, time(seconds + since));
    put(this.bar, now.map(share));
    put(this.stages, now.map(line));
  }
}
