import type { ByteSource } from '../byte-source.ts'
import { openZip, type Zip } from '../zip.ts'
import { trustedHtml } from './trusted-html.ts'
import { type BookLocation, resolveHref } from './references.ts'

/** A parsed EPUB (3.3, and 2.0 with its NCX). */
export type Book = Awaited<ReturnType<typeof openBook>>

export interface ContentsLine {
  readonly title: string
  /** 0 for the outermost. */
  readonly depth: number
  readonly chapter: number
  readonly fragment: string
}

/** Chapters are encrypted (DRM). */
export class BookProtected extends Error {
  override readonly name = 'BookProtected'
}

/** Not an EPUB, or a malformed one. */
export class BookBroken extends Error {
  override readonly name = 'BookBroken'
}

const MOST_XML_BYTES = 4 * 1024 * 1024
const [MOST_CHAPTERS, MOST_LINES, DEEPEST, MOST_TITLE_CHARS] = [5000, 5000, 8, 300]
const RIGHT_TO_LEFT = /^(ar|he|iw|fa|ur|yi|ji|ps|sd|ug|dv|ckb)\b/i

/** Opens a book by its container and package document; chapters are read on demand. Fails with `ZipBroken`, `BookBroken`, `BookProtected`. */
export async function openBook(source: ByteSource, { signal }: { signal: AbortSignal }) {
  const zip = await openZip(source, { signal })
  const read = async (path: string) => parseXml(await readText(zip, path, { most: MOST_XML_BYTES, signal }))
  const container = await read('META-INF/container.xml')
  const root = all(container, 'rootfile')[0]?.getAttribute('full-path') ?? ''
  const pack = await read(root)
  const items = new Map(all(pack, 'item').map((item) => [item.getAttribute('id') ?? '', item]))
  const placeOf = (item: Element | undefined) => resolveHref(root, item?.getAttribute('href') ?? '')?.path ?? null
  const spine = all(pack, 'spine')[0]
  const chapters = all(pack, 'itemref')
    .map((reference) => placeOf(items.get(reference.getAttribute('idref') ?? '')))
    .filter((path): path is string => path !== null && zip.entries.has(path))
    .slice(0, MOST_CHAPTERS)
  if (chapters.length === 0) throw new BookBroken('no chapters')
  if (zip.entries.has('META-INF/encryption.xml')) refuseProtected(await read('META-INF/encryption.xml'), chapters)
  const language = textOf(all(pack, 'language')[0])
  const navigation = placeOf([...items.values()].find((item) => /(^|\s)nav(\s|$)/.test(item.getAttribute('properties') ?? '')))
  const older = placeOf(items.get(spine?.getAttribute('toc') ?? ''))
  const contents = navigation ?? older
  return {
    /** Null where it has none. */
    title: textOf(all(pack, 'title')[0]) || null,
    author: textOf(all(pack, 'creator')[0]) || null,
    /** BCP 47; empty where it does not say. */
    language,
    /** Right-to-left page progression. */
    isRtl: spine?.getAttribute('page-progression-direction') === 'rtl' || isRightToLeft(language),
    /** Zip entries in reading order. */
    chapters,
    contents:
      contents === null
        ? []
        : await read(contents).then(
            (document) => linesOf(document, contents, chapters),
            () => [],
          ),
    zip,
  }
}

export function isRightToLeft(language: string): boolean {
  return RIGHT_TO_LEFT.test(language)
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, as EPUB allows. */
export async function readText(zip: Zip, path: string, options: { most: number; signal: AbortSignal }): Promise<string> {
  const bytes = await zip.read(path, options)
  const [first, second] = bytes
  const encoding = first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function parseXml(text: string): Document {
  // DOCTYPEs and custom entities are unnecessary, and an attack vector.
  const document = new DOMParser().parseFromString(trustedHtml(withoutDoctype(text)), 'application/xml')
  if (all(document, 'parsererror').length > 0) throw new BookBroken('malformed')
  return document
}

/** Removes the DOCTYPE, including its internal subset. */
export function withoutDoctype(text: string): string {
  return text.replace(/<!DOCTYPE[^>[]*(\[[^\]]*\])?[^>]*>/i, '')
}

function all(parent: Document | Element, name: string): Element[] {
  return [...parent.getElementsByTagNameNS('*', name)]
}

function textOf(element: Element | undefined | null): string {
  return (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, MOST_TITLE_CHARS)
}

/** Encrypted fonts do not matter; encrypted chapters do. */
function refuseProtected(encryption: Document, chapters: readonly string[]): void {
  const encrypted = new Set(all(encryption, 'CipherReference').map((one) => resolveHref('', one.getAttribute('URI') ?? '')?.path))
  if (chapters.some((path) => encrypted.has(path))) throw new BookProtected('encrypted')
}

function linesOf(document: Document, path: string, chapters: readonly string[]): ContentsLine[] {
  const at = new Map(chapters.map((chapter, index) => [chapter, index]))
  const lines: ContentsLine[] = []
  const add = (title: string, written: string, depth: number) => {
    const spot: BookLocation | null = resolveHref(path, written)
    const chapter = spot === null ? undefined : at.get(spot.path)
    if (title !== '' && spot !== null && chapter !== undefined && lines.length < MOST_LINES)
      lines.push({ title, depth: Math.min(depth, DEEPEST), chapter, fragment: spot.fragment })
  }
  const points = all(document, 'navPoint')
  for (const point of points)
    add(textOf(all(point, 'text')[0]), all(point, 'content')[0]?.getAttribute('src') ?? '', depthOf(point, 'navPoint'))
  if (points.length > 0) return lines
  const navs = all(document, 'nav')
  const nav = navs.find((one) => /(^|\s)toc(\s|$)/.test(one.getAttribute('epub:type') ?? '')) ?? navs[0]
  if (nav !== undefined) for (const link of all(nav, 'a')) add(textOf(link), link.getAttribute('href') ?? '', depthOf(link, 'ol') - 1)
  return lines
}

/** Nesting depth in elements of this name, limited to what is displayed. */
function depthOf(element: Element, name: string): number {
  let depth = 0
  for (let one = element.parentElement; one !== null && depth <= DEEPEST; one = one.parentElement) if (one.localName === name) depth += 1
  return depth
}
