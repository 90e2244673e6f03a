import { closeSync, writeSync } from 'node:fs'
import { libc } from './libc.ts'

/** `linux/memfd.h` */
const MFD_CLOEXEC = 1
const MFD_NOEXEC_SEAL = 8
const NAME = Buffer.from('satchel\0')

/**
 * A descriptor from which `content` can be read, of a file in memory that has no name: programs start where no disk has room, too (R15).
 * Throws where the system has no memory left.
 */
export function memoryFile(content: Uint8Array): number {
  const fd = create()
  try {
    // By position, so that reading starts at the beginning.
    for (let at = 0; at < content.length;) at += writeSync(fd, content, at, content.length - at, at)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Never to be executed, where the kernel knows how to say so (Linux 6.3). */
function create(): number {
  const { memfd_create } = libc()
  for (const flags of [MFD_CLOEXEC | MFD_NOEXEC_SEAL, MFD_CLOEXEC]) {
    const fd = memfd_create(NAME, flags)
    if (fd >= 0) return fd
  }
  throw new Error('the system gives no file in memory')
}
