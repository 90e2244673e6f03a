import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import SevenZip, { type SevenZipModuleOptions } from '7z-wasm'

/** An option of every Emscripten module that its types do not declare. */
interface Options extends SevenZipModuleOptions {
  instantiateWasm(imports: Bun.WebAssembly.Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void): object
}

const INPUT = '/input'
/** Without an extension 7-Zip would add one. */
const OUTPUT = '/output.bin'
/** For xz the fastest, because the others do not keep up with a network; for bzip2 the fastest with blocks of 900 kB. */
const LEVELS = { xz: 1, bzip2: 5 } as const

let compiled: Promise<WebAssembly.Module> | null = null

/** One stream of the format; a file may consist of several. Runs without interruption, so it belongs in its own thread. */
export async function compressBySevenZip(format: keyof typeof LEVELS, bytes: Uint8Array): Promise<Uint8Array> {
  const seven = await fresh(await (compiled ??= compile()))
  seven.FS.writeFile(INPUT, bytes)
  // The module has one thread only.
  const code = Number(seven.callMain(['a', `-t${format}`, `-mx=${LEVELS[format]}`, '-mmt=1', OUTPUT, INPUT]))
  if (code !== 0) throw new Error(`7-Zip made no ${format}: ${code}`)
  return seven.FS.readFile(OUTPUT)
}

async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm')))
}

/** A run of 7-Zip does not free its memory, so each block gets a new instance; compiling takes most of the time and is done once. */
function fresh(module: WebAssembly.Module): ReturnType<typeof SevenZip> {
  const options: Partial<Options> = {
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports)
      done(instance, module)
      return instance.exports
    },
  }
  return SevenZip(options)
}
