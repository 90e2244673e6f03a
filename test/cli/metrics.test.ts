import { expect, it, setDefaultTimeout } from 'bun:test'
import { createTestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

it('metrics are served on an address of their own when asked for, and never on the public one', async () => {
  const { serve, run } = await createTestInstall()
  await using server = await serve(['--metricsAddress', '127.0.0.1:0'])
  const address = /^Metrics are at (\S+)$/m.exec(server.said)?.[1] ?? ''
  await fetch(`${server.url}health`)
  const response = await fetch(address)
  expect(response.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  const text = await response.text()
  expect(text).toContain('satchel_http_requests_total{method="GET",route="/health",status="200"} 1')
  expect(text).toContain('satchel_users 1')
  expect(text).toEndWith('# EOF\n')
  expect(await (await fetch(`${server.url}metrics`)).text()).not.toContain('satchel_http_requests')
  const root = new URL('/', address)
  expect([(await fetch(root)).status, (await fetch(address, { method: 'POST' })).status]).toEqual([404, 405])
  const taken = await run(['--port', '0', '--data', 'other', '--new-database', '--metricsAddress', new URL(address).host])
  expect([taken.code, taken.complaints]).toEqual([1, expect.stringContaining('--metricsAddress')])
  expect((await run(['--metricsAddress', 'everywhere'])).complaints).toContain('an address with a port')
})
