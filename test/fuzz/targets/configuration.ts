import { loadConfig } from '../../../src/server/config.ts'
import { ConfigError } from '../../../src/server/config/config-error.ts'
import { KEY_NAMES } from '../../../src/server/config/settings-table.ts'
import { must, split, type Target, textOf } from '../target.ts'
import { parseDuration } from '../../../src/server/config/kinds.ts'

const KINDS = ['json', 'yaml', 'toml'] as const

/** The first byte says what the configuration file is; lines before an empty one are flags, or variables where they hold no dash. */
export const target: Target = {
  seeds: [
    '\u0000--port=80\n\n{"address":"::1","branding":{"name":"x"}}',
    '\u0001FB_BASE_URL=/x\n\nport: 80\nroot: ./files\ntrustedProxies: [10.0.0.0/8, unix]',
    '\u0002-p\n8080\n--noauth\n\nport = 80\n[a]\nb = "c"',
    '\u0000--database=postgres://u:p@h/d\nSATCHEL_TOKEN_EXPIRATION_TIME=2h30m\n\n',
    '\u0001--help\nusers\nls\n\na: &x [1]\nb: *x',
  ],
  words: [
    ...KEY_NAMES,
    '--',
    'SATCHEL_',
    'FB_',
    '=true',
    '__proto__',
    '2h30m',
    '[::1]:80',
    '10.0.0.0/8',
    '1e9',
    '0x10',
    '&a',
    '*a',
    '<<:',
    '!!binary',
    '"""',
  ],
  most: 400,
  stepsPerByte: 3000,
  // Parsers of settings may take their time: nobody else’s are read.
  mostMs: 3000,
  holds(bytes) {
    const { picks, rest } = split(bytes, 1)
    const kind = KINDS[(picks[0] ?? 0) % KINDS.length] ?? 'json'
    const text = textOf(rest)
    const cut = text.indexOf('\n\n')
    const lines = text.slice(0, cut < 0 ? undefined : cut).split('\n')
    const file = cut < 0 ? null : text.slice(cut + 2)
    const isVariable = (line: string): boolean => /^[A-Z_]+=/.test(line)
    const files = { read: (path: string) => (path === `/here/.satchel.${kind}` ? file : null), realPath: (path: string) => path }
    const env = Object.fromEntries(lines.filter(isVariable).map((line) => line.split('=', 2)))
    try {
      const argv = lines.filter((line) => !isVariable(line))
      const { config, warnings } = loadConfig({ argv, env, cwd: '/here', files, program: '/program' })
      must(Number.isInteger(config.port) && config.port >= 0 && config.port <= 65_535, 'a port is none')
      must(config.root.startsWith('/') && config.dataDir.startsWith('/'), 'a place is relative')
      must(
        warnings.every((line) => line !== ''),
        'a warning says nothing',
      )
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      must(error.message !== '' && error.message.length < 2000 + text.length * 4, 'an error says nothing, or too much')
    }
    must(!('port' in {}), 'every object has got a port')
    for (const line of lines) {
      const ms = parseDuration(line)
      must(ms === null || (Number.isSafeInteger(ms) && ms >= 0), 'a duration is no whole number')
    }
  },
}
