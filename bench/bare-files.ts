import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The least that this runtime does for a request: `/memory/…` answers with the same bytes, `/disk/NAME` opens and reads a file of the folder, and
 * `/headers/NAME` also reads as many headers as we do and sends those that we send. For `small-gets.ts`, which starts it in a process of its own.
 */
const [root = '.'] = process.argv.slice(2)
const same = new Uint8Array(4096)
/** As a session, a condition and a range are looked for. */
const READ = ['cookie', 'x-auth', 'authorization', 'host', 'origin', 'sec-fetch-site', 'if-none-match', 'range']
/** As a picture is answered (`http/file-headers.ts`, `http/headers.ts`). */
const SENT: [string, string][] = [
  ['accept-ranges', 'bytes'],
  ['cache-control', 'private'],
  ['content-disposition', "inline; filename*=utf-8''picture-1.jpg"],
  ['content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'"],
  ['content-type', 'image/jpeg'],
  ['etag', '"18eb73a117aa54001000afecb40f33263d17"'],
  ['referrer-policy', 'same-origin'],
  ['x-content-type-options', 'nosniff'],
  ['last-modified', 'Thu, 26 Nov 2026 01:20:12 GMT'],
]

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch({ url, headers }) {
    if (url.includes('/memory/')) return new Response(same)
    const bytes = read(url.slice(url.lastIndexOf('/') + 1))
    if (url.includes('/disk/')) return new Response(bytes)
    for (const name of READ) headers.get(name)
    return new Response(bytes, { headers: SENT })
  },
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
