declare module 'libbzip2-wasm' {
  interface Compressed {
    /** 0 on success. */
    readonly error: number
    readonly errorMsg: string
    readonly output: Uint8Array
    /** Frees its memory. */
    delete(): void
  }
  interface Bzip2 {
    compressBZ2(bytes: Uint8Array, blockSize100k: number, workFactor: number): Compressed
    then(ready: (module: Bzip2) => void): void
  }
  function load(): Bzip2
  export = load
}
