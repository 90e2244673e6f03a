import { expect } from 'bun:test'
import sharp from 'sharp'
import { isRecord } from '../../src/server/cli/records.ts'

/** What a server says at its first start. */
export interface FirstWords {
  /** With a slash at its end. */
  readonly url: string
  readonly password: string
}

/** Reads the output of a server until it serves. Throws if it ends before. */
export async function untilServing(output: ReadableStream<Uint8Array>): Promise<FirstWords> {
  const decoder = new TextDecoder()
  let said = ''
  for await (const chunk of output) {
    said += decoder.decode(chunk)
    const url = /^Satchel serves .* at (http:\S+\/)$/m.exec(said)?.[1]
    if (url !== undefined) return { url, password: /with the password (\S+)/.exec(said)?.[1] ?? '' }
  }
  throw new Error(`the server did not start: ${said}`)
}

export async function signIn({ url, password }: FirstWords, username = 'admin'): Promise<string> {
  const answer = await fetch(`${url}api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** Page, sign-in, upload, list, download, thumbnail, archive. */
export async function tryServer(words: FirstWords): Promise<void> {
  const token = await signIn(words)
  const call = (path: string, init: RequestInit = {}) => fetch(`${words.url}api/${path}`, { ...init, headers: { 'X-Auth': token } })
  expect(await (await fetch(words.url)).text()).toContain('<title>')
  const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  expect((await call('resources/red.png', { method: 'POST', body: picture })).status).toBe(200)
  const listing: unknown = await (await call('resources/')).json()
  expect(isRecord(listing) ? listing.numFiles : null).toBe(1)
  expect(Buffer.from(await (await call('raw/red.png')).arrayBuffer()).equals(picture)).toBe(true)
  const thumbnail = await call('preview/thumb/red.png')
  expect([thumbnail.status, (await sharp(await thumbnail.arrayBuffer()).metadata()).width]).toEqual([200, expect.any(Number)])
  const xz = Buffer.from(await (await call('raw/?algo=tarxz')).arrayBuffer())
  expect(xz.subarray(1, 6).toString()).toBe('7zXZ\0')
  const snappy = Buffer.from(await (await call('raw/?algo=tarsz')).arrayBuffer())
  expect(snappy.subarray(4, 10).toString()).toBe('sNaPpY')
}
