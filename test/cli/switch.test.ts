import { expect, it, setDefaultTimeout } from 'bun:test'
import { serverCommand } from '../../scripts/lib/server.mjs'
import { switchOverAndBack } from '../../tools/switch/switch.ts'

setDefaultTimeout(120_000)

it('S1: a switch from the old server to this one and back, as docs/migrate.md says, loses no request, file or link', async () => {
  const options = { program: serverCommand(), rate: 50, pauseMs: 400, accounts: 4, links: 40, say: () => {} }
  const { failures, lostFiles, lostLinks, sent, uploads, made } = await switchOverAndBack(options)
  expect({ failures, lostFiles, lostLinks }).toEqual({ failures: [], lostFiles: [], lostLinks: [] })
  expect([sent > 100, uploads.length > 10, made.length > 1]).toEqual([true, true, true])
})
