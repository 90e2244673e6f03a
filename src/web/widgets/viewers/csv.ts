import Papa, { type ParseResult, type Parser } from 'papaparse'

/** So much of a table is shown: the browser's pages end at about 16 million pixels. */
export const MAX_TABLE_ROWS = 400_000
const CHUNK_CHARS = 256 * 1024

export interface Table {
  /** The first is the head. It grows while it is read. */
  readonly rows: readonly (readonly string[])[]
  /** Of the widest row. */
  readonly columns: number
  /** Everything is here. */
  readonly done: boolean
  /** There is more than a page can hold. */
  readonly cut: boolean
}

export interface ReadOptions {
  /** By name: `.tsv` and `.tab` have tabs, anything else is guessed from its beginning. */
  readonly name: string
  readonly signal: AbortSignal
  /** What is there so far; called often enough to see it grow. */
  readonly onTable: (table: Table) => void
}

/** Comma, semicolon, tab or bar: whichever divides the first lines most evenly. */
export function delimiterOf(text: string, name: string): string {
  if (/\.(tsv|tab)$/i.test(name)) return '\t'
  const { meta } = Papa.parse(text.slice(0, 16 * 1024), { preview: 20, skipEmptyLines: true, delimitersToGuess: [',', ';', '\t', '|'] })
  return meta.delimiter
}

/** Reads comma-separated values (RFC 4180) a piece at a time, with a breath between, so that typing and scrolling go on. */
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
