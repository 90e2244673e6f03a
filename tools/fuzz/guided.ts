import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Find } from '../../test/fuzz/target.ts'
import { TARGETS } from '../../test/fuzz/targets.ts'
import type { Result } from './result.ts'
import { openShared, SHARED_BYTES, type SharedInput } from './shared-input.ts'
import { RUNTIME_COMMAND } from '../../src/server/entries/runtime.ts'

/* No input takes so long that nothing else is begun meanwhile; finding out what an input has too much of may. */
const HANGS_AFTER_MS = 20_000
const LOOK_EVERY_MS = 500
const FINDS = join(import.meta.dir, '../../test/fuzz/finds.json')
const CORPUS = join(import.meta.dir, '../../test/fuzz/corpus')

export interface GuidedOptions {
  readonly minutes: number
  /** All where none is named. */
  readonly target: string | undefined
  /** Whether what reached far is written into `test/fuzz/corpus`. */
  readonly keep: boolean
}

/** Gives each target its share of the time, one after the other, and prints a table. @returns whether all held */
export async function guided({ minutes, target, keep }: GuidedOptions): Promise<boolean> {
  const chosen = TARGETS.filter(({ name }) => target === undefined || name === target)
  if (chosen.length === 0) {
    console.error(`no target ${target}; there are ${TARGETS.map(({ name }) => name).join(', ')}`)
    return false
  }
  const seconds = (minutes * 60) / chosen.length
  console.log('     runs  corpus  branches reached  slowest  finds  target')
  let all = 0
  for (const { name } of chosen) {
    const result = await explore(name, seconds)
    all += result.finds.length
    for (const { input, was } of result.finds) {
      console.error(`${name}: ${was}\n  ${input}`)
      remember({ target: name, input, was })
    }
    if (keep && result.essence.length > 0) writeFileSync(join(CORPUS, `${name}.json`), `${JSON.stringify(result.essence, null, 2)}\n`)
    const { reached, branches } = result
    const part = `${reached} of ${branches} (${branches === 0 ? 0 : Math.round((reached / branches) * 100)} %)`
    const columns = [`${result.runs}`.padStart(9), `${result.corpus}`.padStart(6), part.padStart(16), `${result.slowestMs} ms`.padStart(7)]
    console.log(`${columns.join('  ')}${`${result.finds.length}`.padStart(7)}  ${name}`)
  }
  console.log(`${chosen.length} targets, ${all} finds`)
  return all === 0
}

async function explore(name: string, seconds: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-guided-'))
  try {
    writeFileSync(join(folder, 'input'), new Uint8Array(SHARED_BYTES))
    const shared = openShared(join(folder, 'input'))
    const seed = Math.floor(Math.random() * 2 ** 31)
    const program = join(import.meta.dir, 'explore.ts')
    const child = Bun.spawn([...RUNTIME_COMMAND, program, name, String(seconds), String(seed), folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const problem = await watch(child, shared)
    const result = resultIn(folder)
    if (problem === null) return result
    const input = Buffer.from(shared.current()).toString('base64')
    return { ...result, runs: Math.max(result.runs, shared.count()), finds: [...result.finds, { input, was: problem }] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Until it ends, or begins nothing new for too long. @returns what was wrong with its end */
async function watch(child: Bun.Subprocess, shared: SharedInput): Promise<string | null> {
  let [seen, since] = [shared.count(), Date.now()]
  for (;;) {
    const code = await Promise.race([child.exited, Bun.sleep(LOOK_EVERY_MS).then(() => null)])
    if (code !== null) return code === 0 ? null : `the process ended with ${child.signalCode ?? code}`
    if (shared.count() !== seen) [seen, since] = [shared.count(), Date.now()]
    else if (Date.now() - since > HANGS_AFTER_MS) {
      child.kill('SIGKILL')
      await child.exited
      return `hangs for ${HANGS_AFTER_MS} ms`
    }
  }
}

function resultIn(folder: string): Result {
  try {
    return JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as Result
  } catch {
    return { runs: 0, corpus: 0, branches: 0, reached: 0, slowestMs: 0, finds: [], essence: [] }
  }
}

function remember(find: Find): void {
  const kept = JSON.parse(readFileSync(FINDS, 'utf8')) as Find[]
  if (kept.some(({ target, input }) => target === find.target && input === find.input)) return
  writeFileSync(FINDS, `${JSON.stringify([...kept, find], null, 2)}\n`)
}
