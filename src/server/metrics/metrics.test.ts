import { describe, expect, it } from 'bun:test'
import { openTestDatabase } from '../db/test-database.ts'
import { createRouter } from '../http/router.ts'
import { exposition, single } from './exposition.ts'
import { createMetrics } from './metrics.ts'

describe('OpenMetrics text', () => {
  it('names each family before its samples, escapes quoted text, and ends with EOF', () => {
    const text = exposition([
      single({ name: 'a_bytes', type: 'counter', unit: 'bytes', help: 'Two\nlines.' }, 3),
      { name: 'b', type: 'gauge', help: 'b', samples: [{ suffix: '', labels: { route: 'x"\\\n' }, value: Number.POSITIVE_INFINITY }] },
    ])
    expect(text).toBe(
      '# TYPE a_bytes counter\n# UNIT a_bytes bytes\n# HELP a_bytes Two\\nlines.\na_bytes_total 3\n' +
        '# TYPE b gauge\n# HELP b b\nb{route="x\\"\\\\\\n"} +Inf\n# EOF\n',
    )
  })
})

describe('requests', () => {
  it('are counted by route and status, so that clients cannot create series', async () => {
    const { ask, value } = await measured()
    for (const path of ['/files/a', '/files/b', '/files/c?token=x', '/nothing', '/fails']) await ask(path)
    expect(await value('satchel_http_requests_total{method="GET",route="/files/:name",status="200"}')).toBe(3)
    expect(await value('satchel_http_requests_total{method="GET",route="/*",status="500"}')).toBe(1)
    expect(await value('satchel_http_requests_total{method="GET",route="/fails",status="500"}')).toBe(1)
    expect(await value('satchel_http_request_duration_seconds_count{method="GET",route="/files/:name"}')).toBe(3)
    expect(await value('satchel_http_request_duration_seconds_bucket{method="GET",route="/files/:name",le="+Inf"}')).toBe(3)
    expect(await value('satchel_http_requests_running')).toBe(0)
  })

  it('count request and response bytes by their declared length', async () => {
    const { ask, value } = await measured()
    await ask('/files/a', { method: 'PUT', body: 'four', headers: { 'content-length': '4' } })
    await ask('/files/a', { headers: { 'content-length': 'nonsense' } })
    expect(await value('satchel_http_transferred_bytes_total{direction="received"}')).toBe(4)
    expect(await value('satchel_http_transferred_bytes_total{direction="sent"}')).toBe(10)
  })

  it('are served with current gauges, and contain no user names', async () => {
    const { text } = await measured()
    const all = await text()
    for (const name of ['satchel_sessions 0', 'satchel_jobs{state="waiting"} 0', 'satchel_password_hashes_waiting 2', 'process_open_fds '])
      expect(all).toContain(`\n${name}`)
    expect(all).toEndWith('# EOF\n')
  })
})

async function measured() {
  const clock = () => new Date('2026-11-22T00:00:00Z')
  const db = await openTestDatabase({ clock })
  const metrics = createMetrics({ db, database: 'memory', version: '1.0.0', clock, hashing: () => ({ running: 1, waiting: 2 }) })
  const app = createRouter()
  app.onError(() => new Response('', { status: 500 }))
  app.use(metrics.measure)
  app.on(['GET', 'PUT'], '/files/:name', () => new Response('hello', { headers: { 'content-length': '5' } }))
  app.get('/fails', () => {
    throw new Error('on purpose')
  })
  return {
    ask: async (path: string, init?: RequestInit) => app.request(path, init),
    text: () => metrics.render(),
    async value(sample: string) {
      const line = (await metrics.render()).split('\n').find((one) => one.startsWith(`${sample} `))
      return line === undefined ? null : Number(line.slice(sample.length + 1))
    },
  }
}
