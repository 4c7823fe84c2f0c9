/** Keeps the last part of a stream of text, so that a talkative process cannot fill the memory. */
export class TextTail {
  #text = '';

  constructor(private readonly maxLength: number) {}

  append(chunk: string): void {
    this.#text = (this.#text + chunk).slice(-this.maxLength);
  }

  toString(): string {
    return this.#text;
  }
}
