import { describe, expect, it } from 'bun:test'
import { AppError, fail } from '../../../shared/errors.ts'
import { parseFilePath } from '../../../shared/file-path.ts'
import { BULK_FROM_FILES, MAX_BULK_BYTES, MAX_BULK_FILE_BYTES, MAX_BULK_FILES } from '../../../shared/limits.ts'
import { bulkCount, type BulkRequest, createBulk, type BulkItem } from './bulk.ts'

describe('the number of files in a bulk request', () => {
  it('is one if few are waiting', () => {
    expect(bulkCount(sized(BULK_FROM_FILES - 1, 10), BULK_FROM_FILES - 1)).toBe(1)
  })

  it('leaves work for every slot, and is limited', () => {
    expect(bulkCount(sized(BULK_FROM_FILES, 10), BULK_FROM_FILES)).toBe(BULK_FROM_FILES / 5)
    expect(bulkCount(sized(1000, 10), 1000)).toBe(MAX_BULK_FILES)
  })

  it('excludes large files, and limits the bytes', () => {
    const line = [...sized(3, 10), ...sized(1, MAX_BULK_FILE_BYTES + 1), ...sized(1000, 10)]
    expect(bulkCount(line, line.length)).toBe(3)
    expect(bulkCount(line.slice(3), line.length)).toBe(1)
    expect(bulkCount(sized(1000, MAX_BULK_FILE_BYTES), 1000)).toBe(MAX_BULK_BYTES / MAX_BULK_FILE_BYTES)
  })
})

describe('a bulk request', () => {
  it('starts when all files are ready or cancelled, and reports each result', async () => {
    const calls: string[][] = []
    const bulk = createBulk(3, async (all) => {
      calls.push(all.map(({ job }) => job.path))
      return [null, new AppError('already-exists', { path: '/1' })]
    })
    const slots = [bulk.slot(), bulk.slot(), bulk.slot()]
    const first = slots[0]?.send(bulkItem(0))
    const second = slots[1]?.send(bulkItem(1))
    expect(calls).toEqual([])
    slots[2]?.leave()
    await first
    await expect(second).rejects.toMatchObject({ code: 'already-exists' })
    expect(calls).toEqual([['/0', '/1']])
    slots[2]?.leave()
  })

  it('is not used for a single file', async () => {
    const bulk = createBulk(2, never)
    const sent: number[] = []
    const [slot, other] = [bulk.slot(), bulk.slot()]
    other.leave()
    await slot.send(bulkItem(0, { sent }))
    expect(sent).toEqual([0])
  })

  it('sends each file separately after a failure', async () => {
    const bulk = createBulk(3, async () => fail('offline', {}))
    const order: string[] = []
    const alone = (at: number) => async (): Promise<void> => {
      order.push(`begin ${at}`)
      await Promise.resolve()
      order.push(`end ${at}`)
      if (at === 1) fail('storage-full', {})
    }
    const all = await Promise.allSettled([0, 1, 2].map((at) => bulk.slot().send({ ...bulkItem(at), sendAlone: alone(at) })))
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(order).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  it('waits for a new sign-in with all files', async () => {
    const bulk = createBulk(2, async () => fail('sign-in-needed', {}))
    const all = await Promise.allSettled([0, 1].map((at) => bulk.slot().send(bulkItem(at, { sent: null }))))
    expect(all.map((one) => (one.status === 'rejected' ? (one.reason as AppError).code : one.status))).toEqual([
      'sign-in-needed',
      'sign-in-needed',
    ])
  })

  it('stops when all its files are cancelled', async () => {
    let stop = new AbortController().signal
    const bulk = createBulk(2, (_, { signal }) => {
      stop = signal
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))))
    })
    const controls = [new AbortController(), new AbortController()]
    const all = controls.map((control, at) => bulk.slot().send({ ...bulkItem(at), signal: control.signal }))
    controls[0]?.abort()
    expect(stop.aborted).toBe(false)
    controls[1]?.abort()
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('sends a file on its own after a conflict', async () => {
    const sent: number[] = []
    const bulk = createBulk(2, async () => [new AppError('already-exists', { path: '/0' }), null])
    const [slot, other] = [bulk.slot(), bulk.slot()]
    const first = slot.send(bulkItem(0, { sent }))
    await other.send(bulkItem(1))
    await expect(first).rejects.toMatchObject({ code: 'already-exists' })
    await slot.send(bulkItem(0, { sent }))
    expect(sent).toEqual([0])
  })

  it('reports the sent bytes of each file', async () => {
    const progress: string[] = []
    const bulk = createBulk(2, async (_, { onProgress }) => {
      for (const sent of [-3, 2, 7]) onProgress(sent)
      return [null, null]
    })
    const told = (at: number) => ({ ...bulkItem(at), onProgress: (sent: number) => progress.push(`${at}: ${sent}`) })
    await Promise.all([0, 1].map((at) => bulk.slot().send(told(at))))
    expect(progress).toEqual(['0: 2', '0: 5', '1: 2'])
  })
})

const never: BulkRequest = async () => fail('unexpected', { incident: 'nobody was to be sent together' })

function* sized(count: number, bytes: number): Generator<BulkItem['job']> {
  for (let at = 0; at < count; at++) yield { path: parseFilePath(`/${at}`), file: new File([new Uint8Array(bytes)], String(at)) }
}

/** Of five bytes. @param sent hears who is sent alone; nobody may be where it is null */
function bulkItem(at: number, { sent = null }: { sent?: number[] | null } = {}): BulkItem {
  return {
    job: { path: parseFilePath(`/${at}`), file: new File(['12345'], String(at)) },
    override: false,
    signal: new AbortController().signal,
    onProgress: () => {},
    sendAlone: async () => void (sent ?? fail('unexpected', { incident: 'alone' })).push(at),
  }
}
