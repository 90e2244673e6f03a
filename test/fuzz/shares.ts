import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { deny, EVERYTHING, HOUR_MS, type Product, startProduct } from '../contract/world.ts'
import { property } from './property.ts'

/** What is known of a link and of what it hangs on. */
interface State {
  path: string
  /** Whether the very object is still there and the link was neither taken back nor has ended. */
  alive: boolean
  shares: boolean
  enabled: boolean
  ruled: boolean
}

/** What may happen to it; each says what is so afterwards. */
const STEPS: Record<string, (product: Product, state: State, hash: string) => Promise<Partial<State>>> = {
  'is renamed': async (product, { path }) => {
    const to = path === '/docs/a.txt' ? '/docs/b.txt' : '/docs/a.txt'
    const moved = await product
      .as('root')
      .resources.transfer({ params: { path: at(path) }, query: { action: 'rename', destination: to } })
      .then(
        () => true,
        () => false,
      )
    return moved ? { path: to } : {}
  },
  'is saved': async (product, { path }) => {
    await product.as('root').resources.save({ params: { path: at(path) }, body: 'text' })
    return {}
  },
  'is replaced from outside': async (product, { path }) => {
    await product.storage.remove(at(path))
    await product.seed({ [path]: 'text' })
    return { alive: false }
  },
  'is deleted and made anew': async (product, { path }) => {
    await product.as('root').resources.remove({ params: { path: at(path) } })
    await product.seed({ [path]: 'text' })
    return { alive: false }
  },
  'has an owner who may share no more': async (product) => {
    await product.setRights('ann', { ...EVERYTHING, share: false })
    return { shares: false }
  },
  'has an owner who may share again': async (product) => {
    await product.setRights('ann', EVERYTHING)
    return { shares: true }
  },
  'has an owner who is switched off': async (product) => {
    await product.world.users.setDisabled((await product.account('ann')).id, { disabled: true })
    return { enabled: false }
  },
  'has an owner who is switched on': async (product) => {
    await product.world.users.setDisabled((await product.account('ann')).id, { disabled: false })
    return { enabled: true }
  },
  'is closed by a rule': async (product) => {
    await product.setRules('ann', [deny('/docs')])
    return { ruled: true }
  },
  'is opened by a rule': async (product) => {
    await product.setRules('ann', [])
    return { ruled: false }
  },
  'waits half an hour': async (product) => {
    product.pass(HOUR_MS / 2)
    return {}
  },
  'is taken back': async (product, _, hash) => {
    await product
      .as('root')
      .shares.remove({ params: { hash } })
      .catch(() => undefined)
    return { alive: false }
  },
  'outlives a restart': async (product) => {
    product.restart()
    return {}
  },
}

export const SHARES = [
  property(
    'a link is good as long as its very object and its owner’s right are there, whatever happens in between',
    12,
    fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 10 }),
    async (steps) => {
      await using product = await startProduct()
      await product.seed({ '/docs/a.txt': 'text' })
      const { hash } = await product.as('ann').shares.create({ params: { path: at('/docs/a.txt') }, body: '' })
      let state: State = { path: '/docs/a.txt', alive: true, shares: true, enabled: true, ruled: false }
      for (const step of steps) {
        state = { ...state, ...(await STEPS[step]?.(product, state, hash)) }
        const answer = await product.ask(`/api/public/dl/${hash}`)
        const good = state.alive && state.shares && state.enabled && !state.ruled
        expect([step, answer.status, await answer.text()]).toEqual([step, ...(good ? [200, 'text'] : [404, '404 Not Found\n'])] as never)
      }
    },
  ),
]
