import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'bun:test'
import type { Attack, TestServer } from './attack.ts'
import { attacksIn, replay, summaryOf } from './replay.ts'
import { createServers } from './test-server.ts'

describe('npm run attacks', () => {
  it('finds the attack of each file that is named after a row, in the order of their numbers', async () => {
    const found = await attacksIn(folderOf({ 'A10.ts': attackText('A10'), 'A2.ts': attackText('A2'), 'helper.ts': 'export {}' }))
    expect(found.map(({ row }) => row)).toEqual(['A2', 'A10'])
  })

  it('stops at a file that is named after a row and holds no attack of it', () => {
    expect(attacksIn(folderOf({ 'A2.ts': attackText('A3') }))).rejects.toThrow('A2.ts exports no attack of the row A2')
  })

  it('prints what was tried and what came of it', async () => {
    const refused = await report(async (server) => {
      server.note('GET /secret: 404')
      return 'refused'
    })
    expect(refused).toEqual({ outcome: 'refused', lines: ['\nA1: reads a secret', '   GET /secret: 404', '   refused'] })
    const succeeded = await report(async () => 'succeeded')
    expect(succeeded).toEqual({ outcome: 'succeeded', lines: ['\nA1: reads a secret', '   SUCCEEDED'] })
  })

  it('does not take an attack for refused that could not be tried, and ends its servers', async () => {
    let pid = 0
    const failed = await report(async (server) => {
      pid = server.pid
      throw new Error('no such fixture')
    })
    expect(failed.outcome).toBe('not tried')
    expect(failed.lines.join('\n')).toContain('no such fixture')
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('is content only when there were attacks and each was refused', () => {
    expect(summaryOf([{ row: 'A1', outcome: 'refused' }])).toEqual({ text: '1 refused', fine: true })
    expect(summaryOf([])).toMatchObject({ fine: false })
    expect(
      summaryOf([
        { row: 'A1', outcome: 'refused' },
        { row: 'A2', outcome: 'succeeded' },
        { row: 'A3', outcome: 'not tried' },
      ]),
    ).toEqual({ text: '1 refused, 1 succeeded (A2), 1 not tried (A3)', fine: false })
  })
})

describe('the server of an attack', () => {
  it('is a real one: accounts, files, raw bytes, a second server on the same folders, a restart', async () => {
    await using servers = createServers(() => undefined)
    const server = await servers.start()
    server.write('docs/a.txt', 'hello')
    const ann = await server.user('ann', { scope: '/docs', perm: { modify: false } })
    expect(await (await ann.ask('/api/raw/a.txt')).text()).toBe('hello')
    expect((await ann.ask('/api/resources/a.txt', { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await server.visit('/api/resources/')).status).toBe(401)
    expect(await server.raw('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toStartWith('HTTP/1.1 200')
    expect(server.signIn('ann', 'wrong')).rejects.toThrow('the sign-in of ann: 403')

    const second = await server.another()
    expect(second.home).not.toBe(server.home)
    const again = await server.restart()
    expect(again.home).toBe(server.home)
    expect((await again.admin.ask('/api/users')).status).toBe(200)
  })
})

async function report(run: (server: TestServer) => Promise<'refused' | 'succeeded'>): Promise<{ outcome: string; lines: string[] }> {
  const lines: string[] = []
  const attack: Attack = { row: 'A1', title: 'reads a secret', run }
  const { outcome } = await replay(attack, createServers, (line) => void lines.push(line))
  return { outcome, lines }
}

const attackText = (row: string): string => `export const attack = { row: '${row}', title: '', run: async () => 'refused' }`

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-attacks-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
