import type { Context, Hono } from 'hono'
import { DOCTOR_HEADER, type SeenRequest } from '../../shared/doctor.ts'
import type { Env } from './mount.ts'

const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded']

/** How long the database may take to answer. */
const TIMEOUT_MS = 5000

export interface HealthDeps {
  /** A small query to the database; fails if there is no answer. */
  readonly askDatabase: () => Promise<unknown>
  /** Whether `satchel doctor` on this machine asks: only it is told how its request arrived. */
  readonly isDoctor: (secret: string) => Promise<boolean>
}

/** For load balancers and container runtimes: 200 while the server can work, 503 while the database cannot be reached. */
export function mountHealth(app: Hono<Env>, { isDoctor, askDatabase }: HealthDeps): void {
  app.all('/health', async (c) => {
    if (!(await answers(askDatabase))) return new Response(JSON.stringify({ status: 'no database' }), { status: 503, headers: TEXT })
    const secret = c.req.header(DOCTOR_HEADER)
    const byDoctor = secret !== undefined && (await isDoctor(secret))
    // A proxy treats a response before it has forwarded the whole body as an error.
    if (byDoctor) await c.req.raw.body?.pipeTo(new WritableStream())
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

function seenBy({ req, env }: Context<Env>): SeenRequest {
  const forwarded = FORWARDING.flatMap((name): [string, string][] => {
    const value = req.header(name)
    return value === undefined ? [] : [[name, value]]
  })
  return {
    address: env.peer,
    secure: env.secure === true,
    trusted: env.trusted === true,
    host: req.header('host') ?? '',
    forwarded: Object.fromEntries(forwarded),
  }
}
