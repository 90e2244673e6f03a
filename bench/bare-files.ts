import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The least that this runtime does for a request: `/memory/…` answers with the same bytes, `/disk/NAME` opens and reads a file of the folder. For
 * `small-gets.ts`, which starts it in a process of its own.
 */
const [root = '.'] = process.argv.slice(2)
const same = new Uint8Array(4096)

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch: ({ url }) => new Response(url.includes('/memory/') ? same : read(url.slice(url.lastIndexOf('/') + 1))),
})
console.log(`at http://127.0.0.1:${server.port}/`)

function read(name: string): Uint8Array<ArrayBuffer> {
  const file = openSync(join(root, name), 'r')
  try {
    const bytes = new Uint8Array(fstatSync(file).size)
    readSync(file, bytes)
    return bytes
  } finally {
    closeSync(file)
  }
}
