import * as z from 'zod/mini'
import type { Client } from '../../shared/contract/client.ts'
import { resources, Rows, ROWS_SEQUENCE_MEDIA_TYPE } from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/errors.ts'
import type { FilePath } from '../../shared/file-path.ts'
import { chunksOf } from './lines.ts'
import type { OpenedFile } from './listing.ts'

const LINE_FEED = 0x0a
const RECORD_SEPARATOR = '\x1e'

export interface ReadOptions {
  readonly signal?: AbortSignal
  /** Called with the first rows of a long folder, and the counts of the whole, while the rest is loading. */
  readonly onFirstRows: (rows: Rows) => void
}

/** The rows of a folder, or a file. Fails with `offline` if the response is cut off. */
export async function readRows(
  client: Client<{ resources: Pick<typeof resources, 'rowsInParts'> }>,
  path: FilePath,
  { signal, onFirstRows }: ReadOptions,
): Promise<Rows | OpenedFile> {
  const response = await client.resources.rowsInParts({ params: { path } }, { signal })
  const rows = await readSequence(response, { parse: (json) => z.parse(Rows, json), signal, onFirstRows })
  if (rows !== null) return rows
  const answer = z.parse(resources.rows.result, await response.json())
  return 'kind' in answer ? answer : { kind: 'file', path, file: answer, version: versionIn(response.headers) }
}

/** The last record of a JSON text sequence; null if the response is not one. Fails with `offline` if it is cut off. */
export async function readSequence<Part extends Rows>(
  response: Response,
  { parse, signal, onFirstRows }: { parse: (json: unknown) => Part; signal?: AbortSignal | undefined; onFirstRows: (part: Part) => void },
): Promise<Part | null> {
  if (response.headers.get('content-type') !== ROWS_SEQUENCE_MEDIA_TYPE) return null
  try {
    for await (const text of recordsOf(response)) {
      const rows = parse(JSON.parse(text))
      if (rows.names.length === rows.numDirs + rows.numFiles) return rows
      onFirstRows(rows)
    }
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new AppError('offline', {}, { cause })
  }
  throw new AppError('offline', {})
}

/** The version in an ETag, for If-Match; null if there is none. Compressing proxies change it: nginx makes it weak, Apache appends the coding. */
export function versionIn(headers: Headers): string | null {
  return (
    headers
      .get('etag')
      ?.replace(/^W\//, '')
      .replace(/-(gzip|br|deflate|zstd)"$/, '"') ?? null
  )
}

/** Records of a JSON text sequence (RFC 7464); an unterminated record is dropped. */
async function* recordsOf(response: Response): AsyncGenerator<string, void> {
  let pieces: Uint8Array<ArrayBuffer>[] = []
  for await (let rest of chunksOf(response)) {
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      const text = await new Blob([...pieces, rest.subarray(0, end)]).text()
      yield text.startsWith(RECORD_SEPARATOR) ? text.slice(RECORD_SEPARATOR.length) : text
      pieces = []
      rest = rest.subarray(end + 1)
    }
    pieces.push(rest)
  }
}
