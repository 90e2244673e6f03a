import { dlopen, FFIType, ptr } from 'bun:ffi'
import { constants, fsyncSync, lstatSync, mkdirSync, openSync, closeSync, renameSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
// The compiler embeds it.
import pack from 'satchel.tar.zst' with { type: 'file' }
import RUNTIME_OPTIONS from '../../src/server/entries/runtime-options.json'

/**
 * The start of the executable. It holds the runtime, and everything else as one archive, which is unpacked once for each version into a folder that
 * only its owner can write to. Then this process becomes the runtime with the server's main file.
 */

/** Set by the build: what the archive contains, and the main file in it. */
declare const PACK_HASH: string
declare const MAIN: string

/** Write permission of others. */
const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH
/** Tells the executable to be the runtime that it was compiled with. */
const AS_RUNTIME = 'BUN_BE_BUN=1'

try {
  const folder = await programFolder()
  become([process.execPath, ...RUNTIME_OPTIONS, join(folder, MAIN), ...process.argv.slice(2)])
} catch (error) {
  console.error(`satchel: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

/** The folder of the unpacked program. Throws if there is no place for it. */
async function programFolder(): Promise<string> {
  const problems: string[] = []
  for (const parent of places()) {
    try {
      const folder = join(parent, PACK_HASH)
      if (existsSync(folder)) {
        if (isOurs(parent) && isOurs(folder)) return folder
        throw new Error('others can write to it')
      }
      mkdirSync(parent, { recursive: true, mode: 0o700 })
      if (!isOurs(parent)) throw new Error('others can write to it')
      await unpack(folder)
      return folder
    } catch (error) {
      problems.push(`${parent}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(`there is no folder to unpack the program to; XDG_CACHE_HOME names one\n  ${problems.join('\n  ')}`)
}

function places(): string[] {
  const { XDG_CACHE_HOME, CACHE_DIRECTORY, HOME } = process.env
  return [
    // Of a systemd unit.
    ...(CACHE_DIRECTORY ? [join(CACHE_DIRECTORY, 'program')] : []),
    ...(XDG_CACHE_HOME ? [join(XDG_CACHE_HOME, 'satchel')] : []),
    ...(HOME ? [join(HOME, '.cache/satchel')] : process.getuid?.() === 0 ? ['/var/cache/satchel'] : []),
    join(tmpdir(), `satchel-${process.getuid?.()}`),
  ]
}

/** Whether it is a folder that belongs to this account or to root, and nobody else can write to it. */
function isOurs(path: string): boolean {
  const stat = lstatSync(path)
  return stat.isDirectory() && (stat.uid === process.getuid?.() || stat.uid === 0) && (stat.mode & OTHERS_WRITE) === 0
}

/** Under its name it is whole. */
async function unpack(folder: string): Promise<void> {
  const fresh = `${folder}.${process.pid}`
  try {
    mkdirSync(fresh, { mode: 0o700 })
    const archive = Bun.zstdDecompressSync(await Bun.file(pack).bytes())
    const files = extract()
    const reading = pipeline(Readable.from([Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)]), files)
    for await (const entry of files) {
      const path = join(fresh, entry.header.name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
      writeFileSync(path, await buffer(entry), { mode: entry.header.mode ?? 0o644 })
    }
    await reading
    sync(fresh)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process has unpacked it meanwhile.
    if (!existsSync(folder)) throw error
  }
}

/** Everything that was written is on the disk. */
function sync(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    symbols().syncfs(descriptor)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Replaces this process: same process id, same standard streams, same environment. */
function become(argv: readonly string[]): never {
  const environment = Object.entries(process.env).map(([name, value]) => `${name}=${String(value)}`)
  const [path, args, env] = [terminated(process.execPath), listOf(argv), listOf([...environment, AS_RUNTIME])]
  symbols().execve(ptr(path), ptr(args.addresses), ptr(env.addresses))
  throw new Error(`${process.execPath} cannot be started as the runtime`)
}

/** A list of texts as the kernel takes it; the texts must stay alive as long as it. */
function listOf(texts: readonly string[]) {
  const kept = texts.map(terminated)
  return { kept, addresses: BigUint64Array.from([...kept.map((text) => BigInt(ptr(text))), 0n]) }
}

function terminated(text: string): Uint8Array {
  return Buffer.from(`${text}\0`)
}

function symbols() {
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`
  const calls = {
    execve: { args: [FFIType.ptr, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
    syncfs: { args: [FFIType.i32], returns: FFIType.i32 },
  } as const
  try {
    return dlopen('libc.so.6', calls).symbols
  } catch {
    return dlopen(musl, calls).symbols
  }
}
