import type { Hono } from 'hono'
import type { Env } from './mount.ts'

/** For load balancers and container runtimes: answers as long as the process does (contract reference 1.2). */
export function mountHealth(app: Hono<Env>): void {
  app.all('/health', () => new Response('{"status":"OK"}', { headers: { 'content-type': 'text/plain; charset=utf-8' } }))
}
