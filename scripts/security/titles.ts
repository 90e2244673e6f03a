import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { namesOf } from './known.ts'

const HOME = join(import.meta.dir, '../..')
/** `*.heavy.ts` are no part of `npm test`: they take long, or much memory. */
const FILES = '{src,test}/**/*.{test,spec,suite,heavy}.{ts,tsx}'

export interface Title {
  /** From the root of the repository. */
  readonly file: string
  /** As it is written, with `…` for what is filled in. */
  readonly text: string
  /** The titles of the groups it stands in, from the outside. */
  readonly within: readonly string[]
}

/** The titles of all tests and of the groups they stand in, in the order of files and lines. */
export function titlesOfTests(): Title[] {
  const files = [...new Bun.Glob(FILES).scanSync(HOME)].toSorted()
  return files.flatMap((file) => titlesIn(readFileSync(join(HOME, file), 'utf8')).map((title) => ({ file, ...title })))
}

const CALL =
  /(?<![\w.])(it|test|describe|test\.describe)(?:\.each\b[^]*?\]\))?\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g

/** By the formatter's indentation one sees what stands in what. */
export function titlesIn(source: string): Omit<Title, 'file'>[] {
  let groups: { text: string; indent: number }[] = []
  return [...source.matchAll(CALL)].map(({ 1: kind = '', 2: single, 3: double, 4: template, index }) => {
    const text = (single ?? double ?? template?.replace(/\$\{[^}]*\}/g, '…') ?? '').replace(/\\(.)/g, '$1')
    const line = source.slice(source.lastIndexOf('\n', index) + 1)
    const indent = line.length - line.trimStart().length
    groups = groups.filter((group) => group.indent < indent)
    const within = groups.map((group) => group.text)
    if (kind.endsWith('describe')) groups.push({ text, indent })
    return { text, within }
  })
}

/** Whether a title names the attack, by any of its names. */
export function isNamed({ text }: Pick<Title, 'text'>, attack: Attack): boolean {
  const pattern = patterns.get(attack) ?? new RegExp(patternOf(attack))
  patterns.set(attack, pattern)
  return pattern.test(text)
}

/** Each is asked of thousands of titles. */
const patterns = new WeakMap<Attack, RegExp>()

/** What finds an attack's tests in any runner. `R8: …` is named after a row of the review, which is not our own R8. */
export function patternOf(attack: Attack): string {
  const names = namesOf(attack).map((name) => (/^R\d/.test(name) ? `${name}(?!: )` : name))
  return `(^|[^\\w-])(${names.join('|')})($|[^\\w-])`
}

/** Every id of an advisory in a title, and every name of ours in brackets. */
export function idsIn(text: string): string[] {
  const advisories = text.match(/(GHSA|CVE)-[\w-]*\w/g) ?? []
  const bracketed = [...text.matchAll(/\(([^()]*)\)/g)].flatMap(
    ([, inner = '']) => inner.match(/(?<![\w-])(R\d+|A[45]-\d+)(?![\w-])/g) ?? [],
  )
  return [...advisories, ...bracketed]
}
