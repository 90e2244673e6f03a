import { LayoutGrid, List } from 'lucide-react'
import type { ViewMode } from '../../../../shared/contract/users.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'

export function ViewSwitch({ view, onView }: { view: ViewMode; onView: (view: ViewMode) => void }) {
  return (
    <Segmented
      label={t('files.view')}
      value={view}
      options={[
        { value: 'list', label: t('files.view.list'), icon: <List size={18} strokeWidth={1.75} /> },
        { value: 'mosaic', label: t('files.view.mosaic'), icon: <LayoutGrid size={18} strokeWidth={1.75} /> },
      ]}
      onValue={onView}
    />
  )
}
