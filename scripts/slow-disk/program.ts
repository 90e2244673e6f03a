import { closeSync, openSync, read, writeSync } from 'node:fs'
import { dlopen, FFIType, read as readMemory } from 'bun:ffi'
import { promisify } from 'node:util'
import { MAX_WRITE_BYTES, OPCODES, reply, requestFrom, UNANSWERED } from './protocol.ts'
import type { Answer, Order } from './slow-disk.ts'
import { createTree, Refusal } from './tree.ts'

/** The disk itself, a program of its own (`slow-disk.ts`): mounts a small tree at a folder and answers each operation as late as it is told. */

const readAt = promisify(read)
const answer = createTree()
const [folder = ''] = process.argv.slice(2)
let delayMs = 0
/** Of operations that wait until the disk is let go; null while nothing waits. */
let holding: Hold | null = null
let held = 0
/** After this long, waiting calls continue without a release: a test then fails instead of waiting for ever. */
const LONGEST_HOLD_MS = 20_000

process.on('message', (order: Order) => {
  if (order.delayMs !== undefined) delayMs = order.delayMs
  if (order.hold === true && holding === null) {
    const mine: Hold = Promise.withResolvers()
    holding = mine
    setTimeout(() => letGo(mine), LONGEST_HOLD_MS)
  }
  if (order.hold === false && holding !== null) letGo(holding)
  say({ held, isHolding: holding !== null })
})
process.on('disconnect', () => process.exit())

const device = mountAt(folder)
say({ held, isHolding: false })
await serve()

async function serve(): Promise<void> {
  const buffer = new Uint8Array(MAX_WRITE_BYTES + 4096)
  for (;;) {
    try {
      const { bytesRead } = await readAt(device, buffer, 0, buffer.length, null)
      void serveOne(buffer.slice(0, bytesRead))
    } catch (error) {
      // ENODEV: unmounted. ENOENT: the caller was killed in the meantime.
      if (error instanceof Error && 'code' in error && error.code === 'ENODEV') process.exit()
    }
  }
}

async function serveOne(bytes: Uint8Array): Promise<void> {
  const request = requestFrom(bytes)
  if (UNANSWERED.includes(request.opcode)) return
  if (request.opcode !== OPCODES.INIT) await asLateAsTold()
  try {
    writeSync(device, outcomeOf(request))
  } catch {
    // Its caller has gone.
  }
}

function outcomeOf(request: ReturnType<typeof requestFrom>): Uint8Array {
  try {
    return reply(request.unique, 0, answer(request))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return reply(request.unique, error.errno, new Uint8Array())
  }
}

async function asLateAsTold(): Promise<void> {
  if (delayMs > 0) await Bun.sleep(delayMs)
  if (holding === null) return
  held += 1
  say({ held, isHolding: true })
  await holding.promise
  held -= 1
}

interface Hold {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function letGo(mine: Hold): void {
  if (holding === mine) holding = null
  mine.resolve()
}

function say(message: Answer): void {
  process.send?.(message)
}

/** By mount(2): `fusermount` would have to be installed. */
function mountAt(target: string): number {
  const { cstring, ptr, u64, i32 } = FFIType
  const { symbols } = dlopen('libc.so.6', {
    mount: { args: [cstring, cstring, cstring, u64, cstring], returns: i32 },
    __errno_location: { args: [], returns: ptr },
  })
  const fd = openSync('/dev/fuse', 'r+')
  const text = (value: string): Uint8Array => Buffer.from(`${value}\0`)
  const options = `fd=${fd},rootmode=40000,user_id=0,group_id=0,allow_other`
  if (symbols.mount(text('slow-disk'), text(target), text('fuse'), 0, text(options)) !== 0) {
    const errno = symbols.__errno_location()
    closeSync(fd)
    throw new Error(
      `mount(2) of a FUSE disk at ${target} failed with error ${errno === null ? '?' : readMemory.i32(errno, 0)}: this needs root and /dev/fuse`,
    )
  }
  return fd
}
