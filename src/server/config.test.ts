import { describe, expect, it } from 'bun:test'
import { type Config, type LoadOptions, loadConfig, readWritten } from './config.ts'
import { explain } from './config/explain.ts'
import { help } from './config/help.ts'
import { KEY_NAMES, keyOf } from './config/settings-table.ts'

describe('the default configuration', () => {
  it('serves ./files, keeps data in ./data and listens on the loopback address', () => {
    expect(load({})).toMatchObject({
      root: '/here/files',
      dataDir: '/here/data',
      database: '/here/data/satchel.db',
      address: '127.0.0.1',
      port: 8080,
      baseURL: '',
      log: 'stdout',
      disableExec: true,
      tokenExpirationTime: 7_200_000,
      shutdownGrace: 10_000,
      socketPerm: 0o666,
      imageProcessors: 4,
      username: 'admin',
      cert: null,
      trustedProxies: [],
    })
  })

  it('has no warnings', () => {
    expect(loadConfig(options({})).warnings).toEqual([])
  })
})

describe('precedence', () => {
  const file = { '/here/.satchel.json': '{"port": 3, "address": "::1", "username": "file"}' }

  it('is flag, environment, file, default', () => {
    const env = { SATCHEL_PORT: '2', SATCHEL_ADDRESS: '10.0.0.1' }
    expect(load({ files: file, env, argv: ['--port', '1'] })).toMatchObject({ port: 1, address: '10.0.0.1', username: 'file' })
  })

  it('prefers our variables to the predecessor’s, and the standard spelling to others', () => {
    expect(load({ env: { FB_PORT: '1', SATCHEL_PORT: '2' } }).port).toBe(2)
    expect(load({ env: { FB_BASEURL: '/old', FB_BASE_URL: '/new' } }).baseURL).toBe('/new')
    expect(load({ env: { FB_BASEURL: '/old' } }).baseURL).toBe('/old')
  })

  it('ignores an empty variable', () => {
    expect(load({ env: { FB_PORT: '' } }).port).toBe(8080)
  })

  it('uses the last value of a flag, but all values of a list', () => {
    expect(load({ argv: ['-p1', '-p=2', '--port=3', '-p', '4'] }).port).toBe(4)
    const { trustedProxies } = load({ argv: ['--trustedProxies', '10.0.0.0/8', '--trusted-proxies', '::1,unix'] })
    expect(trustedProxies).toEqual(['10.0.0.0/8', '::1/128', 'unix'])
  })
})

describe('names', () => {
  it('of both generations of the predecessor are accepted', () => {
    for (const [flag, key, text, value] of FLAGS) {
      const found: unknown = load({ argv: [flag, text] })[key]
      expect([flag, found]).toEqual([flag, value])
    }
  })

  it('of switches take an optional value', () => {
    for (const [flag, key] of SWITCHES) {
      expect([flag, load({ argv: [flag] })[key]]).toEqual([flag, true])
      expect([flag, load({ argv: [`${flag}=false`] })[key]]).toEqual([flag, false])
    }
  })

  it('work as variables with underscores, dashes or neither', () => {
    for (const variable of ['FB_DISABLE_THUMBNAILS', 'FB_DISABLE-THUMBNAILS', 'FB_DISABLETHUMBNAILS', 'SATCHEL_DISABLE_THUMBNAILS']) {
      expect([variable, load({ env: { [variable]: 'true' } }).disableThumbnails]).toEqual([variable, true])
    }
  })

  it('are listed in the help with their defaults', () => {
    const text = help('')
    for (const name of KEY_NAMES) expect([name, text.includes(keyOf(name).about)]).toEqual([name, true])
  })
})

describe('a configuration file', () => {
  it('may be JSON, TOML or YAML', () => {
    for (const [name, text] of [
      ['.satchel.json', '{"port": 81, "socketPerm": "0660", "trustedProxies": ["10.0.0.1", "unix"], "disableExec": false}'],
      ['.satchel.toml', 'port = 81\nsocketPerm = 0o660\ntrustedProxies = ["10.0.0.1", "unix"]\ndisableExec = false'],
      ['.satchel.yaml', 'port: 81\nsocketPerm: 0660\ntrustedProxies: [10.0.0.1, unix]\ndisableExec: off'],
      ['.satchel.yml', 'PORT: 81\nsocket-perm: "660"\ntrusted-proxies: 10.0.0.1, unix\ndisable-exec: no\ncert:'],
      ['.filebrowser.json', '{"port": 81, "socketPerm": 432, "trustedProxies": "10.0.0.1,unix", "disableExec": false}'],
    ] as const) {
      const config = load({ files: { [`/here/${name}`]: text } })
      expect([name, config.port, config.socketPerm, config.trustedProxies, config.disableExec, config.cert]).toEqual([
        name,
        81,
        0o660,
        ['10.0.0.1/32', 'unix'],
        false,
        null,
      ])
    }
  })

  it('is searched for in the current folder, the home folder and /etc; only the first is read', () => {
    const files = {
      '/etc/filebrowser/.filebrowser.toml': 'port = 4',
      '/home/.satchel.yml': 'port: 3',
      '/home/.filebrowser.json': '{"port":9}',
    }
    expect(load({ files }).port).toBe(3)
    expect(load({ files, env: {} }).port).toBe(4)
  })

  it('must exist if it was named', () => {
    expect(refusal({ argv: ['-c', 'x.json'] })).toBe('/here/x.json: there is no such configuration file')
    expect(load({ env: { SATCHEL_CONFIG: 'x.json' }, files: { '/here/x.json': '{"port":5}' } }).port).toBe(5)
  })

  it('refuses unknown names in our format and warns about them in the predecessor’s', () => {
    expect(refusal({ files: { '/here/.satchel.json': '{"prot": 80}' } })).toBe(
      '/here/.satchel.json: unknown setting prot; did you mean port?',
    )
    const { warnings } = loadConfig(options({ files: { '/here/.filebrowser.json': '{"auth": {"method": "json"}}' } }))
    expect(warnings).toEqual(['/here/.filebrowser.json: auth is no setting and was ignored'])
  })

  it('A19: is refused if it was found in a served folder, but read if it is named', () => {
    const settings = '{"noauth": true}'
    const refused = (file: string) =>
      `${file} lies in a served folder, where users could write it; move it, or name it with --config if it is yours`
    const inRoot = { '/here/.satchel.json': '{"port": 5}' }
    expect(refusal({ files: inRoot, argv: ['--root', '.', '--data', '/data'] })).toBe(refused('/here/.satchel.json'))
    expect(load({ files: inRoot, argv: ['--root', '.', '--data', '/data', '--config', '.satchel.json'] }).port).toBe(5)
    // The root that it names itself does not count where a folder above was served once.
    const served = { '/here/.filebrowser.yaml': 'root: /elsewhere', '/.satchel/installed': '' }
    expect(refusal({ files: served })).toBe(refused('/here/.filebrowser.yaml'))
    expect(
      refusal({ files: { '/linked/home/.satchel.json': settings, '/real/.satchel/installed': '' }, env: { HOME: '/linked/home' } }),
    ).toBe(refused('/linked/home/.satchel.json'))
  })

  it('is reported in one line if it cannot be read', () => {
    for (const [name, text] of [
      ['a.json', '{'],
      ['a.json', '[1]'],
      ['a.json', '7'],
      ['a.toml', 'port = '],
      ['a.yaml', 'a: [b\nc'],
      ['a.yaml', '- x'],
      ['a.json', '{"port": {"a": 1}}'],
      ['a.yaml', 'a: &x [1]\nport: *x'],
    ] as const) {
      const line = refusal({ argv: ['-c', name], files: { [`/here/${name}`]: text } })
      expect([text, line.startsWith(`/here/${name}: `), line.includes('\n')]).toEqual([text, true, false])
    }
  })
})

describe('a wrong value', () => {
  it('is refused with its source and a valid example', () => {
    expect(refusal({ argv: ['--port', 'http'] })).toBe('--port: "http" is not a number from 0 to 65535')
    expect(refusal({ env: { FB_PORT: '70000' } })).toBe('FB_PORT: "70000" is not a number from 0 to 65535')
    expect(refusal({ files: { '/here/.satchel.json': '{"port": 1.5}' } })).toBe(
      '/here/.satchel.json: port: "1.5" is not a number from 0 to 65535',
    )
  })

  it('is refused for every kind of setting', () => {
    for (const argv of [
      ['--port', '-1'],
      ['--port', ''],
      ['--port', '1e3'],
      ['--imageProcessors', '0'],
      ['--disableExec=maybe'],
      ['--tokenExpirationTime', '2 hours'],
      ['--tokenExpirationTime', '0'],
      ['--tokenExpirationTime', '9999999h'],
      ['--shutdownGrace', '-1s'],
      ['--baseURL', 'https://host/x'],
      ['--baseURL', '/a/../b'],
      ['--baseURL', '/a b'],
      ['--baseURL', '/a"><script>'],
      ['--address', 'host:80'],
      ['--address', 'a b'],
      ['--socketPerm', '0999'],
      ['--trustedProxies', '10.0.0.0/33'],
      ['--trustedProxies', 'proxy.example'],
      ['--root', ''],
      ['--root', 'a\0b'],
      ['--cert', 'c.pem'],
      ['--key', 'k.pem'],
      ['--socket', 's', '--port', '80'],
      ['--socket', 's', '--cert', 'c', '--key', 'k'],
      ['--prot', '80'],
      ['-x'],
      ['--port'],
      ['--root', '--port'],
    ]) {
      expect([argv, refusal({ argv }) === '']).toEqual([argv, false])
    }
  })

  it('is not repeated if it is a plain password; the error shows what to do', () => {
    const line = refusal({ argv: ['--password', 'hunter2'] })
    expect(line).toContain('--password-file')
    expect(line).not.toContain('hunter2')
  })

  it('of an unknown flag suggests a similar one', () => {
    expect(refusal({ argv: ['--prot', '80'] })).toBe('unknown flag --prot; did you mean --port?')
  })

  it('is refused if it would serve the program or its secrets', () => {
    expect(refusal({ argv: ['--root', '/program'] })).toContain('holds this program itself')
    expect(refusal({ argv: ['--root', '/'] })).toContain('holds this program itself')
    expect(refusal({ argv: ['--root', '/here'] })).toContain('/here/data lies inside the served folder')
    expect(refusal({ argv: ['--root', '/r', '-d', '/r/x/fb.db'] })).toContain('--database /r/x/fb.db lies inside')
    expect(refusal({ argv: ['--root', '/r', '-d', '/r/x/../../y.db'] })).toBe('')
    expect(refusal({ argv: ['--root', '/r', '-t', '/c', '-k', '/r/k.pem'] })).toContain('--key')
    expect(refusal({ argv: ['--root', '/linked', '--data', '/real/data'] })).toContain('lies inside')
  })
})

describe('a warning', () => {
  it('is given for settings that do nothing', () => {
    const { warnings } = loadConfig(options({ argv: ['--followExternalSymlinks', '--redisCacheUrl', 'redis://:secret@x'] }))
    expect(warnings).toHaveLength(2)
    expect(warnings.join()).not.toContain('secret')
  })

  it('is given for unknown SATCHEL variables, but not for those that Kubernetes sets', () => {
    const env = {
      SATCHEL_PROT: '80',
      SATCHEL_PORT: 'tcp://10.0.0.1:80',
      SATCHEL_SERVICE_HOST: 'x',
      SATCHEL_PORT_80_TCP: 'x',
      FB_PIXEL: '1',
    }
    const { config, warnings } = loadConfig(options({ env }))
    expect([config.port, warnings]).toEqual([8080, ['SATCHEL_PROT is no setting and was ignored']])
  })

  it('S12: is given for a variable of the predecessor that is a database setting here, with the command that sets it', () => {
    const { warnings } = loadConfig(options({ env: { FB_BRANDING_NAME: 'Ours', FB_AUTH_METHOD: 'proxy' } }))
    expect(warnings).toEqual([
      'FB_BRANDING_NAME is no setting and was ignored; "satchel config set --branding.name" stores it',
      'FB_AUTH_METHOD is no setting and was ignored; "satchel config set --auth.method" stores it',
    ])
  })

  it('is given if a public address needs no sign-in', () => {
    expect(loadConfig(options({ argv: ['--noauth', '--address', '0.0.0.0'] })).warnings).toHaveLength(1)
    expect(loadConfig(options({ argv: ['--noauth'] })).warnings).toEqual([])
  })
})

describe('the explanation of a setting', () => {
  it('names the source that applies and everything it overrides', () => {
    const world = options({ argv: ['--port', '1'], env: { FB_PORT: '2' }, files: { '/here/.satchel.yml': 'port: 3' } })
    expect(explain('port', readWritten(world).sources.get('port') ?? [], '/here')).toBe(
      [
        'port = 1',
        '  port to listen on; 0: any free port',
        '  from the flag --port',
        '  over the environment variable FB_PORT: 2',
        '  over the file /here/.satchel.yml: 3',
        '  over the default: 8080',
      ].join('\n'),
    )
  })

  it('works for an invalid value, and hides secrets', () => {
    const world = readWritten(options({ argv: ['--port', 'x', '--password', 'hunter2'] }))
    expect(explain('port', world.sources.get('port') ?? [], '/here')).toContain('(refused: a number from 0 to 65535 was expected)')
    expect(explain('password', world.sources.get('password') ?? [], '/here')).not.toContain('hunter2')
  })
})

describe('the address of a PostgreSQL database', () => {
  const SECRET = 'hunter2'

  it.each([
    ['postgres://ann:hunter2@db:5433/files?sslmode=verify-full', 'postgres://ann@db:5433/files'],
    ['postgresql://ann@db/files?password=hunter2', 'postgresql://ann@db/files'],
    ['postgres://ann:hunter2@x@db/files', 'postgres://ann@db/files'],
    ['postgres://ann:1/hunter2@db/files', 'postgres://(hidden)'],
    ['postgres://ann:/hunter2@db/files', 'postgres://(hidden)'],
  ])('%s is taken as it is and shown as %s', (database, shown) => {
    const world = options({ env: { SATCHEL_DATABASE: database } })
    expect(explain('database', readWritten(world).sources.get('database') ?? [], '/here')).toContain(`database = ${shown}`)
    expect(explain('database', readWritten(world).sources.get('database') ?? [], '/here')).not.toContain(SECRET)
    if (URL.canParse(database)) expect(loadConfig(world)).toMatchObject({ config: { database }, warnings: [] })
    else expect(refusal({ env: { SATCHEL_DATABASE: database } })).not.toContain(SECRET)
  })

  it('is warned about if it has a password on the command line, without repeating it', () => {
    const { warnings } = loadConfig(options({ argv: ['--database', 'postgres://ann:hunter2@db/files'] }))
    expect(warnings).toHaveLength(1)
    expect(warnings.join()).not.toContain(SECRET)
    expect(loadConfig(options({ argv: ['--database', 'postgres://ann@db/files'] })).warnings).toEqual([])
  })
})

const HASH = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'

const FLAGS: readonly (readonly [string, keyof Config, string, unknown])[] = [
  ['--config', 'config', 'here.json', '/here/here.json'],
  ['-c', 'config', 'here.json', '/here/here.json'],
  ['--database', 'database', 'x.db', '/here/x.db'],
  ['-d', 'database', '/x.db', '/x.db'],
  ['--address', 'address', '', ''],
  ['-a', 'address', '[::1]', '::1'],
  ['--port', 'port', '1', 1],
  ['-p', 'port', '1', 1],
  ['--root', 'root', '../srv', '/srv'],
  ['-r', 'root', '/srv', '/srv'],
  ['--baseURL', 'baseURL', 'x/', '/x'],
  ['--baseurl', 'baseURL', '/x/y/', '/x/y'],
  ['--base-url', 'baseURL', '/', ''],
  ['-b', 'baseURL', '/x', '/x'],
  ['--log', 'log', 'stderr', 'stderr'],
  ['-l', 'log', '', ''],
  ['--log', 'log', 'x.log', '/here/x.log'],
  ['--socket', 'socket', 's', '/here/s'],
  ['--socketPerm', 'socketPerm', '0600', 0o600],
  ['--socket-perm', 'socketPerm', '600', 0o600],
  ['--cacheDir', 'cacheDir', '/c', '/c'],
  ['--cache-dir', 'cacheDir', '', null],
  ['--imageProcessors', 'imageProcessors', '2', 2],
  ['--img-processors', 'imageProcessors', '2', 2],
  ['--tokenExpirationTime', 'tokenExpirationTime', '2h30m', 9_000_000],
  ['--token-expiration-time', 'tokenExpirationTime', '1.5s', 1500],
  ['--redisCacheUrl', 'redisCacheUrl', 'redis://x', 'redis://x'],
  ['--username', 'username', 'root', 'root'],
  ['--password', 'password', HASH, HASH],
  ['--password-file', 'passwordFile', 'p', '/here/p'],
  ['--passwordFile', 'passwordFile', 'p', '/here/p'],
  ['--data', 'dataDir', '/d', '/d'],
  ['--data-dir', 'dataDir', '/d', '/d'],
  ['--trustedProxies', 'trustedProxies', 'fd00::/8', ['fd00::/8']],
  ['--shutdownGrace', 'shutdownGrace', '30', 30_000],
  ['--shutdown-grace', 'shutdownGrace', '0', 0],
]

const SWITCHES: readonly (readonly [string, keyof Config])[] = [
  ['--disableThumbnails', 'disableThumbnails'],
  ['--disable-thumbnails', 'disableThumbnails'],
  ['--disablePreviewResize', 'disablePreviewResize'],
  ['--disable-preview-resize', 'disablePreviewResize'],
  ['--disableExec', 'disableExec'],
  ['--disable-exec', 'disableExec'],
  ['--disableTypeDetectionByHeader', 'disableTypeDetectionByHeader'],
  ['--disable-type-detection-by-header', 'disableTypeDetectionByHeader'],
  ['--disableImageResolutionCalc', 'disableImageResolutionCalc'],
  ['--followExternalSymlinks', 'followExternalSymlinks'],
  ['--noauth', 'noauth'],
  ['--log-all', 'logAll'],
  ['--new-database', 'newDatabase'],
  ['--new-root', 'newRoot'],
]

interface Given {
  argv?: readonly string[]
  env?: Record<string, string>
  files?: Record<string, string>
}

function options({ argv = [], env = { HOME: '/home' }, files = {} }: Given): LoadOptions {
  const all: Record<string, string> = { '/here/here.json': '{}', ...files }
  const realPath = (path: string): string => path.replace(/^\/linked/, '/real')
  return { argv, env, cwd: '/here', program: '/program', files: { read: (path) => all[path] ?? null, realPath } }
}

function load(given: Given): Config {
  return loadConfig(options(given)).config
}

/** The one line that refuses; empty when nothing was refused. */
function refusal(given: Given): string {
  try {
    load(given)
    return ''
  } catch (error) {
    return error instanceof Error && error.name === 'ConfigError' ? error.message : `not told: ${String(error)}`
  }
}
