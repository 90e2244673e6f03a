import Papa from 'papaparse'
import { withoutSecrets } from '../../../src/server/http/log.ts'
import { isPrivateName } from '../../../src/server/storage/private-name.ts'
import { must, type Target, textOf } from '../target.ts'
import { csvLine } from '../../../src/server/audit/routes.ts'

const CELLS = 6
const TOKEN = /\beyJ[\w-]{8,4096}\.[\w-]{0,4096}\./
const SECRET = /[?&](?:auth|token|ticket|password|recaptcha)=(?!\*\*\*)[^&\s"'#*]/i

/** What is told of strangers' words: lines of the log, cells of the trail, and names that could be our own on some disk. */
export const target: Target = {
  seeds: [
    '/api/raw/x?auth=eyJhbGciOiJIUzI1NiJ9.e30.abc&inline=true',
    'eyJhbGciOiJI.a.b.eyJhbGciOiJI.c',
    '=1+1,"x"\r\ny',
    ' \u200b@SUM(A1)',
    '.SATCHEL. ',
    '.\u017fatchel',
    'satche~1',
  ],
  words: ['eyJ', 'eyJhbGciOiJI', '?token=', '&password=', '＝', '"', '\r\n', '\u200d', 'ſ'],
  holds(bytes) {
    const text = textOf(bytes)
    const logged = withoutSecrets(text)
    must(!TOKEN.test(logged) && !SECRET.test(logged), 'a secret is told')
    must(withoutSecrets(logged) === logged, 'what was told is told otherwise the second time')

    const entry = { time: 0, kind: 'login', who: text, address: '', subject: text, details: [{ place: text, before: null, after: text }] }
    const { data } = Papa.parse<string[]>(csvLine(entry as unknown as Parameters<typeof csvLine>[0]), { newline: '\r\n', delimiter: ',' })
    const [cells = []] = data
    must(cells.length === CELLS && data.length === 2, 'a cell ends in the middle')
    must(cells[2] === text || cells[2] === `'${text}`, 'a cell says something else')
    must(!cells.some((cell) => /^[=+\-@\t\r]/.test(cell.trimStart())), 'a cell is a formula')

    const name = text.split('/').at(-1) ?? ''
    must(!/^\.satchel[. ]*$/i.test(name) || isPrivateName(name), 'a name of ours is taken for one of theirs')
    must(isPrivateName(name) === isPrivateName(name.toUpperCase()) || !/^[ -~]*$/.test(name), 'a name of ours depends on its case')
  },
}
