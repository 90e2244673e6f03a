import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { AppError, fail } from '../../shared/errors.ts'
import { errorResponse } from './errors.ts'
import { openLogFile } from './log-file.ts'
import { createLog, type Entry, LOG_FORMATS, type LogFormat, logRequests, textOf } from './log.ts'
import { createRouter } from './router.ts'

describe('the log of requests', () => {
  it('has the lines that fail2ban’s filters for the predecessor match', async () => {
    expect(await linesFor('/api/login')).toEqual([expect.stringMatching(/^\/api\/login: 403 192\.0\.2\.1 wrong-credentials POST \d+ms$/)])
  })

  it('cannot be evaded by another spelling of the URL', async () => {
    for (const address of ['/api/login?x=1', '/api/%6Cogin', '/%61pi/lo%67in?']) {
      expect([address, (await linesFor(address))[0]?.startsWith('/api/login: 403 192.0.2.1 ')]).toEqual([address, true])
    }
  })

  it('omits successful requests unless verbose', async () => {
    expect(await linesFor('/fine')).toEqual([])
    expect(await linesFor('/fine', { all: true })).toEqual([expect.stringMatching(/^\/fine: 200 192\.0\.2\.1 - POST \d+ms$/)])
  })

  it('never contains a query string', async () => {
    const [line] = await linesFor('/nope?auth=canary&token=canary&ticket=canary', { all: true })
    expect(line).not.toContain('canary')
  })
})

describe('a log', () => {
  it('removes credentials from all text', async () => {
    for (const format of LOG_FORMATS) {
      const text = await written((log) => {
        log('GET /api/raw/x?a=1&auth=canary.1 failed: fetch("http://h/?token=canary2&b=2") ?ticket=canary3')
        log('bad token eyJhbGciOiJIUzI1NiJ9.canary4.canary5-_')
      }, format)
      expect(text).not.toContain('canary')
      expect(text).toContain('?a=1&auth=*** failed')
    }
  })

  it('in JSON has one object per line, with time and message', async () => {
    const request = { path: '/api/login', status: 403, address: '192.0.2.1', code: 'wrong-credentials', method: 'POST', ms: 12 }
    const lines = (await written((log) => [request, 'tidying failed: x\ny'].forEach(log), 'json')).trimEnd().split('\n')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { time, ...request },
      { time, message: 'tidying failed: x\ny' },
    ])
    expect(lines[0]).toContain('"path":"/api/login","status":403,"address":"192.0.2.1"')
  })

  it('keeps each entry on one line, so that no name can forge an entry (R5)', async () => {
    for (const format of LOG_FORMATS) {
      const text = await written((log) => log("ENOENT 'a\n2026/11/21 04:31:01 /api/login: 403 6.6.6.6\r\u001b[31m\u2028\u009b'"), format)
      expect(text.trimEnd().split(/[\n\r\u2028]/)).toHaveLength(1)
      expect(text).not.toMatch(/[\u001b\u009b]/)
    }
  })

  it('timestamps each line like the predecessor', async () => {
    expect(await written((log) => log('x'))).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d x\n$/)
  })

  it('in a file is rotated when it is long, keeping ten files', async () => {
    const home = await mkdtemp(join(tmpdir(), 'satchel-log-'))
    let minute = 0
    const file = openLogFile(join(home, 'a.log'), { clock: () => new Date(Date.now() + ++minute * 60_000), rotateBytes: 10 })
    for (let i = 0; i < 15; i++) file.write(`line ${i}\n`)
    file.close()
    const names = (await readdir(home)).toSorted()
    expect(names).toHaveLength(11)
    expect(await readFile(join(home, 'a.log'), 'utf8')).toBe('line 14\n')
    expect(await readFile(join(home, names.at(-1) ?? ''), 'utf8')).toBe('line 13\n')
    await rm(home, { recursive: true })
  })
})

async function linesFor(address: string, { all = false } = {}): Promise<string[]> {
  const lines: string[] = []
  const app = createRouter()
  app.use(logRequests({ log: (entry) => lines.push(textOf(entry)), all }))
  app.onError((error) => errorResponse(error instanceof AppError ? error : new AppError('unexpected', { incident: '' }), ''))
  app.on(['POST'], '/fine', () => new Response('fine'))
  app.all('*', () => fail('wrong-credentials', {}))
  await app.request(address, { method: 'POST' }, { peer: '192.0.2.1' })
  return lines
}

async function written(work: (log: (entry: Entry) => void) => void, format: LogFormat = 'text'): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'satchel-log-'))
  const log = createLog(join(home, 'a.log'), { format })
  work(log.write)
  log.close()
  const text = await readFile(join(home, 'a.log'), 'utf8')
  await rm(home, { recursive: true })
  return text
}
