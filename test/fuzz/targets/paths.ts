import {
  decodeFilePath,
  encodeFilePath,
  bytesToName,
  type FilePath,
  isUtf8Path,
  isWithin,
  joinPath,
  nameOf,
  nameToBytes,
  parentOf,
  parseFilePath,
  pathFrom,
  placeUnder,
  ROOT,
  segmentsOf,
} from '../../../src/shared/file-path.ts'
import { selectedFiles } from '../../../src/server/files/selected-files.ts'
import { parseDestination } from '../../../src/server/files/destination.ts'
import { must, orRefused, type Target, textOf } from '../target.ts'

const FOLDER = parseFilePath('a/b')

/** Whatever is asked for, in whatever spelling, is one canonical place below the root, or refused. */
export const target: Target = {
  seeds: ['/a/b/', '/%2e%2e/x', 'a%2Fb', '/%ff%C3%A9', '%f0%9f%98%80', 'a,b%2C,%2525', '/a/./b', '/\u202e', '/a%00'],
  words: ['%2e%2e', '..', '%5c', '%c0%ae', '%ed%b3%bf', '%25', '%f4%90%80%80'],
  // Read in seven ways.
  stepsPerByte: 300,
  mostMs: 1000,
  holds(bytes) {
    const text = textOf(bytes)
    for (const path of [
      orRefused(() => parseFilePath(text)),
      orRefused(() => decodeFilePath(text).path),
      orRefused(() => parseDestination(text)),
    ])
      if (path !== null) canonical(path)
    for (const files of [text, text.split('&')])
      for (const path of orRefused(() => selectedFiles(FOLDER, files)) ?? []) {
        canonical(path)
        must(isWithin(path, FOLDER), 'a file that is asked for leaves its folder')
      }

    const name = bytesToName(bytes)
    must(Buffer.from(nameToBytes(name)).equals(bytes), 'a name is no longer its bytes')
    const child = orRefused(() => joinPath(FOLDER, name))
    if (child === null) return
    must(nameOf(child) === name && parentOf(child) === FOLDER, 'a child is somewhere else')
    must(decodeFilePath(encodeFilePath(child)).path === child, 'a name changes on its way through an address')
  },
}

function canonical(path: FilePath): void {
  must(path.startsWith('/') && !path.includes('\0'), 'a path is relative or holds NUL')
  must(path === ROOT || segmentsOf(path).every((name) => name !== '' && name !== '.' && name !== '..'), 'a path is not canonical')
  must(parseFilePath(path) === path, 'a path is read otherwise the second time')
  must(pathFrom(FOLDER, placeUnder(FOLDER, path)) === path, 'a path changes when it is placed below another')
  const address = orRefused(() => encodeFilePath(path))
  must(address !== null || !isUtf8Path(path), 'a path of whole letters has no address')
  if (address !== null) must(decodeFilePath(address).path === path, 'a path changes on its way through an address')
}
