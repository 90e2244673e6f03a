import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { Rule } from '../../src/shared/contract/users.ts'
import { zipOf } from './archive-samples.ts'
import { until } from './until.ts'
import { deny, onEachStorage, type Product, withToken } from './world.ts'

// Each extraction is a program that is started; a busy machine takes its time.
setDefaultTimeout(300_000)

/*
 * Calls that work on whole trees, with something hidden in the way and without it. Whoever may not see it must not be able to tell one from the
 * other by the answer.
 */

const PATTERN: Rule = { regex: true, allow: false, path: '', regexp: { raw: '/hidden$' } }
const WAYS = { 'a path': deny('/goal/tree/hidden'), 'a pattern': PATTERN }

/** What may stand, hidden, where something is to be put: nothing, and what clashes with a file or a folder of that name. */
const THERE: Record<string, Record<string, string>> = {
  nothing: {},
  'a file': { '/goal/tree/hidden': 'secret' },
  'a folder': { '/goal/tree/hidden/x': 'secret' },
}
/** What is to be put there. */
const SENT: Record<string, Record<string, string>> = {
  'a file': { '/from/tree/hidden': 'mine', '/from/tree/z': 'z' },
  'a folder': { '/from/tree/hidden/x': 'mine', '/from/tree/z': 'z' },
  'something else': { '/from/tree/z': 'z' },
}

onEachStorage((product) => {
  describe('A7: transferring a tree over another reveals nothing hidden', () => {
    for (const [way, rule] of Object.entries(WAYS))
      for (const [what, sent] of Object.entries(SENT))
        it(`in the target by copying, moving or extracting ${what}, with and without override, hidden by ${way}`, async () => {
          const answers: Record<string, unknown> = {}
          for (const [there, files] of Object.entries(THERE)) answers[there] = await allAnswers(product(), { there, files, sent, rule })
          const { nothing, ...others } = answers
          for (const [there, answer] of Object.entries(others)) expect([there, answer]).toEqual([there, nothing])
        })

    it('in the source', async () => {
      const ask = async (name: string, files: Record<string, string>): Promise<unknown> => {
        await product().seed({ [`/${name}/from/tree/z`]: 'z', [`/${name}/goal/tree/hidden`]: 'a file in the way', ...files })
        await product().add(name, { scope: `/${name}`, rules: [deny('/from/tree/hidden')] })
        return transfer(product(), name, 'action=copy&destination=/goal/tree&override=true')
      }
      const without = await ask('none', {})
      expect(without).toEqual([200, '200 OK\n'])
      expect(await ask('some', { '/some/from/tree/hidden/x': 'secret' })).toEqual(without)
    })
  })

  describe('A7: a folder in which a rule names a path', () => {
    it('cannot be removed, moved or renamed, whether or not the path exists', async () => {
      const calls: Record<string, (who: string) => Promise<Response>> = {
        remove: (who) => product().ask('/api/resources/from/tree', { method: 'DELETE', who }),
        move: (who) => product().ask('/api/resources/from/tree?action=rename&destination=/goal/new', { method: 'PATCH', who }),
        rename: (who) => product().ask('/api/resources/from?action=rename&destination=/other', { method: 'PATCH', who }),
      }
      for (const [call, ask] of Object.entries(calls)) {
        const answers: unknown[] = []
        for (const [n, files] of [{}, { '/from/tree/hidden/x': 'secret' }, { '/from/tree/hidden': 'secret' }].entries()) {
          const name = `${call}${n}`
          const below = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/${name}${path}`, text]))
          await product().seed({ [`/${name}/from/tree/seen`]: '', [`/${name}/goal/x`]: '', ...below })
          await product().add(name, { scope: `/${name}`, rules: [deny('/from/tree/hidden')] })
          const response = await ask(name)
          answers.push([response.status, await response.text()])
        }
        expect(answers).toEqual(answers.map(() => [403, '403 Forbidden\n']))
      }
    })
  })

  describe('A17: a folder denied by a pattern that ends in $', () => {
    it('protects its content: nothing can be read, listed, found, created, changed, moved or shared', async () => {
      await product().seed({ '/docs/hidden/in/a.txt': 'secret', '/docs/b.txt': 'shown' })
      await product().add('ben', { rules: [PATTERN] })
      const before = await product().snapshot()
      const below = '/docs/hidden/in/a.txt'
      const status = async (address: string, init: RequestInit = {}) => (await product().ask(address, { who: 'ben', ...init })).status
      expect(
        await Promise.all([
          status(`/api/raw${below}`),
          status(`/api/resources${below}`),
          status('/api/resources/docs/hidden/in/'),
          status('/api/resources/docs/hidden/in/new.txt', { method: 'POST', body: 'x' }),
          status(`/api/resources${below}`, { method: 'PUT', body: 'x' }),
          status(`/api/resources${below}`, { method: 'DELETE' }),
          status(`/api/resources${below}?action=copy&destination=/taken.txt`, { method: 'PATCH' }),
          status(`/api/resources${below}?action=rename&destination=/taken.txt`, { method: 'PATCH' }),
          status(`/api/share${below}`, { method: 'POST', body: '{}' }),
          status(`/api/preview/thumb${below}`),
        ]),
      ).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 404, 404])
      const text = async (address: string) => (await product().ask(address, { who: 'ben' })).text()
      expect(await text('/api/search/?query=a.txt')).not.toContain('hidden')
      expect(await text('/api/search/?query=content:secret')).not.toContain('hidden')
      expect(await text('/api/resources/recursive/')).not.toContain('hidden')
      const archive = await text('/api/raw/docs?algo=tar')
      expect([archive.includes('shown'), archive.includes('secret')]).toEqual([true, false])
      expect(await product().snapshot()).toEqual(before)
    })
  })

  describe('A14: a symbolic link through a hidden folder', () => {
    it('is broken, whether or not the folder exists', async () => {
      await product().seed({ '/pub/k': 'public', '/secret/there/x': 'secret', '/open/a/x': '' })
      await product().link('/secret/jump', '../pub/k')
      // A link that is denied itself, between places that are not.
      await product().link('/pub/jump', 'k')
      await product().add('ben', { rules: [deny('/secret'), deny('/pub/jump'), deny('/pub/no-jump')] })
      const targets = [
        '../secret/there/../../pub/k',
        '../secret/none/../../pub/k',
        '../secret/jump',
        '../secret/no-jump',
        '../secret/../pub/k',
        'jump',
        'no-jump',
      ]
      for (const [n, target] of targets.entries()) await product().link(`/pub/l${n}`, target)
      await product().link('/pub/fine', '../open/a/../../pub/k')
      const answers = await Promise.all(targets.map(async (_, n) => seenAt(product(), `l${n}`)))
      for (const answer of answers) expect(answer).toEqual(answers[1])
      expect((await product().ask('/api/raw/pub/fine', { who: 'ben' })).status).toBe(200)
      // Whoever may see it, may use it.
      expect((await product().ask('/api/raw/pub/l0', { who: 'ann' })).status).toBe(200)
    })
  })
})

/** What raw, listing and the folder's listing say of a link, without its own name and time. */
async function seenAt(product: Product, name: string): Promise<unknown> {
  const raw = await product.ask(`/api/raw/pub/${name}`, { who: 'ben' })
  const one = await product.ask(`/api/resources/pub/${name}`, { who: 'ben' })
  const { items } = (await (await product.ask('/api/resources/pub', { who: 'ben' })).json()) as { items: { name: string }[] }
  const listed = JSON.stringify(items.find((item) => item.name === name))
  const plain = (text: string): string => text.replaceAll(name, '*').replace(/"(modified|size|mode)":("[^"]*"|\d+)/g, '')
  return [raw.status, one.status, plain(await one.text()), plain(listed)]
}

interface Case {
  readonly there: string
  readonly files: Record<string, string>
  readonly sent: Record<string, string>
  readonly rule: Rule
}

/** Of each call, by somebody with a folder of their own, in which nothing has been done before. */
async function allAnswers(product: Product, { there, files, sent, rule }: Case): Promise<unknown> {
  const calls: Record<string, (name: string) => Promise<unknown>> = {}
  for (const action of ['copy', 'rename'])
    for (const flags of ['', '&override=true', '&rename=true'])
      calls[action + flags] = (name) => transfer(product, name, `action=${action}&destination=/goal/tree${flags}`)
  for (const taken of ['refuse', 'replace', 'rename', 'skip']) calls[`extract ${taken}`] = (name) => extract(product, name, taken)
  const answers: Record<string, unknown> = {}
  for (const [n, [call, ask]] of Object.entries(calls).entries()) {
    const name = `${there.replaceAll(' ', '')}${n}`
    const below = (tree: Record<string, string>) =>
      Object.fromEntries(Object.entries(tree).map(([path, text]) => [`/${name}${path}`, text]))
    const entries = Object.entries(sent).map(([path, text]) => ({ name: path.slice('/from/'.length), text }))
    await product.seed({ ...below(sent), ...below(files), [`/${name}/goal/tree/seen`]: 'seen', [`/${name}/x.zip`]: zipOf(entries) })
    await product.add(name, { scope: `/${name}`, rules: [rule] })
    answers[call] = await ask(name)
  }
  return answers
}

async function transfer(product: Product, who: string, query: string): Promise<unknown> {
  const response = await product.ask(`/api/resources/from/tree?${query}`, { method: 'PATCH', who })
  return [response.status, await response.text()]
}

async function extract(product: Product, who: string, taken: string): Promise<unknown> {
  const token = await product.signIn(who)
  const body = JSON.stringify({ kind: 'extract', path: '/x.zip', destination: '/goal', taken })
  const begun = await product.ask('/api/jobs', withToken({ method: 'POST', body, headers: { accept: 'application/json' } }, token))
  if (!begun.ok) return [begun.status, await begun.text()]
  const jobs = async () => (await (await product.ask('/api/jobs', withToken({}, token))).json()) as { state: string; items: number }[]
  await until(async () => !['waiting', 'running'].includes((await jobs())[0]?.state ?? ''))
  const { state, items, leftOut, error } = ((await jobs())[0] ?? {}) as Record<string, unknown>
  return [state, items, leftOut, error]
}
