import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'bun:test'
import { isRecord } from '../../src/server/cli/records.ts'
import { createTestInstall, type TestInstall } from './satchel.ts'

/** In the databases of `fixtures/file-browser`, which `make.go.txt` made with the library that File Browser uses. */
export const [ACCOUNTS, LINKS] = [1000, 5000]
export const LINK_PASSWORD = 'secret of a link'
export const SPACED_PASSWORD = '  spaces around  '

/** An installation whose served folder holds what the database speaks of, and the database, by its name. */
export async function withDatabase(name: string, { accounts = ACCOUNTS } = {}): Promise<{ install: TestInstall; file: string }> {
  const install = await createTestInstall()
  const packed = await readFile(join(import.meta.dir, `fixtures/file-browser/${name}.db.gz`))
  await writeFile(join(install.home, 'old.db'), Bun.gunzipSync(packed))
  await makeFiles(install, accounts)
  return { install, file: 'old.db' }
}

export async function makeFiles({ home }: TestInstall, accounts: number): Promise<void> {
  for (let id = 1; id <= accounts; id += 1) {
    const docs = join(home, 'files', nameOf(id), 'docs')
    await mkdir(docs, { recursive: true })
    for (const file of [0, 2, 4, 6]) await writeFile(join(docs, `file ${file}.txt`), `content of file ${file} of ${nameOf(id)}`)
  }
}

export function nameOf(id: number): string {
  return `user-${String(id).padStart(4, '0')}`
}

/** As `make.go.txt` names links. */
export function hashOf(link: number): string {
  return createHash('sha256').update(`link ${link}`).digest().subarray(0, 6).toString('base64url')
}

/** The old server's `?token=` of a protected link. */
export function tokenOf(link: number): string {
  const of = (algorithm: string): Buffer => createHash(algorithm).update(`token ${link}`).digest()
  return Buffer.concat([of('sha512'), of('sha256')]).toString('base64url')
}

export function linkNumbers(links = LINKS): number[] {
  return Array.from({ length: links }, (_, index) => index + 1)
}

/** `file 8.txt` is missing. */
export function leadsNowhere(link: number): boolean {
  return link % 10 === 8
}

export function hasEnded(link: number): boolean {
  return link % 50 === 0
}

/** What the list of links says of one. */
export function shareOf(link: number, { hasPassword = link % 5 === 0, accounts = ACCOUNTS } = {}) {
  return {
    hash: hashOf(link),
    path: link % 2 === 0 ? `/docs/file ${link % 10}.txt` : '/docs/',
    userID: (link % accounts) + 1,
    expire: link % 3 === 0 ? 4_102_444_800 : 0,
    hasPassword,
  }
}

export function leftOut(report: unknown): string[] {
  if (!isRecord(report) || !isRecord(report.links) || !Array.isArray(report.links.leftOut)) throw new Error('no report')
  return report.links.leftOut.map((link: unknown) => (isRecord(link) ? String(link.hash) : '')).toSorted()
}

export async function signIn(url: string, username: string, password: string): Promise<string> {
  const response = await fetch(`${url}api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  expect(response.status).toBe(200)
  return response.text()
}

/** Every link here, as an administrator lists them, by hash. */
export async function linksHere(url: string, admin: string): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const listed: unknown = await (await fetch(`${url}api/shares`, { headers: { 'X-Auth': admin } })).json()
  if (!Array.isArray(listed)) throw new Error('no list')
  return new Map(listed.filter(isRecord).map((link) => [String(link.hash), link]))
}
