import { fail, isAppError, nullOn } from '../../shared/errors.ts'
import { parentOf, ROOT } from '../../shared/file-path.ts'
import type { DavCall } from './dav-call.ts'

/** MKCOL: one folder, in a folder that exists (RFC 4918, section 9.3). */
export async function makeFolder({ drive, path, request }: DavCall): Promise<Response> {
  // A body would say what kind of folder; we know one.
  if (request.body !== null && (await hasBytes(request.body))) fail('unsupported-media-type', { expected: 'no body' })
  if (path === ROOT) fail('method-not-allowed', { allow: [] })
  try {
    await drive.expect(path, { replace: false })
  } catch (error) {
    if (isAppError(error, 'already-exists') && error.detail.path === path) fail('method-not-allowed', { allow: [] }, { cause: error })
    throw error
  }
  const parent = await nullOn('not-found', drive.stat(parentOf(path)))
  if (parent?.stat.kind !== 'folder') fail('already-exists', { path: parentOf(path) })
  // Another request may have been faster.
  if (!(await drive.makeFolder(path))) fail('method-not-allowed', { allow: [] })
  return new Response(null, { status: 201 })
}

export async function hasBytes(body: ReadableStream<Uint8Array>): Promise<boolean> {
  for await (const chunk of body) if (chunk.byteLength > 0) return true
  return false
}
