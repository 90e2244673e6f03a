import { KeyRound } from 'lucide-react'
import type { ApiToken } from '../../../../shared/contract/tokens.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useRevokeToken } from '../../../data/tokens.ts'
import { formatDateExact, formatDistance, formatMoment } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { rightWords } from './rights.ts'
import list from '../item-list.module.css'

/** One API token, with Revoke. */
export function TokenRow({ token, showsUser }: { token: ApiToken; showsUser: boolean }) {
  const revoke = useRevokeToken({ onRevoked: () => notify({ tone: 'success', text: t('tokens.revoked') }) })
  const { name, username, perm, folder, expires, lastUsed, lastAddress } = token
  const askToRevoke = async () => {
    const sure = await ask('confirm', {
      title: t('tokens.revoke.title', { name }),
      text: t('tokens.revoke.text'),
      confirmLabel: t('tokens.revoke'),
      danger: true,
    })
    if (sure !== null) revoke.mutate(token)
  }
  return (
    <li className={list.item} data-part="token">
      <KeyRound size={22} strokeWidth={1.5} aria-hidden />
      <div className="grow shrinkable">
        <p className="text-name">
          <bdi>{name}</bdi>
        </p>
        <p className={list.more}>
          {showsUser && <bdi>{displayName(username)}</bdi>}
          <span>{rightWords(perm)}</span>
          <bdi>{folder === '/' ? t('tokens.folder.all') : displayName(folder)}</bdi>
        </p>
        <p className={list.more}>
          <span>{endWords(expires)}</span>
          {lastUsed === null ? (
            <span>{t('tokens.used.never')}</span>
          ) : (
            <time dateTime={new Date(lastUsed).toISOString()} title={formatDateExact(new Date(lastUsed))}>
              {t('tokens.used', { when: formatDistance(new Date(lastUsed)) })}
            </time>
          )}
          {lastAddress !== '' && <bdi>{lastAddress}</bdi>}
        </p>
      </div>
      <Button
        label={t('tokens.revoke')}
        size="small"
        busy={revoke.isPending}
        aria-label={t('tokens.revoke-one', { name })}
        onClick={() => void askToRevoke()}
      />
    </li>
  )
}

function endWords(expires: number | null): string {
  if (expires === null) return t('share.lasts.always')
  const end = formatMoment(Math.floor(expires / 1000))
  return expires <= Date.now() ? t('tokens.ended', { end }) : t('share.lasts.until', { end })
}
