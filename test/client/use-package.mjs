// @ts-check
import { createHash } from 'node:crypto'
import process from 'node:process'
import { connect, download, isSatchelError, SatchelError, upload, watch } from 'satchel-client'

/**
 * What a program does with the package, in the runtime that starts it: `use-package.mjs ADDRESS DROPPING-ADDRESS TOKEN`, the second of which cuts its
 * first connections. Prints what came of it as JSON.
 */
const [address = '', dropping = '', token = ''] = process.argv.slice(2)
const SIZE = 20 * 1024 * 1024
const data = new Uint8Array(SIZE).map((_, i) => (i * 31 + (i >> 11)) & 255)

const satchel = connect({ address, token })
const unsteady = connect({ address: dropping, token: async () => token })

const leaving = new AbortController()
/** @type {string[]} */
const events = []
const watching = (async () => {
  for await (const event of watch(satchel, '/', { signal: leaving.signal })) {
    events.push(event)
    if (event === 'changed') break
  }
})()
while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))

/** @type {number[]} */
const progress = []
await upload(unsteady, '/a film.mkv', data, { chunkBytes: SIZE, onProgress: (sent) => progress.push(sent), modified: 1_600_000_000_000 })
await watching

const folder = await satchel.resources.get({ params: { path: '/' } })
const listed = 'items' in folder ? folder.items.map(({ name, size, modified }) => [name, size, modified]) : null

const hash = createHash('sha256')
for await (const bytes of readAll(download(unsteady, '/a film.mkv'))) hash.update(bytes)

const link = await satchel.shares.create({ params: { path: '/a film.mkv' }, body: JSON.stringify({ expires: 1, unit: 'days' }) })
const opened = await connect({ address }).shared.open({ params: { hash: link.hash, path: '/' } })

const taken = await failure(upload(satchel, '/a film.mkv', new Uint8Array(3)))
await upload(satchel, '/a film.mkv', new Uint8Array(3), { replace: true })
const replaced = await satchel.resources.get({ params: { path: '/a film.mkv' } })
await satchel.resources.remove({ params: { path: '/a film.mkv' }, query: { permanent: true } })
const gone = await failure(satchel.resources.get({ params: { path: '/a film.mkv' } }))
const offline = await failure(connect({ address: 'http://127.0.0.1:9' }).resources.get({ params: { path: '/' } }))
const stranger = await failure(connect({ address }).resources.get({ params: { path: '/' } }))

console.log(
  JSON.stringify({
    events,
    progress: [progress.at(0), progress.at(-1)],
    listed,
    isSame: hash.digest('hex') === createHash('sha256').update(data).digest('hex'),
    shared: 'name' in opened ? opened.name : null,
    replaced: replaced.size,
    failures: [taken, gone, offline, stranger],
  }),
)

/** @param {ReadableStream<Uint8Array>} stream */
async function* readAll(stream) {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** @param {Promise<unknown>} call */
async function failure(call) {
  try {
    await call
    return 'none'
  } catch (error) {
    if (isSatchelError(error, 'already-exists')) return `already-exists ${error.detail.path}`
    return error instanceof SatchelError ? error.code : String(error)
  }
}
