/** Reads bytes of a file at a place; fewer at its end. */
export type Peek = (start: number, length: number) => Promise<Uint8Array>
