import { ROOT } from '../../shared/file-path.ts'
import type { Viewer } from '../access/viewer.ts'

/** No client's name for an upload contains it. */
const MARK = ':'

/**
 * The stored name of an upload. Paths of a token for one folder, and within a share with people, begin there, so `/a.txt` is another file than the user's `/a.txt`: its uploads have names
 * of their own, which no other token and no session can mean. Such an upload always has a name, also if its client gave it none.
 */
export function uploadKeyOf({ token, through }: Pick<Viewer, 'token' | 'through'>, key: string | undefined): string | undefined {
  if (through !== undefined) return `with-me ${through.share}${MARK}${key ?? ''}`
  if (token === undefined || token.folder === ROOT) return key
  return token.id + MARK + (key ?? '')
}

/** Whether a client with a token for one folder, or within a share, named no upload. */
export function isNameless(key: string): boolean {
  return key.endsWith(MARK)
}

/** The client's name for an upload. */
export function clientKeyOfUpload(key: string): string {
  return key.slice(key.indexOf(MARK) + 1)
}

/** Whether it is an upload of a token for one folder, or within a share. */
export function isOfFolderToken({ key }: { readonly key: string }): boolean {
  return key.includes(MARK)
}
