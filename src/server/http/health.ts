import type { Context, Hono } from 'hono'
import { DOCTOR_HEADER, type SeenRequest } from '../../shared/doctor.ts'
import type { Env } from './mount.ts'

const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded']

export interface HealthDeps {
  /** Whether `satchel doctor` of this machine asks: it alone is told what its request looked like here. */
  readonly isDoctor: (secret: string) => Promise<boolean>
}

/** For load balancers and container runtimes: answers as long as the process does (contract reference 1.2). */
export function mountHealth(app: Hono<Env>, { isDoctor }: HealthDeps): void {
  app.all('/health', async (c) => {
    const secret = c.req.header(DOCTOR_HEADER)
    const byDoctor = secret !== undefined && (await isDoctor(secret))
    // A proxy that is answered before it has passed a body on takes that for a failure.
    if (byDoctor) await c.req.raw.body?.pipeTo(new WritableStream())
    const seen = byDoctor ? { request: seenBy(c) } : {}
    return new Response(JSON.stringify({ status: 'OK', ...seen }), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  })
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
