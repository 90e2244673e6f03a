import { fail } from '../../../shared/errors.ts'
import { encodeName, type FilePath, nameToBytes, ROOT, segmentProblem, segmentsOf } from '../../../shared/file-path.ts'
import { isPrivateName, PRIVATE_NAME } from '../private-name.ts'

const NAME_BYTES = 255
const KEY_BYTES = 1024

/** Paths as keys of objects: a file is the object of its path, a folder the prefix of what is below it, with an empty object of that key or without. */
export interface Keys {
  /** Of everything served: empty, or ends with a slash. */
  readonly root: string
  /** Fails with `invalid-input` for a path that cannot be a key: with bytes that are not UTF-8, or too long. */
  file(path: FilePath): string
  /** Ends with a slash, except for the root of a whole bucket, which is empty. */
  folder(path: FilePath): string
  /** A key, or the beginning of keys, of internal objects. */
  hidden(below: string): string
}

export function createKeys(prefix: string): Keys {
  const root = prefix === '' ? '' : `${prefix}/`
  const file = (path: FilePath): string => {
    segmentsOf(path).forEach(checkName)
    const key = root + path.slice(1)
    if (nameToBytes(key).length > KEY_BYTES - 1) fail('invalid-input', { issues: ['path: too long for an object store'] })
    return key
  }
  return {
    root,
    file,
    folder: (path) => (path === ROOT ? root : `${file(path)}/`),
    hidden: (below) => `${root}${PRIVATE_NAME}/${below}`,
  }
}

function checkName(name: string): void {
  if (!name.isWellFormed()) fail('invalid-input', { issues: ['name: not UTF-8, as keys of objects are'] })
  if (nameToBytes(name).length > NAME_BYTES) fail('invalid-input', { issues: ['name: too long'] })
}

/** Whether a part of a key between slashes can be shown as the name of a node. */
export function isShowable(name: string): boolean {
  return segmentProblem(name) === null && !isPrivateName(name) && name.isWellFormed() && nameToBytes(name).length <= NAME_BYTES
}

/** The key in an address or in a header, where slashes stay as they are. */
export function encodeKey(key: string): string {
  return key.split('/').map(encodeName).join('/')
}
