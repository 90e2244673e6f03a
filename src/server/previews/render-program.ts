import { headBytes, readFrames } from '../programs/frames.ts'
import { runProgram, createOutput, limitOwnMemory } from '../programs/run-program.ts'
import type { RenderRequest, Reply } from './picture.ts'
import { render } from './render.ts'

/** Beyond this the image is a decompression bomb, or memory leaks: the process ends, and the next image gets a new one. */
const MAX_MEMORY_BYTES = 1.5 * 1024 ** 3

/** The program that decodes uploaded images: requests come in, pictures go out. A crash affects nothing else. */
async function main(): Promise<void> {
  limitOwnMemory({ maxMemoryBytes: MAX_MEMORY_BYTES })
  const write = createOutput()
  const input = readFrames(Bun.stdin.stream())
  for (;;) {
    // Written by our own server, at the other end of the pipe.
    const order = (await input.head()) as RenderRequest | null
    if (order === null) return
    const made = await render(order, await input.body(order.length))
    if (typeof made === 'string') await write(headBytes({ failure: made } satisfies Reply))
    else {
      const head = headBytes({ type: made.type, length: made.bytes.length } satisfies Reply)
      await write(Buffer.concat([head, made.bytes]))
    }
  }
}

runProgram(main)
