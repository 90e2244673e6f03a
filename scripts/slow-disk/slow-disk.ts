import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'

/** What the disk is told, and what it answers. */
export interface Order {
  readonly delayMs?: number
  readonly hold?: boolean
}

export interface Answer {
  /** Operations that wait. */
  readonly held: number
  readonly isHolding: boolean
}

/** A small, empty disk in user space (FUSE) of which each operation takes as long as one likes. */
export interface SlowDisk extends AsyncDisposable {
  /** Each operation takes so long from now on. */
  delay(ms: number): Promise<void>
  /** From now on no operation ends until `letGo`. */
  hold(): Promise<void>
  letGo(): Promise<void>
  /** Whether at least one operation waits now. False when nobody let the disk go for half a minute: then it goes on by itself. */
  isHeld(): Promise<boolean>
  /** It stays mounted, and every use of it fails. */
  end(): void
}

const PROGRAM = join(import.meta.dir, 'program.ts')

/** Mounts one at a folder, which is made. Needs root and /dev/fuse; throws what could not be done. */
export async function mountSlowDisk(folder: string): Promise<SlowDisk> {
  mkdirSync(folder, { recursive: true })
  let next = Promise.withResolvers<Answer>()
  let last: Answer = { held: 0, isHolding: false }
  const program = Bun.spawn([...RUNTIME_COMMAND, PROGRAM, folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc(message: Answer) {
      last = message
      next.resolve(message)
      next = Promise.withResolvers()
    },
  })
  const ended = program.exited.then(() => {
    throw new Error('the slow disk has ended: it needs root and /dev/fuse')
  })
  ended.catch(() => undefined)
  const answered = (): Promise<Answer> => Promise.race([next.promise, ended])
  await answered()

  async function tell(order: Order): Promise<Answer> {
    const answer = answered()
    program.send(order)
    return answer
  }

  return {
    delay: async (ms) => void (await tell({ delayMs: ms })),
    hold: async () => void (await tell({ hold: true })),
    letGo: async () => void (await tell({ hold: false })),
    async isHeld() {
      await tell({})
      return last.isHolding && last.held > 0
    },
    end: () => program.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      // Waiting calls fail.
      program.kill('SIGKILL')
      await program.exited
      spawnSync('umount', ['-l', folder])
    },
  }
}
