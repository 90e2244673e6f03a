import { type Findings, type Wire } from './wire.ts'

const BYTES = 200_000
const MOST = 5
const TRIES = 12
const GUESS_EVERY_MS = 250
/** Free guesses at one account from one address, and the delays after that: 1, 2, 4 … 60 seconds. */
const FREE = 10
const LONGEST_DELAY_S = 60

/** Links that may be downloaded five times: twelve try at once, through whichever server. */
export async function limitedLink(
  owner: Wire,
  visitors: readonly Wire[],
  { path, kills, findings }: { path: string; kills: () => number; findings: Findings },
): Promise<void> {
  await owner.ask(`/api/resources${path}?override=true`, { method: 'POST', body: 'x'.repeat(BYTES) })
  const made = await owner.ask(`/api/share${path}`, { method: 'POST', body: JSON.stringify({ maxDownloads: MOST }) })
  const { hash } = JSON.parse(made.body.toString()) as { hash?: string }
  if (hash === undefined) return void findings.violations.push(`link: ${made.status} ${made.body.toString()}`)
  const before = kills()
  const answers = await Promise.all(
    Array.from({ length: TRIES }, (_, n) => visitors[n % visitors.length]?.once(`/api/public/dl/${hash}`, {})),
  )
  const whole = answers.filter((answer) => answer?.status === 200 && answer.body.length === BYTES).length
  const unclear = answers.filter((answer) => answer === null || answer === undefined || answer.status >= 500).length
  if (whole > MOST) findings.violations.push(`link: ${whole} downloads of ${MOST}`)
  // A download whose server was killed stays counted, and nginx tries it at another one.
  if (unclear === 0 && before === kills() && whole !== MOST)
    findings.violations.push(`link: ${whole} downloads, ${MOST} were allowed, and nothing failed`)
}

/** Somebody guesses one password all the time; killed servers must not let them begin anew. @returns what was let through */
export async function guess(
  wire: Wire,
  { username, until, findings }: { username: string; until: () => boolean; findings: Findings },
): Promise<number> {
  const begun = performance.now()
  let through = 0
  while (!until()) {
    const answer = await wire.once('/api/login', { method: 'POST', body: JSON.stringify({ username, password: crypto.randomUUID() }) })
    if (answer?.status === 403) through += 1
    await Bun.sleep(GUESS_EVERY_MS)
  }
  const allowed = allowedIn((performance.now() - begun) / 1000)
  if (through > allowed) findings.violations.push(`guesses: ${through} were let through, ${allowed} are allowed`)
  return through
}

/** The free ones, and those after each delay. */
function allowedIn(seconds: number): number {
  let allowed = FREE
  for (let [passed, delay] = [0, 1]; passed + delay <= seconds; delay = Math.min(LONGEST_DELAY_S, delay * 2)) {
    passed += delay
    allowed += 1
  }
  return allowed
}
