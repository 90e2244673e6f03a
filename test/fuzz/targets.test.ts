import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import finds from './finds.json'
import { bytesOf, type Find } from './target.ts'
import { TARGETS } from './targets.ts'

const root = join(import.meta.dir, '../..')

describe('what is explored by the branches it reaches', () => {
  for (const { name, load } of TARGETS)
    it(`holds for all that is known to reach far: ${name}`, async () => {
      const { target } = await load()
      const kept = JSON.parse(readFileSync(join(import.meta.dir, 'corpus', `${name}.json`), 'utf8')) as string[]
      for (const input of [...target.seeds.map(bytesOf), ...kept.map(fromBase64)]) await target.holds(input)
      expect(target.seeds.length).toBeGreaterThan(1)
    })

  for (const { target: name, input, was } of finds as Find[])
    it(`stays mended: ${name}, ${was}`, async () => {
      const { target } = (await TARGETS.find((one) => one.name === name)?.load()) ?? {}
      await target?.holds(fromBase64(input))
      expect(target).toBeDefined()
    })

  it('is of modules that there are, and nothing is kept for targets that are not', async () => {
    for (const { about } of TARGETS) for (const file of about) expect(await Bun.file(join(root, file)).exists()).toBe(true)
    expect((await readdir(join(import.meta.dir, 'corpus'))).toSorted()).toEqual(TARGETS.map(({ name }) => `${name}.json`).toSorted())
  })
})

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'base64'))
}
