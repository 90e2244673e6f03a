import type { SharedLink } from '../../../shared/contract/public.ts'

/** Whether only server-rendered images may be shown, because reading the file itself would be a download or be counted as one. */
export function isOnlyPicture({ rights, limited }: SharedLink): boolean {
  return rights === 'view' || limited
}
