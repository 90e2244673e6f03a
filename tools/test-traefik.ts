import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs the tests of reverse proxies with Traefik, which no registry offers as a program: it is built from the source of the Go module proxy, once.
 * Needs Go, and half an hour on two busy processors.
 */
const VERSION = 'v3.6.0'
const home = join(tmpdir(), `satchel-traefik-${VERSION}`)
const program = join(home, 'traefik')

if (!existsSync(program)) {
  mkdirSync(home, { recursive: true })
  const { stdout } = Bun.spawnSync(['go', 'mod', 'download', '-json', `github.com/traefik/traefik/v3@${VERSION}`], {
    cwd: home,
    stderr: 'inherit',
  })
  const { Dir: source, Error: problem }: { Dir?: string; Error?: string } = JSON.parse(stdout.toString())
  if (source === undefined) throw new Error(problem)
  cpSync(source, join(home, 'source'), { recursive: true })
  run(['chmod', '-R', 'u+w', 'source'], home)
  run(['go', 'build', '-o', program, './cmd/traefik'], join(home, 'source'))
}
run([process.execPath, 'test', 'test/proxies.test.ts'], join(import.meta.dir, '..'), { TRAEFIK: program })

function run(command: string[], cwd: string, env: Record<string, string> = {}): void {
  const { exitCode } = Bun.spawnSync(command, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] })
  if (exitCode !== 0) process.exit(exitCode)
}
