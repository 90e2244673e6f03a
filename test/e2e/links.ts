import { PASSWORD, type Served } from './served.ts'

/** The administrator shares something. @returns the name of the link */
export async function share({ url }: Served, path: string, wish: object = {}): Promise<string> {
  const credentials = JSON.stringify({ username: 'admin', password: PASSWORD })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body: credentials })).text()
  const response = await fetch(`${url}/api/share${encodeURI(path)}`, {
    method: 'POST',
    headers: { 'x-auth': token, accept: 'application/json' },
    body: JSON.stringify(wish),
  })
  const made: { hash: string } = await response.json()
  return made.hash
}
