import { openFolder } from './open-folder.ts'
import type { Folder } from './proc-paths.ts'

/** A name in an open folder or below one. Plain data, which can be sent to threads: they share all descriptors. */
export interface Address {
  readonly fd: number
  /** Segments from the open folder to the one that holds the name; empty if that is the open folder itself. */
  readonly below: readonly string[]
  /** `.` for the folder itself. */
  readonly name: string
  /** Whether a walk fails with EXDEV at a mount point: none is known there, and calls behind one may block. */
  readonly stay: boolean
}

/** The arguments of a call for a thread, in which addresses may cross mount points. Other arguments are unchanged. */
export function mayLeaveMount(arg: unknown): unknown {
  return typeof arg === 'object' && arg !== null && 'stay' in arg ? { ...arg, stay: false } : arg
}

export function openParent({ fd, below, stay }: Address): Folder {
  return below.length === 0 ? { fd, [Symbol.dispose]: () => undefined } : openFolder({ fd }, below, { stay })
}

/** The addressed folder itself. Fails with ENOTDIR for anything else. */
export function openAddressed({ fd, below, name, stay }: Address): Folder {
  return openFolder({ fd }, name === '.' ? below : [...below, name], { stay })
}
