import { unlinkSync, writeFileSync } from 'node:fs'
import type { Attack } from './attack.ts'

export const attack: Attack = {
  row: 'A15',
  title: 'hear of hidden files by the events of a folder',
  async run(server) {
    server.write('docs/a.txt', 'a')
    const hidden = server.write('docs/hidden.txt', 'secret')
    const user = await server.user('ben', { rules: [{ regex: false, allow: false, path: '/docs/hidden.txt', regexp: null }] })
    const reader = (await user.ask('/api/live/docs/')).body?.getReader()
    await reader?.read()
    writeFileSync(hidden, 'changed')
    unlinkSync(hidden)
    await server.admin.ask('/api/resources/docs/hidden.txt', { method: 'POST', body: 'new' })
    await server.admin.ask('/api/resources/docs/hidden.txt', { method: 'DELETE' })
    const heard = reader?.read().then(({ value }) => new TextDecoder().decode(value))
    // Long after the events of a visible file arrive.
    const first = await Promise.race([heard, Bun.sleep(3000).then(() => 'nothing')])
    await reader?.cancel()
    server.note(`heard: ${first?.trim()}`)
    return first === 'nothing' ? 'refused' : 'succeeded'
  },
}
