import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { RUNTIME_COMMAND } from '../../scripts/lib/packages.mjs'
import type { Served } from './served.ts'

/** Every sign-in is an hour old; the server reads that when it starts anew. */
export async function age(served: Served): Promise<void> {
  await served.kill()
  const file = join(dirname(served.root), 'data', 'satchel.db')
  const code = `new (require('bun:sqlite').Database)(${JSON.stringify(file)}).run('update sessions set proven_at = proven_at - 3600000')`
  execFileSync(RUNTIME_COMMAND[0], [...RUNTIME_COMMAND.slice(1), '-e', code])
  await served.start()
}
