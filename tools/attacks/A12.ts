import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Disk, makeWithNumber, mountDisk } from '../../test/contract/disk.ts'
import type { Attack, TestServer } from './attack.ts'

const SECRET = 'of somebody else'

export const attack: Attack = {
  row: 'A12',
  title: 'read, by an old link, what came to the place and the number of what was shared, on a disk without times of birth',
  async run(server) {
    const isServed: boolean[] = []
    using ext4 = mountDisk('ext4', { home: server.home, at: join(server.root, 'ext4') })
    using exfat = mountDisk('exfat', { home: server.home, at: join(server.root, 'exfat') })
    for (const what of ['folder', 'file'] as const) {
      isServed.push(await servesNewcomer(server, { what, path: `/ext4/${what}`, disk: ext4, between: () => undefined }))
      // Numbers begin anew when this one is mounted again.
      isServed.push(await servesNewcomer(server, { what, path: `/exfat/${what}`, disk: exfat, between: () => exfat.remount() }))
    }
    return isServed.includes(true) ? 'succeeded' : 'refused'
  },
}

interface Swap {
  readonly what: 'folder' | 'file'
  readonly path: string
  readonly disk: Disk
  /** After what was shared is gone, and before the newcomer is there. */
  between(): void
}

async function servesNewcomer(server: TestServer, { what, path, disk, between }: Swap): Promise<boolean> {
  const place = join(disk.folder, what)
  make(place, what, 'shared')
  const number = statSync(place).ino
  if (statSync(place, { bigint: true }).birthtimeNs !== 0n) throw new Error(`the disk of ${path} knows times of birth`)
  const made = await server.admin.ask(`/api/share${path}`, { method: 'POST', body: '{}' })
  const { hash } = (await made.json()) as { hash: string }
  const visit = async (): Promise<string> => {
    const answer = await server.visit(what === 'folder' ? `/api/public/dl/${hash}/inside.txt` : `/api/public/dl/${hash}`)
    return `${answer.status} ${await answer.text()}`
  }
  const before = await visit()
  if (before !== '200 shared') throw new Error(`the link to ${path} did not work: ${before}`)
  rmSync(place, { recursive: true })
  between()
  await makeWithNumber(place, number, (at) => make(at, what, SECRET))
  const after = await visit()
  server.note(`${path}: another ${what} at its place, with its number ${number}; the old link: ${after.trim()}`)
  return after.includes(SECRET)
}

function make(place: string, what: Swap['what'], content: string): void {
  if (what === 'folder') mkdirSync(place)
  writeFileSync(what === 'folder' ? join(place, 'inside.txt') : place, content)
}
