import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Debian puts the programs of each version; only some of them are in the path. */
const VERSIONS = '/usr/lib/postgresql'
/** An account that owns nothing: the server refuses to run as root. */
const NOBODY = 65534

/**
 * A PostgreSQL server of one's own in a temporary folder, on this machine only; nothing in it outlives `stop`. Throws with PostgreSQL's words when
 * it cannot be started. Its databases sort as a Swede would, so that whoever relies on the order of bytes without saying so is found out.
 *
 * `halt` ends it without a word, as a machine that fails does, and `start` starts it again; while it is paused, it takes connections and answers nothing.
 *
 * @param {{ isDurable?: boolean }} how whether what was acknowledged survives `halt`
 * @returns {Promise<{ url: string, restart: () => void, halt: () => void, start: () => void, pause: () => void, resume: () => void, stop: () => void }>}
 */
export async function startPostgres({ isDurable = false } = {}) {
  const bin = programs()
  const home = mkdtempSync(join(tmpdir(), 'satchel-postgres-'))
  const data = join(home, 'data')
  const port = await freePort()
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if ('uid' in account) chownSync(home, account.uid, account.gid)
  chmodSync(home, 0o700)
  const run = (program, args) => {
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
    const { status, stdout, stderr, error } = spawnSync(join(bin, program), args, { ...account, cwd: home, encoding: 'utf8', env })
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`)
  }
  // Nothing here must survive a power cut, and a test opens a schema of its own.
  const fast = `-c fsync=off -c synchronous_commit=${isDurable ? 'on' : 'off'} -c full_page_writes=off -c max_connections=400`
  const options = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 ${fast}`
  const control = (verb, mode = 'fast') => run('pg_ctl', ['-D', data, '-l', join(home, 'log'), '-o', options, '-m', mode, '-w', verb])
  const signal = (name) => {
    const main = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    const others = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ').map(Number)
    for (const pid of [main, ...others]) process.kill(pid, name)
  }
  try {
    const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=sv']
    run('initdb', ['-D', data, '-U', 'satchel', '--auth=trust', '--no-sync', '--encoding=UTF8', ...locale])
    control('start')
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  }
  return {
    url: `postgres://satchel@127.0.0.1:${port}/postgres`,
    restart: () => control('restart'),
    halt: () => control('stop', 'immediate'),
    start: () => control('start'),
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    stop() {
      try {
        control('stop')
      } finally {
        rmSync(home, { recursive: true, force: true })
      }
    },
  }
}

/** The newest version that is installed. */
function programs() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map((version) => join(VERSIONS, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
  if (found === undefined) throw new Error('PostgreSQL is not installed: on Debian, sudo apt-get install postgresql')
  return found
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
