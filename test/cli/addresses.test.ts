import { expect, it, setDefaultTimeout } from 'bun:test'
import { createTestInstall } from './satchel.ts'

setDefaultTimeout(60_000)

it('an empty address is every address of the machine, of IPv4 and of IPv6', async () => {
  const install = await createTestInstall()
  await using server = await install.serve(['--address', ''])
  const { port } = new URL(server.url)
  const answers = await Promise.all(['127.0.0.1', '[::1]', 'localhost'].map((host) => fetch(`http://${host}:${port}/health`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
})
