import type { Permissions, Rule } from '../../src/shared/contract/users.ts'
import type { ProgramOptions } from '../../test/contract/program.ts'

/**
 * An attack that once succeeded, carried out again on the built server by `npm run attacks`. Each file of this folder that is named after a row
 * (`A1.ts`, `A19.ts`) exports one as `attack`.
 */
export interface Attack {
  /** The row of the review that found it: `A1`. */
  readonly row: string
  /** What the attacker wants, in plain English. */
  readonly title: string
  /** What the server is started with. */
  readonly server?: ProgramOptions
  /**
   * Tries it, and notes every step with `server.note`. Throws when it could not even be tried; that counts as no better than a success, for nothing was
   * shown.
   */
  run(server: TestServer): Promise<Verdict>
}

export type Verdict = 'refused' | 'succeeded'

/** A built server in a process of its own, over fresh folders; everything ends with the attack. */
export interface TestServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The folder that `root` and `data` lie in; anything else may be put there. */
  readonly home: string
  /** The served folder. */
  readonly root: string
  readonly data: string
  readonly admin: Client
  /** What was tried, or what came back: one line of the report. */
  note(line: string): void
  /** Makes an account and signs in with it. */
  user(name: string, options?: UserOptions): Promise<Client>
  /** Signs in. A name that nobody has, or a wrong password, is an error. */
  signIn(name: string, password: string): Promise<Client>
  /** A request of somebody who is not signed in. */
  visit(address: string, init?: RequestInit): Promise<Response>
  /** Sends bytes as they are on a connection of its own, and reads until the server closes it. */
  raw(bytes: string | Uint8Array): Promise<string>
  /** A file below the served folder, with the folders above it. @returns its place on the disk */
  write(path: string, content: string | Uint8Array): string
  /** What the server has written to its log until now. */
  log(): string
  /** One more server: over folders of its own, or over those of `home` beside whoever uses them already. */
  another(options?: ProgramOptions & { home?: string }): Promise<TestServer>
  /** Kills the server and starts it again over the same folders. The port is another one, what was signed in stays so. */
  restart(): Promise<TestServer>
}

export interface UserOptions {
  readonly password?: string
  /** Instead of every permission but `admin`. */
  readonly perm?: Partial<Permissions>
  readonly scope?: string
  readonly rules?: readonly Rule[]
  readonly commands?: readonly string[]
}

/** Somebody who is signed in. */
export interface Client {
  readonly name: string
  readonly token: string
  /** A request with the token; the answer as it comes. */
  ask(address: string, init?: RequestInit): Promise<Response>
}
