import { fail } from './errors.ts'

declare const brand: unique symbol

/**
 * A path in a file tree: absolute, `/`-separated, without empty, `.` or `..` segments, NUL, or a trailing slash. Only the functions of this file
 * create one (invariant I1). Bytes of a name that are not UTF-8 are represented by surrogate escapes, U+DC80 to U+DCFF for the bytes 0x80 to 0xFF.
 */
export type FilePath = string & { readonly [brand]: 'FilePath' }

export const ROOT = '/' as FilePath

/** From decoded text. A leading and one trailing slash are optional. Fails with `invalid-input` on anything not canonical. */
export function parseFilePath(text: string): FilePath {
  const below = text.startsWith('/') ? text.slice(1) : text
  if (below === '') return ROOT
  const inner = below.endsWith('/') ? below.slice(0, -1) : below
  for (const segment of inner.split('/')) {
    const problem = segmentProblem(segment)
    if (problem !== null) fail('invalid-input', { issues: [`path: ${problem}`] })
  }
  return `/${inner}` as FilePath
}

/** From the percent-encoded path of a URL, decoded exactly once; `%2F` counts as a slash. @returns the path, and whether it had a trailing slash */
export function decodeFilePath(raw: string): { path: FilePath; slash: boolean } {
  const text = percentDecode(raw)
  return { path: parseFilePath(text), slash: text.endsWith('/') }
}

/** The value of a query's parameter, as `URLSearchParams` decodes it, but with surrogate escapes for bytes that are not UTF-8: for paths. */
export function decodeQueryPath(raw: string): string {
  return decodeBytes(raw.replaceAll('+', ' '))
}

/** The percent-encoded form for a URL: slashes are kept, everything that is not unreserved is encoded (RFC 3986). */
export function encodeFilePath(path: FilePath): string {
  return path.split('/').map(encodeName).join('/')
}

/** One name, percent-encoded; surrogate escapes become the bytes that they represent. */
export function encodeName(name: string): string {
  return name.replace(/[^A-Za-z0-9\-_.~]+/gu, (run) => {
    let out = ''
    for (const byte of nameToBytes(run)) out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    return out
  })
}

/** The path of `name` in the folder `folder`. Validates the name, which must not contain a slash. */
export function joinPath(folder: FilePath, name: string): FilePath {
  const problem = segmentProblem(name)
  if (problem !== null) fail('invalid-input', { issues: [`name: ${problem}`] })
  return (folder === ROOT ? `/${name}` : `${folder}/${name}`) as FilePath
}

/** `inner`, relative to the folder `outer`, as a path from the root of the tree. */
export function placeUnder(outer: FilePath, inner: FilePath): FilePath {
  if (outer === ROOT) return inner
  return (inner === ROOT ? outer : outer + inner) as FilePath
}

/** `path` relative to `ancestor`, or null if it is not inside. */
export function pathFrom(ancestor: FilePath, path: FilePath): FilePath | null {
  if (ancestor === ROOT) return path
  if (path === ancestor) return ROOT
  return path.startsWith(`${ancestor}/`) ? (path.slice(ancestor.length) as FilePath) : null
}

export function isWithin(path: FilePath, ancestor: FilePath): boolean {
  return ancestor === ROOT || path === ancestor || path.startsWith(`${ancestor}/`)
}

export function parentOf(path: FilePath): FilePath {
  const cut = path.lastIndexOf('/')
  return cut <= 0 ? ROOT : (path.slice(0, cut) as FilePath)
}

/** The path and all folders above it, from the bottom to the root. */
export function pathsTo(path: FilePath): FilePath[] {
  const paths = [path]
  for (let at = path; at !== ROOT; at = parentOf(at)) paths.push(parentOf(at))
  return paths
}

/** The last segment; empty for the root. */
export function nameOf(path: FilePath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function segmentsOf(path: FilePath): string[] {
  return path === ROOT ? [] : path.slice(1).split('/')
}

/** Whether every byte of the path is UTF-8, so that it is preserved in JSON and archives. */
export function isUtf8Path(path: string): boolean {
  return path.isWellFormed()
}

/** The bytes of a name in the file system. Fails on surrogates that represent no byte. */
export function nameToBytes(name: string): Uint8Array {
  if (name.isWellFormed()) return new TextEncoder().encode(name)
  const bytes: number[] = []
  for (const char of name) {
    const point = char.codePointAt(0) ?? 0
    if (point >= 0xdc80 && point <= 0xdcff) bytes.push(point - 0xdc00)
    else if (point >= 0xd800 && point <= 0xdfff) fail('invalid-input', { issues: ['name: lone surrogate'] })
    else bytes.push(...new TextEncoder().encode(char))
  }
  return Uint8Array.from(bytes)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A name from the file system's bytes; what is not UTF-8 becomes surrogate escapes. */
export function bytesToName(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return escapeBytes(bytes)
  }
}

/** Why a text cannot be a name, in English for logs and `invalid-input`; null if it can. */
export function segmentProblem(name: string): 'empty' | 'dots' | 'slash' | 'NUL' | null {
  if (name === '') return 'empty'
  if (name === '.' || name === '..') return 'dots'
  if (name.includes('/')) return 'slash'
  return name.includes('\0') ? 'NUL' : null
}

function percentDecode(raw: string): string {
  if (!raw.includes('%')) return raw
  if (/%(?![0-9A-Fa-f]{2})/.test(raw)) fail('invalid-input', { issues: ['path: malformed percent-encoding'] })
  return decodeBytes(raw)
}

function decodeBytes(raw: string): string {
  return raw.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    const bytes = new Uint8Array(run.length / 3)
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(run.slice(i * 3 + 1, i * 3 + 3), 16)
    return bytesToName(bytes)
  })
}

/** UTF-8, with one surrogate escape for each invalid byte (as in PEP 383). */
function escapeBytes(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let out = ''
  let good = 0
  for (let at = 0; at < bytes.length;) {
    const length = letterLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (good < at) out += decoder.decode(bytes.subarray(good, at))
    out += String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    good = ++at
  }
  return out + decoder.decode(bytes.subarray(good))
}

/** Bytes of the letter that begins at `at`; 0 where none does (RFC 3629, section 4). A decoder that throws is slow where most bytes are none. */
export function letterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  const second = bytes[at + 1] ?? 0
  // Overlong forms, surrogates, and code points above the last.
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}
