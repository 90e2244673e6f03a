import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Debian's `libfaketime`. */
const INSTALLED = `/usr/lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu/faketime/libfaketime.so.1`
/** The dynamic linker puts in the folder for the program's own processor (ld.so(8)), which under qemu is not the processor of the tests. */
const LIBRARY = '/usr/$LIB/faketime/libfaketime.so.1'

/** The clock of another program, as far as it reads dates; its timers keep the real one. */
export interface ProgramClock {
  /** What the program needs in its environment. */
  readonly env: Record<string, string>
  /** What the program reads as the date. */
  now(): Date
  pass(ms: number): void
  stop(): void
}

/** @param folder one of its own. @returns null where the library is missing */
export function createProgramClock(folder: string): ProgramClock | null {
  if (!existsSync(INSTALLED)) return null
  const file = join(folder, 'clock')
  let ahead = 0
  let stoppedAt: number | null = null
  const write = (): void => {
    // A date stands still; seconds after a sign are added to the real time.
    const told = stoppedAt === null ? `+${ahead / 1000}` : new Date(stoppedAt + ahead).toISOString().slice(0, 19).replace('T', ' ')
    writeFileSync(file, `${told}\n`)
  }
  write()
  return {
    env: {
      LD_PRELOAD: LIBRARY,
      TZ: 'UTC',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DISABLE_SHM: '1',
      NO_FAKE_STAT: '1',
    },
    now: () => new Date((stoppedAt ?? Date.now()) + ahead),
    pass(ms) {
      ahead += ms
      write()
    },
    stop() {
      // The library takes whole seconds.
      stoppedAt = Math.floor(Date.now() / 1000) * 1000
      write()
    },
  }
}
