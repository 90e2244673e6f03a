import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack, Client, TestServer } from './attack.ts'
import { startCommand, WITH_COMMANDS } from './commands.ts'

const ROUNDS = 5
const LOOP = "sh -c 'echo begun; while :; do cat /files/denied.txt /files/later.txt 2>/dev/null; done'"

export const attack: Attack = {
  row: 'A3',
  title: 'read a denied file in a running command, at the moment when somebody else saves it or makes it',
  server: WITH_COMMANDS,
  async run(server) {
    const rules = ['/denied.txt', '/later.txt'].map((path) => ({ regex: false, allow: false, path, regexp: null }))
    server.write('ann/denied.txt', 'old')
    const ann = await server.user('ann', { scope: '/ann', commands: ['sh'], rules })
    let stolen = 0
    const changes: [string, () => Promise<unknown>][] = [
      ['a save over it', () => save(server.admin, '/ann/denied.txt')],
      ['a name that was not there', () => save(server.admin, '/ann/later.txt')],
    ]
    for (const [what, change] of changes) {
      let read = 0
      for (let round = 0; round < ROUNDS; round++) {
        await server.admin.ask('/api/resources/ann/later.txt', { method: 'DELETE' })
        read += Number(await isRead(server, ann, change))
      }
      server.note(`${what}: read in ${read} of ${ROUNDS}`)
      stolen += read
    }
    const isEnded = await endsByOthers(server, ann)
    server.note(`a file put in its place by another program of this machine: the command ${isEnded ? 'ended' : 'went on'}`)
    return stolen === 0 && isEnded ? 'refused' : 'succeeded'
  },
}

async function isRead(server: TestServer, ann: Client, change: () => Promise<unknown>): Promise<boolean> {
  const running = await startCommand(server, ann, LOOP)
  await begun(running.said)
  await change()
  const { said } = await running.over
  return said.includes('new secret')
}

async function endsByOthers(server: TestServer, ann: Client): Promise<boolean> {
  const running = await startCommand(server, ann, LOOP)
  await begun(running.said)
  renameSync(server.write('fresh.txt', 'another'), join(server.root, 'ann/denied.txt'))
  return (await running.over).ended === 'aborted'
}

async function save(admin: Client, path: string): Promise<void> {
  const answer = await admin.ask(`/api/resources${path}?override=true`, { method: 'POST', body: 'new secret' })
  if (!answer.ok) throw new Error(`saving ${path}: ${answer.status}`)
}

async function begun(said: () => string): Promise<void> {
  while (!said().includes('begun')) await Bun.sleep(10)
}
