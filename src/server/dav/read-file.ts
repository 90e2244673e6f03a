import { respondRaw } from '../files/raw-response.ts'
import type { DavCall } from './dav-call.ts'
import { resourceAt } from './resource.ts'

/** For people who open a folder in a browser. */
const FOLDER_TEXT = 'This is a folder for programs that speak WebDAV.\n'

/** GET and HEAD: a file, whole or in part. Its type is one that a browser does not run (decision 089). */
export async function readFile({ drive, path, request }: DavCall): Promise<Response> {
  const { isFolder } = await resourceAt(drive, path)
  if (isFolder) return new Response(FOLDER_TEXT, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  return respondRaw(drive, path, { request, inline: true })
}
