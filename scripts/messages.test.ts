import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import { readCatalogue } from './check-messages.ts'
import { merged, missingFrom } from './messages.ts'
import { RUNTIME_COMMAND } from '../src/server/entries/runtime.ts'

const SOURCE = { 'a.first': 'First {name}', 'b.second': 'Second', 'c.third': 'Third' }

describe('the tool for translators', () => {
  it('lists what is missing, with the English texts', () => {
    expect(missingFrom({ 'b.second': 'Zweites' }, SOURCE)).toEqual({ 'a.first': 'First {name}', 'c.third': 'Third' })
  })

  it('merges in the order of the keys; new texts win, and what nobody asks for goes', () => {
    const german = merged({ 'c.third': 'alt', gone: 'x' }, { 'c.third': 'Drittes', 'a.first': 'Erstes {name}' }, SOURCE)
    expect(Object.entries(german)).toEqual([
      ['a.first', 'Erstes {name}'],
      ['c.third', 'Drittes'],
    ])
  })

  it('changes nothing when a text is wrong, and says which', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'satchel-messages-'))
    const before = readCatalogue('de')
    await writeFile(join(folder, 'de.json'), JSON.stringify({ 'login.title': 'Anmelden bei {nme}', 'no.such': 'x' }))
    const { exitCode, stderr } = Bun.spawnSync([
      ...RUNTIME_COMMAND,
      join(import.meta.dir, 'messages.ts'),
      'merge',
      'de',
      join(folder, 'de.json'),
    ])
    await rm(folder, { recursive: true })
    expect(exitCode).toBe(1)
    expect(stderr.toString()).toContain('login.title: placeholder {name} is missing')
    expect(stderr.toString()).toContain('no.such: not in en.json')
    expect(readCatalogue('de')).toEqual(before)
  })
})
