import { compose } from '../src/server/compose.ts'
import { loadConfig } from '../src/server/config.ts'
import { systemFiles } from '../src/server/config/system-files.ts'
import { serve, type Serving } from '../src/server/serve.ts'
import type { Order, Reply } from './e2e/host.ts'

/** The process of e2e/host.ts; here, because over there types are those of a browser. */
const running = new Map<number, Serving>()

process.on('message', (message: Order) => {
  void obey(message).then(
    (url) => process.send?.({ order: message.order, url } satisfies Reply),
    (error: unknown) => process.send?.({ order: message.order, error: String(error) } satisfies Reply),
  )
})
// Whoever asked is gone.
process.on('disconnect', () => process.exit())

/** @returns the address of what was started */
async function obey(message: Order): Promise<string> {
  if ('stop' in message) {
    await running.get(message.stop)?.stop()
    running.delete(message.stop)
    return ''
  }
  // The walk is over when it ends: nothing is waited for.
  const argv = [...message.args, '--shutdownGrace', '0s']
  const loaded = loadConfig({ argv, env: process.env, cwd: process.cwd(), files: systemFiles, program: process.cwd() })
  const serving = await serve(loaded, compose, () => {})
  running.set(message.order, serving)
  return serving.url
}
