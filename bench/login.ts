import { createApp } from '../src/server/app.ts'
import { NO_CACHE } from '../src/server/previews/cache.ts'
import { createBubblewrap } from '../src/server/sandbox/bubblewrap.ts'
import { createMemoryBus } from '../src/server/bus/memory.ts'
import { openDatabase } from '../src/server/db/database.ts'
import { createMemoryStorage } from '../src/server/storage/test-memory-storage.ts'
import { NO_PASSWORD } from '../src/server/users/password.ts'
import { createWorld } from '../src/server/world.ts'
import { describeLoad, signInUnderLoad } from './client-load.ts'
import { holds, median, quantile, runBench } from './harness.ts'

/** Wrong sign-ins of people who are there, are not, are switched off, or have no password: whoever measures must not tell them apart. */
const ROUNDS = 200
const MOST_DIFFERENCE = 0.1
/** Sign-ins while others use the passwords of links. */
const PEOPLE = 40
const MOST_SIGN_IN_MS = 1000
const UNLIMITED = { perAddress: 1e9, perAccount: 1e9, burst: 1e9 }

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const ask = await startLogin()
  const times: Record<string, number[]> = { known: [], unknown: [], disabled: [], locked: [] }
  const answers = new Set<string>()
  // The first one loads code and fills caches.
  for (const username of Object.keys(times)) await ask(username)
  for (let round = 0; round < rounds; round++) {
    // Each takes each place in the turn, so that what runs before it does not count.
    const names = Object.keys(times)
    for (const [i] of names.entries()) {
      const username = names[(i + round) % names.length] ?? ''
      const start = performance.now()
      answers.add(await ask(username))
      times[username]?.push(performance.now() - start)
    }
  }
  const medians = Object.entries(times).map(([name, all]) => [name, median(all)] as const)
  for (const [name, ms] of medians) console.log(`${name.padEnd(8)} ms ${ms.toFixed(2)}`)
  const all = medians.map(([, ms]) => ms)
  const spread = (Math.max(...all) - Math.min(...all)) / Math.min(...all)
  const crowd = await signInUnderLoad(run, Math.min(PEOPLE, rounds))
  console.log(describeLoad(crowd))
  return [
    holds('kinds of answers', answers.size, { atMost: 1 }),
    holds('difference of the medians', spread, { atMost: MOST_DIFFERENCE }),
    holds('sign-in beside 96 clients of 12 links, p95 ms', quantile(crowd.signIns, 0.95), { atMost: MOST_SIGN_IN_MS }),
    holds('sign-ins refused meanwhile', crowd.refused, { atMost: 0 }),
  ].every(Boolean)
})

/** The whole product in this process, with passwords at their real cost and no limit on guesses. @returns status and body of one wrong sign-in */
async function startLogin(): Promise<(username: string) => Promise<string>> {
  const clock = () => new Date()
  const db = await openDatabase('memory', { clock })
  const world = createWorld(
    { storage: createMemoryStorage(), db, bus: createMemoryBus(), clock, log: () => {}, sandbox: createBubblewrap(), pictures: NO_CACHE },
    {
      baseUrl: '',
      typeDetectionByHeader: true,
      sessionLifetimeMs: 3600_000,
      signInLimits: UNLIMITED,
      thumbnails: false,
      previewResize: false,
      imageProcessors: 1,
    },
  )
  const { defaults } = await world.settings.read()
  const person = { ...defaults, rules: [], lockPassword: false, password: 'the right password' }
  await world.users.create({ ...person, username: 'known' })
  await world.users.setDisabled((await world.users.create({ ...person, username: 'disabled' })).id, { disabled: true })
  await world.users.create({ ...person, username: 'locked', password: { hash: NO_PASSWORD }, lockPassword: true })
  const app = createApp(world, { logAll: false, mountRest: () => {} })
  return async (username) => {
    const body = JSON.stringify({ username, password: username === 'disabled' ? 'the right password' : 'a wrong password' })
    const response = await app.request('/api/login', { method: 'POST', body }, { peer: '192.0.2.1' })
    return `${response.status} ${await response.text()}`
  }
}
