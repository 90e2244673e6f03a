import * as fc from 'fast-check'
import { expect } from 'bun:test'
import { startTusApp } from '../contract/tus-app.ts'
import { property } from './property.ts'

type Step =
  | { kind: 'create'; length: number }
  | { kind: 'patch'; offset: number; bytes: number }
  | { kind: 'head' }
  | { kind: 'cancel' }
  | { kind: 'together'; bytes: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), length: fc.nat(20) }),
  fc.record({ kind: fc.constant('patch' as const), offset: fc.nat(20), bytes: fc.nat(20) }),
  fc.record({ kind: fc.constant('patch' as const), offset: fc.constant(-1), bytes: fc.nat(12) }),
  fc.record({ kind: fc.constant('head' as const) }),
  fc.record({ kind: fc.constant('cancel' as const) }),
  fc.record({ kind: fc.constant('together' as const), bytes: fc.integer({ min: 1, max: 12 }) }),
)

/** What an upload is, as the protocol has it: how long it will be, and what is here of it. */
interface Upload {
  length: number
  here: number
}

export const UPLOADS = [
  property(
    'an upload is where the protocol says after any steps, and a file holds each byte once',
    12,
    fc.array(steps, { minLength: 1, maxLength: 14 }),
    async (all) => {
      await using app = await startTusApp()
      let upload = null as Upload | null
      for (const one of all) {
        if (one.kind === 'create') {
          const { status } = await app.create('a', one.length, STAMP)
          expect([201, 409]).toContain(status)
          // The same file goes on where it was; another begins anew.
          if (status === 201) upload = one.length === 0 ? null : upload?.length === one.length ? upload : { length: one.length, here: 0 }
        } else if (one.kind === 'cancel') {
          expect((await app.ask('DELETE', 'a')).status).toBe(upload === null ? 404 : 204)
          upload = null
        } else if (one.kind === 'head') {
          const told = await app.head('a')
          if (upload === null) expect([200, 404]).toContain(told.status)
          else expect(told.headers.get('upload-offset')).toBe(String(upload.here))
        } else if (upload !== null) upload = one.kind === 'patch' ? await patched(app, upload, one) : await together(app, upload, one.bytes)
        expect(await written(app)).toBe(true)
      }
    },
  ),
]

type App = Awaited<ReturnType<typeof startTusApp>>

const STAMP = { 'upload-metadata': `filename ${btoa('a')},lastModified ${btoa('1')}` }

async function patched(app: App, { length, here }: Upload, step: { offset: number; bytes: number }): Promise<Upload | null> {
  const offset = step.offset < 0 ? here : step.offset
  const { status } = await app.patch('a', offset, bytesFrom(offset, step.bytes))
  if (offset !== here) expect(status).toBe(offset > length ? 400 : 409)
  else if (here + step.bytes > length) expect(status).toBe(413)
  else expect([204, 409]).toContain(status)
  const end = offset === here && here + step.bytes <= length ? here + step.bytes : here
  // The last byte came: it is published, or its name was taken by the file of an upload before.
  return end === length && status === 204 ? null : { length, here: end }
}

/** Two at once at one place: at most one is let in. */
async function together(app: App, { length, here }: Upload, count: number): Promise<Upload | null> {
  const bytes = Math.min(count, length - here)
  const both = await Promise.all([1, 2].map(() => app.patch('a', here, bytesFrom(here, bytes))))
  const letIn = both.filter(({ status }) => status === 204)
  expect(letIn.length).toBeLessThanOrEqual(1)
  const end = here + bytes
  if (letIn.length === 1) return end === length ? null : { length, here: end }
  return { length, here: Number((await app.head('a')).headers.get('upload-offset')) }
}

/** Whatever lies there holds byte after byte, each once. */
async function written(app: App): Promise<boolean> {
  const found = await app.content('a').catch(() => Buffer.alloc(0))
  return found.equals(bytesFrom(0, found.length))
}

function bytesFrom(offset: number, count: number): Buffer<ArrayBuffer> {
  return Buffer.from(Uint8Array.from({ length: count }, (_, i) => 65 + ((offset + i) % 26)))
}
