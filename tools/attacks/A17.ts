import type { Attack } from './attack.ts'

export const attack: Attack = {
  row: 'A17',
  title: 'read and write below a folder that a pattern denies',
  async run(server) {
    server.write('docs/secret/a.txt', 'secret')
    const user = await server.user('ben', { rules: [{ regex: true, allow: false, path: '', regexp: { raw: '/secret$' } }] })
    const read = (await user.ask('/api/raw/docs/secret/a.txt')).status
    const write = (await user.ask('/api/resources/docs/secret/new.txt', { method: 'POST', body: 'x' })).status
    server.note(`reading: ${read}, writing: ${write}`)
    return read === 404 && write === 404 ? 'refused' : 'succeeded'
  },
}
