import type { Attack, TestServer } from './attack.ts'

const FOLDERS = 30
const FILE_BYTES = 2 * 1024 * 1024

export const attack: Attack = {
  row: 'A8',
  title: 'go on reading after the account was disabled and after a rule denied it',
  async run(server) {
    for (let n = 0; n < FOLDERS; n++)
      server.write(`tree/d${String(n).padStart(2, '0')}/f.bin`, crypto.getRandomValues(new Uint8Array(65536)))
    for (let n = 0; n < FOLDERS; n++) server.write(`tree/d${String(n).padStart(2, '0')}/g.bin`, Buffer.alloc(FILE_BYTES, String(n)))
    const byRule = await readOn(server, 'ann', async (id) => {
      const rules = [{ regex: false, allow: false, path: '/tree', regexp: null }]
      return change(server, id, 'rules', { rules })
    })
    const byAccount = await readOn(server, 'ben', async (id) => change(server, id, 'disabled', { disabled: true }))
    return byRule && byAccount ? 'refused' : 'succeeded'
  },
}

/** Begins a tar, changes access after its first bytes, and reads on. @returns whether it broke off */
async function readOn(server: TestServer, name: string, revoke: (id: number) => Promise<void>): Promise<boolean> {
  const user = await server.user(name)
  const users = (await (await server.admin.ask('/api/users')).json()) as { id: number; username: string }[]
  const id = users.find(({ username }) => username === name)?.id ?? 0
  const response = await user.ask('/api/raw/tree?algo=tar.gz')
  const reader = response.body?.getReader()
  await reader?.read()
  await revoke(id)
  let bytes = 0
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) bytes += part.value.length
    server.note(`${name}: the archive ended as if it were whole, ${bytes} bytes after access had ended`)
    return false
  } catch {
    server.note(`${name}: broken off ${bytes} bytes after access had ended`)
    return true
  }
}

async function change(server: TestServer, id: number, which: string, data: object): Promise<void> {
  const { password: _, ...user } = (await (await server.admin.ask(`/api/users/${id}`)).json()) as Record<string, unknown>
  const body = JSON.stringify({ what: 'user', which: [which], data: { ...user, ...data } })
  const { status } = await server.admin.ask(`/api/users/${id}`, { method: 'PUT', body })
  if (status !== 200) throw new Error(`the change of ${which} failed: ${status}`)
}
