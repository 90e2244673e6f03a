import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from './attack.ts'

export const attack: Attack = {
  row: 'A14',
  title: 'tell by a link whether a folder exists in a denied place',
  async run(server) {
    server.write('pub/k', 'public')
    server.write('secret/x/y', 'secret')
    symlinkSync('../secret/x/../../pub/k', join(server.root, 'pub/there'))
    symlinkSync('../secret/none/../../pub/k', join(server.root, 'pub/missing'))
    const user = await server.user('ben', { rules: [{ regex: false, allow: false, path: '/secret', regexp: null }] })
    const [there, missing] = [(await user.ask('/api/raw/pub/there')).status, (await user.ask('/api/raw/pub/missing')).status]
    server.note(`through a folder that is there: ${there}, through one that is not: ${missing}`)
    return there === missing ? 'refused' : 'succeeded'
  },
}
