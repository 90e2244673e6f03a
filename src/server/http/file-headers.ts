import { nameToBytes } from '../../shared/file-path.ts'

export interface SendOptions {
  name: string
  /** Shown in the browser instead of saved. */
  inline: boolean
  /** The Content-Type; only sent with `inline`. */
  contentType: string
  /** The same for a download. */
  downloadType?: string
  /** A strong validator, in quotes. */
  etag: string
}

interface DescribedFile {
  /** Without a time there is no Last-Modified. */
  readonly stat: { readonly size: number; readonly modified: number | null }
}

/** The name in a header; names that are not UTF-8 keep their bytes. */
export function contentDisposition(name: string, { inline }: { inline: boolean }): string {
  return `${inline ? 'inline' : 'attachment'}; filename*=utf-8''${encodeHeaderName(name)}`
}

const known = new WeakMap<SendOptions, Headers>()

/** The same object for the same object of options, which may only be passed again for the same state of the same file. Nobody may change them. */
export function headersOf(file: DescribedFile, options: SendOptions): Headers {
  const headers = known.get(options) ?? fileHeaders(file, options)
  known.set(options, headers)
  return headers
}

export function withHeader(headers: Headers, name: string, value: string): Headers {
  const all = new Headers(headers)
  all.set(name, value)
  return all
}

const complete = Symbol('complete')

/** It has every header that each response needs. */
export function marked(response: Response): Response {
  return Object.assign(response, { [complete]: true })
}

/** Whether a response has every header that each response needs (`protect`). */
export function isComplete(response: Response): boolean {
  return complete in response
}

function fileHeaders(
  { stat }: DescribedFile,
  { name, inline, contentType, downloadType = 'application/octet-stream', etag }: SendOptions,
): Headers {
  const headers = new Headers({
    'accept-ranges': 'bytes',
    'cache-control': 'private',
    'content-disposition': contentDisposition(name, { inline }),
    'content-security-policy': contentPolicy(inline ? contentType : ''),
    'content-type': inline ? contentType : downloadType,
    etag,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  if (stat.modified !== null) headers.set('last-modified', httpDate(stat.modified))
  return headers
}

/**
 * Content of users runs no scripts and loads nothing (invariant I11): a sandbox with its own origin, without scripts and forms, and without requests
 * except for itself. The browser's PDF viewer does not start in a sandbox, so PDFs get the same policy without it.
 */
function contentPolicy(contentType: string): string {
  const rules =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
  return contentType === 'application/pdf' ? `${rules}; object-src 'self'; script-src 'none'` : `sandbox; ${rules}`
}

export function httpDate(ms: number): string {
  return new Date(Math.min(Math.max(0, Math.floor(ms / 1000)), 253_402_300_799) * 1000).toUTCString()
}

function encodeHeaderName(name: string): string {
  return name.replace(/[^\w\-.~$&+=:@]+/g, (run) => {
    let out = ''
    for (const byte of nameToBytes(run)) out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    return out
  })
}
