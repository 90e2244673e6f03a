import { describe, expect, it } from 'bun:test'
import { createMemoryBus } from '../bus/memory.ts'
import { openTestDatabase } from '../db/test-database.ts'
import { Settings } from './settings.ts'
import { saveSetting, createSettings } from './store.ts'

describe('the settings', () => {
  it('have every field before they were saved', async () => {
    const { settings } = await world()
    const read = await settings.read()
    expect(read).toMatchObject({ signup: false, minimumPasswordLength: 12, userHomeBasePath: '/users', authMethod: 'json', rules: [] })
    expect(read.tus).toEqual({ chunkSize: 10_485_760, retryCount: 5 })
    expect(Object.keys(read.commands)).toHaveLength(10)
  })

  it('give new accounts no administration and no commands (GHSA-5gg9-5g7w-hm73)', async () => {
    const { defaults } = await (await world()).settings.read()
    expect(defaults.perm).toMatchObject({ admin: false, execute: false })
    expect(defaults.commands).toEqual([])
  })

  it('keep stored fields and add defaults for new ones', async () => {
    const { db, settings } = await world()
    await saveSetting(db, 'settings', JSON.stringify({ signup: true, branding: { name: 'Ann’s files' }, defaults: { locale: 'de' } }))
    const read = await settings.read()
    expect(read.branding).toMatchObject({ name: 'Ann’s files', theme: '' })
    expect(read.defaults).toMatchObject({ locale: 'de', viewMode: 'mosaic' })
    expect(read.signup).toBe(true)
  })

  it('are the same object until a change is announced', async () => {
    const { db, bus, settings } = await world()
    const first = await settings.read()
    await saveSetting(db, 'settings', '{"signup":true}')
    expect(await settings.read()).toBe(first)
    bus.announce('settings.changed', {})
    await Promise.resolve()
    expect((await settings.read()).signup).toBe(true)
  })

  it('include a change by another process after ten seconds', async () => {
    const { db, settings, pass } = await world()
    await settings.read()
    await saveSetting(db, 'settings', '{"signup":true}')
    pass(10_000)
    expect((await settings.read()).signup).toBe(true)
  })

  it('are an error, not a default, if they are invalid', async () => {
    const { db, settings } = await world()
    await saveSetting(db, 'settings', '{"signup":"yes"}')
    await expect(settings.read()).rejects.toThrow()
    expect(Settings.safeParse({ signup: 'yes' }).success).toBe(false)
  })
})

async function world() {
  let now = Date.parse('2026-11-21T00:00:00Z')
  const clock = () => new Date(now)
  const db = await openTestDatabase({ clock })
  const bus = createMemoryBus()
  return { db, bus, settings: createSettings({ db, bus, clock }), pass: (ms: number) => void (now += ms) }
}
