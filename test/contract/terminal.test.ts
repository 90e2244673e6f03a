import { afterEach, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { sql } from 'kysely'
import { TERMINAL_PROTOCOL, TERMINAL_WINDOW_BYTES, TerminalMessage, type TerminalRequest } from '../../src/shared/contract/terminal.ts'
import { createUnsandboxed } from '../../src/server/sandbox/unsandboxed.ts'
import { deny, EVERYTHING, type Product, startProduct } from './world.ts'
import { until } from './until.ts'

setDefaultTimeout(20_000)

let product: Product
beforeEach(async () => {
  product = await startProduct({ storage: 'local' })
  await product.seed({
    '/ann-files/a.txt': 'a',
    '/ann-files/sub/b.txt': 'b',
    '/ann-files/secret/key.txt': 'the key',
    '/other.txt': 'other',
  })
  await product.add('anna', { scope: '/ann-files', rules: [deny('/secret')] })
  await allow('anna', ['ls', 'bash'])
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

describe('a terminal', () => {
  it('is a shell with job control in the current folder, and ends with it', async () => {
    const terminal = await open({ path: '/sub' })
    terminal.send({ start: { columns: 91, rows: 17 } })
    terminal.send({ type: 'stty size; ls; sleep 1200\r' })
    await terminal.shows('17 91')
    await terminal.shows('b.txt')
    await until(async () => count('sleep 1200') === 1)
    terminal.send({ type: '\u0003' })
    await until(async () => count('sleep 1200') === 0)
    terminal.send({ size: { columns: 60, rows: 9 } })
    terminal.send({ type: 'stty size; exit 3\r' })
    await terminal.shows('9 60')
    expect(await terminal.over).toEqual({ ended: 'exited', exit: 3 })
    expect(product.logged).toContain('terminal of anna: bash')
  })

  it('sees only its user’s files, no denied nodes, no network, and not the server’s environment (GHSA-hc8f-m8g5-8362)', async () => {
    const terminal = await open()
    terminal.send({ start: { columns: 200, rows: 50 } })
    const line = `cat /files/secret/key.txt ${product.root}/other.txt /etc/shadow; env; (exec 3<>/dev/tcp/127.0.0.1/${product.port} && echo reach''ed); id -u; echo fin''ished`
    terminal.send({ type: `${line}\r` })
    await terminal.shows('finished')
    expect(terminal.said()).toContain('65534')
    expect(terminal.said()).not.toMatch(/the key|^other|root:|reached/m)
    expect(terminal.said()).not.toContain(process.env['PATH'] ?? 'PATH')
    terminal.close()
  })

  it('can write only where its user may', async () => {
    const terminal = await open()
    terminal.send({ start: { columns: 80, rows: 24 } })
    terminal.send({ type: 'echo made > made.txt; exit\r' })
    await terminal.over
    expect(await product.read('/ann-files/made.txt')).toBe('made\n')
    await product.setRights('anna', { ...EVERYTHING, delete: false })
    const closed = await open()
    closed.send({ start: { columns: 80, rows: 24 } })
    closed.send({ type: 'echo again > made.txt; exit\r' })
    await closed.over
    expect(closed.said()).toContain('Read-only')
    expect(await product.read('/ann-files/made.txt')).toBe('made\n')
  })

  it('waits for slow readers, and continues when output is acknowledged', async () => {
    const terminal = await open({ attentive: false })
    terminal.send({ start: { columns: 80, rows: 24 } })
    terminal.send({ type: `head -c ${8 * TERMINAL_WINDOW_BYTES} /dev/zero | tr '\\0' x; echo fin''ished\r` })
    await until(async () => terminal.said().length >= TERMINAL_WINDOW_BYTES)
    await Bun.sleep(300)
    expect(terminal.said().length).toBeLessThan(2 * TERMINAL_WINDOW_BYTES)
    const showing = setInterval(() => terminal.send({ seen: TERMINAL_WINDOW_BYTES }), 5)
    await terminal.shows('finished')
    clearInterval(showing)
    terminal.close()
  })

  it('ends with all its processes when its client disconnects', async () => {
    const terminal = await open()
    terminal.send({ start: { columns: 80, rows: 24 } })
    terminal.send({ type: 'setsid sleep 1201 & sleep 1201\r' })
    await until(async () => count('sleep 1201') === 2)
    terminal.close()
    await until(async () => count('sleep 1201') === 0)
  })

  it('ends when the permission, the command list, a rule or the session changes', async () => {
    const changes: (() => Promise<unknown>)[] = [
      () => product.setRules('anna', [deny('/secret'), deny('/sub')]),
      () => allow('anna', ['ls']),
      () => product.setRights('anna', { ...EVERYTHING, execute: false }),
    ]
    for (const change of changes) {
      await product.setRights('anna', EVERYTHING)
      await allow('anna', ['bash'])
      const terminal = await open()
      terminal.send({ start: { columns: 80, rows: 24 } })
      terminal.send({ type: 'sleep 1202\r' })
      await until(async () => count('sleep 1202') === 1)
      await change()
      expect(await terminal.over).toEqual({ ended: 'aborted', exit: null })
      await until(async () => count('sleep 1202') === 0)
    }
  })

  it('ends when the server stops, and after a time without input', async () => {
    await using short = await startProduct({ storage: 'local', execLimits: { terminal: { idleMs: 1500 } } })
    await allow('ann', ['sh'], short)
    const idle = await open({ on: short, who: 'ann' })
    idle.send({ start: { columns: 80, rows: 24 } })
    expect(await idle.over).toEqual({ ended: 'idle', exit: null })
    const last = await open({ on: short, who: 'ann' })
    last.send({ start: { columns: 80, rows: 24 } })
    last.send({ type: 'sleep 1203\r' })
    // So much is typed that it is never too long.
    await until(async () => (last.send({ type: ' ' }), count('sleep 1203') === 1))
    await short.world.stop()
    await until(async () => count('sleep 1203') === 0)
  })

  it('is limited to four for each user, valid messages, and frames of 64 KiB (GHSA-39cx-23x9-5c8p)', async () => {
    const open4 = await Promise.all([1, 2, 3, 4].map(() => open()))
    expect(await refusal()).toBe(429)
    for (const terminal of open4) terminal.close()
    await until(async () => (await refusal()) !== 429)
    for (const nonsense of ['x', '{}', '{"start":{"columns":0,"rows":1}}', '{"start":{"columns":1e9,"rows":1}}', 'x'.repeat(600_000)]) {
      const terminal = await open()
      terminal.sendText(nonsense)
      expect(await terminal.over).toBe(null)
    }
  })
})

describe('the upgrade to a terminal is refused', () => {
  it('without the right, a shell in the list, a session in a header or cookie, and from a foreign page', async () => {
    const token = await product.signIn('anna')
    expect(await refusal({ token: '' })).toBe(401)
    expect(await refusal({ token: '', query: `?auth=${token}` })).toBe(401)
    expect(await refusal({ token, headers: { origin: 'https://evil.example' } })).toBe(403)
    expect(await refusal({ token, headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
    expect(await refusal({ token, path: '/secret' })).toBe(404)
    await allow('anna', ['ls', 'bashful', 'echo bash'])
    expect(await refusal({ token })).toBe(403)
    await allow('anna', ['/bin/sh'])
    expect(await refusal({ token, headers: { 'sec-websocket-protocol': 'other' } })).toBe(400)
    await product.setRights('anna', { ...EVERYTHING, execute: false })
    expect(await refusal({ token })).toBe(403)
  })

  it('where nothing runs, and where programs run without a sandbox', async () => {
    await using quiet = await startProduct({ storage: 'local', exec: false })
    await using bare = await startProduct({ storage: 'local', sandbox: createUnsandboxed() })
    await allow('ann', ['sh'], bare)
    for (const on of [quiet, bare]) expect((await on.ask('/api/terminal/', { headers: UPGRADE, who: 'ann' })).status).toBe(404)
  })
})

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': TERMINAL_PROTOCOL,
}

/** The status of an upgrade that is not let in. */
async function refusal({
  token,
  headers = {},
  path = '/',
  query = '',
}: { token?: string; headers?: Record<string, string>; path?: string; query?: string } = {}) {
  const auth = token ?? (await product.signIn('anna'))
  const answer = await product.ask(`/api/terminal${path}${query}`, {
    headers: { ...UPGRADE, ...headers, ...(auth !== '' && { 'x-auth': auth }) },
  })
  await answer.body?.cancel()
  return answer.status
}

async function allow(who: string, commands: string[], on = product): Promise<void> {
  const { id } = await on.account(who)
  await on.db
    .updateTable('users')
    .set({ commands: JSON.stringify(commands), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** @param options.attentive tells what it has seen, as our panel does */
async function open({ path = '/', who = 'anna', on = product, attentive = true } = {}) {
  const headers = { 'x-auth': await on.signIn(who) }
  const socket = new WebSocket(`ws://127.0.0.1:${on.port}/api/terminal${path}`, { headers, protocols: [TERMINAL_PROTOCOL] })
  socket.binaryType = 'arraybuffer'
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let said = ''
  let last: TerminalMessage | null = null
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') return void (last = TerminalMessage.parse(JSON.parse(data)))
    const bytes = Buffer.from(data)
    said += bytes.toString()
    if (attentive) send({ seen: bytes.length })
  })
  const send = (request: TerminalRequest) => socket.send(JSON.stringify(request))
  return {
    send,
    sendText: (text: string) => socket.send(text),
    close: () => socket.close(),
    said: () => said,
    shows: (text: string) => until(async () => said.includes(text)),
    over: new Promise<TerminalMessage | null>((resolve) => socket.addEventListener('close', () => resolve(last))),
  }
}

function count(command: string): number {
  return Number(Bun.spawnSync(['pgrep', '-fcx', command]).stdout.toString().trim())
}
