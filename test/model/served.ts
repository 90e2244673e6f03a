import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { joinPath, ROOT } from '../../src/shared/file-path.ts'
import { DidNotStart, type Program, startProgram } from '../contract/program.ts'
import type { Product } from '../contract/world.ts'
import { wrongInDatabase } from '../crash/crash.ts'
import { armed, type KillPoint } from '../crash/kill-points.ts'
import { describeFile, describeFolder, snapshotOf, type TreeSnapshot } from './tree-snapshot.ts'

/** A server over a tree of files, as the model uses it. */
export interface Served {
  readonly adminToken: string
  /** A request as it comes; fails if the server dies. */
  send(address: string, init: RequestInit): Promise<Response>
  /** The tree, read without the server. */
  tree(): Promise<TreeSnapshot>
  /** In words, what is wrong in its database. */
  wrong(): string[]
  /** The last operations of its journal, one in a line: to find out why a rewind was not exact. */
  journal(): string[]
}

/** The real program, which can be killed and started again. */
export interface ServedProgram extends Served {
  readonly pid: number
  kill(): Promise<void>
  startAgain(): Promise<void>
  /** Starts it, to be killed at a system call of its start. @returns whether it lives and can be asked */
  startArmed(point: KillPoint): Promise<boolean>
}

const LONGEST_START_MS = 6000

/** Over the folders `root` and `data` of `home`. */
export async function serveProgram(home: string): Promise<ServedProgram> {
  let program: Program = await startProgram(home)
  const adminToken = program.token
  let dead = new AbortController()
  return {
    adminToken,
    get pid() {
      return program.pid
    },
    send: (address, init) => fetch(program.url + address, { ...init, signal: dead.signal }),
    tree: async () => snapshotOf(join(home, 'root')),
    wrong: () => wrongInDatabase(join(home, 'data/satchel.db')),
    journal() {
      using db = new Database(join(home, 'data/satchel.db'), { readonly: true })
      const columns = 'id, user_name, via, kind, path, origin, version_id, restored_id, kept_id, reverts, state, identity, folder'
      return db
        .query(`select ${columns} from operations order by id desc limit 100`)
        .all()
        .map((row) => JSON.stringify(row))
        .toReversed()
    },
    async kill() {
      await program.kill()
      dead.abort()
    },
    async startAgain() {
      program = await startProgram(home, { token: adminToken })
      dead = new AbortController()
    },
    async startArmed(point) {
      let release = async (): Promise<void> => undefined
      const spawned = async (pid: number): Promise<void> => void (release = await armed(pid, point, { longestMs: LONGEST_START_MS }))
      try {
        program = await startProgram(home, { token: adminToken, spawned })
        dead = new AbortController()
        return true
      } catch (error) {
        // That is how the start of a program fails that ends before it can be asked.
        if (!(error instanceof DidNotStart)) throw error
        return false
      } finally {
        await release()
      }
    },
  }
}

/** The product in this process, with its files in memory: fast, and cannot be killed. */
export async function serveProduct(product: Product): Promise<Served> {
  const { storage } = product
  return {
    adminToken: await product.tokenOf('root'),
    send: (address, init) => product.ask(address, init),
    wrong: () => [],
    journal: () => [],
    async tree() {
      const found = new Map<string, string>()
      const folders = [ROOT]
      for (const folder of folders) {
        for (const name of (await storage.list(folder)).names) {
          const path = joinPath(folder, name)
          const stat = await storage.stat(path)
          if (stat === null) continue
          if (stat.kind === 'folder') {
            folders.push(path)
            found.set(path, describeFolder(stat))
            continue
          }
          await using file = await storage.open(path)
          found.set(path, describeFile(stat, await new Response(file.stream(0, stat.size)).bytes()))
        }
      }
      return found
    },
  }
}
