import type { Attack, TestServer } from './attack.ts'

export const attack: Attack = {
  row: 'A7',
  title: 'guess hidden names by copying and moving a tree over a folder',
  async run(server) {
    const calls = ['action=copy&override=true', 'action=rename&override=true']
    let isSame = true
    for (const [n, call] of calls.entries()) {
      const there = await answer(server, `some${n}`, call, { isThere: true })
      const missing = await answer(server, `none${n}`, call, { isThere: false })
      server.note(`${call}: with a hidden file ${there}, without ${missing}`)
      isSame &&= there === missing
    }
    return isSame ? 'refused' : 'succeeded'
  },
}

async function answer(server: TestServer, name: string, call: string, { isThere }: { isThere: boolean }): Promise<string> {
  server.write(`${name}/from/tree/hidden/x`, 'mine')
  server.write(`${name}/goal/tree/seen`, 'seen')
  if (isThere) server.write(`${name}/goal/tree/hidden`, 'secret')
  const rules = [{ regex: false, allow: false, path: '/goal/tree/hidden', regexp: null }]
  const user = await server.user(name, { scope: `/${name}`, rules })
  const response = await user.ask(`/api/resources/from/tree?${call}&destination=/goal/tree`, { method: 'PATCH' })
  return `${response.status} ${(await response.text()).trim()}`
}
