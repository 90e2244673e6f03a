/** Reads bytes at an offset; fewer at the end of the file. */
export type Peek = (start: number, length: number) => Promise<Uint8Array>
