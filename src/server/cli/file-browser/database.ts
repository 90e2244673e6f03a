import * as z from 'zod/mini'
import { ConfigError } from '../../config/config-error.ts'
import { isRecord } from '../records.ts'
import { type BoltEntries, BoltError, readBolt } from './bolt.ts'

/** A link as File Browser stores it. */
export type StoredLink = z.infer<typeof Link>

/** The database of File Browser 2.0 to 2.63, as it is stored. */
export interface FileBrowserDatabase {
  readonly settings: Readonly<Record<string, unknown>>
  readonly server: Readonly<Record<string, unknown>>
  /** The record of the sign-in method. */
  readonly auther: unknown
  readonly users: readonly unknown[]
  readonly links: readonly StoredLink[]
}

const Link = z.object({
  hash: z.string().check(z.minLength(1)),
  path: z.string(),
  userID: z.int(),
  /** Seconds since 1970; 0 for never. */
  expire: z._default(z.int(), 0),
  password_hash: z._default(z.string(), ''),
})

/** Reads a database without writing to it, whether or not File Browser runs. Throws `ConfigError`. */
export function readDatabase(path: string): FileBrowserDatabase {
  try {
    const file = readBolt(path)
    const config = new Map(file.bucket('config').map(({ key, value }) => [key.toString(), parsed(value, `config ${key.toString()}`)]))
    const [settings, server] = [config.get('settings'), config.get('server')]
    if (!isRecord(settings) || !isRecord(server)) throw new BoltError('it has no settings of File Browser in it')
    const users = file.bucket('User').map(({ value }, at) => parsed(value, `account ${at + 1}`))
    return { settings, server, auther: config.get('auther'), users, links: linksIn(file.bucket('Link')) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${path} cannot be read as a database of File Browser: ${reason}`, { cause: error })
  }
}

function linksIn(entries: BoltEntries): StoredLink[] {
  return entries.map(({ key, value }) => {
    const link = z.safeParse(Link, parsed(value, `link ${key.toString()}`))
    if (!link.success) throw new BoltError(`link ${key.toString()} is damaged`)
    return link.data
  })
}

function parsed(value: Buffer, what: string): unknown {
  try {
    return JSON.parse(value.toString())
  } catch (error) {
    throw new BoltError(`${what} is damaged`, { cause: error })
  }
}
