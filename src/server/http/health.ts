import { DOCTOR_HEADER, type SeenRequest } from '../../shared/doctor.ts'
import type { Context, Router } from './router.ts'

const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded']

/** How long the database may take to answer. */
const TIMEOUT_MS = 5000

export interface HealthDeps {
  /** A small query to the database; fails if there is no answer. */
  readonly askDatabase: () => Promise<unknown>
  /** Whether `satchel doctor` on this machine asks: only it is told how its request arrived. */
  readonly isDoctor: (secret: string) => Promise<boolean>
  readonly state: () => ServerState
}

/** `starting` until what a server that died has begun is settled; `stopping` from the signal on. */
export type ServerState = 'starting' | 'ready' | 'stopping'

/**
 * For container runtimes: `/health` is 200 while the server can work, 503 while the database cannot be reached. For load balancers: `/ready` is 200 while
 * new requests should be sent here, so neither during the start nor once the server has been told to stop.
 */
export function mountHealth(app: Router, { isDoctor, askDatabase, state }: HealthDeps): void {
  app.all('/ready', async () => {
    const own = state()
    const status = own !== 'ready' || (await answers(askDatabase)) ? own : 'no database'
    return new Response(JSON.stringify({ status }), { status: status === 'ready' ? 200 : 503, headers: TEXT })
  })

  app.all('/health', async (c) => {
    if (!(await answers(askDatabase))) return new Response(JSON.stringify({ status: 'no database' }), { status: 503, headers: TEXT })
    const secret = c.header(DOCTOR_HEADER)
    const byDoctor = secret !== null && (await isDoctor(secret))
    // A proxy treats a response before it has forwarded the whole body as an error.
    if (byDoctor) await c.request.body?.pipeTo(new WritableStream())
    const seen = byDoctor ? { request: seenBy(c) } : {}
    return new Response(JSON.stringify({ status: 'OK', ...seen }), { headers: TEXT })
  })
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), TIMEOUT_MS)
  try {
    return await Promise.race([late.promise, ask().then(() => true)])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

function seenBy(c: Context): SeenRequest {
  const forwarded = FORWARDING.flatMap((name): [string, string][] => {
    const value = c.header(name)
    return value === null ? [] : [[name, value]]
  })
  return {
    address: c.bindings.peer,
    secure: c.bindings.secure === true,
    trusted: c.bindings.trusted === true,
    host: c.header('host') ?? '',
    forwarded: Object.fromEntries(forwarded),
  }
}
