import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { loadConfig } from '../../src/server/config.ts'
import { ConfigError } from '../../src/server/config/config-error.ts'
import { KEY_NAMES } from '../../src/server/config/settings-table.ts'
import { oddText, property } from './property.ts'

const value = fc.oneof(
  oddText(3),
  fc.constantFrom('true', '-1', '1e9', '0x10', '/tmp', '../..', '[::1]', '10.0.0.0/33', '{}', '2h', '99999999999999999999'),
)
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KEY_NAMES) },
  fc.constantFrom('__proto__', 'constructor', 'toString', ''),
  oddText(2),
)
const argv = fc.array(
  fc.oneof(
    fc.tuple(name, value).map(([key, text]) => `--${key}=${text}`),
    value,
    fc.constantFrom('--', '-', '-p', '--no-x'),
  ),
  { maxLength: 5 },
)
const env = fc.dictionary(
  fc.oneof(fc.constantFrom('SATCHEL_PORT', 'FB_BASE_URL', 'FB_PASSWORD', 'SATCHEL_', 'FB_ROOT', 'SATCHEL_TRUSTED_PROXIES'), oddText(2)),
  value,
  { maxKeys: 3 },
)
const json = fc.oneof(
  fc.dictionary(name, fc.jsonValue(), { maxKeys: 4 }).map((all) => JSON.stringify(all)),
  oddText(6),
)

export const CONFIGURATIONS = [
  property(
    'whatever stands in flags, environment and file, it is a configuration or one line that says what is wrong',
    80,
    fc.tuple(argv, env, json, fc.constantFrom('json', 'yaml', 'toml')),
    ([flags, variables, text, kind]) => {
      const files = { read: (file: string) => (file === `/here/.satchel.${kind}` ? text : null), realPath: (path: string) => path }
      try {
        const { config } = loadConfig({ argv: flags, env: variables, cwd: '/here', files, program: '/program' })
        expect(Number.isInteger(config.port) && config.port >= 0 && config.port <= 65535).toBe(true)
        expect(config.root).toStartWith('/')
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError)
        expect((error as Error).message).not.toBe('')
      }
      expect(Object.hasOwn(Object.prototype, 'port')).toBe(false)
    },
  ),
]
