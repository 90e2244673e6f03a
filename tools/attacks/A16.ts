import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Attack } from './attack.ts'

const SECRET = 'the-secret-of-an-upload-of-a-visitor-0123456'

export const attack: Attack = {
  row: 'A16',
  title: 'go on with a visitor’s upload, or open a link, with what stands in the log or the database',
  server: { args: ['--logAll'] },
  async run(server) {
    server.write('box/readme.txt', 'x')
    const made = await server.admin.ask('/api/share/box', { method: 'POST', body: JSON.stringify({ rights: 'drop' }) })
    const { hash } = (await made.json()) as { hash: string }
    const address = `/api/public/tus/${hash}/${SECRET}/x.txt`
    const begun = await server.visit(address, { method: 'POST', headers: { 'tus-resumable': '1.0.0', 'upload-length': '4' } })
    if (begun.status !== 201) throw new Error(`the upload did not begin: ${begun.status}`)
    for (const way of [address, `/api/public/share/${hash}`, `/api/public/dl/${hash}/none`, `/api/public//tus/${hash}%2F${SECRET}/x`])
      await server.visit(way, { method: 'PATCH' })
    const log = server.log()
    const inLog = [hash, SECRET].filter((text) => log.includes(text))
    server.note(`the log names ${inLog.length === 0 ? 'neither the link nor the secret' : inLog.join(' and ')}`)
    const db = new Database(join(server.data, 'satchel.db'), { readonly: true })
    const paths = db.query<{ path: string }, []>('SELECT path FROM uploads').all()
    db.close()
    const inTable = paths.some(({ path }) => path.includes(SECRET))
    server.note(`${paths.length} upload in the table: its secret is ${inTable ? 'there' : 'not there'}`)
    return inLog.length === 0 && paths.length === 1 && !inTable ? 'refused' : 'succeeded'
  },
}
