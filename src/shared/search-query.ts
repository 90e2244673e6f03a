import { fileType } from './file-type.ts'
import { isIn, parseSizes, parseTimes, printSizes, printTimes, type Span } from './search-spans.ts'

/** Conditions on a node; an empty list is no condition. */
export interface Conditions {
  /** In lower case, without a leading dot: `image`, `audio`, `video`, else an extension such as `pdf` or `tar.gz`. */
  readonly types: readonly string[]
  /** In lower case, without a leading dot. */
  readonly extensions: readonly string[]
  /** Words and phrases as written, not empty. */
  readonly words: readonly string[]
  /** Bytes. Only files have a size. */
  readonly sizes: readonly Span[]
  /** Milliseconds since 1970. */
  readonly times: readonly Span[]
  /** Words and phrases in the text of a file, as written, not empty. */
  readonly contents: readonly string[]
}

/**
 * A search: a node whose name contains one of the words (or all of them, `allWords`), which has one of the types and extensions, and is within all
 * ranges of size and time; but none to which anything in `not` applies. With `contents`, only files whose text could be read, contains all of them,
 * and none of those in `not`.
 */
export interface SearchQuery extends Conditions {
  readonly sensitive: boolean
  /**
   * A name must contain every word; otherwise one of them is enough, as with the predecessor. Not part of the text, but a separate parameter
   * (`match`).
   */
  readonly allWords?: boolean
  readonly not: Conditions
}

/** The fields that a query checks. */
export interface Findable {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'special'
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

export interface Matcher {
  /** Size and time of a link are not checked here: they are those of its target, and `measures` checks them when it is known. */
  finds(node: Findable): boolean
  measures(node: Omit<Findable, 'name'>): boolean
}

/**
 * The query language:
 *
 *     query  = { blank | item }
 *     item   = case | [ "-" ] ( type | ext | size | time | text | phrase | word )
 *     case   = "case:sensitive" | "case:insensitive"
 *     type   = "type:" ( letters, digits, "_", "-", "+", "." )
 *     ext    = "ext:" extension { "," extension }
 *     size   = "size:" sizes (see `parseSizes`)
 *     time   = "modified:" times (see `parseTimes`)
 *     text   = "content:" ( phrase | word )
 *     phrase = '"' { anything but '"' } ( '"' | end of text )
 *     word   = what is left, up to the next blank
 *
 * Keywords are recognized in any case, at the beginning of an item only; inside a phrase they are text, and so is a keyword with an invalid
 * value. Types and extensions are alternatives, and so are words; sizes, times and contents must all hold. `music` is `audio`. A minus means
 * "not" beside other terms; if all words have one, the minus is text, as in the predecessor. An empty query matches
 * everything. Every text is a query.
 *
 * @param now the time to which ages and `today` are relative
 */
export function parseQuery(text: string, now: Date): SearchQuery {
  const items = [...text.matchAll(ITEM)].filter(([, , , phrase]) => phrase !== '')
  const [cases, others] = [items.filter(([item]) => CASE.test(item)), items.filter(([item]) => !CASE.test(item))]
  const allMinus = others.every(([item, , , phrase]) => phrase === undefined && isMinusWord(item))
  const read = ([item, sign, key, phrase]: RegExpExecArray): { isNot: boolean; asks: Partial<Conditions> } => {
    if (phrase !== undefined) return { isNot: sign === '-', asks: key === undefined ? { words: [phrase] } : { contents: [phrase] } }
    const isNot = item.startsWith('-') && item !== '-' && !allMinus
    const bare = isNot ? item.slice(1) : item
    return { isNot, asks: keyword(bare, now) ?? { words: [bare] } }
  }
  const all = others.map(read)
  const sum = (parts: typeof all): Conditions => ({
    types: [...new Set(parts.flatMap(({ asks }) => asks.types ?? []))],
    extensions: [...new Set(parts.flatMap(({ asks }) => asks.extensions ?? []))],
    words: parts.flatMap(({ asks }) => asks.words ?? []),
    sizes: parts.flatMap(({ asks }) => asks.sizes ?? []),
    times: parts.flatMap(({ asks }) => asks.times ?? []),
    contents: parts.flatMap(({ asks }) => asks.contents ?? []),
  })
  return {
    sensitive: cases.some(([item]) => item.toLowerCase() === 'case:sensitive'),
    ...sum(all.filter(({ isNot }) => !isNot)),
    not: sum(all.filter(({ isNot }) => isNot)),
  }
}

/** The text of a query, independent of time and place; `parseQuery` reads it back. */
export function printQuery(query: SearchQuery): string {
  const { words, sensitive, not } = query
  const allMinus = countOf(query) === words.length && countOf(not) === 0 && words.every((word) => isMinusWord(word) && !/\s/.test(word))
  const allNot = countOf(query) === 0 && countOf(not) === not.words.length
  return [
    ...(sensitive ? ['case:sensitive'] : []),
    ...printed(query, (word) => isPlain(word) && (allMinus || word === '-' || !word.startsWith('-'))),
    // If one is a phrase, the others are not text with a minus.
    ...printed(not, (word) => isPlain(word) && (!allNot || word.includes('"'))).map((item) => `-${item}`),
  ].join(' ')
}

export function asksContent({ contents, not }: SearchQuery): boolean {
  return contents.length > 0 || not.contents.length > 0
}

/** A compiled query for many nodes; it ignores content. */
export function matcherOf(query: SearchQuery): Matcher {
  const { not } = query
  const form = formOf(query)
  const [words, badWords] = [query.words.map(form), not.words.map(form)]
  const [isOfType, isOfBadType] = [typeTest(query), typeTest(not)]

  function finds(node: Findable): boolean {
    const { name, kind } = node
    const isFolder = kind === 'folder'
    if (isOfType !== null && (isFolder || !isOfType(name))) return false
    if (isOfBadType !== null && !isFolder && isOfBadType(name)) return false
    if (words.length > 0 || badWords.length > 0) {
      const formed = form(name)
      const holds = (word: string): boolean => formed.includes(word)
      if (words.length > 0 && !(query.allWords === true ? words.every(holds) : words.some(holds))) return false
      if (badWords.some((word) => formed.includes(word))) return false
    }
    return kind === 'link' || measures(node)
  }

  function measures({ kind, size, modified }: Omit<Findable, 'name'>): boolean {
    const isFile = kind === 'file'
    if (!query.sizes.every((span) => isFile && isIn(span, size)) || not.sizes.some((span) => isFile && isIn(span, size))) return false
    return query.times.every((span) => isIn(span, modified)) && !not.times.some((span) => isIn(span, modified))
  }

  return { finds, measures }
}

/** The form in which a query compares texts. */
export function formOf({ sensitive }: Pick<SearchQuery, 'sensitive'>): (text: string) => string {
  return sensitive ? composed : folded
}

/** The form for case-insensitive comparison: independent of the disk's Unicode form, both sigmas equal. */
export function folded(text: string): string {
  const lower = composed(text).toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

const ITEM = /(-?)(content:)?"([^"]*)(?:"|$)|[^\s"]\S*/gi
const CASE = /^case:(?:in)?sensitive$/i
const KEYWORD = /^(type|ext|size|modified|content):(.+)$/i
const TYPE = /^[\w.+-]*[\w+-]$/
/** Any time, for callers that only need to know whether something is a keyword. */
const ANY_TIME = new Date(0)
const EXTENSIONS = /^[^\s",]+(?:,[^\s",]+)*$/

/** The conditions of a keyword; null if it is none, or invalid. */
function keyword(item: string, now: Date): Partial<Conditions> | null {
  const [, key, value] = KEYWORD.exec(item) ?? []
  if (key === undefined || value === undefined) return null
  switch (key.toLowerCase()) {
    case 'type':
      return TYPE.test(value) ? { types: [typeNamed(value)] } : null
    case 'ext': {
      const extensions = value.split(',').map(bareExtension)
      return EXTENSIONS.test(value) && !extensions.includes('') ? { extensions } : null
    }
    case 'size': {
      const sizes = parseSizes(value)
      return sizes && { sizes: [sizes] }
    }
    case 'content':
      return { contents: [value] }
    default: {
      const times = parseTimes(value, now)
      return times && { times: [times] }
    }
  }
}

/** Text that begins with a minus and would be a word without it. */
function isMinusWord(item: string): boolean {
  return /^-[^]/.test(item) && keyword(item.slice(1), ANY_TIME) === null
}

function isPlain(word: string): boolean {
  return !/\s/.test(word) && !CASE.test(word) && keyword(word, ANY_TIME) === null
}

function printed({ types, extensions, words, sizes, times, contents }: Conditions, isBare: (word: string) => boolean): string[] {
  return [
    ...types.map((type) => `type:${type}`),
    ...(extensions.length > 0 ? [`ext:${extensions.join(',')}`] : []),
    ...sizes.map((span) => `size:${printSizes(span)}`),
    ...times.map((span) => `modified:${printTimes(span)}`),
    ...contents.map((text) => `content:${/\s/.test(text) ? `"${text}"` : text}`),
    ...words.map((word) => (isBare(word) ? word : `"${word}"`)),
  ]
}

function countOf({ types, extensions, words, sizes, times, contents }: Conditions): number {
  return types.length + extensions.length + words.length + sizes.length + times.length + contents.length
}

/** Null if there is no condition on the type. */
function typeTest({ types, extensions }: Conditions): ((name: string) => boolean) | null {
  if (types.length === 0 && extensions.length === 0) return null
  const kinds = new Set(types.filter(isKind))
  const endings = [...types.filter((type) => !isKind(type)), ...extensions].map((type) => `.${type}`)
  return (name) => {
    const lower = name.toLowerCase()
    if (endings.some((ending) => lower.endsWith(ending))) return true
    const type = kinds.size === 0 ? null : fileType(name)
    return type !== null && kinds.has(type)
  }
}

function typeNamed(written: string): string {
  const type = bareExtension(written)
  return type === 'music' ? 'audio' : type
}

function bareExtension(written: string): string {
  return written.toLowerCase().replace(/^\.+/, '')
}

function isKind(type: string): boolean {
  return type === 'image' || type === 'audio' || type === 'video'
}

function composed(text: string): string {
  return text.normalize('NFC')
}
