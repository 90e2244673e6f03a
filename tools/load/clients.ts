import { createHash, randomBytes } from 'node:crypto'

/** What the crowd is to do; the first message that it gets. */
export interface LoadPlan {
  readonly url: string
  readonly clients: number
  /** Between two requests of one client, on average. */
  readonly pauseMs: number
  readonly tokens: readonly string[]
  readonly links: readonly string[]
  readonly folders: number
  readonly photos: number
  readonly bigBytes: number
}

/** What the crowd has seen; its only message. */
export interface LoadResult {
  /** Milliseconds of each request, to its last byte. */
  readonly kinds: Record<string, { times: number[] }>
  readonly statuses: Record<string, number>
  /** Requests that failed while the server was down. */
  cut: number
  wrongBytes: number
  /** The longest that a client waited without a byte. */
  silenceMs: number
  /** Uploads that the server said are there, by their name and SHA-1. */
  readonly acknowledged: { name: string; hash: string }[]
}

/** A restart is felt a little before and after it is told of. */
const DOWN_MARGIN_MS = 3000
const RANGE_BYTES = 256 * 1024
const PIECE_BYTES = 200_000
const TUS = { 'tus-resumable': '1.0.0' }
const OFFSET_BYTES = { 'content-type': 'application/offset+octet-stream' }
/** Pauses of somebody who found an upload busy, or the server gone. */
const RETRY_MS = 500
const MOST_RETRIES = 60

const told: LoadResult = { kinds: {}, statuses: {}, cut: 0, wrongBytes: 0, silenceMs: 0, acknowledged: [] }
const state = { isDown: false, upSince: 0, stopping: false }
let names = 0

process.on('message', (message: LoadPlan | { down: boolean } | { stop: true } | { heard: true }) => {
  if ('url' in message) void crowd(message)
  else if ('stop' in message) state.stopping = true
  // Whoever ends before takes a long message along.
  else if ('heard' in message) process.disconnect?.()
  else {
    state.isDown = message.down
    state.upSince = performance.now()
  }
})

async function crowd(orders: LoadPlan): Promise<void> {
  await Promise.all(Array.from({ length: orders.clients }, (_, index) => client(orders, orders.tokens[index % orders.tokens.length] ?? '')))
  process.send?.(told)
}

type Deed = (orders: LoadPlan, token: string) => Promise<unknown>

/** How often each is done, in a hundred. */
const OPERATIONS: readonly (readonly [string, number, Deed])[] = [
  ['listing', 25, ({ folders }, token) => get('listing', `/api/resources/folder-${oneBelow(folders)}`, token)],
  ['range', 20, ({ bigBytes }, token) => range(bigBytes, token)],
  [
    'small file',
    10,
    ({ folders }, token) => get('small file', `/api/raw/folder-${oneBelow(folders)}/report%20${oneBelow(200)}.txt`, token),
  ],
  ['thumbnail', 12, ({ photos }, token) => get('thumbnail', `/api/preview/thumb/photos/photo-${oneBelow(photos)}.jpg`, token)],
  ['search', 5, ({ folders }, token) => get('search', `/api/search/folder-${oneBelow(folders)}?query=report%20${oneBelow(200)}`, token)],
  ['share page', 10, ({ links }) => get('share page', `/api/public/share/${links[oneBelow(links.length)]}`, '')],
  ['upload', 10, (_, token) => upload(token)],
  ['tus', 5, (_, token) => resumable(token)],
  ['archive', 3, ({ folders }, token) => get('archive', `/api/raw/folder-${oneBelow(folders)}?algo=zip`, token)],
]

async function client(orders: LoadPlan, token: string): Promise<void> {
  base = orders.url
  await pause(orders.pauseMs)
  while (!state.stopping) {
    await chosen()(orders, token)
    await pause(orders.pauseMs)
  }
}

let base = ''

function chosen(): Deed {
  let at = Math.random() * OPERATIONS.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [, weight, operation] of OPERATIONS) if ((at -= weight) < 0) return operation
  return async () => null
}

async function get(kind: string, address: string, token: string): Promise<void> {
  await asked(kind, address, { headers: token === '' ? {} : { 'x-auth': token } })
}

async function range(bigBytes: number, token: string): Promise<void> {
  const first = oneBelow(bigBytes / 4 - RANGE_BYTES) * 4
  const headers = { 'x-auth': token, range: `bytes=${first}-${first + RANGE_BYTES - 1}` }
  const answer = await asked('range', '/api/raw/big.bin', { headers })
  if (answer === null || answer.status === 429) return
  const places = new Uint32Array(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.length / 4)
  if (answer.bytes.length !== RANGE_BYTES || places.some((place, index) => place !== first / 4 + index)) told.wrongBytes++
}

async function upload(token: string): Promise<void> {
  const name = `posted-${names++}`
  const body = randomBytes(1000 + oneBelow(200_000))
  const answer = await asked('upload', `/api/resources/inbox/${name}`, { method: 'POST', headers: { 'x-auth': token }, body })
  if (answer?.status === 200) acknowledge(name, body)
}

/** In pieces; goes on where the server says after it was away. */
async function resumable(token: string): Promise<void> {
  const name = `resumed-${names++}`
  const bytes = randomBytes(300_000 + oneBelow(300_000))
  const address = `/api/tus/inbox/${name}`
  const headers = { ...TUS, 'x-auth': token }
  const announced = { 'upload-length': String(bytes.length), 'upload-metadata': `filename ${btoa(name)}` }
  // Null where the server has to be asked, -1 where it knows of nothing.
  let offset: number | null = -1
  for (let tries = 0; tries < MOST_RETRIES; tries++) {
    if (offset === -1) {
      const begun = await asked('tus', address, { method: 'POST', headers: { ...headers, ...announced } })
      offset = begun?.status === 201 ? 0 : null
    } else if (offset !== null) {
      const body: Uint8Array<ArrayBuffer> = bytes.subarray(offset, offset + PIECE_BYTES)
      const at = { 'upload-offset': String(offset) }
      const sent = await asked('tus', address, { method: 'PATCH', headers: { ...headers, ...OFFSET_BYTES, ...at }, body })
      offset = sent?.status === 204 ? offset + body.length : null
    } else {
      await Bun.sleep(RETRY_MS)
      const known = await asked('tus', address, { method: 'HEAD', headers }, { mayMiss: true })
      if (known?.status === 404) offset = -1
      if (known?.status === 200) offset = Number(known.headers.get('upload-offset'))
    }
    if (offset === bytes.length) return acknowledge(name, bytes)
  }
  count('an upload that never ended')
}

function acknowledge(name: string, bytes: Uint8Array): void {
  told.acknowledged.push({ name, hash: createHash('sha1').update(bytes).digest('hex') })
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** @returns null where there was none */
async function asked(kind: string, address: string, init: RequestInit, { mayMiss = false } = {}): Promise<Answer | null> {
  const start = performance.now()
  let last = start
  const moved = (): void => {
    const now = performance.now()
    if (!isRestarting()) told.silenceMs = Math.max(told.silenceMs, now - last)
    last = now
  }
  try {
    const response = await fetch(base + address, init)
    moved()
    const pieces: Uint8Array[] = []
    for await (const piece of response.body ?? []) {
      moved()
      pieces.push(piece)
    }
    moved()
    // An upload that another try holds, and one that the server never heard of, are answers to a question after a restart.
    const isExpected = mayMiss && (response.status === 404 || response.status === 423)
    const isHeld = kind === 'tus' && response.status === 423
    if (!isExpected && !isHeld) count(String(response.status))
    const times = (told.kinds[kind] ??= { times: [] })
    if (!isRestarting()) times.times.push(performance.now() - start)
    return { status: response.status, headers: response.headers, bytes: Buffer.concat(pieces) }
  } catch (error) {
    if (isRestarting()) told.cut++
    else count(error instanceof Error && 'code' in error ? String(error.code) : String(error))
    return null
  }
}

function isRestarting(): boolean {
  return state.isDown || performance.now() - state.upSince < DOWN_MARGIN_MS
}

function count(what: string): void {
  told.statuses[what] = (told.statuses[what] ?? 0) + 1
}

function oneBelow(end: number): number {
  return Math.floor(Math.random() * end)
}

async function pause(averageMs: number): Promise<void> {
  await Bun.sleep(Math.random() * 2 * averageMs)
}
