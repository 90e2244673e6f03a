import { describe, expect, it } from 'bun:test'
import { delimiterOf, MAX_TABLE_ROWS, readTable, type Table } from './csv.ts'

describe('a table of comma-separated values', () => {
  it('has quotes, line ends and commas in its cells as RFC 4180 writes them', async () => {
    const { rows, columns } = await read('name,says\r\n"Ann","""Hi"", she\nsaid"\r\nBob\r\n')
    expect(rows).toEqual([['name', 'says'], ['Ann', '"Hi", she\nsaid'], ['Bob']])
    expect(columns).toBe(2)
  })

  it('is divided by what divides its first lines, and by tabs where its name says so', () => {
    expect(['a;b\n1,5;2\n', 'a,b\n1,2\n', 'a|b\n1|2\n', 'a\tb\n1\t2\n'].map((text) => delimiterOf(text, 'x.csv'))).toEqual([
      ';',
      ',',
      '|',
      '\t',
    ])
    expect(delimiterOf('a,b\n', 'x.tsv')).toBe('\t')
  })

  it('leaves formulas and markup what they are: text (CVE-2025-54423)', async () => {
    const { rows } = await read('a\n=HYPERLINK("http://evil.invalid")\n<img src=x onerror=alert(1)>\n')
    expect(rows.slice(1)).toEqual([['=HYPERLINK("http://evil.invalid")'], ['<img src=x onerror=alert(1)>']])
  })

  it('is read in pieces, each row once', async () => {
    let text = 'n,word\n'
    for (let n = 1; n <= 60_000; n++) text += `${n},"word ${n}\nand more"\n`
    const seen: boolean[] = []
    const { rows } = await read(text, (table) => seen.push(table.done))
    expect(rows.length).toBe(60_001)
    expect(rows.every((row, at) => at === 0 || row[0] === String(at))).toBe(true)
    expect(seen.length).toBeGreaterThan(2)
  })

  it('ends where a page cannot hold more, and says so', async () => {
    const { rows, cut } = await read('x\n'.repeat(MAX_TABLE_ROWS + 10))
    expect({ rows: rows.length, cut }).toEqual({ rows: MAX_TABLE_ROWS + 1, cut: true })
  })

  it('is not read on once nobody looks', async () => {
    const left = new AbortController()
    const calls: boolean[] = []
    readTable('x,y\n'.repeat(200_000), { name: 'a.csv', signal: left.signal, onTable: ({ done }) => (calls.push(done), left.abort()) })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls).toEqual([false])
  })
})

function read(text: string, onTable: (table: Table) => void = () => undefined): Promise<Table> {
  return new Promise((resolve) =>
    readTable(text, {
      name: 'a.csv',
      signal: new AbortController().signal,
      onTable: (table) => {
        onTable(table)
        if (table.done) resolve(table)
      },
    }),
  )
}
