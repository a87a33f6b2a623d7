// Questions to Python, as messages of the widget. Each gets its answer, late if the kernel is at work.
export class Questions {
  #model;
  #waiting = new Map(); // by id: what to do with the answer
  #next = 0;

  constructor(model) {
    this.#model = model;
    model.on("msg:custom", (message) => this.#hear(message));
  }

  ask(view, question, args) {
    return new Promise((resolve, reject) => {
      const id = `${Date.now()}.${this.#next++}`; // another page may show the same panel
      this.#waiting.set(id, { resolve, reject });
      this.#model.send({ id, view, question, arguments: args || {} });
    });
  }

  #hear(message) {
    const asked = this.#waiting.get(message.id);
    if (!asked) return;
    this.#waiting.delete(message.id);
    if (message.error) asked.reject(new Error(message.error));
    else asked.resolve(message.answer);
  }
}
