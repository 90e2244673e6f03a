import { openFolder } from './open-folder.ts'
import type { Folder } from './walk.ts'

/** A name in a folder that is open, or lies below one that is. Plain data, so that threads can be asked about it: they share all descriptors. */
export interface Address {
  readonly fd: number
  /** Segments from the open folder to the one that holds the name; none where it is the open one itself. */
  readonly below: readonly string[]
  /** `.` for the folder itself. */
  readonly name: string
  /** Whether the way ends with EXDEV at a mount point: nobody knows of one there, and what lies behind it may keep its callers waiting. */
  readonly stay: boolean
}

/** What a thread is asked that may wait. Leaves alone what is no address. */
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
