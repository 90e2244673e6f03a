import { PASSWORD, Refused } from '../contract/program.ts'
import type { Served } from './served.ts'

/** Somebody who changes files: by name, with the folder of the tree that they see as their root. */
export interface Person {
  readonly name: string
  readonly scope: string
  readonly token: string
}

/** The administrator, somebody with the same tree, and somebody with a part of it. */
export const SCOPES: Readonly<Record<string, string>> = { admin: '/', eve: '/', bob: '/team' }

/** Creates the accounts, and the folders that they need. */
export async function createPeople(server: Served): Promise<Person[]> {
  const ask = asAdmin(server)
  for (const folder of ['team', 'inbox']) await ask(`/api/resources/${folder}/`, '')
  const perm = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true, download: true }
  for (const [username, scope] of Object.entries(SCOPES)) {
    if (username === 'admin') continue
    const data = { username, password: PASSWORD, scope, locale: '', lockPassword: false, perm, commands: [], rules: [] }
    await ask('/api/users', JSON.stringify({ what: 'user', which: [], data, current_password: PASSWORD }))
  }
  const signIn = async (name: string): Promise<string> => {
    const answer = await server.send('/api/login', { method: 'POST', body: JSON.stringify({ username: name, password: PASSWORD }) })
    if (!answer.ok) throw new Refused(`${name} is not let in: ${answer.status}`)
    return answer.text()
  }
  const people: Person[] = []
  for (const [name, scope] of Object.entries(SCOPES))
    people.push({ name, scope, token: name === 'admin' ? server.adminToken : await signIn(name) })
  return people
}

/** A link by which visitors send files into `/inbox`. @returns its name */
export async function createDropBox(server: Served): Promise<string> {
  const answer = await asAdmin(server)('/api/share/inbox', JSON.stringify({ rights: 'drop' }))
  const { hash } = (await answer.json()) as { hash: string }
  return hash
}

function asAdmin(server: Served) {
  return async (address: string, body: string): Promise<Response> => {
    const answer = await server.send(address, { method: 'POST', body, headers: { 'x-auth': server.adminToken } })
    return answer.ok ? answer : Promise.reject(new Refused(`${address}: ${answer.status} ${await answer.text()}`))
  }
}
