import { expect } from 'bun:test'
import sharp from 'sharp'
import { isRecord } from '../../src/server/cli/records.ts'

/** What the first administrator chooses instead of the printed password. */
export const OWN_PASSWORD = 'a password of my own'

/** Where a server is. */
export interface FirstWords {
  /** With a slash at its end. */
  readonly url: string
  /** Of its administrator; empty if this is not its first start. */
  readonly password: string
}

/** Reads the output of a server until it serves, and replaces the password that it printed. Throws if it ends before. */
export async function untilServing(output: ReadableStream<Uint8Array>): Promise<FirstWords> {
  const decoder = new TextDecoder()
  let said = ''
  for await (const chunk of output) {
    said += decoder.decode(chunk)
    const url = /^Satchel serves .* at (http:\S+\/)$/m.exec(said)?.[1]
    if (url === undefined) continue
    const printed = /with the password (\S+)/.exec(said)?.[1]
    return { url, password: printed === undefined ? '' : await choosePassword({ url, password: printed }) }
  }
  throw new Error(`the server did not start: ${said}`)
}

export async function signIn({ url, password }: FirstWords): Promise<string> {
  const answer = await fetch(`${url}api/login`, { method: 'POST', body: JSON.stringify({ username: 'admin', password }) })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** Nothing else is served before. */
async function choosePassword(words: FirstWords): Promise<string> {
  const headers = { 'X-Auth': await signIn(words) }
  const body = JSON.stringify({ what: 'user', which: ['password'], data: { id: 1, password: OWN_PASSWORD } })
  expect((await fetch(`${words.url}api/users/1`, { method: 'PUT', headers, body })).status).toBe(200)
  return OWN_PASSWORD
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
