import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack, Client, TestServer } from './attack.ts'
import { WITH_COMMANDS } from './commands.ts'
import { slowHooks, whileHookRuns } from './slow-hooks.ts'

const FILES = ['save.txt', 'replace.txt', 'waits.txt']

export const attack: Attack = {
  row: 'A22',
  title: 'write after the session has ended, or a rule denies the file, because hooks ran between the check and the change',
  server: WITH_COMMANDS,
  async run(server) {
    for (const name of FILES) server.write(name, 'old')
    const [ann, ben, cat] = [await server.user('ann'), await server.user('ben'), await server.user('cat')]
    await slowHooks(server)
    // Waits for the save of Ben, whose hook runs.
    const ofBen = save(ben, 'waits.txt', 'old')
    await Bun.sleep(200)
    const going = [
      save(cat, 'waits.txt', 'new'),
      save(ann, 'save.txt', 'new'),
      ann.ask('/api/resources/replace.txt?override=true', { method: 'POST', body: 'new' }),
    ]
    await whileHookRuns()
    await ann.ask('/api/logout', { method: 'POST' })
    await deny(server, 'cat')
    const answers = await Promise.all([ofBen, ...going])
    server.note(`answers: ${answers.map(({ status }) => status).join(' ')}`)
    const found = FILES.map((name) => readFileSync(join(server.root, name), 'utf8'))
    server.note(`the files: ${found.join(', ')}`)
    return found.every((text) => text === 'old') ? 'refused' : 'succeeded'
  },
}

function save(client: Client, name: string, body: string): Promise<Response> {
  return client.ask(`/api/resources/${name}`, { method: 'PUT', body })
}

async function deny({ admin }: TestServer, name: string): Promise<void> {
  const users = (await (await admin.ask('/api/users')).json()) as { id: number; username: string }[]
  const user = users.find(({ username }) => username === name)
  const rules = [{ regex: false, allow: false, path: '/waits.txt', regexp: null }]
  const body = JSON.stringify({ what: 'user', which: ['rules'], data: { ...user, rules } })
  const { status } = await admin.ask(`/api/users/${user?.id}`, { method: 'PUT', body })
  if (status !== 200) throw new Error(`the rule was not set: ${status}`)
}
