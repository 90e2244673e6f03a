import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, extname, join, posix } from 'node:path'
import { recordOr } from '../../src/server/cli/records.ts'
import { type OldShare, type OldUser, writeOldDatabase } from './old-database.ts'

/**
 * A stand-in for File Browser 2.63, whose source cannot be had here: it answers the calls of the load as File Browser was recorded to, serves the
 * folder that it is given, and keeps its links in a bolt database. Started as a program: `bun old-server.ts PORT ROOT DATABASE STATE`, where STATE
 * is JSON with its accounts and links, so that it can be started again. SIGTERM stops it as 2.63 stops: it takes no more connections and finishes its answers.
 */
const [port = '', root = '', database = '', state = ''] = process.argv.slice(2)
const { users, shares }: { users: readonly OldUser[]; shares: OldShare[] } = await Bun.file(state).json()
const sessions = new Map<string, OldUser>()

const server = Bun.serve({ hostname: '127.0.0.1', port: Number(port), idleTimeout: 30, fetch: answer })
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
console.log('ready')

async function answer(request: Request): Promise<Response> {
  const path = decodeURIComponent(new URL(request.url).pathname)
  if (path === '/health') return Response.json({ status: 'OK' })
  if (path === '/api/login') return login(request)
  const shared = /^\/api\/public\/(share|dl)\/([^/]+)(\/.*)?$/.exec(path)
  if (shared !== null) return answerShared(request, { call: shared[1] ?? '', hash: shared[2] ?? '', below: shared[3] ?? '' })
  const [, call = '', inside = '/'] = /^\/api\/(resources|raw|share|shares)(\/.*)?$/.exec(path) ?? []
  const user = sessions.get(request.headers.get('x-auth') ?? '')
  if (call === '') return new Response('404 Not Found\n', { status: 404 })
  if (user === undefined) return text(401, '401 Unauthorized')
  const place = placeOf(user, inside)
  if (request.method === 'GET' && call === 'resources') return describe(place, inside)
  if (request.method === 'GET' && call === 'raw') return send(place)
  if (request.method === 'POST' && call === 'resources') return save(request, place)
  if (request.method === 'POST' && call === 'share') return share(user, inside)
  return text(405, '405 Method Not Allowed')
}

async function login(request: Request): Promise<Response> {
  const given = recordOr(await request.json())
  const user = users.find((one) => one.username === given.username)
  if (user === undefined || !(await Bun.password.verify(String(given.password), user.password))) return text(403, '403 Forbidden')
  const token = `${randomBytes(12).toString('base64url')}.${randomBytes(12).toString('base64url')}.${randomBytes(12).toString('base64url')}`
  sessions.set(token, user)
  return new Response(token, { headers: { 'content-type': 'text/plain' } })
}

function answerShared(
  request: Request,
  { call, hash, below }: { call: string; hash: string; below: string },
): Response | Promise<Response> {
  const link = shares.find((one) => one.hash === hash)
  const owner = users.find(({ id }) => id === link?.userID)
  if (link === undefined || owner === undefined) return text(404, '404 Not Found')
  if (link.token !== undefined && new URL(request.url).searchParams.get('token') !== link.token) return text(401, '401 Unauthorized')
  const place = placeOf(owner, posix.join(link.path, below))
  return call === 'dl' ? send(place) : describe(place, below === '' ? '/' : below)
}

async function describe(place: string, path: string): Promise<Response> {
  const found = await stat(place).catch(() => null)
  if (found === null) return text(404, '404 Not Found')
  const entry = await entryOf(place, path)
  if (!found.isDirectory()) return Response.json(entry)
  const items = await Promise.all((await readdir(place)).toSorted().map((name) => entryOf(join(place, name), posix.join(path, name))))
  const numDirs = items.filter(({ isDir }) => isDir).length
  return Response.json({ items, numDirs, numFiles: items.length - numDirs, sorting: { by: 'name', asc: false }, ...entry })
}

async function entryOf(place: string, path: string) {
  const found = await stat(place)
  const name = posix.basename(place)
  return {
    path,
    name,
    size: found.size,
    extension: extname(name),
    modified: found.mtime.toISOString(),
    mode: (found.mode & 0o777) + (found.isDirectory() ? 2 ** 31 : 0),
    isDir: found.isDirectory(),
    isSymlink: false,
    type: found.isDirectory() ? '' : 'text',
  }
}

async function send(place: string): Promise<Response> {
  const file = Bun.file(place)
  if (!(await file.exists())) return text(404, '404 Not Found')
  const name = encodeURIComponent(posix.basename(place))
  return new Response(file, {
    headers: { 'content-disposition': `attachment; filename*=utf-8''${name}`, 'content-type': 'application/octet-stream' },
  })
}

async function save(request: Request, place: string): Promise<Response> {
  if (await Bun.file(place).exists()) return text(409, '409 Conflict')
  await mkdir(dirname(place), { recursive: true })
  await Bun.write(place, await request.arrayBuffer())
  return text(200, '200 OK')
}

function share(user: OldUser, path: string): Response {
  const link: OldShare = { hash: randomBytes(6).toString('base64url'), path, userID: user.id, expire: 0 }
  shares.push(link)
  writeOldDatabase(database, { users, shares })
  writeFileSync(state, JSON.stringify({ users, shares }))
  return Response.json({ ...link, hasPassword: false })
}

function placeOf({ scope }: OldUser, path: string): string {
  return join(root, posix.join('/', scope, path))
}

function text(status: number, words: string): Response {
  return new Response(`${words}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
