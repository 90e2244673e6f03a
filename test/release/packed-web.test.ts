import { afterAll, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packWeb } from '../../scripts/release/packed-web.ts'
import { webFiles } from '../../src/server/http/web-files.ts'

const work = mkdtempSync(join(tmpdir(), 'satchel-web-files-'))
const [web, packed] = [join(work, 'web'), join(work, 'packed')]
const CONTENTS = {
  'assets/app.js': 'let a',
  'assets/app.js.br': 'ab',
  'img/empty.svg': '',
  'img/logo.svg': '<svg/>',
  'api/openapi.json': '{}',
}

for (const [name, text] of Object.entries({ ...CONTENTS, 'index.html': '<html>', 'sw.js': 'self', '.vite/manifest.json': '{}' })) {
  mkdirSync(join(web, name, '..'), { recursive: true })
  writeFileSync(join(web, name), text)
}
packWeb(web, packed)

afterAll(() => rmSync(work, { recursive: true }))

describe('the web of a release, packed into one file,', () => {
  it('has every served file of the build, with the same bytes', async () => {
    const read = async (folder: string): Promise<unknown> => {
      const files = [...webFiles(folder)].filter(([name]) => name in CONTENTS).toSorted(([a], [b]) => (a < b ? -1 : 1))
      return Promise.all(files.map(async ([name, { size, read: bytes }]) => [name, size, Buffer.from((await bytes()) ?? []).toString()]))
    }
    const expected = Object.entries(CONTENTS).toSorted(([a], [b]) => (a < b ? -1 : 1))
    expect(await read(packed)).toEqual(expected.map(([name, text]) => [name, text.length, text]))
    expect(await read(web)).toEqual(await read(packed))
  })

  it('is four files with the page and the service worker', () => {
    expect(readdirSync(packed).toSorted()).toEqual(['index.html', expect.stringMatching(/^packed-[0-9a-f]{16}$/), 'packed.json', 'sw.js'])
  })

  it('has no file any more when another version has replaced it', async () => {
    const folder = join(work, 'replaced')
    packWeb(web, folder)
    const files = webFiles(folder)
    const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('packed-'))
    rmSync(join(folder, name))
    expect(await files.get('assets/app.js')?.read()).toBeNull()
  })

  it('is named by its content', () => {
    const folder = join(work, 'other')
    writeFileSync(join(web, 'assets/app.js'), 'let b')
    packWeb(web, folder)
    const same = readdirSync(folder).filter((one) => readdirSync(packed).includes(one))
    expect(same.toSorted()).toEqual(['index.html', 'packed.json', 'sw.js'])
  })
})
