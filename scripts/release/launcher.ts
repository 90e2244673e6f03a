import { join } from 'node:path'
// The compiler embeds it.
import pack from 'satchel.zst' with { type: 'file' }
import RUNTIME_OPTIONS from '../../src/server/entries/runtime-options.json'
import { replaceProcess } from './libc.ts'
import { programFolder } from './program-folder.ts'

/**
 * The start of the executable. It holds the runtime, and everything else as one archive, which is unpacked once for each version. Then this process
 * becomes the runtime with the server's main file.
 */

/** Set by the build: the hash of the archive, the size of each file in it (in its order), and the main file. */
declare const PACK_HASH: string
declare const PACK_FILES: Readonly<Record<string, number>>
declare const MAIN: string

/** Tells the executable to be the runtime that it was compiled with. */
const AS_RUNTIME = 'BUN_BE_BUN=1'

try {
  const folder = await programFolder({ file: pack, hash: PACK_HASH, sizes: PACK_FILES })
  const environment = Object.entries(process.env).map(([name, value]) => `${name}=${String(value)}`)
  replaceProcess(
    process.execPath,
    [process.execPath, ...RUNTIME_OPTIONS, join(folder, MAIN), ...process.argv.slice(2)],
    [...environment, AS_RUNTIME],
  )
  throw new Error(`${process.execPath} cannot be started as the runtime`)
} catch (error) {
  console.error(`satchel: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
