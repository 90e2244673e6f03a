import { beforeEach, afterEach, describe, expect, it } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OFFSET_MEDIA_TYPE } from '../../src/shared/contract/tus.ts'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { EVERYTHING, type Product, startProduct, deny } from './world.ts'
import { until } from './until.ts'

/** Writes down what it is told, one line a call. */
const TELL = `sh -c 'echo "$TRIGGER $USERNAME $FILE $DESTINATION" >> /files/told.txt'`
const EVENTS = ['upload', 'save', 'copy', 'rename', 'delete'] as const

let product: Product
beforeEach(async () => {
  product = await startProduct({ storage: 'local' })
  await product.seed({ '/a.txt': 'a', '/b.txt': 'b' })
})
afterEach(async () => {
  await product[Symbol.asyncDispose]()
})

describe('hooks', () => {
  it('run for visitors’ uploads as operations of the owner', async () => {
    await hooks({ before_upload: [TELL], after_upload: [TELL] })
    await product.seed({ '/box/': '' })
    const { hash } = await product.as('ann').shares.create({ params: { path: at('/box') }, body: '{"rights":"drop"}' })
    const upload = { hash, upload: crypto.randomUUID(), path: at('/sent.txt') }
    await product.as('visitor').sent.create({ params: upload, headers: { 'upload-length': '4' } })
    const appending = { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE }
    await product.as('visitor').sent.append({ params: upload, headers: appending, body: 'four' })
    expect((await product.read('/told.txt')).trim().split('\n')).toEqual([
      'before_upload ann /files/box/sent.txt /files',
      'after_upload ann /files/box/sent.txt /files',
    ])
  })

  it('run for every event and every endpoint, before and after, as the acting user', async () => {
    await hooks(
      Object.fromEntries(
        EVENTS.flatMap((event) => [
          [`before_${event}`, [TELL]],
          [`after_${event}`, [TELL]],
        ]),
      ),
    )
    const ann = product.as('ann')
    await ann.resources.upload({ params: { path: at('/new.txt') }, body: 'x' })
    await ann.resources.upload({ params: { path: at('/made'), slash: true }, body: '' })
    await ann.tus.create({ params: { path: at('/big.bin') }, headers: { 'upload-length': '4' } })
    await ann.tus.append({
      params: { path: at('/big.bin') },
      headers: { 'upload-offset': '0', 'content-type': OFFSET_MEDIA_TYPE },
      body: 'four',
    })
    await ann.resources.save({ params: { path: at('/a.txt') }, body: 'saved' })
    await ann.resources.transfer({ params: { path: at('/a.txt') }, query: { action: 'copy', destination: '/copy.txt' } })
    await ann.resources.transfer({ params: { path: at('/b.txt') }, query: { action: 'rename', destination: '/c.txt' } })
    await ann.resources.remove({ params: { path: at('/c.txt') } })
    expect((await product.read('/told.txt')).trim().split('\n')).toEqual([
      'before_upload ann /files/new.txt /files',
      'after_upload ann /files/new.txt /files',
      'before_upload ann /files/made /files',
      'after_upload ann /files/made /files',
      'before_upload ann /files/big.bin /files',
      'after_upload ann /files/big.bin /files',
      'before_save ann /files/a.txt /files',
      'after_save ann /files/a.txt /files',
      'before_copy ann /files/a.txt /files/copy.txt',
      'after_copy ann /files/a.txt /files/copy.txt',
      'before_rename ann /files/b.txt /files/c.txt',
      'after_rename ann /files/b.txt /files/c.txt',
      'before_delete ann /files/c.txt /files',
      'after_delete ann /files/c.txt /files',
    ])
  })

  it('that fail before an operation cancel it, with their output', async () => {
    await hooks(Object.fromEntries(EVENTS.map((event) => [`before_${event}`, ["sh -c 'echo no thanks >&2; exit 3'"]])))
    const before = await product.snapshot()
    const answers = await Promise.all([
      product.ask('/api/resources/new.txt', { method: 'POST', body: 'x', who: 'ann', headers: { accept: 'application/json' } }),
      product.ask('/api/resources/a.txt', { method: 'PUT', body: 'x', who: 'ann', headers: { accept: 'application/json' } }),
      product.ask('/api/resources/a.txt', { method: 'DELETE', who: 'ann', headers: { accept: 'application/json' } }),
      product.ask('/api/resources/a.txt?action=copy&destination=/x', {
        method: 'PATCH',
        who: 'ann',
        headers: { accept: 'application/json' },
      }),
      product.ask('/api/resources/a.txt?action=rename&destination=/x', {
        method: 'PATCH',
        who: 'ann',
        headers: { accept: 'application/json' },
      }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({ code: 'hook-failed', detail: { output: 'no thanks' } })
    }
    expect(await product.snapshot()).toEqual(before)
  })

  it('receive hostile names unchanged (GHSA-jvpw-637p-h3pw)', async () => {
    await hooks({ after_upload: ['cp $FILE /files/seen', `sh -c 'cat "$FILE" > /dev/null'`] }, [])
    const names = [
      'x;touch PWNED;$(id>P2)`id`|cat && y.txt',
      '-rf',
      '$FILE',
      '"quoted" \'name\'',
      'a\\b',
      '${HOME}',
      'new\nline',
      '*',
      '~',
      '\u202egpj.exe',
      '%FF%00',
      '& &',
      '#',
      '!!',
    ]
    for (const name of names) {
      await product.as('ann').resources.upload({ params: { path: at(`/in/${name}`) }, body: name })
      expect(await product.read('/seen')).toBe(name)
    }
    expect((await readdir(product.root)).toSorted()).toEqual(['.satchel', 'a.txt', 'b.txt', 'in', 'seen'])
    expect((await readdir(join(product.root, 'in'))).length).toBe(names.length)
  })

  it('with & are not waited for', async () => {
    await hooks({ after_upload: ["sh -c 'sleep 3; echo late > /files/late.txt' &"] })
    await product.as('ann').resources.upload({ params: { path: at('/new.txt') }, body: 'x' })
    expect(await product.storage.stat(at('/late.txt'))).toBe(null)
    await until(async () => (await product.storage.stat(at('/late.txt'))) !== null)
  })

  it('that fail after an operation do not undo it, are shown to administrators, and are retried', async () => {
    await hooks({ after_save: ["sh -c 'echo tried >> /files/tries.txt; echo broken; test -e /files/mended'"] })
    expect((await product.ask('/api/resources/a.txt', { method: 'PUT', body: 'saved', who: 'ann' })).status).toBe(200)
    expect(await product.read('/a.txt')).toBe('saved')
    const runs = async () => (await product.as('root').command.state({})).runs
    expect(await runs()).toMatchObject([
      { event: 'after_save', username: 'ann', path: '/a.txt', state: 'waiting', attempts: 1, output: 'broken' },
    ])
    await writeFile(join(product.root, 'mended'), '')
    product.pass(60_000)
    product.world.worker.wake()
    await until(async () => (await runs())[0]?.state === 'done')
    expect(await product.read('/tries.txt')).toBe('tried\ntried\n')
  })

  it('that were started by a killed server are run by the next', async () => {
    await hooks({ after_save: [TELL] })
    const { id } = await product.account('ann')
    const task = { event: 'after_save', line: TELL, userId: id, username: 'ann', file: '/a.txt', destination: null }
    const job = await product.world.outbox.add('hook', JSON.stringify(task), { dueInMs: 0 })
    await product.world.outbox.take(job.id)
    product.restart()
    product.pass(31 * 60_000)
    product.world.worker.wake()
    await until(async () => (await product.storage.stat(at('/told.txt'))) !== null)
    expect(await product.read('/told.txt')).toBe('after_save ann /files/a.txt /files\n')
  })

  it('see the acting user’s files only, and write only where the user may', async () => {
    await product.seed({ '/ben/own.txt': 'own', '/ben/secret/key.txt': 'key', '/ben/.satchel-like/x': 'x' })
    await product.add('ben', { scope: '/ben', rules: [deny('/secret')], may: { ...EVERYTHING, delete: false } })
    await hooks({ before_save: [`sh -c 'ls -A /files; cat /files/secret/key.txt; ls /files/..; echo x > /files/made; exit 1'`] })
    const answer = await product.ask('/api/resources/own.txt', {
      method: 'PUT',
      body: 'x',
      who: 'ben',
      headers: { accept: 'application/json' },
    })
    const { output } = ((await answer.json()) as { detail: { output: string } }).detail
    expect(output).toContain('own.txt')
    expect(output).not.toContain('key\n')
    expect(output).not.toContain('a.txt\nb.txt')
    expect(output).toContain('Read-only file system')
    expect(await product.storage.stat(at('/ben/made'))).toBe(null)
  })

  it('cannot see private folders', async () => {
    await hooks({ before_save: ["sh -c 'ls -A /files/.satchel && exit 0; exit 1'"] })
    const answer = await product.ask('/api/resources/a.txt', {
      method: 'PUT',
      body: 'x',
      who: 'ann',
      headers: { accept: 'application/json' },
    })
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain('Permission denied')
  })

  it('do not run for operations that are refused or change nothing', async () => {
    await hooks(
      Object.fromEntries(
        EVENTS.flatMap((event) => [
          [`before_${event}`, [TELL]],
          [`after_${event}`, [TELL]],
        ]),
      ),
    )
    await product.setRights('ann', { ...EVERYTHING, delete: false })
    expect((await product.ask('/api/resources/a.txt', { method: 'DELETE', who: 'ann' })).status).toBe(403)
    expect((await product.ask('/api/resources/a.txt', { method: 'POST', body: 'x', who: 'ann' })).status).toBe(409)
    expect(await product.storage.stat(at('/told.txt'))).toBe(null)
  })
})

async function hooks(commands: Record<string, string[]>, shell: string[] = []): Promise<void> {
  await product.world.settings.change((before) => ({ ...before, shell, commands: { ...before.commands, ...commands } }))
}
