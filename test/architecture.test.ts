import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { IMPORT_RULES } from './import-rules.ts'

/** The one file that knows the adapters, and the adapters of each port: every file beside the port that is not part of its promise. */
const COMPOSE = ['server/compose.ts', 'server/compose-roots.ts']
const PORTS = [
  { folder: 'server/storage', port: 'storage.ts' },
  { folder: 'server/bus', port: 'bus.ts' },
  { folder: 'server/sandbox', port: 'sandbox.ts' },
  { folder: 'server/index', port: 'tree-index.ts' },
]
/** What a domain file may not import: the way in and out. */
const EDGE = /(^|\/)(routes|[a-z]+-routes)\.ts$/
const FEATURES = [
  'archives',
  'files',
  'uploads',
  'previews',
  'photos',
  'unpack',
  'user-jobs',
  'search',
  'sizes',
  'live',
  'commands',
  'audit',
  'shares',
  'favourites',
  'settings',
  'users',
  'sessions',
]

/** Data, not code: whoever shows the product's name and version reads it. */
const NAME_AND_VERSION = '../package.json'

const MOST_LINES = 400
const MEDIAN_LINES = 80
const P90_LINES = 220

const SRC = join(import.meta.dir, '../src')
/** What the compiler lets pass, some of it translated, and yet fails in Safari or in browsers of 2024: `using` needs `Symbol.dispose` at run time. */
const TOO_NEW =
  /\busing\s+\w+\s*=|\bSymbol\.(asyncD|d)ispose\b|\bPromise\.try\b|\bRegExp\.escape\b|\bDurationFormat\b|\bIterator\.from\b|\.(to|from)(Base64|Hex)\(/

/** Tests, the suites that adapters share, and what sets tests up: `test-world.ts`. */
const isTest = (file: string): boolean => /\.(test|suite|spec|child)\.tsx?$|(^|\/)test-[a-z-]+\.tsx?$/.test(file)

interface Import {
  readonly to: string
}

const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)].toSorted()
const sources = new Map(files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]))
const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]))
const product = files.filter((file) => !isTest(file))

describe('import rules', () => {
  it('have a row for every folder', () => {
    expect(files.filter((file) => rowOf(file) === null)).toEqual([])
  })

  it('are followed: a folder imports only itself and what its row allows', () => {
    expect(violations((from, to) => isAllowed(from, to))).toEqual([])
  })

  it('allow no unused import, and name no missing folder', () => {
    const used = new Set([...imports].flatMap(([from, all]) => (isTest(from) ? [] : all.map(({ to }) => `${rowOf(from)} → ${rowOf(to)}`))))
    const listed = Object.entries(IMPORT_RULES).flatMap(([row, rule]) =>
      rule.imports.filter((to) => to !== 'shared').map((to) => `${row} → ${to}`),
    )
    expect(listed.filter((one) => !one.endsWith('/*') && !used.has(one))).toEqual([])
    expect(Object.keys(IMPORT_RULES).filter((row) => !files.some((file) => rowOf(file) === row))).toEqual([])
  })

  it('allow adapters in compose.ts and compose-roots.ts only', () => {
    expect(violations((from, to) => COMPOSE.includes(from) || isTest(from) || !isAdapter(from, to))).toEqual([])
  })

  it('keep the storage behind the Drive, except for the index, which reads names, the journal, which asks what is at a path, quotas, which count, the trash and versions, which handle what is kept out of sight, and snapshots, which open a Drive on each', () => {
    expect(
      violations(
        (from, to) =>
          isTest(from) ||
          !to.startsWith('server/storage/') ||
          /^server\/((drive|storage|index|journal|quotas|trash|versions|snapshots)\/|[^/]+$)/.test(from),
      ),
    ).toEqual([])
  })

  it('keep domain files independent of http and routes', () => {
    const isDomain = (file: string): boolean =>
      FEATURES.includes(file.split('/')[1] ?? '') && !EDGE.test(file) && !isRespond(file) && !isTest(file)
    expect(violations((from, to) => !isDomain(from) || !(to.startsWith('server/http/') || EDGE.test(to)))).toEqual([])
  })

  it('keep shared and access pure: no clock, randomness or platform', () => {
    const pure = product.filter((file) => /^(shared|server\/access)\//.test(file))
    const impure = /from '(node|bun):|\bMath\.random\b|\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bfetch\(|\bBun\.|\brandomUUID\b/
    expect(pure.filter((file) => impure.test(codeOf(file)))).toEqual([])
  })

  it('keep test code out of the product', () => {
    expect(violations((from, to) => isTest(from) || !isTest(to))).toEqual([])
  })

  it('find no import cycle, types included', () => {
    expect(cycles()).toEqual([])
  })
})

describe('code limits', () => {
  const lines = product.map((file) => ({ file, count: (sources.get(file) ?? '').split('\n').length - 1 }))
  const sorted = lines.map(({ count }) => count).toSorted((a, b) => a - b)

  it(`allow no file over ${MOST_LINES} lines`, () => {
    const every = files.map((file) => ({ file, count: (sources.get(file) ?? '').split('\n').length - 1 }))
    expect(every.filter(({ count }) => count > MOST_LINES)).toEqual([])
  })

  it(`keep the median at ${MEDIAN_LINES} lines and nine of ten under ${P90_LINES}`, () => {
    expect(sorted[Math.floor(sorted.length / 2)] ?? 0).toBeLessThanOrEqual(MEDIAN_LINES)
    expect(sorted[Math.floor(sorted.length * 0.9)] ?? 0).toBeLessThanOrEqual(P90_LINES)
  })

  it('allow no any', () => {
    expect(files.filter((file) => /(:|<|\bas|\||=|,)\s*any\b\s*(?=[;,)\]>|&={}\n]|$)|\bany\[\]/m.test(codeOf(file)))).toEqual([])
  })

  it('require no feature that the oldest browsers of docs/browsers.md lack', () => {
    expect(product.filter((file) => /^(shared|web)\//.test(file) && TOO_NEW.test(codeOf(file)))).toEqual([])
  })

  it('allow no default export', () => {
    expect(files.filter((file) => !file.endsWith('.d.ts') && /(^|;)\s*export\s+default\b|\bas\s+default\b/m.test(codeOf(file)))).toEqual([])
  })
})

/** Every import that breaks `holds`, as `from → to`. */
function violations(holds: (from: string, to: string) => boolean): string[] {
  return [...imports].flatMap(([from, all]) => all.filter(({ to }) => !holds(from, to)).map(({ to }) => `${from} → ${to}`))
}

/** The row of a file: its folder's, `web/screens/*` for each screen, the root's for a file directly in `server` or `web`. */
function rowOf(file: string): string | null {
  const [top = '', area = '', screen = ''] = file.split('/')
  if (top === 'shared') return 'shared'
  if (file.split('/').length === 2) return top in IMPORT_RULES ? top : null
  if (top === 'web' && area === 'screens') return screen.includes('.') ? null : 'web/screens/*'
  return `${top}/${area}` in IMPORT_RULES ? `${top}/${area}` : null
}

function isAllowed(from: string, to: string): boolean {
  const row = rowOf(from)
  const target = rowOf(to)
  if (row === null || target === null) return false
  // A test may compose what it needs, on its own side.
  if (isTest(from) && to.split('/')[0] === from.split('/')[0]) return true
  if (row === 'web/screens/*' && target === row) return from.split('/')[2] === to.split('/')[2]
  if (row === target) return true
  // The two roots and their tests may use everything on their side; nobody may use the roots.
  if (target === 'server' || target === 'web') return row === 'web/app' && /^web\/[^/]+\.css$/.test(to)
  return (IMPORT_RULES[row]?.imports ?? []).some(
    (allowed) => allowed === target || (allowed.endsWith('/*') && target.startsWith(allowed.slice(0, -1))),
  )
}

/** Whether `to` lies beside a port, without being it, and `from` lies elsewhere. */
function isAdapter(from: string, to: string): boolean {
  const home = PORTS.find(({ folder }) => to.startsWith(`${folder}/`) && !from.startsWith(`${folder}/`))
  // A tree of a million names is read where it lies, in a thread of its own.
  if (home?.folder === 'server/storage' && from.startsWith('server/index/')) return false
  return home !== undefined && !to.endsWith(`/${home.port}`)
}

/** A Response is what these are for. */
function isRespond(file: string): boolean {
  return /(^|\/)(respond|socket|[a-z-]+-(response|socket))\.ts$/.test(file)
}

function importsOf(file: string, text: string): Import[] {
  const code = withoutComments(text)
  const targets = [
    /(?:^|[\n;])\s*(?:import|export)\s+(?:(?:type\s+)?(?:[\w$*\s,]|\{[^}]*\})*?\bfrom\s*)?['"]([^'"\n]+)['"]/g,
    /\bimport\(\s*['"]([^'"\n]+)['"]/g,
    /new URL\(\s*['"](\.[^'"\n]+\.tsx?)['"]\s*,\s*import\.meta\.url/g,
  ].flatMap((pattern) => [...code.matchAll(pattern)].map(([, target = '']) => target))
  return targets
    .filter((to) => to.startsWith('.'))
    .map((to) => ({ to: join(dirname(file), to) }))
    .filter(({ to }) => to !== NAME_AND_VERSION)
}

function codeOf(file: string): string {
  return withoutComments(sources.get(file) ?? '')
}

/** Comments at the beginning of a line, or after a space; an address in a text has no space before its slashes. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/[^\n]*/g, '$1')
}

/** Each group of modules that import one another, types included (Tarjan). Workers count as imports. */
function cycles(): string[][] {
  const order = new Map<string, { index: number; low: number; open: boolean }>()
  const stack: string[] = []
  const groups: string[][] = []
  const next = (file: string): string[] => (imports.get(file) ?? []).map(({ to }) => to)
  const visit = (file: string): { low: number; index: number; open: boolean } => {
    const node = { index: order.size, low: order.size, open: true }
    order.set(file, node)
    stack.push(file)
    for (const to of next(file).filter((target) => sources.has(target))) {
      const seen = order.get(to)
      if (seen === undefined) node.low = Math.min(node.low, visit(to).low)
      else if (seen.open) node.low = Math.min(node.low, seen.index)
    }
    if (node.low === node.index) {
      const group = stack.splice(stack.indexOf(file))
      for (const member of group) (order.get(member) ?? node).open = false
      if (group.length > 1 || next(file).includes(file)) groups.push(group)
    }
    return node
  }
  for (const file of product) if (!order.has(file)) visit(file)
  return groups
}
