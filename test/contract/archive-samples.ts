import { crc32, deflateRawSync } from 'node:zlib'

/*
 * Archives written by hand, byte for byte, so that they can say what no packer would. Zip as in PKWARE's APPNOTE 6.3, tar as in POSIX ustar.
 */

export interface ZipEntry {
  readonly name: string | Uint8Array
  readonly text?: string | Uint8Array
  readonly deflate?: boolean
  /** POSIX mode with type bits; a regular file by default. */
  readonly mode?: number
  /** General purpose flags; 1 is encrypted, 0x800 a name in UTF-8. */
  readonly flags?: number
  readonly crc?: number
  /** What it says its content's length is. */
  readonly size?: number
  /** Where it says its local header is. */
  readonly offset?: number
  /** Of the record in the directory, for example the 64-bit sizes. */
  readonly extra?: Uint8Array
}

export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const locals: Buffer[] = []
  const records: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const content = Buffer.from(entry.text ?? '')
    const data = entry.deflate === true ? deflateRawSync(content) : content
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(entry.flags ?? 0x800, 2)
    common.writeUInt16LE(entry.deflate === true ? 8 : 0, 4)
    common.writeUInt16LE(0x5a21, 8)
    common.writeUInt32LE(entry.crc ?? crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(entry.size ?? content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, data])
    const record = Buffer.alloc(46)
    record.write('PK\x01\x02', 0, 'latin1')
    record.writeUInt16LE((3 << 8) | 20, 4)
    common.copy(record, 6)
    record.writeUInt16LE(entry.extra?.length ?? 0, 30)
    record.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38)
    record.writeUInt32LE(entry.offset ?? at, 42)
    records.push(record, name, Buffer.from(entry.extra ?? ''))
    if (entry.offset === undefined) {
      locals.push(local)
      at += local.length
    }
  }
  const directory = Buffer.concat(records)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

export interface TarEntry {
  readonly name: string
  readonly text?: string | Uint8Array
  /** `0` file, `1` hard link, `2` symbolic link, `3` and `4` devices, `5` folder, `6` FIFO. */
  readonly type?: string
  readonly target?: string
  /** The twelve bytes that say how long it is. */
  readonly size?: Uint8Array
}

export function tarOf(entries: readonly TarEntry[]): Uint8Array {
  const parts = entries.flatMap(({ name, text = '', type = '0', target = '', size }) => {
    const content = Buffer.from(text)
    const head = Buffer.alloc(512)
    head.write(name, 0, 100)
    head.write('0000644\0', 100)
    head.write('0000000\0', 108)
    head.write('0000000\0', 116)
    head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    if (size !== undefined) head.set(size, 124)
    head.write('14000000000\0', 136)
    head.write('        ', 148)
    head.write(type, 156)
    head.write(target, 157, 100)
    head.write('ustar\x0000', 257, 'latin1')
    const sum = head.reduce((all, byte) => all + byte, 0)
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

/** RAR 5.0, everything stored (RARLAB's technical note). */
export function rarOf(entries: readonly { readonly name: string; readonly text: string }[]): Uint8Array {
  const files = entries.flatMap(({ name, text }) => {
    const content = Buffer.from(text)
    const crc = Buffer.alloc(4)
    crc.writeUInt32LE(crc32(content))
    const fields = [2, 0x02, content.length, 0x04, content.length, 0o100644]
    return [rarBlock(Buffer.concat([vints(fields), crc, vints([0, 1, Buffer.byteLength(name)]), Buffer.from(name)])), content]
  })
  return Buffer.concat([Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), rarBlock(vints([1, 0, 0])), ...files, rarBlock(vints([5, 0, 0]))])
}

function rarBlock(body: Buffer): Buffer {
  const sized = Buffer.concat([vints([body.length]), body])
  const crc = Buffer.alloc(4)
  crc.writeUInt32LE(crc32(sized))
  return Buffer.concat([crc, sized])
}

/** Seven bits a byte, the least first. */
function vints(numbers: readonly number[]): Buffer {
  return Buffer.from(
    numbers.flatMap((number) => {
      const bytes: number[] = []
      for (let left = number; ; left = Math.floor(left / 128)) {
        if (left < 128) return [...bytes, left]
        bytes.push((left % 128) | 128)
      }
    }),
  )
}

/** By 7-Zip itself: nobody writes these by hand. */
export async function sevenZipOf(files: Record<string, string>, options: readonly string[] = []): Promise<Uint8Array> {
  const { default: load } = await import('7z-wasm')
  const seven = await load({ print: () => undefined, printErr: () => undefined })
  seven.FS.mkdir('/in')
  seven.FS.chdir('/in')
  for (const [name, text] of Object.entries(files)) seven.FS.writeFile(name, Buffer.from(text))
  seven.callMain(['a', '-mmt1', ...options, '/x.7z', ...Object.keys(files)])
  return seven.FS.readFile('/x.7z')
}
