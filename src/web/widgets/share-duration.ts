import { formatDistanceTo } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'

/** Remaining lifetime of a link. @param expire seconds since 1970; 0 for a permanent link */
export function shareDuration(expire: number): string {
  return expire === 0 ? t('share.permanent') : formatDistanceTo(expire)
}
