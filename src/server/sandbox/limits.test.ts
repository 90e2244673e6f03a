import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createUnsandboxed } from './unsandboxed.ts'
import type { Supervised } from './supervise.ts'
import { createBubblewrap } from './bubblewrap.ts'
import { enforceLimits } from './enforce-limits.ts'
import { memoryBelow } from './memory-watch.ts'
import { countBelow, withDescendants } from './process-counter.ts'
import { LIMITS, type RunOptions } from './sandbox.ts'

setDefaultTimeout(120_000)

const MEBIBYTE = 1024 ** 2
const sandbox = createBubblewrap()
const sh = async (script: string, limits: RunOptions['limits']) => {
  const outcome = await sandbox.run(['/bin/bash', '-c', script], { limits })
  return { ...outcome, stdout: Buffer.from(outcome.stdout).toString() }
}

/** Four processes of 100 MiB each, none of which is too large by itself. */
const four = (seconds: number): string =>
  `for n in 1 2 3 4; do perl -e 'my $x = "x" x ${100 * MEBIBYTE}; print "full\\n"; sleep ${seconds}' & done; wait; echo all`

describe('A6: memory', () => {
  it('is limited for all processes together', async () => {
    const { ended, stdout } = await sh(four(600), { totalMemoryBytes: 250 * MEBIBYTE })
    expect(ended).toBe('too-much-memory')
    expect(stdout).not.toContain('all')
  })

  it('is also limited without a sandbox', async () => {
    const { ended } = await createUnsandboxed().run(['/bin/bash', '-c', four(600)], { limits: { totalMemoryBytes: 250 * MEBIBYTE } })
    expect(ended).toBe('too-much-memory')
  })

  it('is unlimited without a limit: the attack is real', async () => {
    const { ended, stdout } = await sh(four(1), { totalMemoryBytes: Infinity })
    expect([ended, stdout]).toEqual(['exited', 'full\nfull\nfull\nfull\nall\n'])
  })

  it('is counted once if processes share it', async () => {
    const script = `perl -e 'my $x = "x" x ${100 * MEBIBYTE}; for (1 .. 6) { fork or do { sleep 2; exit } } 1 while wait > 0; print "all"'`
    expect(await sh(script, { totalMemoryBytes: 300 * MEBIBYTE })).toMatchObject({ ended: 'exited', stdout: 'all' })
  })

  it('in memory file systems is limited, and all of them are counted', async () => {
    const fill =
      'for d in /tmp /home/user /dev/shm; do head -c 100M /dev/zero > $d/x; done 2>/dev/null; du -cb /tmp /home /dev/shm | tail -1'
    const { stdout } = await sh(fill, { temporaryBytes: 10 * MEBIBYTE })
    expect(Number(stdout.split('\t')[0])).toBeLessThan(16 * MEBIBYTE)
    const { stdout: errors } = await sh(`perl -e 'my $n = "x"; print syscall(319, $n, 0), " ", syscall(29, 0, ${MEBIBYTE}, 0)'`, {})
    if (process.arch === 'x64') expect(errors).toBe('-1 -1')
  })

  it('runs out for programs before the server', async () => {
    const own = readFileSync('/proc/self/oom_score_adj', 'utf8')
    expect((await sh('sleep 0.3; cat /proc/self/oom_score_adj /proc/1/oom_score_adj', {})).stdout).toBe('1000\n1000\n')
    expect(readFileSync('/proc/self/oom_score_adj', 'utf8')).toBe(own)
  })

  it('of a process and its descendants is reported', async () => {
    await using child = Bun.spawn(['perl', '-e', `my $x = "x" x ${50 * MEBIBYTE}; $| = 1; print "full"; sleep 60`], { stdout: 'pipe' })
    await child.stdout.getReader().read()
    const used = memoryBelow(child.pid)
    expect(used).toBeGreaterThan(50 * MEBIBYTE)
    expect(used).toBeLessThan(200 * MEBIBYTE)
  })
})

describe('A6: every program', () => {
  it('has a lower priority than the server', async () => {
    const { stdout } = await sh('for n in 1 2 3; do (cut -d" " -f19 /proc/self/stat); done', {})
    expect(stdout).toBe(`${getPriority() + 10}\n`.repeat(3))
  })

  it('has it with all its descendants, also those that are started meanwhile', async () => {
    for (const attempt of [1, 2, 3]) {
      // Each process starts the next one.
      await using first = Bun.spawn(['perl', '-e', 'for (1 .. 100) { last if fork } sleep 60'], { detached: true })
      const { promise: ended, resolve: end } = Promise.withResolvers<Awaited<Supervised['ended']>>()
      try {
        while (countBelow(first.pid, 20 * attempt) < 20 * attempt) await Bun.sleep(0)
        enforceLimits(first.pid, { ended, end() {}, kill() {} }, { limits: { ...LIMITS, processes: 200 } })
        while (countBelow(first.pid, 100) < 100) await Bun.sleep(10)
        while ([...withDescendants(first.pid)].some((pid) => getPriority(pid) !== getPriority() + 10)) await Bun.sleep(10)
      } finally {
        end({ ended: 'exited', exitCode: 0 })
        process.kill(-first.pid, 'SIGKILL')
      }
    }
  })

  it('has kernel limits that its children inherit', async () => {
    const { stdout } = await sh('for n in f c u l n; do ulimit -H$n; done; bash -c "ulimit -v"', {
      fileSizeBytes: 1024 ** 2,
      processes: 10,
      memoryBytes: 1024 ** 3,
    })
    // Blocks of 1024 bytes; processes with the first one and some room for the count outside.
    expect(stdout).toBe('1024\n0\n27\n64\n512\n1048576\n')
  })
})
