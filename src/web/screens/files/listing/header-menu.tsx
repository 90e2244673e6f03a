import { EllipsisVertical, SlidersHorizontal, Weight } from 'lucide-react'
import { chooseView, type Density, useView } from '../../../data/view.ts'
import { t } from '../../../i18n/i18n.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuEntry } from '../../../ui/menu-entry.ts'
import { useMedia } from '../../../ui/use-media.ts'
import { type ActionPort, menuEntries } from '../menu-entries.tsx'

const DENSITIES: readonly Density[] = ['compact', 'normal', 'roomy']

/** The end of the header: on phones what it has no room for, elsewhere how the listing looks. */
export function HeaderMenu({ phone, ...port }: ActionPort & { phone: boolean }) {
  return phone ? <FolderMenu {...port} /> : <ViewOptions />
}

/** How near the entries stand, and the way back to the columns as they came. */
function ViewOptions() {
  const { density, columns, folderSizes } = useView()
  const mouse = useMedia('(pointer: fine)')
  const entries = (): MenuEntry[] => [
    { kind: 'heading', id: 'density', label: t('files.view.density') },
    // A finger needs more than compact rows.
    ...DENSITIES.filter((one) => mouse || one !== 'compact').map((one): MenuEntry => ({
      kind: 'action',
      id: one,
      label: t(`files.view.${one}`),
      checked: density === one,
      onSelect: () => chooseView({ density: one }),
    })),
    { kind: 'separator', id: 'above-columns' },
    folderSizesEntry(folderSizes),
    {
      kind: 'action',
      id: 'columns',
      label: t('files.view.columns'),
      disabled: Object.keys(columns).length === 0,
      onSelect: () => chooseView({ columns: {} }),
    },
  ]
  return (
    <Menu
      label={t('files.view.options')}
      align="end"
      entries={entries}
      trigger={(props) => (
        <IconButton {...props} label={t('files.view.options')} icon={<SlidersHorizontal size={19} strokeWidth={1.75} />} />
      )}
    />
  )
}

function folderSizesEntry(on: boolean): MenuEntry {
  return {
    kind: 'action',
    id: 'folder-sizes',
    label: t('files.view.folder-sizes'),
    checked: on,
    onSelect: () => chooseView({ folderSizes: !on }),
  }
}

function FolderMenu(port: ActionPort) {
  const folderSizes = useView((view) => view.folderSizes)
  return (
    <Menu
      label={t('files.menu')}
      align="end"
      entries={() => [
        ...menuEntries(
          [
            ['filter', 'select-multiple', 'select-all'],
            ['download', 'star', 'unstar', 'info', 'usage'],
          ],
          port,
        ),
        { kind: 'separator', id: 'above-view' },
        // Among entries with pictures it has one too.
        { ...folderSizesEntry(folderSizes), icon: <Weight size={17} strokeWidth={1.75} /> },
      ]}
      trigger={(props) => <IconButton {...props} label={t('files.menu')} icon={<EllipsisVertical size={19} strokeWidth={1.75} />} />}
    />
  )
}
