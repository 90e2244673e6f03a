import { deflateRawSync } from 'node:zlib'

export interface Packed {
  name: string
  text: string | Buffer
  method?: number
  flags?: number
  size?: number
  packed?: number
  start?: number
}

/** Builds a zip, with arbitrary claims about entries. */
export function makeZip(entries: readonly Packed[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, text: content, method = 8, flags = 0x800, size, packed, start } of entries) {
    const plain = Buffer.from(content)
    const stored = method === 8 ? deflateRawSync(plain) : plain
    const names = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(names.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(flags, 8)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(packed ?? stored.length, 20)
    central.writeUInt32LE(size ?? plain.length, 24)
    central.writeUInt16LE(names.length, 28)
    central.writeUInt32LE(start ?? at, 42)
    parts.push(local, names, stored)
    directory.push(central, names)
    at += 30 + names.length + stored.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, listed, end])
}
