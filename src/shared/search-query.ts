import { fileType } from './file-type.ts'

/** What somebody looks for. A name is found when it holds one of the words and, where types are named, is of one of them. */
export interface SearchQuery {
  readonly sensitive: boolean
  /** In lower case, without a leading dot: `image`, `audio`, `video`, else an extension such as `pdf` or `tar.gz`. */
  readonly types: readonly string[]
  /** Words and phrases as they were written, none of them empty. */
  readonly words: readonly string[]
}

/**
 * The query language (contract reference 1.15, repaired):
 *
 *     query  = { blank | item }
 *     item   = type | case | phrase | word
 *     type   = "type:" ( letters, digits, "_", "-", "+", "." )
 *     case   = "case:sensitive" | "case:insensitive"
 *     phrase = '"' { anything but '"' } ( '"' | end of text )
 *     word   = what is left, up to the next blank
 *
 * Keywords count in any case and only at the beginning of an item; inside a phrase they are text. Several types are alternatives, and so are
 * several words. `music` is `audio`. Nothing at all finds everything. Every text is a query.
 */
export function parseQuery(text: string): SearchQuery {
  let sensitive = false
  const types: string[] = []
  const words: string[] = []
  for (const [item, phrase] of text.matchAll(/"([^"]*)(?:"|$)|[^\s"]\S*/g)) {
    if (phrase !== undefined) {
      if (phrase !== '') words.push(phrase)
      continue
    }
    const type = TYPE.exec(item)?.[1]
    if (type !== undefined) types.push(typeNamed(type))
    else if (CASE.test(item)) sensitive ||= item.toLowerCase() === 'case:sensitive'
    else words.push(item)
  }
  return { sensitive, types: [...new Set(types)], words }
}

/** The text that means this query; `parseQuery` reads it back as it was. */
export function printQuery({ sensitive, types, words }: SearchQuery): string {
  const isPlain = (word: string): boolean => !/\s/.test(word) && !TYPE.test(word) && !CASE.test(word)
  return [
    ...(sensitive ? ['case:sensitive'] : []),
    ...types.map((type) => `type:${type}`),
    ...words.map((word) => (isPlain(word) ? word : `"${word}"`)),
  ].join(' ')
}

/** A query made ready to be asked of many names. */
export function matcherOf({ sensitive, types, words }: SearchQuery): (name: string, isFolder: boolean) => boolean {
  const form = sensitive ? composed : folded
  const wanted = words.map(form)
  const kinds = new Set(types.filter(isKind))
  const endings = types.filter((type) => !isKind(type)).map((type) => `.${type}`)

  function isOfType(name: string): boolean {
    const lower = name.toLowerCase()
    if (endings.some((ending) => lower.endsWith(ending))) return true
    const type = kinds.size === 0 ? null : fileType(name)
    return type !== null && kinds.has(type)
  }

  return (name, isFolder) => {
    if (types.length > 0 && (isFolder || !isOfType(name))) return false
    if (wanted.length === 0) return true
    const formed = form(name)
    return wanted.some((word) => formed.includes(word))
  }
}

/** Where the words stand in a name, for showing: pairs of start and end, in order, none touching another. */
export function marksIn(name: string, { sensitive, words }: SearchQuery): [number, number][] {
  const form = sensitive ? composed : folded
  const formed = form(name)
  // Where the form has other letters than the name, places in the one say nothing of the other.
  if (formed.length !== name.length) return []
  const marks: [number, number][] = []
  for (const word of words.map(form))
    for (let at = formed.indexOf(word); at >= 0; at = formed.indexOf(word, at + word.length)) marks.push([at, at + word.length])
  const merged: [number, number][] = []
  for (const [start, end] of marks.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** The form in which names are compared where case counts for nothing: whatever Unicode form the disk has, and both sigmas. */
export function folded(text: string): string {
  const lower = composed(text).toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

const TYPE = /^type:([\w.+-]*[\w+-])$/i
const CASE = /^case:(?:in)?sensitive$/i

function typeNamed(written: string): string {
  const type = written.toLowerCase().replace(/^\.+/, '')
  return type === 'music' ? 'audio' : type
}

function isKind(type: string): boolean {
  return type === 'image' || type === 'audio' || type === 'video'
}

function composed(text: string): string {
  return text.normalize('NFC')
}
