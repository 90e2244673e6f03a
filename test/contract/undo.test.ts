import { describe, expect, it } from 'bun:test'
import { onEachStorage } from './world.ts'
import { refusal, remove } from './trash-calls.ts'

onEachStorage((product) => {
  const ann = () => product().as('ann')
  const undo = (group: string) => ann().operations.undo({ params: { group } })
  const redo = (group: string) => ann().operations.redo({ params: { group } })

  describe('undo and redo', () => {
    it('of deletions, as often as asked', async () => {
      await product().seed({ '/docs/a.txt': 'a', '/b.txt': 'b' })
      const group = crypto.randomUUID()
      for (const path of ['/docs', '/b.txt']) await remove(product(), 'ann', path, group)
      for (let round = 0; round < 3; round++) {
        const undone = await undo(group)
        expect(undone.items.map(({ path, outcome }) => [path, outcome])).toEqual([
          ['/docs', 'done'],
          ['/b.txt', 'done'],
        ])
        expect(await product().read('/docs/a.txt')).toBe('a')
        expect((await undo(group)).group).toBe(null)
        const redone = await redo(group)
        expect(redone.items.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
        expect(await refusal(product().read('/b.txt'))).not.toBe('none')
        expect((await redo(group)).group).toBe(null)
      }
      expect(await refusal(product().as('root').operations.redo({ params: { group } }))).toBe('not-found')
    })
  })
})
