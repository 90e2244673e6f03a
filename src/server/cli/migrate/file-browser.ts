import * as z from 'zod/mini'
import { isRecord } from '../records.ts'
import { type BoltEntries, BoltError, type BoltFile } from './bolt.ts'
import type { OldDatabase, OldLink } from './old-database.ts'

const Link = z.object({
  hash: z.string().check(z.minLength(1)),
  path: z.string(),
  userID: z.int(),
  expire: z._default(z.int(), 0),
  password_hash: z._default(z.string(), ''),
  token: z._default(z.string(), ''),
})

/** The database of File Browser 2.0 to 2.63. Throws `BoltError`. */
export function readFileBrowser(file: BoltFile): OldDatabase {
  const config = new Map(file.bucket('config').map(({ key, value }) => [key.toString(), parsed(value, `config ${key.toString()}`)]))
  const [settings, server] = [config.get('settings'), config.get('server')]
  if (!isRecord(settings) || !isRecord(server)) throw new BoltError('it has no settings of File Browser in it')
  const links = linksIn(file.bucket('Link'))
  return {
    product: 'File Browser',
    settings,
    server,
    auther: config.get('auther'),
    users: accountsIn(file),
    links,
    leftOut: [],
    notes: [],
  }
}

/** The records of accounts, of whichever product. */
export function accountsIn(file: BoltFile): unknown[] {
  return file.bucket('User').map(({ value }, at) => parsed(value, `account ${at + 1}`))
}

function linksIn(entries: BoltEntries): OldLink[] {
  return entries.map(({ key, value }) => {
    const link = z.safeParse(Link, parsed(value, `link ${key.toString()}`))
    if (!link.success) throw new BoltError(`link ${key.toString()} is damaged`)
    const { hash, path, userID, expire, password_hash: passwordHash, token } = link.data
    return { hash, path, userId: userID, expire, passwordHash, token: passwordHash === '' ? '' : token, terms: {} }
  })
}

export function parsed(value: Buffer, what: string): unknown {
  try {
    return JSON.parse(value.toString())
  } catch (error) {
    throw new BoltError(`${what} is damaged`, { cause: error })
  }
}
