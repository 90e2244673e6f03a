import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { LANGUAGES } from '../src/shared/languages.ts'

/**
 * Checks every catalogue of the web against en.json, and en.json against the list of errors. Prints what is wrong, one line each, and fails.
 * Missing keys fail: falling back to English is for run time only.
 */
export interface Problem {
  readonly catalogue: string
  readonly key: string
  readonly problem: string
}

type Catalogue = Readonly<Record<string, string>>
type Token = string | readonly unknown[]

/** A placeholder's name, or `name (kind)` for plurals and their like, with the cases they know. */
interface Shape {
  readonly names: ReadonlySet<string>
  readonly plurals: readonly { name: string; kind: string; cases: readonly string[] }[]
}

/** Where the catalogues are: one file a language, named by the product's code. */
export const CATALOGUES = join(import.meta.dir, '../src/web/i18n')
const ERRORS = join(import.meta.dir, '../src/shared/errors.ts')

/** Everything that is wrong with one catalogue, seen against the source of all keys. */
export function problemsOf(language: string, catalogue: Catalogue, source: Catalogue): Problem[] {
  const report = (key: string, problem: string): Problem => ({ catalogue: language, key, problem })
  const missing = Object.keys(source).filter((key) => !(key in catalogue))
  const unknown = Object.keys(catalogue).filter((key) => !(key in source))
  return [
    ...missing.map((key) => report(key, 'missing')),
    ...unknown.map((key) => report(key, 'not in en.json')),
    ...Object.entries(catalogue).flatMap(([key, text]) =>
      messageProblems(language, text, source[key]).map((problem) => report(key, problem)),
    ),
  ]
}

/** The codes of `shared/errors.ts`, read from its text: types leave nothing behind to ask. */
export function errorCodes(text: string): string[] {
  const body = /interface ErrorDetails \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? ''
  return [...body.matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map(([, code = '']) => code)
}

function messageProblems(language: string, text: string, source: string | undefined): string[] {
  if (typeof text !== 'string') return ['not a text']
  if (text.trim() === '') return ['empty']
  const shape = shapeOf(text)
  if (shape === null) return ['not an ICU message']
  const expected = source === undefined ? null : shapeOf(source)
  const names = expected === null ? [] : differences(expected.names, shape.names)
  // The editor's texts have a `$` where its number goes.
  const dollars = (one: string): number => one.split('$').length
  const dollar = source !== undefined && dollars(source) !== dollars(text) ? ['not as many $ as in en.json'] : []
  return [...names, ...dollar, ...shape.plurals.flatMap(({ name, kind, cases }) => pluralProblems(language, name, kind, cases))]
}

function differences(expected: ReadonlySet<string>, found: ReadonlySet<string>): string[] {
  return [
    ...without(expected, found).map((name) => `placeholder {${name}} is missing`),
    ...without(found, expected).map((name) => `placeholder {${name}} is not in en.json`),
  ]
}

function pluralProblems(language: string, name: string, kind: string, cases: readonly string[]): string[] {
  if (kind !== 'plural' && kind !== 'selectordinal') return cases.includes('other') ? [] : [`{${name}}: no case "other"`]
  const categories = new Set<string>(pluralsOf(language, kind === 'plural' ? 'cardinal' : 'ordinal'))
  const given = new Set(cases.filter((one) => !/^=?\d+$/.test(one)))
  return [
    ...without(categories, given).map((one) => `{${name}}: no plural "${one}"`),
    ...without(given, categories).map((one) => `{${name}}: this language has no plural "${one}"`),
  ]
}

/** The plural branches that a language needs. */
export function pluralsOf(language: string, type: 'cardinal' | 'ordinal'): string[] {
  return new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories
}

function without(all: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  return [...all].filter((one) => !known.has(one))
}

function shapeOf(text: string): Shape | null {
  const compiled = compileMessage(text)
  // What cannot be read comes back as it was.
  if (compiled.length === 1 && compiled[0] === text && text.includes('{')) return null
  const names = new Set<string>()
  const plurals: { name: string; kind: string; cases: string[] }[] = []
  collect(compiled, names, plurals)
  return { names, plurals }
}

/** A compiled message is a list of texts and of `[name, kind?, format or cases?]`. */
function collect(tokens: Token, names: Set<string>, plurals: { name: string; kind: string; cases: string[] }[]): void {
  if (typeof tokens === 'string') return
  for (const token of tokens) {
    if (!Array.isArray(token)) continue
    const [name, kind, cases]: unknown[] = token
    names.add(String(name))
    if (typeof cases !== 'object' || cases === null || typeof kind !== 'string') continue
    const branches = Object.entries(cases).filter(([key]) => key !== 'offset')
    plurals.push({ name: String(name), kind, cases: branches.map(([key]) => key) })
    for (const [, branch] of branches) if (typeof branch === 'string' || Array.isArray(branch)) collect(branch, names, plurals)
  }
}

/** The texts of a language; none when it has no catalogue yet. */
export function readCatalogue(language: string): Catalogue {
  const file = join(CATALOGUES, `${language}.json`)
  // Its values are checked one by one by `messageProblems`.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Catalogue) : {}
}

function main(): number {
  const languages = readdirSync(CATALOGUES).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))
  const source = readCatalogue('en')
  const untold = errorCodes(readFileSync(ERRORS, 'utf8')).filter((code) => !(`error.${code}` in source))
  const problems = [
    ...untold.map((code) => ({ catalogue: 'en', key: `error.${code}`, problem: 'missing' })),
    ...languages
      .filter((code) => !LANGUAGES.some((one) => one.code === code))
      .map((code) => ({ catalogue: code, key: '', problem: 'no language of ours' })),
    ...languages.flatMap((code) => problemsOf(code, readCatalogue(code), source)),
  ]
  for (const { catalogue, key, problem } of problems) console.error(`${catalogue}.json: ${key}: ${problem}`)
  for (const code of languages) {
    const missing = problems.filter(({ catalogue, problem }) => catalogue === code && problem === 'missing').length
    if (missing > 0) console.error(`${code}.json: ${missing} missing; bun scripts/messages.ts missing ${code}`)
  }
  if (problems.length === 0) console.log(`${languages.length} catalogues, ${Object.keys(source).length} messages: complete`)
  return problems.length === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = main()
