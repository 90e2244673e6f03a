import { serverMain } from '../scripts/lib/server.mjs'
import type * as Main from '../src/server/main.ts'
import type { Serving } from '../src/server/serve.ts'
import type { Order, Reply } from './e2e/host.ts'

/** The process of e2e/host.ts; here, because over there types are those of a browser. It runs what `npm start` runs. */
const { optionsOf, serveWith, wholeProduct } = (await import(serverMain())) as typeof Main
const SILENT = { out: () => {}, complain: () => {} }
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
  const serving = await serveWith(optionsOf([...message.args, '--shutdownGrace', '0s']), wholeProduct, SILENT)
  running.set(message.order, serving)
  return serving.url
}
