import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keepingRecent, useKeepsRecent } from '../../../data/favourites.ts'
import { clearRecentFolders } from '../../../data/recent-folders.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/switch.tsx'

/** Whether recent files are recorded; saved at once. */
export function RecentCard() {
  const { mutate } = useMutation(keepingRecent(useQueryClient()))
  const keeps = useKeepsRecent()
  const choose = (keep: boolean) => {
    if (!keep) clearRecentFolders()
    mutate(keep)
  }
  return (
    <Card title={t('settings.recent')} text={t('settings.recent.text')}>
      <Switch
        label={t('settings.recent.keep')}
        hint={t('settings.recent.hint')}
        checked={keeps ?? true}
        disabled={keeps === undefined}
        onChecked={choose}
      />
    </Card>
  )
}
