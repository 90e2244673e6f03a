import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { ARCHIVE_FORMATS } from '../../src/shared/archive-format.ts'

/** More than one thread would sort by itself. */
const ENTRIES = 6000
const RED = { width: 64, height: 48, channels: 3, background: '#f00' } as const

/** Calls that need each thread and each program that the server starts. Throws when one of them is no success. */
export async function useEverything({ root, url, token }: { root: string; url: string; token: string }): Promise<void> {
  mkdirSync(join(root, 'many'), { recursive: true })
  for (let i = 0; i < ENTRIES; i++) writeFileSync(join(root, 'many', `${i}.txt`), '')
  writeFileSync(join(root, 'red.png'), await sharp({ create: RED }).png().toBuffer())
  writeFileSync(join(root, 'a.txt'), 'needle\n'.repeat(1000))
  const ask = async (address: string, init?: RequestInit): Promise<ArrayBuffer> => {
    const answer = await fetch(url + address, { ...init, headers: { ...init?.headers, 'x-auth': token } })
    const body = await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${new TextDecoder().decode(body)}`)
    return body
  }
  await ask('/api/resources/many')
  await ask('/api/preview/thumb/red.png')
  for (const format of ARCHIVE_FORMATS) {
    const archive = await ask(`/api/raw/?files=a.txt,red.png&algo=${format}`)
    writeFileSync(join(root, `all.${format}`), new Uint8Array(archive))
    await ask(`/api/archive/list/all.${format}`)
  }
  await ask('/api/search/?query=content%3Aneedle')
}
