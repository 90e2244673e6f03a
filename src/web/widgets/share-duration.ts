import { formatDistanceTo } from '../i18n/format.ts'
import { t } from '../i18n/i18n.tsx'

/** How long a link lasts. @param expire seconds since 1970; 0 for one that stays */
export function shareDuration(expire: number): string {
  return expire === 0 ? t('share.permanent') : formatDistanceTo(expire)
}
