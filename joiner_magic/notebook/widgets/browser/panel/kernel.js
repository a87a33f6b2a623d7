import { el, put } from "../elements.js";
import { Questions } from "./questions.js";

const GONE = "The kernel that made this is gone: run the cell again.";
const LATE = 600; // milliseconds after which somebody wants to know why nothing happens

// The kernel as the panel sees it: it is asked, it may be late or gone, and a line below the views says so.
export class Kernel {
  #questions;
  said = el("div", { class: "said", role: "status" });

  constructor(model) {
    this.#questions = new Questions(model);
    // The static twin says the same as the panel, for when nobody is there to draw. A style sheet within the
    // panel hides it, so it is shown again when the panel's element ends.
    const twin = model.get("twin");
    this.hidesTwin = el("style", {}, twin && `#${twin},.jp-OutputArea-child:has(#${twin}){display:none}`);
  }

  async ask(view, question, args) {
    const late = setTimeout(() => (this.said.textContent = "waiting for the kernel …"), LATE);
    try {
      const answer = await this.#questions.ask(view, question, args);
      this.said.textContent = "";
      return answer;
    } catch (error) {
      if (error.message === "Cannot send") this.#live(false);
      else put(this.said, error.message);
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  // The line to the kernel was lost or found; which of both, a question tells.
  async tryAgain(view) {
    try {
      await this.ask(view, "scene");
      this.#live(true);
    } catch {
      // What went wrong is said already.
    }
  }

  #live(is) {
    this.hidesTwin.disabled = !is;
    put(this.said, !is && GONE);
  }
}
