import { createReadStream, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../../config/config-error.ts'
import { defineCommand, type Call } from '../command.ts'
import { json } from '../print.ts'
import { createPeer, type Login, NoAnswer, type Peer, TIMEOUT_MS } from './ask.ts'
import { differencesOf } from './compare.ts'
import { type Question, questionOf, readLogLine, type SeenRequest } from './requests.ts'
import { receiveMirrored } from './mirror.ts'
import { count, countFailed, newTally, skip, type Tally, tallyLines } from './tally.ts'

const RATE = 20
const MOST_REQUESTS = 10_000
/** After so many requests without an answer, a server is taken to be gone. */
const MOST_FAILED_IN_A_ROW = 10

export const SHADOW_COMMAND = defineCommand(
  'shadow <old-url> <new-url> [access-log]…',
  'ask both servers what people asked the old one, and list where their answers differ; nothing that changes anything is sent',
  shadow,
  {
    flags: [
      { name: 'accounts', kind: 'text', about: 'a file with accounts to ask as, one "name password" a line; only you may read it' },
      { name: 'listen', kind: 'text', about: 'take requests that a proxy mirrors to this address and port, until Ctrl+C' },
      { name: 'timeout', kind: 'count', about: `seconds to wait for an answer, ${TIMEOUT_MS / 1000} unless given` },
      { name: 'rate', kind: 'count', about: `requests a second, ${RATE} unless given` },
      { name: 'most', kind: 'count', about: `how many different requests are compared, ${MOST_REQUESTS} unless given` },
    ],
    alone: true,
  },
)

async function shadow(call: Call): Promise<void> {
  const { args, cwd, flags, terminal } = call
  const [old = '', ours = '', ...logs] = args
  const timeoutMs = 1000 * Number(flags.get('timeout') ?? TIMEOUT_MS / 1000)
  const comparison: Comparison = {
    base: new URL(baseOf(old)).pathname.replace(/\/$/, ''),
    old: createPeer(baseOf(old), timeoutMs),
    ours: createPeer(baseOf(ours), timeoutMs),
    logins: flags.has('accounts') ? readLogins(resolve(cwd, String(flags.get('accounts')))) : [],
    most: Number(flags.get('most') ?? MOST_REQUESTS),
    pauseMs: 1000 / Math.max(1, Number(flags.get('rate') ?? RATE)),
    seen: new Set(),
    tally: newTally(),
    failedInARow: 0,
  }
  const listen = flags.get('listen')
  if (listen === undefined && logs.length === 0) throw new ConfigError('name an access log, or --listen for requests that a proxy mirrors')
  for (const log of logs) if (comparison.failedInARow < MOST_FAILED_IN_A_ROW) await compareAll(comparison, linesOf(resolve(cwd, log)))
  if (listen !== undefined) await compareAll(comparison, receiveMirrored(String(listen), call.json ? terminal.complain : terminal.out))
  const { tally } = comparison
  if (call.json) terminal.out(json({ ...tally, differences: [...tally.differences.values()], skipped: Object.fromEntries(tally.skipped) }))
  else for (const line of tallyLines(tally)) terminal.out(line)
  if (comparison.failedInARow >= MOST_FAILED_IN_A_ROW)
    throw new ConfigError(`ended early: ${MOST_FAILED_IN_A_ROW} requests in a row had no answer; see which server the report names`)
  if (tally.compared + tally.failed === 0) throw new ConfigError('no request could be compared')
  if (tally.different + tally.failed > 0) throw new ConfigError(`${tally.different} answers differ, ${tally.failed} requests had none`)
}

interface Comparison {
  /** Path of the old server's base URL, without slash at the end. */
  readonly base: string
  readonly old: Peer
  readonly ours: Peer
  readonly logins: readonly Login[]
  readonly most: number
  readonly pauseMs: number
  /** Each address is compared once. */
  readonly seen: Set<string>
  readonly tally: Tally
  /** Requests without two answers since the last with two. */
  failedInARow: number
}

async function compareAll(comparison: Comparison, requests: AsyncIterable<SeenRequest>): Promise<void> {
  const { base, logins, most, pauseMs, seen, tally } = comparison
  for await (const request of requests) {
    const question = questionOf(request, base)
    if (typeof question === 'string') {
      skip(tally, question)
      continue
    }
    const key = `${question.method} ${question.target} ${question.range ?? ''}`
    if (seen.has(key)) continue
    if (seen.size >= most) return
    seen.add(key)
    const askers: readonly (Login | null)[] = question.isPublic ? [null] : logins
    if (askers.length === 0) skip(tally, 'needs an account: --accounts')
    for (const login of askers) {
      const started = Date.now()
      await compare(comparison, question, login)
      if (comparison.failedInARow >= MOST_FAILED_IN_A_ROW) return
      await sleep(Math.max(0, pauseMs - (Date.now() - started)))
    }
  }
}

async function compare(comparison: Comparison, question: Question, login: Login | null): Promise<void> {
  const { tally } = comparison
  const as = login?.username ?? ''
  const peers = [comparison.old, comparison.ours]
  const [before, now] = await Promise.allSettled(peers.map((peer) => peer.ask(question, login)))
  if (before?.status === 'fulfilled' && now?.status === 'fulfilled') {
    comparison.failedInARow = 0
    return count(tally, question, as, differencesOf(before.value, now.value))
  }
  comparison.failedInARow += 1
  const reasons = Object.entries({ 'the old server': before, Satchel: now }).flatMap(([name, result]) => {
    if (result?.status !== 'rejected') return []
    if (!(result.reason instanceof NoAnswer)) throw result.reason
    return [`no answer of ${name}: ${result.reason.message}`]
  })
  countFailed(tally, question, as, reasons)
}

async function* linesOf(path: string): AsyncGenerator<SeenRequest> {
  const file = createReadStream(path)
  try {
    for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
      const request = readLogLine(line)
      if (request !== null) yield request
    }
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  } finally {
    file.destroy()
  }
}

function readLogins(path: string): Login[] {
  if ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) throw new ConfigError(`others may read ${path}: chmod 600 ${path}`)
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/)
    return lines
      .filter((line) => line.includes(' '))
      .map((line) => ({ username: line.slice(0, line.indexOf(' ')), password: line.slice(line.indexOf(' ') + 1) }))
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function baseOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '')
  throw new ConfigError(`${url} is no URL of a server, such as http://127.0.0.1:8080`)
}
