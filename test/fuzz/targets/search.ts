import { marksIn, placeOf } from '../../../src/shared/search-marks.ts'
import { formOf, matcherOf, parseQuery, printQuery } from '../../../src/shared/search-query.ts'
import { must, type Target, textOf } from '../target.ts'

const NOW = new Date('2026-11-22T12:00:00Z')

/** The first line is a query, the second the name of a file. */
export const target: Target = {
  seeds: [
    'type:image -ext:a,b "a b"\na b.jpg',
    'case:sensitive content:"x y" -content:z\nX',
    'size:>1.5mb size:1..2kb modified:2026-03..today\na',
    'modified:<7d -modified:2026-03-31T10:00Z\nb',
    '-a -b\n-a',
    'İ ß ς\nİSS σ',
    'size:0 -"-x" music type:music\nx.mp3',
  ],
  words: ['yesterday', 'T10:00:30+02:00', '..', '<=', '>=', 'tib', '12min', '\u0301', '가', '\u1100\u1161'],
  most: 300,
  stepsPerByte: 400,
  holds(bytes) {
    const [text = '', name = ''] = textOf(bytes).split('\n', 2)
    const query = parseQuery(text, NOW)
    const printed = printQuery(query)
    must(JSON.stringify(parseQuery(printed, NOW)) === JSON.stringify(query), 'a query is another one when it is read again')
    must(printQuery(parseQuery(printed, NOW)) === printed, 'a query is written otherwise the second time')
    for (const { words, types, extensions, sizes, times, contents } of [query, query.not]) {
      must(
        [...words, ...types, ...extensions, ...contents].every((one) => one !== ''),
        'something is looked for that is nothing',
      )
      for (const { from, to } of [...sizes, ...times])
        must(
          [from, to].every((edge) => edge === null || Number.isSafeInteger(edge)),
          'an edge is no whole number',
        )
    }
    const node = { name, kind: 'file', size: 1000, modified: NOW.getTime() } as const
    must(typeof matcherOf(query).finds(node) === 'boolean', 'a query finds neither yes nor no')
    if (name !== '') must(matcherOf({ ...parseQuery('', NOW), words: [name] }).finds(node), 'a name is not found by itself')
    let last = -1
    for (const [start, end] of marksIn(name, query)) {
      must(start > last && start < end && end <= name.length, 'a mark lies beside the name')
      last = end
    }
    const form = formOf(query)
    const length = form(name).length
    for (const at of [0, length >> 1, length]) must(placeOf(name, at, form) <= name.length, 'a place lies behind its text')
  },
}
