import type { SharedLink } from '../../../shared/contract/public.ts'

/** Whether a link gives no more to look at than pictures: where looking at the file itself would take it, or count. */
export function isOnlyPicture({ rights, limited }: SharedLink): boolean {
  return rights === 'view' || limited
}
