import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A current folder that another user could write into. */
export interface HostileFolder {
  readonly folder: string
  /** What of it has been run or read, by the programs that did; empty when nothing has. */
  ran(): string[]
}

/** Packages that the server finds late, in `node_modules`: somebody may hope that it looks for them here. */
const PACKAGES = ['sharp', 'yaml', '7z-wasm', 'lz4-napi', 'snappy']

/** Fills `folder` with all that Bun runs, reads or finds in a current folder. */
export function hostileFolder(folder: string): HostileFolder {
  const traces = join(folder, 'traces')
  const trace = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(traces)}, 'ran in ' + process.argv.join(' ') + '\\n')\n`
  const files: Record<string, string> = {
    'bunfig.toml': 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n[test]\npreload = ["./evil.ts"]\n',
    'evil.ts': trace,
    '.env': 'SATCHEL_PORT=1\nFB_PORT=1\nSATCHEL_NOAUTH=true\nBUN_OPTIONS=--preload=./evil.ts\n',
    '.env.local': 'SATCHEL_NOAUTH=true\n',
    '.env.production': 'SATCHEL_NOAUTH=true\n',
    'package.json': '{ "type": "module", "imports": { "#x": "./evil.ts" } }',
    'tsconfig.json': `{ "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./evil.ts"] } } }`,
    ...Object.fromEntries(PACKAGES.map((name) => [`node_modules/${name}/index.js`, trace])),
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return { folder, ran: () => (existsSync(traces) ? readFileSync(traces, 'utf8').trim().split('\n') : []) }
}
