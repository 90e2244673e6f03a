import { PASSWORD } from '../../test/contract/program.ts'
import type { TestServer } from './attack.ts'

const EVENTS = ['upload', 'save', 'copy', 'rename', 'delete']
const HOOK_SECONDS = 2

/** From now on a hook before every operation runs for seconds. The server is one that runs commands. */
export async function slowHooks(server: TestServer): Promise<void> {
  const settings = (await (await server.admin.ask('/api/settings')).json()) as object
  const commands = Object.fromEntries(EVENTS.map((event) => [`before_${event}`, [`sleep ${HOOK_SECONDS}`]]))
  const body = JSON.stringify({ ...settings, commands, current_password: PASSWORD })
  const { status } = await server.admin.ask('/api/settings', { method: 'PUT', body })
  if (status !== 200) throw new Error(`the hooks were not set: ${status}`)
}

/** In the middle of a hook. */
export function whileHookRuns(): Promise<void> {
  return Bun.sleep((HOOK_SECONDS * 1000) / 2)
}
