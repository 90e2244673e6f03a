import type { DavCall } from './dav-call.ts'
import { depthOf } from './dav-headers.ts'

/** DELETE: to the trash, with everything below. */
export async function remove({ drive, path, request }: DavCall): Promise<Response> {
  depthOf(request, { allowed: ['infinity'], absent: 'infinity' })
  await drive.remove(path, { signal: request.signal })
  return new Response(null, { status: 204 })
}
