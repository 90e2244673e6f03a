import { inflate } from '../inflate.ts'

/** Metadata of a font. */
export interface FontMetadata {
  readonly format: 'TrueType' | 'OpenType (CFF)' | 'WOFF' | 'WOFF2'
  /** Null if missing or unreadable. */
  readonly names: Readonly<Partial<Record<FontName, string>>>
  readonly glyphs: number | null
  /** Axes of a variable font. */
  readonly axes: readonly FontAxis[]
}

export interface FontAxis {
  readonly tag: string
  readonly min: number
  readonly max: number
}

export type FontName = 'family' | 'style' | 'version' | 'maker' | 'copyright' | 'licence'

/** OpenType name ids; the typographic ones first. */
const NAME_IDS: Record<FontName, readonly number[]> = {
  family: [16, 1],
  style: [17, 2],
  version: [5],
  maker: [8, 9],
  copyright: [0],
  licence: [13],
}
const WOFF_HEAD_BYTES = 44
const WINDOWS = 3
const MACINTOSH = 1
const AMERICAN = 0x409
const [MOST_TABLES, MOST_NAMES, MOST_AXES, MOST_CHARS] = [256, 2000, 32, 1000]
/** Limit for one unpacked table. */
const MOST_TABLE_BYTES = 1024 * 1024

/** Parses font metadata (OpenType 1.9, WOFF 1.0); null if it is not a font. Invalid tables are skipped. */
export async function readFontMetadata(bytes: Uint8Array<ArrayBuffer>): Promise<FontMetadata | null> {
  const file = view(bytes)
  if (file.byteLength < 12) return null
  const mark = file.getUint32(0)
  if (mark === 0x774f4632) return { format: 'WOFF2', names: {}, glyphs: null, axes: [] }
  const isWoff = mark === 0x774f4646
  if (isWoff && file.byteLength < WOFF_HEAD_BYTES) return null
  if (!isWoff && mark !== 0x00010000 && mark !== 0x74727565 && mark !== 0x4f54544f) return null
  const tables = isWoff ? woffTables(file) : plainTables(file)
  const read = async <Facts>(tag: string, facts: (table: DataView) => Facts, otherwise: Facts): Promise<Facts> => {
    try {
      const table = tables.get(tag)
      return table === undefined ? otherwise : facts(view(await unpacked(bytes, table)))
    } catch {
      return otherwise
    }
  }
  return {
    format: isWoff ? 'WOFF' : mark === 0x4f54544f ? 'OpenType (CFF)' : 'TrueType',
    names: await read('name', readNames, {}),
    glyphs: await read('maxp', (table) => table.getUint16(4), null),
    axes: await read('fvar', readAxes, []),
  }
}

interface Table {
  readonly start: number
  readonly end: number
  readonly isPacked: boolean
}

function plainTables(file: DataView): Map<string, Table> {
  return tablesOf(file, { first: 12, width: 16, count: file.getUint16(4) }, (at) => {
    const start = file.getUint32(at + 8)
    return { start, end: start + file.getUint32(at + 12), isPacked: false }
  })
}

function woffTables(file: DataView): Map<string, Table> {
  return tablesOf(file, { first: WOFF_HEAD_BYTES, width: 20, count: file.getUint16(12) }, (at) => {
    const start = file.getUint32(at + 4)
    const length = file.getUint32(at + 8)
    return { start, end: start + length, isPacked: length < file.getUint32(at + 12) }
  })
}

function tablesOf(
  file: DataView,
  { first, width, count }: { first: number; width: number; count: number },
  tableAt: (at: number) => Table,
): Map<string, Table> {
  const tables = new Map<string, Table>()
  for (let n = 0; n < Math.min(count, MOST_TABLES); n++) {
    const at = first + n * width
    if (at + width > file.byteLength) break
    const table = tableAt(at)
    if (table.end <= file.byteLength) tables.set(tagAt(file, at), table)
  }
  return tables
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>, { start, end, isPacked }: Table): Promise<Uint8Array> {
  const stored = bytes.subarray(start, end)
  return isPacked ? inflate(stored, { format: 'deflate', most: MOST_TABLE_BYTES }) : stored
}

function readNames(table: DataView): FontMetadata['names'] {
  const count = Math.min(table.getUint16(2), MOST_NAMES)
  const strings = table.getUint16(4)
  /** The best record of each id, ranked by readability. */
  const best = new Map<number, { text: string; rank: number }>()
  for (let at = 6; at < 6 + count * 12; at += 12) {
    const platform = table.getUint16(at)
    const id = table.getUint16(at + 6)
    const rank = platform === WINDOWS ? (table.getUint16(at + 4) === AMERICAN ? 3 : 2) : platform === MACINTOSH ? 0 : 1
    if (rank <= (best.get(id)?.rank ?? -1)) continue
    const start = strings + table.getUint16(at + 10)
    const length = table.getUint16(at + 8)
    if (start + length > table.byteLength) continue
    const encoded = new Uint8Array(table.buffer, table.byteOffset + start, length)
    const text = new TextDecoder(platform === MACINTOSH ? 'macintosh' : 'utf-16be').decode(encoded)
    best.set(id, { text: text.slice(0, MOST_CHARS).replaceAll(/\s+/g, ' ').trim(), rank })
  }
  const names: Partial<Record<FontName, string>> = {}
  for (const [name, ids] of Object.entries(NAME_IDS)) {
    const text = ids.map((id) => best.get(id)?.text ?? '').find((one) => one !== '')
    // The keys are those of NAME_IDS.
    if (text !== undefined) names[name as FontName] = text
  }
  return names
}

function readAxes(table: DataView): FontAxis[] {
  const first = table.getUint16(4)
  const width = table.getUint16(10)
  return Array.from({ length: Math.min(table.getUint16(8), MOST_AXES) }, (_, n) => {
    const at = first + n * width
    return { tag: tagAt(table, at), min: table.getInt32(at + 4) / 65_536, max: table.getInt32(at + 12) / 65_536 }
  })
}

function tagAt(file: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((n) => file.getUint8(at + n))).trim()
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
