import { afterEach, beforeEach, expect, it } from 'bun:test'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { createMemoryBus } from '../bus/memory.ts'
import { createSettings } from '../settings/store.ts'
import type { Account } from '../users/account.ts'
import { createDeviceNotices, KNOWN_MS } from './device-notices.ts'

// Of the account only its id is looked at.
const ANN = { id: 7 } as Account
const FIREFOX = 'Mozilla/5.0 (X11; Linux) Firefox/140.0'

let db: Kysely<Schema>
let now = 0
let told: string[] = []
const clock = () => new Date(now)
let onSignIn: ReturnType<typeof createDeviceNotices>['onSignIn']
beforeEach(async () => {
  now = Date.parse('2026-11-27T00:00:00Z')
  told = []
  db = await openTestDatabase({ clock })
  const mailer = {
    isOn: async () => true,
    queue: async (_about: unknown, _user: unknown, { data = {} }: { data?: Record<string, string> } = {}) =>
      told.push(data['address'] ?? '') > 0,
  }
  const settings = createSettings({ db, bus: createMemoryBus(), clock })
  ;({ onSignIn } = createDeviceNotices({ db, settings, mailer, clock, log: () => undefined }))
})
afterEach(() => db.destroy())

const arrive = (address: string, { browser = '', web = false, userAgent = FIREFOX } = {}) =>
  onSignIn(ANN, { from: { address, userAgent, browser }, web })

it('a program is known by its name and its network; the next of the same provider is another network', async () => {
  await arrive('192.0.2.7')
  await arrive('192.0.2.7', { userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/141.0' })
  expect(told).toEqual([])
  await arrive('192.0.2.8')
  await arrive('2001:db8:0:1::1')
  await arrive('2001:db8:0:1::2')
  expect(told).toEqual(['192.0.2.8', '2001:db8:0:1::1'])
})

it('a browser is known by its secret anywhere, until it was not seen for thirteen months; what a program sends as one does not count', async () => {
  const browser = (await arrive('192.0.2.7', { web: true })) ?? ''
  expect(browser).toHaveLength(43)
  expect(await arrive('198.51.100.1', { web: true, browser })).toBe(null)
  expect(told).toEqual([])
  await arrive('198.51.100.2', { browser })
  expect(told).toEqual(['198.51.100.2'])
  now += KNOWN_MS - 1
  await arrive('198.51.100.3', { web: true, browser })
  expect(told.length).toBe(1)
  expect(JSON.stringify(await db.selectFrom('known_devices').selectAll().execute())).not.toContain(browser)
})

it('a limited number of devices is remembered', async () => {
  for (let n = 0; n < 150; n++) await arrive(`192.0.2.${n}`)
  expect((await db.selectFrom('known_devices').selectAll().execute()).length).toBeLessThan(105)
})
