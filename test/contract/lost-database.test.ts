import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'bun:test'
import { startProgram } from './program.ts'

it('R15: the health check fails when the database is lost', async () => {
  const home = mkdtempSync(join(tmpdir(), 'satchel-lost-'))
  {
    await using program = await startProgram(home)
    const health = async () => {
      const answer = await fetch(`${program.url}/health`)
      return [answer.status, await answer.json()]
    }
    expect(await health()).toEqual([200, { status: 'OK' }])
    rmSync(join(home, 'data/satchel.db'))
    expect(await health()).toEqual([503, { status: 'no database' }])
  }
  rmSync(home, { recursive: true })
}, 300_000)
