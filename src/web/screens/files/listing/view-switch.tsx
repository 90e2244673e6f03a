import { Images, LayoutGrid, List } from 'lucide-react'
import type { View } from '../../../data/view.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Segmented } from '../../../ui/segmented.tsx'

const ICON = { size: 18, strokeWidth: 1.75 }

export function ViewSwitch({ view, onView }: { view: View; onView: (view: View) => void }) {
  return (
    <Segmented
      label={t('files.view')}
      value={view}
      options={[
        { value: 'list', label: t('files.view.list'), icon: <List {...ICON} /> },
        { value: 'mosaic', label: t('files.view.mosaic'), icon: <LayoutGrid {...ICON} /> },
        { value: 'gallery', label: t('files.view.gallery'), icon: <Images {...ICON} /> },
      ]}
      onValue={onView}
    />
  )
}
