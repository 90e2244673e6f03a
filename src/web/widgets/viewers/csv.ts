import Papa, { type ParseResult, type Parser } from 'papaparse'

/** Row limit: browsers limit page height to about 16 million pixels. */
export const MAX_TABLE_ROWS = 400_000
const CHUNK_CHARS = 256 * 1024

export interface Table {
  /** The first row is the header. Grows while parsing. */
  readonly rows: readonly (readonly string[])[]
  /** Of the widest row. */
  readonly columns: number
  /** Parsing is complete. */
  readonly done: boolean
  /** Rows beyond the limit were dropped. */
  readonly cut: boolean
}

export interface ReadOptions {
  /** `.tsv` and `.tab` mean tabs; otherwise the delimiter is guessed. */
  readonly name: string
  readonly signal: AbortSignal
  /** Called repeatedly with what has been parsed so far. */
  readonly onTable: (table: Table) => void
}

/** Comma, semicolon, tab or bar: the one that splits the first lines most evenly. */
export function delimiterOf(text: string, name: string): string {
  if (/\.(tsv|tab)$/i.test(name)) return '\t'
  const { meta } = Papa.parse(text.slice(0, 16 * 1024), { preview: 20, skipEmptyLines: true, delimitersToGuess: [',', ';', '\t', '|'] })
  return meta.delimiter
}

/** Parses CSV (RFC 4180) in chunks, yielding in between. */
export function readTable(text: string, { name, signal, onTable }: ReadOptions): void {
  const rows: string[][] = []
  let columns = 0
  let cut = false
  const tell = (done: boolean) => onTable({ rows, columns, done, cut })
  Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimiter: delimiterOf(text, name),
    chunkSize: CHUNK_CHARS,
    skipEmptyLines: true,
    chunk: ({ data }: ParseResult<string[]>, parser: Parser) => {
      if (signal.aborted) return parser.abort()
      for (const row of data) {
        if (rows.length > MAX_TABLE_ROWS) {
          cut = true
          break
        }
        columns = Math.max(columns, row.length)
        rows.push(row)
      }
      if (cut) return parser.abort()
      tell(false)
      parser.pause()
      setTimeout(() => (signal.aborted ? parser.abort() : parser.resume()))
    },
    complete: () => {
      if (!signal.aborted) tell(true)
    },
  })
}
