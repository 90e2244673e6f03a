import { EllipsisVertical, Weight } from 'lucide-react'
import { chooseView, type Density, useView } from '../../../data/view.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuEntry } from '../../../ui/menu-entry.ts'
import { useMedia } from '../../../ui/use-media.ts'
import type { ActionName } from '../action-rules.ts'
import { type ActionProps, menuEntries } from '../menu-entries.ts'

const DENSITIES: readonly Density[] = ['compact', 'normal', 'roomy']

const OF_FOLDER: readonly (readonly ActionName[])[] = [
  ['filter', 'select-multiple', 'select-all'],
  ['undo', 'redo'],
  ['download', 'star', 'unstar', 'activity', 'usage', 'snapshots', 'trash-here', 'rewind', 'access'],
]
/** On phones the details have no button of their own. */
const OF_FOLDER_ON_PHONES: readonly (readonly ActionName[])[] = [
  ['filter', 'select-multiple', 'select-all'],
  ['undo', 'redo'],
  ['download', 'star', 'unstar', 'info', 'activity', 'usage', 'snapshots', 'trash-here', 'rewind', 'access'],
]

/** Menu at the end of the header: folder actions and display settings. */
export function HeaderMenu({ phone, ...port }: ActionProps & { phone: boolean }) {
  const { density, columns, folderSizes } = useView()
  const mouse = useMedia('(pointer: fine)')
  const entries = (): MenuEntry[] => [
    ...menuEntries(phone ? OF_FOLDER_ON_PHONES : OF_FOLDER, port),
    { kind: 'separator', id: 'above-view' },
    // With an icon, like the other entries.
    { ...folderSizesEntry(folderSizes), icon: Weight },
    ...(phone ? [] : [...densityEntries(density, mouse), columnsEntry(Object.keys(columns).length > 0)]),
  ]
  return (
    <Menu
      label={t('files.menu')}
      align="end"
      entries={entries}
      trigger={(props) => <IconButton {...props} label={t('files.menu')} icon={EllipsisVertical} iconSize={19} />}
    />
  )
}

function densityEntries(density: Density, mouse: boolean): MenuEntry[] {
  return [
    { kind: 'separator', id: 'above-density' },
    { kind: 'heading', id: 'density', label: t('files.view.density') },
    // Compact rows are too small for touch.
    ...DENSITIES.filter((one) => mouse || one !== 'compact').map((one): MenuEntry => ({
      kind: 'action',
      id: one,
      label: t(`files.view.${one}`),
      checked: density === one,
      onSelect: () => chooseView({ density: one }),
    })),
    { kind: 'separator', id: 'above-columns' },
  ]
}

/** Resets the column widths. */
function columnsEntry(changed: boolean): MenuEntry {
  return { kind: 'action', id: 'columns', label: t('files.view.columns'), disabled: !changed, onSelect: () => chooseView({ columns: {} }) }
}

function folderSizesEntry(on: boolean): MenuEntry & { kind: 'action' } {
  return {
    kind: 'action',
    id: 'folder-sizes',
    label: t('files.view.folder-sizes'),
    checked: on,
    onSelect: () => chooseView({ folderSizes: !on }),
  }
}
