import { UsersRound } from 'lucide-react'
import type { ReceivedShare } from '../../../shared/contract/people-shares.ts'
import { HOME_URL } from '../../data/share-context.ts'
import { t } from '../../i18n/i18n.tsx'
import { buttonClassName } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { displayName } from '../../widgets/display-name.ts'

/** In place of a share that its owner has taken back. @param last what was last known of it; null if it was never there */
export function ShareEnded({ last }: { last: ReceivedShare | null }) {
  return (
    <div role="alert" data-part="share-ended">
      <EmptyState
        picture={<UsersRound size={64} strokeWidth={1.25} />}
        title={last === null ? t('with-me.ended.anybody') : t('with-me.ended', { owner: displayName(last.owner) })}
      >
        <a href={`${HOME_URL}/with-me`} className={buttonClassName({ variant: 'primary' })}>
          {t('title.with-me')}
        </a>
      </EmptyState>
    </div>
  )
}
