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
}

/** The titles of all tests and of the groups they stand in, in the order of files and lines. */
export function titlesOfTests(): Title[] {
  const files = [...new Bun.Glob(FILES).scanSync(HOME)].toSorted()
  return files.flatMap((file) => titlesIn(readFileSync(join(HOME, file), 'utf8')).map((text) => ({ file, text })))
}

const CALL =
  /(?<![\w.])(?:it|test|describe|test\.describe)(?:\.each\b[^]*?\]\))?\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g

export function titlesIn(source: string): string[] {
  return [...source.matchAll(CALL)].map(([, single, double, template]) =>
    (single ?? double ?? template?.replace(/\$\{[^}]*\}/g, '…') ?? '').replace(/\\(.)/g, '$1'),
  )
}

/** Whether a title names the attack, by any of its names. */
export function isNamed({ text }: Title, attack: Attack): boolean {
  const pattern = patterns.get(attack) ?? new RegExp(patternOf(attack))
  patterns.set(attack, pattern)
  return pattern.test(text)
}

/** Each is asked of thousands of titles. */
const patterns = new WeakMap<Attack, RegExp>()

/** What finds an attack's tests in any runner. */
export function patternOf(attack: Attack): string {
  return `(^|[^\\w-])(${namesOf(attack).join('|')})($|[^\\w-])`
}

/** Every id of an advisory in a title, and every name of ours in brackets. */
export function idsIn(text: string): string[] {
  const advisories = text.match(/(GHSA|CVE)-[\w-]*\w/g) ?? []
  const bracketed = [...text.matchAll(/\(([^()]*)\)/g)].flatMap(
    ([, inner = '']) => inner.match(/(?<![\w-])(R\d+|A[45]-\d+)(?![\w-])/g) ?? [],
  )
  return [...advisories, ...bracketed]
}
