import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from '../src/server/entries/entries.ts'
import { installDebianPackages } from './lib/debian.mjs'

/**
 * `npm run test:release [-- NAME …]`: installs what `npm run release` has made and uses it: image, deb, npm, charts, …, or those named. Needs root,
 * a Debian machine, Go and Python.
 */
const TESTS = join(HOME, 'test/release/installed')
const TOOLS = join(HOME, 'release/tools')
const PACKAGES = ['skopeo', 'umoci', 'runc', 'debootstrap', 'python3-venv']
/** Checked by their modules' checksums. */
const GO_TOOLS = { helm: 'helm.sh/helm/v3/cmd/helm@v3.21.4', cmd: 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2' }
/** The tests that need them; they take minutes to build. */
const WITH_TOOLS = ['chart.installed.ts', 'files.installed.ts']
const PYTHON_TOOLS = ['kubernetes-validate==1.37.0', 'cyclonedx-python-lib[json-validation]==11.12.0']

const wanted = process.argv.slice(2)
const files = readdirSync(TESTS)
  .filter((name) => name.endsWith('.installed.ts'))
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace('.installed.ts', '')))
if (!installDebianPackages(PACKAGES)) process.exit(1)
if (files.some((name) => WITH_TOOLS.includes(name))) installTools()
process.exit(run(process.execPath, ['test', ...files.map((name) => join(TESTS, name))]) ? 0 : 1)

function installTools(): void {
  const bin = join(TOOLS, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const [name, module] of Object.entries(GO_TOOLS)) {
    if (existsSync(join(bin, name))) continue
    if (!run('go', ['install', module], { GOBIN: bin, CGO_ENABLED: '0' })) process.exit(1)
  }
  const python = join(TOOLS, 'python')
  if (existsSync(join(python, 'bin/kubernetes-validate'))) return
  if (!run('python3', ['-m', 'venv', python]) || !run(join(python, 'bin/pip'), ['install', '-q', ...PYTHON_TOOLS])) process.exit(1)
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): boolean {
  return spawnSync(command, args, { cwd: HOME, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}
