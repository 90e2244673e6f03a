import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { PASSWORD, type Program, startProgram } from './contract/program.ts'
import { EXAMPLES, type Example, type Proxy, startProxy } from './proxies.ts'

setDefaultTimeout(60_000)

const home = mkdtempSync(join(tmpdir(), 'satchel-proxies-'))
afterAll(() => rmSync(home, { recursive: true }))
const examples: readonly Example[] = process.env['TRAEFIK'] === undefined ? EXAMPLES : [{ program: 'traefik', which: 0, base: '' }]

for (const example of examples) {
  const { program, which, base } = example
  describe(`behind ${program}, as in docs/reverse-proxies.md, at ${base || '/'}`, () => {
    let satchel: Program
    let proxy: Proxy | undefined
    beforeAll(async () => {
      const folder = join(home, `${program}-${which}`)
      satchel = await startProgram(folder, { args: ['--trusted-proxies', '127.0.0.1', '--disable-exec=false', '--baseURL', base] })
      proxy = await startProxy(example, { folder: join(folder, 'proxy'), to: new URL(satchel.url).host })
    })
    afterAll(async () => {
      await proxy?.[Symbol.asyncDispose]()
      await satchel.kill()
    })
    const at = (path: string): string => `${proxy?.origin}${base}${path}`
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(at(path), { ...init, headers: { 'x-auth': satchel.token, ...init.headers } })

    it('a page of this address signs in, and the cookie of its session counts', async () => {
      const origin = proxy?.origin ?? ''
      const body = JSON.stringify({ username: 'admin', password: PASSWORD })
      const signedIn = await fetch(at('/api/login'), { method: 'POST', headers: { origin, 'x-satchel-web': '1' }, body })
      const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const made = await fetch(at('/api/resources/made-by-cookie/'), {
        method: 'POST',
        headers: { origin, cookie, 'x-auth': await signedIn.text() },
      })
      expect([signedIn.status, made.status]).toEqual([200, 200])
    })

    it('the address of the client is its own', async () => {
      const body = JSON.stringify({ username: 'admin', password: PASSWORD })
      // From another address than the proxy's, which fetch cannot choose.
      await Bun.$`curl -sf --interface 127.0.0.2 -o /dev/null -d ${body} ${at('/api/login')}`
      expect(await (await ask('/api/audit')).text()).toContain('"127.0.0.2"')
    })

    it('a large file goes up and comes down, whole and in part', async () => {
      const bytes = Buffer.alloc(20 * 1024 * 1024, 'satchel ')
      const up = await ask('/api/resources/large.bin', { method: 'POST', body: bytes })
      const down = await (await ask('/api/raw/large.bin')).arrayBuffer()
      const part = await ask('/api/raw/large.bin', { headers: { range: 'bytes=8-14' } })
      expect([up.status, Buffer.from(down).equals(bytes), part.status, await part.text()]).toEqual([200, true, 206, 'satchel'])
    })

    it('a name with characters of addresses keeps them', async () => {
      const name = '100% & #1? ü [x]; a+b.txt'
      const up = await ask(`/api/resources/${encodeURIComponent(name)}`, { method: 'POST', body: 'kept' })
      const down = await ask(`/api/raw/${encodeURIComponent(name)}`)
      expect([up.status, readFileSync(join(home, `${program}-${which}`, 'root', name), 'utf8'), await down.text()]).toEqual([
        200,
        'kept',
        'kept',
      ])
    })

    it('an open folder follows changes at once', async () => {
      const { body } = await ask('/api/live/')
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      let said = ''
      while (!said.includes('event: ready')) said += (await reader?.read())?.value ?? ''
      await ask('/api/resources/new.txt', { method: 'POST', body: 'new' })
      while (!said.includes('event: changed')) said += (await reader?.read())?.value ?? ''
      await reader?.cancel()
    })

    it('a WebSocket opens', async () => {
      const socket = new WebSocket(`${at('/api/command/').replace('http', 'ws')}?auth=${satchel.token}`)
      const { promise, resolve } = Promise.withResolvers<string>()
      socket.onopen = () => resolve('open')
      socket.onclose = ({ code, reason }) => resolve(`closed: ${code} ${reason}`)
      expect(await promise).toBe('open')
      socket.close()
    })
  })
}
