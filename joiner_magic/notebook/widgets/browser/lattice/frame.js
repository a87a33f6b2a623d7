import { el, fill } from "../elements.js";

const [SMALLEST, LARGEST] = [0.2, 3];
const STEP = 1.25; // from one zoom to the next

// The frame around the picture, in which it is scrolled, dragged and zoomed.
export class Frame {
  #picture;
  #size = { width: 0, height: 0 }; // of the picture as Python has laid it out
  zoom = 1;

  constructor(picture) {
    this.#picture = picture;
    this.element = el("div", { class: "frame", onpointermove: (event) => this.#drag(event) }, picture);
    this.element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  hold(size) {
    this.#size = size;
    this.#picture.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  }

  // The point (x, y) of the frame stays where it is.
  scale(to, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2) {
    const by = Math.min(Math.max(to, SMALLEST), LARGEST) / this.zoom;
    const { scrollLeft: left, scrollTop: top } = this.element;
    this.zoom *= by;
    fill(this.#picture, { width: this.#size.width * this.zoom, height: this.#size.height * this.zoom });
    this.element.scrollTo((left + x) * by - x, (top + y) * by - y);
  }

  zoomOut() {
    this.scale(this.zoom / STEP);
  }

  zoomIn() {
    this.scale(this.zoom * STEP);
  }

  fit() {
    this.scale(LARGEST); // now the frame is as high as it can be
    const { clientWidth: width, clientHeight: height } = this.element;
    this.scale(Math.min(width / this.#size.width, height / this.#size.height));
  }

  #wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = this.element.getBoundingClientRect();
    const to = this.zoom * Math.exp(-event.deltaY / 300);
    this.scale(to, event.clientX - box.left, event.clientY - box.top);
  }

  #drag(event) {
    const isDragged = event.buttons === 1 && event.pointerType === "mouse";
    if (isDragged) this.element.scrollBy(-event.movementX, -event.movementY);
  }
}
