import { CircleAlert, HardDrive } from 'lucide-react'
import type { Root } from '../../../../shared/contract/roots.ts'
import { useRoots } from '../../../data/roots.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import items from '../item-list.module.css'
import { Section } from '../section.tsx'

/** The folders that are served, with their disks, for administrators. */
export function RootsSection() {
  const roots = useRoots()
  return (
    <Section title={t('roots.title')} text={t('roots.text')}>
      {roots !== undefined && (
        <ul className={items.list} data-part="roots">
          {roots.map((root) => (
            <RootItem key={root.name} root={root} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function RootItem({ root }: { root: Root }) {
  const { name, address, readOnly, state, total, used } = root
  const isAway = state === 'away'
  const Icon = isAway ? CircleAlert : HardDrive
  const space = total === null || used === null ? null : t('roots.space', { free: formatBytes(total - used), total: formatBytes(total) })
  return (
    <li className={items.item}>
      <Icon size={20} aria-hidden />
      <div className="grid gap-2">
        <bdi className="strong">{name === '' ? t('roots.main') : name}</bdi>
        <span className={items.more}>
          <bdi dir="ltr">{address}</bdi>
          <span>{isAway ? t('errors.offline.title') : t('roots.connected')}</span>
          {readOnly && <span>{t('roots.read-only')}</span>}
          {space !== null && <bdi>{space}</bdi>}
        </span>
      </div>
    </li>
  )
}
