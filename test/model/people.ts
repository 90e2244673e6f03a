import type { Program } from '../contract/program.ts'
import { PASSWORD, Refused } from '../contract/program.ts'

/** Somebody who changes files: by name, with the folder of the tree that they see as their root. */
export interface Person {
  readonly name: string
  readonly scope: string
  readonly token: string
}

/** The administrator, somebody with the same tree, and somebody with a part of it. */
export const SCOPES: Readonly<Record<string, string>> = { admin: '/', ann: '/', bob: '/team' }

/** Creates the accounts, and the folders that they need. */
export async function createPeople(server: Program): Promise<Person[]> {
  for (const folder of ['team', 'inbox']) await server.ask(`/api/resources/${folder}/`, { method: 'POST' })
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  for (const [username, scope] of Object.entries(SCOPES)) {
    if (username === 'admin') continue
    const data = { username, password: PASSWORD, scope, locale: '', lockPassword: false, perm, commands: [], rules: [] }
    await server.ask('/api/users', { method: 'POST', body: JSON.stringify({ what: 'user', which: [], data, current_password: PASSWORD }) })
  }
  const signIn = async (name: string): Promise<string> => {
    const answer = await fetch(`${server.url}/api/login`, { method: 'POST', body: JSON.stringify({ username: name, password: PASSWORD }) })
    if (!answer.ok) throw new Refused(`${name} is not let in: ${answer.status}`)
    return answer.text()
  }
  const people: Person[] = []
  for (const [name, scope] of Object.entries(SCOPES))
    people.push({ name, scope, token: name === 'admin' ? server.token : await signIn(name) })
  return people
}

/** A link by which visitors send files into `/inbox`. @returns its name */
export async function createDropBox(server: Program): Promise<string> {
  const answer = await server.open('/api/share/inbox', { method: 'POST', body: JSON.stringify({ rights: 'drop' }) })
  const { hash } = (await answer.json()) as { hash: string }
  return hash
}
