import { useQueryClient } from '@tanstack/react-query'
import { notify } from '../../../data/notices.ts'
import { loadFavouritesApi, useKeepsRecent } from '../../../data/favourites.ts'
import { clearRecentFolders } from '../../../data/recent-folders.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/switch.tsx'

/** Whether recent files are recorded; saved at once. */
export function RecentCard() {
  const queries = useQueryClient()
  const keeps = useKeepsRecent()
  const choose = async (keep: boolean) => {
    try {
      if (!keep) clearRecentFolders()
      const { setKeepRecent } = await loadFavouritesApi()
      await setKeepRecent(queries, keep)
    } catch (error) {
      notify({ tone: 'error', text: errorText(error) })
    }
  }
  return (
    <Card title={t('settings.recent')} text={t('settings.recent.text')}>
      <Switch
        label={t('settings.recent.keep')}
        hint={t('settings.recent.hint')}
        checked={keeps ?? true}
        disabled={keeps === undefined}
        onChecked={(keep) => void choose(keep)}
      />
    </Card>
  )
}
