import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { COMMAND_PROTOCOL, CommandMessage } from '../../src/shared/contract/command.ts'
import { EVERYTHING, type Product, startProduct, deny } from './world.ts'

let product: Product
beforeEach(async () => {
  product = await startProduct({ storage: 'local' })
  await product.seed({ '/ann/a.txt': 'a', '/ann/sub/b c.txt': 'bc', '/ann/secret/key.txt': 'the key', '/other.txt': 'other' })
  await product.add('anna', { scope: '/ann', rules: [deny('/secret')] })
  await product.db
    .updateTable('users')
    .set({ commands: JSON.stringify(['ls', 'echo', 'cat', 'sh', 'sleep', 'head', 'yes', 'find']), version: sql`version + 1` })
    .execute()
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

describe('the command socket with the predecessor’s protocol', () => {
  it('sends a frame for each line of output, and closes', async () => {
    expect((await talk('ls')).frames).toEqual(['a.txt', 'secret', 'sub'])
    expect((await talk('ls -1', { path: '/sub' })).frames).toEqual(['b c.txt'])
    expect((await talk('cat "sub/b c.txt" a.txt')).frames).toEqual(['bca'])
  })

  it('refuses programs that are not on the list, and invalid lines', async () => {
    for (const line of ['lsblk', '/bin/ls', 'rm -rf /', 'LS', './ls']) expect((await talk(line)).frames).toEqual(['Command not allowed.'])
    expect((await talk('ls "')).frames[0]).toContain('error parsing command')
  })

  it('runs a line as words without a shell: operators are plain text (GHSA-8c9q-7855-wfxq)', async () => {
    expect((await talk('echo a; touch x && $(id) | cat > y')).frames).toEqual(['a; touch x && $(id) | cat > y'])
    expect((await talk('ls')).frames).toEqual(['a.txt', 'secret', 'sub'])
  })
})

describe('the command socket with our protocol', () => {
  it('sends output of both streams as it comes, and the exit code', async () => {
    await product.world.settings.change((before) => ({ ...before, shell: ['/bin/sh', '-c'] }))
    const messages = await converse({ run: 'echo out; sleep 0.2; echo err >&2; sleep 0.2; exit 7' })
    expect(messages).toEqual([
      { from: 'stdout', text: 'out\n' },
      { from: 'stderr', text: 'err\n' },
      { ended: 'exited', exit: 7 },
    ])
    expect(await converse({ run: 'rm x' })).toEqual([{ ended: 'not-allowed', exit: null }])
    expect(await converse({ run: 'ls "' })).toEqual([{ ended: 'not-understood', exit: null }])
  })

  it('stops a program on request, and when the client disconnects', async () => {
    const socket = await connect({ structured: true })
    const ended = collect(socket)
    socket.send(JSON.stringify({ run: 'sleep 1300' }))
    socket.send(JSON.stringify({ stop: true }))
    expect((await ended).map((frame) => CommandMessage.parse(JSON.parse(frame)))).toEqual([{ ended: 'aborted', exit: null }])
    const leaver = await connect({ structured: true })
    leaver.send(JSON.stringify({ run: 'sleep 1301' }))
    while (running('sleep 1301') === 0) await Bun.sleep(20)
    leaver.close()
    while (running('sleep 1301') > 0) await Bun.sleep(20)
  })

  it('stops a program with endless output', async () => {
    const frames = await converse({ run: 'yes' })
    expect(frames.at(-1)).toEqual({ ended: 'too-much-output', exit: null })
  })
})

describe('a command sees', () => {
  it('only the files of its user, and nothing that rules deny (GHSA-hc8f-m8g5-8362, GHSA-3q2w-42mv-cph4)', async () => {
    await product.world.settings.change((before) => ({ ...before, shell: ['/bin/sh', '-c'] }))
    const seen = async (line: string) => (await talk(line)).frames.join('\n')
    expect(await seen('cat /etc/passwd /etc/shadow /root/.bashrc; ls /root /work /home; true; cat ../other.txt')).not.toMatch(
      /root:|other$/m,
    )
    expect(await seen('cat secret/key.txt; find . -name "key*"')).not.toContain('the key')
    expect(await seen('find / -xdev -name satchel.db 2>/dev/null | head')).toBe('')
    expect(await seen('cat /proc/1/environ | tr "\\0" "\\n"')).not.toContain(process.env['PATH'] ?? 'PATH')
    expect(await seen('echo x > made.txt; ls')).toContain('made.txt')
    expect(await seen('ls -A .satchel')).not.toContain('staging')
  })

  it('read-only files if its user may not change them', async () => {
    await product.setRights('anna', { ...EVERYTHING, delete: false })
    await product.world.settings.change((before) => ({ ...before, shell: ['/bin/sh', '-c'] }))
    expect((await talk('echo x > made.txt; echo y >> a.txt')).frames.join()).toContain('Read-only')
    expect(await product.read('/ann/a.txt')).toBe('a')
  })

  it('no files if its user may not read them', async () => {
    await product.setRights('anna', { ...EVERYTHING, download: false })
    expect((await talk('cat /files/a.txt')).frames.join()).toContain('No such file')
  })
})

describe('the upgrade is refused', () => {
  it('without the right, without a session, from a foreign page, and for a hidden folder (GHSA-39cx-23x9-5c8p)', async () => {
    const status = async (headers: Record<string, string>, path = '/') =>
      (await product.ask(`/api/command${path}`, { headers: { ...UPGRADE, ...headers } })).status
    const token = await product.signIn('anna')
    expect(await status({})).toBe(401)
    expect(await status({ 'x-auth': token, origin: 'https://evil.example' })).toBe(403)
    expect(await status({ 'x-auth': token, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status({ 'x-auth': token }, '/secret')).toBe(404)
    expect(await status({ 'x-auth': token }, '/none')).toBe(404)
    await product.setRights('anna', { ...EVERYTHING, execute: false })
    expect(await status({ 'x-auth': token })).toBe(403)
  })

  it('if commands are disabled, as if the call did not exist', async () => {
    await using quiet = await startProduct({ storage: 'local', exec: false })
    const answer = await quiet.ask('/api/command/', { headers: UPGRADE, who: 'root' })
    expect(answer.status).toBe(404)
    expect(await quiet.as('root').command.state({})).toEqual({ enabled: false, problem: null, boxed: true, runs: [] })
  })

  it('of a frame of more than 64 KiB: the connection ends, and nothing runs (GHSA-39cx-23x9-5c8p)', async () => {
    const socket = await connect({})
    const frames = collect(socket)
    socket.send(`echo ${'x'.repeat(600_000)}`)
    expect(await frames).toEqual([])
  })
})

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

async function connect({ path = '/', structured = false }: { path?: string; structured?: boolean }): Promise<WebSocket> {
  const token = await product.signIn('anna')
  const address = `ws://127.0.0.1:${product.port}/api/command${path}?auth=${token}`
  const socket = new WebSocket(address, structured ? { protocols: [COMMAND_PROTOCOL] } : {})
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  return socket
}

/** Every frame until the connection ends. */
function collect(socket: WebSocket): Promise<string[]> {
  const frames: string[] = []
  socket.addEventListener('message', ({ data }) => frames.push(String(data)))
  return new Promise((resolve) => socket.addEventListener('close', () => resolve(frames)))
}

async function talk(line: string, options: { path?: string } = {}): Promise<{ frames: string[] }> {
  const socket = await connect(options)
  const frames = collect(socket)
  socket.send(line)
  return { frames: await frames }
}

async function converse(request: { run: string }): Promise<CommandMessage[]> {
  const socket = await connect({ structured: true })
  const frames = collect(socket)
  socket.send(JSON.stringify(request))
  return (await frames).map((frame) => CommandMessage.parse(JSON.parse(frame)))
}

function running(command: string): number {
  return Number(
    Bun.spawnSync(['pgrep', '-fc', `^${command}`])
      .stdout.toString()
      .trim(),
  )
}
