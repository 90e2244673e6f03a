import { writeFileSync } from 'node:fs'
import { headBytes, readFrames } from './frames.ts'
import type { Order, Reply } from './picture.ts'
import { render } from './render.ts'

/** Beyond this the image is a trap, or a leak: the process ends, and the next image gets a fresh one. */
const MAX_MEMORY_BYTES = 1.5 * 1024 ** 3
const LOOK_EVERY_MS = 100

/** The program that decodes what people upload: orders come in, pictures go out, and it may fall without anybody being hurt. */
async function main(): Promise<void> {
  fallFirst()
  setInterval(() => {
    if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.exit(1)
  }, LOOK_EVERY_MS).unref()
  const input = readFrames(Bun.stdin.stream())
  for (;;) {
    // Written by our own server, at the other end of the pipe.
    const order = (await input.head()) as Order | null
    if (order === null) return
    const made = await render(order, await input.body(order.length))
    if (typeof made === 'string') await Bun.write(Bun.stdout, headBytes({ failure: made } satisfies Reply))
    else {
      const head = headBytes({ type: made.type, length: made.bytes.length } satisfies Reply)
      await Bun.write(Bun.stdout, Buffer.concat([head, made.bytes]))
    }
  }
}

/** When memory runs out, the kernel shall take this process and not the server. */
function fallFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Some containers do not let us.
  }
}

await main()
process.exit()
