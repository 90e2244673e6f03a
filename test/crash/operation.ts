import { type Program, Refused } from '../contract/program.ts'
import type { Places } from './tree.ts'

/** Where one operation is done once: two folders of two file systems, and how the program calls what lies in them. */
export interface Scene {
  readonly run: string
  readonly folders: Places
  /** `here/a` as the program's users name it. */
  path(name: string): string
}

/** Something that changes what outlives the server, and how to tell whether it went well when the server was killed meanwhile. */
export interface Operation {
  readonly name: string
  prepare(scene: Scene, server: Program): Promise<void>
  /** Returns when it was acknowledged; fails when the server dies before. */
  act(scene: Scene, server: Program): Promise<void>
  /** On the next server over the same folders. @returns what is wrong, in words */
  verify(scene: Scene, server: Program, acknowledged: boolean): Promise<string[]>
}

/** Any request; fails when it is refused. */
export async function request(server: Program, address: string, init: RequestInit): Promise<Response> {
  const answer = await server.open(address, init)
  if (!answer.ok) throw new Refused(`${address}: ${answer.status} ${await answer.text()}`)
  return answer
}
