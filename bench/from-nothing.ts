import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { holds, median, runBench, told } from './harness.ts'

/**
 * How long it takes from a downloaded archive of the release to an administrator who is signed in: unpack, start, sign in with the printed password.
 * `npx bun bench/from-nothing.ts ARCHIVE.tar.gz`.
 */
const ROUNDS = 3
const MOST_SECONDS = 60
/** What somebody types, in a home where nothing of ours has ever been. */
const COMMANDS = 'cd "$1" && tar xzf "$2" && cd satchel-* && exec env -i PATH="$PATH" HOME="$1" ./satchel --port 0'

const archive = process.argv[2]
if (archive === undefined || archive.startsWith('--')) throw new Error('name the .tar.gz of a release')
process.argv.splice(2, 1)

await runBench({ rounds: ROUNDS }, async ({ folder, spawn }, rounds) => {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const home = join(folder, `home-${round}`)
    mkdirSync(home)
    const start = performance.now()
    const passed = () => ((performance.now() - start) / 1000).toFixed(2)
    const child = spawn(['sh', '-c', COMMANDS, 'sh', home, resolve(archive)])
    const { url, said } = await told(child.stdout)
    const password = /with the password (\S+)/.exec(said)?.[1]
    const serving = passed()
    const body = JSON.stringify({ username: 'admin', password })
    const answer = await fetch(`${url}/api/login`, { method: 'POST', body })
    if (!answer.ok) throw new Error(`the administrator is not let in: ${answer.status}`)
    took.push((performance.now() - start) / 1000)
    console.log(`serving after ${serving} s, signed in after ${passed()} s`)
    child.kill()
    await child.exited
  }
  return holds('from an archive to an administrator who is signed in, s', median(took), { atMost: MOST_SECONDS })
})
