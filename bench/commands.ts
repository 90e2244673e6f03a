import { COMMAND_PROTOCOL, CommandMessage } from '../src/shared/contract/command.ts'
import { sized } from './figures.ts'
import { curlHeaders, holds, median, quantile, runBench, type Server, startServer } from './harness.ts'

/**
 * A command through our socket and sandbox, from the first byte of the connection to its end, against the same program started bare, in turn;
 * and how other requests fare while a fork bomb and a flood of output run.
 */
const ROUNDS = 25
const REQUESTS = sized(300, 40)
const MORE_THAN_BARE_MS = 50
const OTHERS_P95_MS = 100
/** Doubles as a fork bomb does, but has an end at 1023 processes: should the sandbox fail, the machine goes on. */
const BOMB = "bash -c 'grow() { if [ $1 -gt 0 ]; then grow $(($1-1)) & grow $(($1-1)) & wait; else sleep 5; fi; }; grow 9'"

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run, ['--disableExec=false'])
  await allow(server, ['true', 'bash', 'yes'])
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const spawned = await timed(() => Bun.spawn(['/usr/bin/true']).exited)
    const told = await timed(() => command(server, 'true'))
    // The first round starts threads and fills caches.
    if (round === 0) continue
    bare.push(spawned)
    ours.push(told)
  }
  console.log(`bare ms ${median(bare).toFixed(1)}, ours ms ${median(ours).toFixed(1)} (worst ${Math.max(...ours).toFixed(1)})`)

  const over = new AbortController()
  const again = async (line: string): Promise<string[]> => {
    const endings: string[] = []
    while (!over.signal.aborted) endings.push(await command(server, line))
    return endings
  }
  const trouble = Promise.all([again(BOMB), again('yes')])
  const others: number[] = []
  while (others.length < REQUESTS) {
    // From a process of its own: this one is busy reading the flood.
    const told =
      await Bun.$`curl -s -o /dev/null -w ${'%{time_total}'} ${curlHeaders(server.headers)} ${`${server.url}/api/resources/`}`.text()
    others.push(Number(told) * 1000)
    await Bun.sleep(10)
  }
  over.abort()
  const [bombs, floods] = await trouble
  console.log(
    `meanwhile ${bombs.length} bombs (${[...new Set(bombs)].join()}) and ${floods.length} floods (${[...new Set(floods)].join()})`,
  )
  const start = holds('a command, ms more than bare', median(ours) - median(bare), { atMost: MORE_THAN_BARE_MS })
  return holds('others meanwhile, p95 ms', quantile(others, 0.95), { atMost: OTHERS_P95_MS }) && start
})

/** @returns how it ended */
function command({ url, headers }: Server, line: string): Promise<string> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/command/`, { protocols: [COMMAND_PROTOCOL], headers })
  return new Promise((resolve, reject) => {
    let ended = 'cut off'
    socket.addEventListener('open', () => socket.send(JSON.stringify({ run: line })))
    socket.addEventListener('error', reject)
    socket.addEventListener('message', ({ data }) => {
      const message = CommandMessage.parse(JSON.parse(String(data)))
      if ('ended' in message) ended = message.ended
    })
    socket.addEventListener('close', () => resolve(ended))
  })
}

/** Lets the administrator run these. */
async function allow({ url, headers }: Server, commands: string[]): Promise<void> {
  const body = JSON.stringify({ what: 'user', which: ['commands'], data: { id: 1, commands } })
  const answer = await fetch(`${url}/api/users/1`, { method: 'PUT', headers, body })
  if (!answer.ok) throw new Error(`the server does not let us allow commands: ${answer.status}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
