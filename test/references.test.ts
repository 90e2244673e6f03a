import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'bun:test'

/** What the code and its pages point to is in the repository. */
const HOME = join(import.meta.dir, '..')
const CODE = ['src/**/*.{ts,tsx,css}', 'test/**/*.ts', 'scripts/**/*.{ts,mjs}', 'tools/**/*.ts', 'bench/**/*.ts', '*.ts']
const PAGES = ['*.md', 'docs/**/*.md']
const filesOf = (globs: readonly string[]) => globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync(HOME)].toSorted())
const textOf = (file: string) => readFileSync(join(HOME, file), 'utf8')
const pages = filesOf(PAGES)
const every = [...filesOf(CODE), ...pages].filter((file) => file !== 'test/references.test.ts')

describe('B8: a reference', () => {
  it('to a decision leads to its page', () => {
    const decisions = readdirSync(join(HOME, 'docs/decisions')).map((name) => name.slice(0, 3))
    const cited = every.flatMap((file) => [...textOf(file).matchAll(/\bdecisions? (\d+)/gi)].map(([, number = '']) => ({ file, number })))
    expect(cited.length).toBeGreaterThan(10)
    expect(cited.filter(({ number }) => !decisions.includes(number))).toEqual([])
  })

  it('finds the decisions in one series: a number without a page is one that the list calls unassigned', () => {
    const numbers = readdirSync(join(HOME, 'docs/decisions')).flatMap((name) => (/^\d{3}-/.test(name) ? [Number(name.slice(0, 3))] : []))
    const list = textOf('docs/decisions/README.md')
    const unassigned = (/never assigned: ([\d, to]+)/.exec(list)?.[1] ?? '').split(', ').flatMap((span) => {
      const [first = 0, last = first] = span.split(' to ').map(Number)
      return Array.from({ length: last - first + 1 }, (_, n) => first + n)
    })
    const all = Array.from({ length: Math.max(...numbers) }, (_, n) => n + 1)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(all.filter((number) => !numbers.includes(number) && !unassigned.includes(number))).toEqual([])
    expect(numbers.filter((number) => !list.includes(`(${String(number).padStart(3, '0')}-`))).toEqual([])
  })

  it('names no page that is not here', () => {
    const foreign = /contract reference|\bcontract \d+\.\d|\bspec(ification)? §|\bdesign §|\bux(\.md)? ?§/i
    expect(every.filter((file) => foreign.test(textOf(file)))).toEqual([])
  })

  it('of a page to a file, a page or a heading leads there', () => {
    expect(pages.length).toBeGreaterThan(20)
    expect(
      pages.flatMap((page) =>
        linksOf(page)
          .filter((link) => !leadsSomewhere(page, link))
          .map((link) => `${page}: ${link}`),
      ),
    ).toEqual([])
  })

  it('of a page or a comment to a source file names one that exists', () => {
    const files = filesOf(['**/*.{ts,tsx,css,mjs}']).filter((file) => !file.includes('node_modules/'))
    const isKnown = (name: string) => FOREIGN_FILES.includes(name) || files.some((file) => `/${file}`.endsWith(`/${name}`))
    const named = every.flatMap((file) => sourceNamesIn(file).map((name) => ({ file, name })))
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ name }) => !isKnown(name))).toEqual([])
  })

  it('of a comment to a page of the documentation leads there', () => {
    const named = filesOf(CODE).flatMap((file) => [...textOf(file).matchAll(/\bdocs\/[\w./-]*\w/g)].map(([path]) => ({ file, path })))
    const product = named.filter(
      ({ file, path }) => !/\.(test|spec|suite)\.|^test\//.test(file) && /^docs\/(\w+\.md|decisions\/\w+)/.test(path),
    )
    const found = ({ path }: { path: string }) =>
      existsSync(join(HOME, path)) || readdirSync(join(HOME, 'docs/decisions')).some((name) => `docs/decisions/${name}`.startsWith(path))
    expect(product.filter((one) => !found(one))).toEqual([])
  })
})

/** Files that are named but not in the repository. */
const FOREIGN_FILES = ['custom.css']

/** Names of source files in a page or in the comments of a file, without relative paths and patterns. */
function sourceNamesIn(file: string): string[] {
  const text = textOf(file)
  const prose = file.endsWith('.md') ? text : (text.match(/\/\*[^]*?\*\/|(?<![:'"`\w])\/\/.*/g) ?? []).join('\n')
  return prose.match(/(?<![\w./@*}-])[a-z0-9][\w-]*(?:[./][a-z0-9][\w-]*)*\.(?:tsx?|css|mjs)\b(?![\w/])/g) ?? []
}

/** Of a page, without addresses elsewhere, code, and what is only shown. */
function linksOf(page: string): string[] {
  const text = textOf(page)
    .replace(/```[^]*?```/g, '')
    .replace(/`[^`\n]*`/g, '')
  const written = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = '']) => link)
  return written.filter((link) => !/^[a-z]+:/i.test(link))
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : join(dirname(page), decodeURIComponent(path))
  if (!existsSync(join(HOME, file))) return false
  return anchor === undefined || !file.endsWith('.md') || anchorsOf(file).includes(anchor)
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings =
    textOf(page)
      .replace(/```[^]*?```/g, '')
      .match(/^#+ .*$/gm) ?? []
  return headings.map((line) =>
    line
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
