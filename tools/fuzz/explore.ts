/*
 * One target, in a process of its own, which may hang or fall: `explore.ts NAME SECONDS SEED FOLDER`. Changes inputs that went somewhere, keeps
 * what goes elsewhere, and writes `result.json` into the folder now and then and at the end.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TARGETS } from '../../test/fuzz/targets.ts'
import { bytesOf, type Target } from '../../test/fuzz/target.ts'
import { createCorpus } from './corpus.ts'
import { COUNTERS, instrument } from './instrument.ts'
import { createDice, mutate, spliced } from './mutate.ts'
import type { Result } from './result.ts'
import { MOST_BYTES, openShared } from './shared-input.ts'

const MOST_BRANCHES = 65_536
const MOST_FINDS = 5
const USUAL_BYTES = 1024
/** Of the time for inputs made as long as may be. */
const LONG_PART = 0.1
/** Of processor time for an input, however long, where the target says no other. */
const MOST_MS = 400
const STEPS_BEFORE = 20_000
const STEPS_PER_BYTE = 100
const REPORT_EVERY_MS = 2000
const SHORTENING_TRIES = 4000

const [name = '', seconds = '', number = '', folder = ''] = process.argv.slice(2)
const entry = TARGETS.find((one) => one.name === name)
if (entry === undefined) throw new Error(`no target ${name}`)

const counters = new Uint32Array(MOST_BRANCHES)
Object.assign(globalThis, { [COUNTERS]: counters })
const root = join(import.meta.dir, '../..')
const words = new Set<string>()
let branches = 0
Bun.plugin({
  name: 'branches',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!entry.about.includes(path.slice(root.length + 1))) return { contents: source, loader: 'ts' }
      const made = instrument(path, source, branches)
      branches += made.branches
      for (const word of made.words) words.add(word)
      return { contents: made.code, loader: 'ts' }
    })
  },
})
process.removeAllListeners('warning')
process.on('warning', () => undefined)
let late: unknown = null
let fallen = newFall()
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error: unknown) => {
    late = error
    fallen.reject(error)
  })

const { target } = await entry.load()
const shared = openShared(join(folder, 'input'))
const corpus = createCorpus()
const dice = createDice(Number(number))
const material: Uint8Array[] = [...words].map((word) => Uint8Array.from(Buffer.from(word, 'latin1')))
for (const word of target.words ?? []) material.push(bytesOf(word))
const most = target.most ?? USUAL_BYTES
const mostMs = target.mostMs ?? MOST_MS
const longestSeed = Math.max(...target.seeds.map((seed) => bytesOf(seed).length))
const finds = new Map<string, Result['finds'][number]>()
let runs = 0
let slowestMs = 0
let longMs = 0
const began = performance.now()

for (const input of beginnings()) await tried(input)
const end = Date.now() + Number(seconds) * 1000
let told = Date.now()
while (finds.size < MOST_FINDS) {
  await tried(next())
  if (runs % 64 !== 0) continue
  const now = Date.now()
  if (now >= end) break
  if (now - told < REPORT_EVERY_MS) continue
  tell()
  told = now
}
tell()
process.exit(0)

function* beginnings(): Generator<Uint8Array> {
  const kept = JSON.parse(readFileSync(join(root, 'test/fuzz/corpus', `${name}.json`), 'utf8')) as string[]
  for (const written of kept) yield Uint8Array.from(Buffer.from(written, 'base64'))
  for (const one of target.seeds) yield Uint8Array.from(bytesOf(one))
  yield new Uint8Array(0)
}

function next(): Uint8Array {
  const input = corpus.pick(dice)
  if (longMs < LONG_PART * (performance.now() - began)) return stretched(input)
  return mutate(input, { dice, words: material, other: corpus.pick(dice), most })
}

/** A part of it again and again: what takes long is mostly that. */
function stretched(input: Uint8Array): Uint8Array {
  if (input.length === 0) return input
  const start = dice(input.length)
  const part = input.subarray(start, start + 1 + dice(Math.min(16, input.length - start)))
  const times = Math.floor((MOST_BYTES - input.length) / part.length)
  return spliced(input, start, 0, new Uint8Array(Buffer.concat(Array.from({ length: times }, () => part))))
}

async function tried(input: Uint8Array): Promise<void> {
  const problem = await problemOf(input)
  runs++
  if (problem === null) {
    // What was made long in order to be long only slows down what comes after.
    if (input.length <= Math.max(most, longestSeed)) corpus.offer(input, counters, branches)
    return
  }
  const kind = problem.replaceAll(/\d+/g, '0')
  if (finds.has(kind)) return
  const shortest = await shortened(input, kind)
  finds.set(kind, { input: Buffer.from(shortest).toString('base64'), was: problem })
}

/** Null where all holds. */
async function problemOf(input: Uint8Array): Promise<string | null> {
  shared.begin(input)
  counters.fill(0, 0, branches)
  late = null
  const start = performance.now()
  try {
    const holds: ReturnType<Target['holds']> = target.holds(input)
    if (holds !== undefined) await unlessFallen(holds)
  } catch (error) {
    return named(error)
  }
  const ms = performance.now() - start
  if (late !== null) return `afterwards: ${named(late)}`
  slowestMs = Math.max(slowestMs, ms)
  if (input.length > MOST_BYTES / 2) longMs += ms
  const steps = counters.subarray(0, branches).reduce((sum, count) => sum + count, 0)
  if (steps > STEPS_BEFORE + (target.stepsPerByte ?? STEPS_PER_BYTE) * input.length) return `${steps} steps for ${input.length} bytes`
  return ms > mostMs ? slowness(input) : null
}

/** What fails where nobody catches it may leave others waiting for ever. */
async function unlessFallen(holds: Promise<void>): Promise<void> {
  fallen = newFall()
  await Promise.race([holds, fallen.promise])
}

function newFall(): PromiseWithResolvers<never> {
  const fall = Promise.withResolvers<never>()
  fall.promise.catch(() => undefined)
  return fall
}

/** Once more, for the processor may have been somebody else's. */
async function slowness(input: Uint8Array): Promise<string | null> {
  const before = process.cpuUsage()
  await target.holds(input)
  const { user, system } = process.cpuUsage(before)
  const ms = Math.round((user + system) / 1000)
  return ms > mostMs ? `${ms} ms for ${input.length} bytes` : null
}

function named(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = error.name === 'AssertionError' ? '' : (/\/((?:src|test|node_modules)\/[^\s)]+)/.exec(error.stack ?? '')?.[1] ?? '')
  return `${error.name}: ${error.message.slice(0, 200)}${place === '' ? '' : ` at ${place}`}`
}

/** The same with less of the input, as far as that can be found soon. */
async function shortened(input: Uint8Array, kind: string): Promise<Uint8Array> {
  let bytes = input
  let left = SHORTENING_TRIES
  const until = Date.now() + 5000
  for (let length = Math.ceil(bytes.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let at = 0; at < bytes.length && left-- > 0 && Date.now() < until;) {
      const less = spliced(bytes, at, length, new Uint8Array(0))
      if ((await problemOf(less))?.replaceAll(/\d+/g, '0') === kind) bytes = less
      else at += length
    }
  }
  return bytes
}

function tell(): void {
  const result: Result = {
    runs,
    corpus: corpus.size,
    branches,
    reached: corpus.reached(),
    slowestMs: Math.round(slowestMs),
    finds: [...finds.values()],
    essence: corpus.essence().map((input) => Buffer.from(input).toString('base64')),
  }
  writeFileSync(join(folder, 'result.json'), JSON.stringify(result))
}
