import { describe, expect, it } from 'bun:test'
import type { Bus } from './bus.ts'

/** What every bus owes. `settled` waits until announced facts have arrived. */
export function describeBus(name: string, make: () => Bus, settled: () => Promise<void>): void {
  describe(`${name} bus`, () => {
    it('notifies every listener of the topic and no others', async () => {
      const bus = make()
      const heard: string[] = []
      bus.on('user.changed', ({ userId }) => heard.push(`a${userId}`))
      bus.on('user.changed', ({ userId }) => heard.push(`b${userId}`))
      bus.on('settings.changed', () => heard.push('settings'))
      bus.announce('user.changed', { userId: 7 })
      await settled()
      expect(heard).toEqual(['a7', 'b7'])
    })

    it('returns before listeners are called', async () => {
      const bus = make()
      let told = false
      bus.on('settings.changed', () => (told = true))
      bus.announce('settings.changed', {})
      expect(told).toBe(false)
      await settled()
      expect(told).toBe(true)
    })

    it('does not call a listener that has unsubscribed', async () => {
      const bus = make()
      let count = 0
      const stop = bus.on('settings.changed', () => count++)
      stop()
      bus.announce('settings.changed', {})
      await settled()
      expect(count).toBe(0)
    })
  })
}
