import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFilePath as at, ROOT } from '../../src/shared/file-path.ts'
import { withAccess } from '../../scripts/print-security.ts'
import { ACCESS_ROWS, type AccessChange, changeName } from '../../scripts/security/access-table.ts'
import { CHANGES, type MakeChange, type Measured, OPERATIONS, tree } from './access-changes.ts'
import { createStorageGate, type StorageGate, type StorageAccess } from './storage-gate.ts'
import { until } from './until.ts'
import { makeToken } from './token-world.ts'
import { EVERYTHING, HOUR_MS, type Product, startProduct, withToken } from './world.ts'

// Far more than a busy machine takes.
setDefaultTimeout(300_000)

const PACE = { debounceMs: 1, minIntervalMs: 1, heartbeatMs: 600_000, pollMs: 600_000 }
const BLOCK = new Uint8Array(64 * 1024)
const BLOCKS = 10_000

describe('A8: access that ends during work applies from the next step', () => {
  for (const [name, how] of Object.entries(OPERATIONS)) {
    const { says, by } = ACCESS_ROWS[name as keyof typeof ACCESS_ROWS]
    for (const change of by)
      it(`${says}: ${changeName(change)}`, async () => {
        await using running = await start()
        await measure(running, how, CHANGES[change], change)
      })
  }

  for (const [name, how] of Object.entries(OPERATIONS).filter(([one]) => one !== 'shared'))
    // Event streams ask again at their next sign of life, which does not come here: test/contract/token-ends.test.ts.
    for (const [says, change] of Object.entries(TOKEN_ENDS).filter(([end]) => how !== 'events' || end === 'revoked'))
      it(`of an API token, ${ACCESS_ROWS[name as keyof typeof ACCESS_ROWS].says}: ${says}`, async () => {
        await using running = await start()
        const expires = Date.now() + HOUR_MS
        const { token } = await makeToken(running.product, 'ben', { perm: EVERYTHING, expires })
        await measure({ ...running, by: { ...running.by, token } }, how, change)
      })

  it('the table of docs/security.md matches what is measured here', () => {
    const page = readFileSync(join(import.meta.dir, '../../docs/security.md'), 'utf8')
    expect(withAccess(page)).toBe(page)
  })
})

/** How an API token ends; its user stays signed in. */
const TOKEN_ENDS: Record<string, MakeChange> = {
  revoked: async (product) => {
    for (const { id } of await product.as('ben').tokens.list({})) await product.as('ben').tokens.remove({ params: { id } })
  },
  ended: (product) => product.pass(HOUR_MS + 1000),
}

async function measure(running: Running, how: Measured, change: MakeChange, name?: AccessChange): Promise<void> {
  if (how === 'patch') await patch(running, change)
  else if (how === 'events') await events(running, change)
  else if ('job' in how) await job(running, change, how)
  else await download(running, { change, name }, how)
}

interface Running extends AsyncDisposable {
  readonly product: Product
  readonly gate: StorageGate
  readonly by: { readonly token: string; readonly hash: string }
}

async function start(): Promise<Running> {
  const gate = createStorageGate()
  const product = await startProduct({ around: gate.around, livePace: PACE })
  await product.seed(tree())
  await product.add('ben')
  const token = await product.signIn('ben')
  const body = JSON.stringify({ expires: '1', unit: 'hours' })
  const { hash } = (await (await product.ask('/api/share/tree', { method: 'POST', who: 'ben', body })).json()) as { hash: string }
  return { product, gate, by: { token, hash }, [Symbol.asyncDispose]: () => product[Symbol.asyncDispose]() }
}

/** Makes the change while the operation waits at the gate, and then opens the gate. */
async function changeInTheMiddle({ product, gate, by }: Running, change: MakeChange): Promise<void> {
  await gate.reached
  await change(product, by)
  gate.open()
}

/** What of the tree, or of the place where something comes of it, was touched after the change. */
function touched({ since }: StorageGate): StorageAccess[] {
  return since.filter(({ path }) => path.startsWith('/tree') || path.startsWith('/out'))
}

async function job(
  running: Running,
  change: MakeChange,
  { job: order, stops }: { job: object; stops: (touch: StorageAccess) => boolean },
): Promise<void> {
  const { product, gate, by } = running
  gate.close(stops)
  const begun = await product.ask('/api/jobs', withToken({ method: 'POST', body: JSON.stringify(order) }, by.token))
  expect(begun.ok).toBe(true)
  await changeInTheMiddle(running, change)
  const row = () => product.db.selectFrom('jobs').selectAll().where('user_id', 'is not', null).executeTakeFirstOrThrow()
  await until(async () => !['waiting', 'running'].includes((await row()).state))
  const { state, report } = await row()
  const { error } = JSON.parse(report) as { error: { code: string } | null }
  expect([state, ['access-changed', 'forbidden', 'download-refused'].includes(error?.code ?? '')]).toEqual(['failed', true])
  expect(touched(gate)).toEqual([])
  expect((await product.storage.staged()).length).toBe(0)
}

async function download(
  running: Running,
  { change, name }: { change: MakeChange; name: AccessChange | undefined },
  { get, stops }: { get: (hash: string) => string; stops: (touch: StorageAccess) => boolean },
): Promise<void> {
  const { product, gate, by } = running
  gate.close(stops)
  const address = get(by.hash)
  const isSearch = address.startsWith('/api/search')
  const init = address.startsWith('/api/public') ? {} : withToken({}, by.token)
  const ended = product.ask(address, init).then((response) => endOf(response))
  await changeInTheMiddle(running, change)
  const { isWhole, text } = await ended
  // A search leaves out what a rule denies; who may see nothing any more gets no answer.
  expect(isWhole).toBe(isSearch && name === 'rule')
  // Names may be seen without the right to read.
  expect(touched(gate).filter(({ what }) => name !== 'right' || what !== 'list')).toEqual([])
  if (isSearch) expect(text).not.toContain('d7')
}

async function endOf(response: Response): Promise<{ isWhole: boolean; text: string }> {
  try {
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    return { isWhole: response.ok && response.status !== 202, text }
  } catch {
    return { isWhole: false, text: '' }
  }
}

async function patch(running: Running, change: MakeChange): Promise<void> {
  const { product, by } = running
  const tus = { 'tus-resumable': '1.0.0' }
  const length = BLOCKS * BLOCK.length
  const create = { method: 'POST', headers: { ...tus, 'upload-length': String(length) } }
  expect((await product.ask('/api/tus/out/big.bin', withToken(create, by.token))).status).toBe(201)
  const sent = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  let [blocks, after, isChanged] = [0, 0, false]
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (blocks++ === 3) {
          sent.resolve()
          await changed.promise
        }
        if (isChanged) after += 1
        // As from a network: others have their turn between two blocks.
        await new Promise<void>((resolve) => void setImmediate(resolve))
        if (blocks > BLOCKS) controller.close()
        else controller.enqueue(BLOCK)
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  const answer = product.ask('/api/tus/out/big.bin', withToken({ method: 'PATCH', headers, body }, by.token))
  await sent.promise
  await change(product, by)
  isChanged = true
  changed.resolve()
  expect((await answer).ok).toBe(false)
  // It ended in the middle: most of it was never asked for.
  expect(after).toBeLessThan(BLOCKS / 2)
  expect((await product.storage.list(at('/out'))).names).toEqual(['tree'])
}

async function events(running: Running, change: MakeChange): Promise<void> {
  const { product, by } = running
  const response = await product.ask('/api/live/tree/', withToken({}, by.token))
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: ready')
  await change(product, by)
  for (let end = false; !end;) end = (await reader?.read().catch(() => ({ done: true })))?.done === true
  expect((await product.storage.stat(ROOT))?.kind).toBe('folder')
}
