import { readlinkSync } from 'node:fs'
import { bytesToName } from '../../shared/file-path.ts'
import type { LinkLook } from './disk-calls.ts'
import type { Signpost } from './links.ts'
import { self } from './walk.ts'

/** Where a node leads as a walk has it: an absolute target counts from the storage's root, and leads nowhere where it is not below that. */
export function signpostFrom(root: { readonly fd: number }, look: LinkLook | null): Signpost | null {
  if (look === null || !look.target?.startsWith('/')) return look
  const { target } = look
  const base = bytesToName(readlinkSync(self(root.fd), { encoding: 'buffer' }))
  const isBelow = target === base || target.startsWith(`${base}/`)
  return { ...look, target: isBelow ? target.slice(base.length) || '/' : null }
}
