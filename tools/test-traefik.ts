import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs the tests of reverse proxies with Traefik, which no registry offers as a program: it is built from the source of the Go module proxy, once.
 * Its providers of DNS challenges are left out: their libraries are a third of its packages, and no request of a proxy needs them.
 * Needs Go, and many minutes on two busy processors.
 */
const VERSION = 'v3.6.0'
const CERTIFICATES = 'github.com/go-acme/lego/v4'
/** Of the package that names all providers, the only file besides its tests. */
const PROVIDERS = 'providers/dns/zz_gen_dns_providers.go'
const NO_PROVIDERS = `package dns

import (
	"errors"

	"github.com/go-acme/lego/v4/challenge"
)

func NewDNSChallengeProviderByName(name string) (challenge.Provider, error) {
	return nil, errors.New("left out of this build: " + name)
}
`
const home = join(tmpdir(), `satchel-traefik-${VERSION}`)
const program = join(home, 'traefik')

if (!existsSync(program)) {
  mkdirSync(home, { recursive: true })
  copyModule(`github.com/traefik/traefik/v3@${VERSION}`, { from: home, to: 'source' })
  const source = join(home, 'source')
  copyModule(CERTIFICATES, { from: source, to: 'lego' })
  writeFileSync(join(home, 'lego', PROVIDERS), NO_PROVIDERS)
  run(['go', 'mod', 'edit', '-replace', `${CERTIFICATES}=${join(home, 'lego')}`], source)
  run(['go', 'build', '-o', program, './cmd/traefik'], source)
}
run([process.execPath, 'test', 'test/proxies.test.ts'], join(import.meta.dir, '..'), { TRAEFIK: program })

/** @param from where the module is looked up: inside another module, the version that it requires; @param to a folder of `home` */
function copyModule(name: string, { from, to }: { from: string; to: string }): void {
  const { stdout } = Bun.spawnSync(['go', 'mod', 'download', '-json', name], { cwd: from, stderr: 'inherit' })
  const { Dir: folder, Error: problem }: { Dir?: string; Error?: string } = JSON.parse(stdout.toString())
  if (folder === undefined) throw new Error(problem)
  cpSync(folder, join(home, to), { recursive: true })
  run(['chmod', '-R', 'u+w', to], home)
}

function run(command: string[], cwd: string, env: Record<string, string> = {}): void {
  const { exitCode } = Bun.spawnSync(command, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] })
  if (exitCode !== 0) process.exit(exitCode)
}
