import { describe, expect, it } from 'bun:test'
import { isAppError } from '../../shared/errors.ts'
import { checkSettings } from './check.ts'
import { Settings } from './settings.ts'
import { toWire } from './wire.ts'

const WIRE = toWire(Settings.parse({}))

describe('settings saved by an administrator', () => {
  it('are valid by default', async () => {
    expect(await issuesOf({})).toEqual([])
  })

  it('need a valid colour', async () => {
    const colour = async (color: string) => (await issuesOf({ branding: { ...WIRE.branding, color } })).length === 0
    for (const good of ['', '#abc', '#AABBCC80', 'rebeccapurple', 'rgb(1, 2, 3)', 'hsl(210deg 50% 40% / .5)', 'oklch(0.7 0.1 200)'])
      expect([good, await colour(good)]).toEqual([good, true])
    for (const bad of ['url(//x)', 'red;', 'red}', '"', '#12', 'var(--x)', 'rgb(url(x))', '<b>', `#${'a'.repeat(99)}`, 'red\n'])
      expect([bad, await colour(bad)]).toEqual([bad, false])
  })

  it('have at most a thousand rules', async () => {
    const rules = (count: number) => Array.from({ length: count }, () => ({ regex: false, allow: false, path: '/x', regexp: null }))
    expect([await issuesOf({ rules: rules(1000) }), await issuesOf({ rules: rules(1001) })]).toEqual([[], ['rules: more than 1000']])
  })

  it('report all issues at once', async () => {
    const branding = { ...WIRE.branding, files: '/gone', name: 'x'.repeat(256) }
    const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(?=a)' } }]
    expect(await issuesOf({ branding, rules, minimumPasswordLength: 1025, commands: { toString: [] } })).toHaveLength(5)
  })
})

async function issuesOf(change: Partial<typeof WIRE>): Promise<string[]> {
  try {
    await checkSettings({ ...WIRE, ...change }, async (path) => path === '/there')
    return []
  } catch (error) {
    if (isAppError(error, 'invalid-input')) return error.detail.issues
    throw error
  }
}
