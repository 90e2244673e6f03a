import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, FIGURES_VARIABLE, isHeld, limitWords, readFigures, SIZE_VARIABLE } from './figures.ts'
import { RUNTIME_COMMAND } from '../src/server/entries/runtime.ts'

/**
 * `npm run bench`: every benchmark, one after another, and one table of what they measured, which is also put into docs/performance.md.
 * `-- --size small` takes minutes and judges little: it shows that everything works. `-- --only download,idle` runs those, `--dry` writes nothing.
 */
const HISTORY = resolve(import.meta.dir, '../docs/performance.md')
/** In their order, with how often each measures, in full and in small. */
const SCRIPTS = {
  download: { full: 7, small: 1 },
  upload: { full: 7, small: 1 },
  'page-upload': { full: 5, small: 1 },
  'drop-box': { full: 5, small: 1 },
  'small-files': { full: 3, small: 1 },
  'small-gets': { full: 5, small: 1 },
  listing: { full: 7, small: 2 },
  browser: { full: 3, small: 1 },
  search: { full: 5, small: 2 },
  index: { full: 20, small: 3 },
  archives: { full: 3, small: 1 },
  'archive-proofs': { full: 1, small: 1 },
  thumbnails: { full: 3, small: 1 },
  login: { full: 200, small: 6 },
  'share-passwords': { full: 300, small: 30 },
  commands: { full: 25, small: 3 },
  idle: { full: 5, small: 2 },
  memory: { full: 1, small: 1 },
  'slow-disk': { full: 1, small: 1 },
  trash: { full: 5, small: 1 },
  snapshots: { full: 5, small: 1 },
  versions: { full: 5, small: 1 },
  groups: { full: 7, small: 1 },
  dav: { full: 3, small: 1 },
} as const satisfies Record<string, { full: number; small: number }>
/** A benchmark that hangs has failed. */
const LONGEST_MS = { full: 30 * 60_000, small: 3 * 60_000 }

type Size = 'full' | 'small'
interface Row {
  readonly script: string
  /** Null where it ended without one. */
  readonly figure: Figure | null
}

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { size: text, only: text, folder: text, dry: { type: 'boolean' } } })
const size: Size = values.size === 'small' ? 'small' : 'full'
const names = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]
const wanted = values.only === undefined ? names : names.filter((name) => values.only?.split(',').includes(name))
const folder = mkdtempSync(join(tmpdir(), 'satchel-figures-'))
const loads = [loadavg()[0] ?? 0]
const rows: Row[] = []
let running: Bun.Subprocess | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop())
}
try {
  for (const script of wanted) rows.push(...(await measure(script)))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
loads.push(loadavg()[0] ?? 0)
const table = tableOf(rows)
console.log(`\n${table}`)
if (values.dry !== true) remember(table)
process.exitCode = rows.every(({ figure }) => figure !== null && isHeld(figure)) ? 0 : 1

/** A benchmark takes its servers and files away when it is told to end. */
async function stop(): Promise<never> {
  running?.kill('SIGTERM')
  await running?.exited
  rmSync(folder, { recursive: true, force: true })
  process.exit(130)
}

async function measure(script: keyof typeof SCRIPTS): Promise<Row[]> {
  console.log(`\n== ${script}`)
  const file = join(folder, script)
  const args = ['--rounds', String(SCRIPTS[script][size]), ...(values.folder === undefined ? [] : ['--folder', values.folder])]
  const child = Bun.spawn([...RUNTIME_COMMAND, join(import.meta.dir, `${script}.ts`), ...args], {
    env: { ...process.env, [FIGURES_VARIABLE]: file, [SIZE_VARIABLE]: size },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: LONGEST_MS[size],
  })
  running = child
  await child.exited
  running = null
  const figures = readFigures(file)
  return figures.length === 0 ? [{ script, figure: null }] : figures.map((figure) => ({ script, figure }))
}

/** Markdown, aligned, so that it reads as well on a terminal. */
function tableOf(all: readonly Row[]): string {
  const head = ['benchmark', 'what', 'figure', 'reference', 'ratio', 'limit', 'verdict']
  const cells = [head, ...all.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [first = '', ...rest] = cells.map(line)
  return [first, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest].join('\n')
}

function cellsOf({ script, figure }: Row): string[] {
  if (figure === null) return [script, 'ended without a figure', '', '', '', '', 'MISSED']
  const { what, value, limit, seen } = figure
  const number = value.toFixed(2)
  const verdict = limit === null ? 'reported' : isHeld(figure) ? 'holds' : 'MISSED'
  const [ours, reference, ratio] = seen === null ? [number, '', ''] : [seen.ours, seen.reference, number]
  return [script, what, ours, reference, ratio, limit === null ? '' : limitWords(limit), verdict]
}

function remember(written: string): void {
  const head = `# Performance\n\nWhat \`npm run bench\` measured, the latest at the end. Ratios are within one run, beside a named reference on the same machine (bench/README.md says\nwhat each is); a small run shows that everything works and is not to be judged by.\n`
  if (!existsSync(HISTORY)) writeFileSync(HISTORY, head)
  const before = readFileSync(HISTORY, 'utf8')
  appendFileSync(HISTORY, `${before.endsWith('\n') ? '' : '\n'}\n## ${titleOf()}\n\n${written}\n`)
  console.log(`\nwritten to docs/performance.md`)
}

function titleOf(): string {
  const git = (...args: string[]): string =>
    Bun.spawnSync(['git', ...args], { cwd: import.meta.dir })
      .stdout.toString()
      .trim()
  const commit = git('rev-parse', '--short', 'HEAD') || 'no commit'
  const changed = git('status', '--porcelain') === '' ? '' : ' with changes'
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`
  const machine = `${availableParallelism()} cores (${(cpus()[0]?.model ?? 'unknown').trim()}), ${memory}, Linux ${release()}, Bun ${Bun.version}`
  const load = loads.map((one) => one.toFixed(1)).join(' to ')
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')}, ${size}, ${commit}${changed}; ${machine}; load ${load}`
}
