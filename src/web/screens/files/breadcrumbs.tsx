import { ChevronRight, Folder, FolderOpen, House } from 'lucide-react'
import { type DragEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Link, useNavigate } from '../../router/router.tsx'
import { type FilePath, parentOf, ROOT, segmentsOf } from '../../../shared/file-path.ts'
import { urlFromPath } from '../../data/paths.ts'
import { CURRENT_SHARE } from '../../data/share-context.ts'
import { t } from '../../i18n/i18n.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { displayName } from '../../widgets/display-name.ts'
import { FileName } from '../../widgets/file-name.tsx'
import { useFolderName } from './folder-name.ts'
import { type Crumb, crumbsOf } from '../../data/crumbs.ts'
import styles from './breadcrumbs.module.css'

/** Home and the last three folders of the path; all but the last are links and drop targets. */
export function Breadcrumbs({ path }: { path: FilePath }) {
  const { hidden, shown } = crumbsOf(path)
  const root = useFolderName()(ROOT)
  const list = useRef<HTMLOListElement>(null)
  // On phones, scrolls to the end of a long path.
  useLayoutEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest', inline: 'end' })
  }, [path])
  return (
    <nav className={styles.crumbs} aria-label={t('files.breadcrumbs')} data-part="breadcrumbs">
      <ol ref={list} className={styles.list}>
        <li className={styles.crumb}>
          <CrumbLink to={ROOT} from={path}>
            {CURRENT_SHARE === null ? (
              <House size={20} strokeWidth={1.75} role="img" aria-label={t('files.home')} />
            ) : (
              <FolderOpen size={20} strokeWidth={1.75} role="img" aria-label={root} aria-hidden={path === ROOT} />
            )}
            {path === ROOT && <span className="ellipsis">{root}</span>}
          </CrumbLink>
        </li>
        {hidden.length > 0 && (
          <li className={styles.crumb}>
            <Chevron />
            <HiddenCrumbs crumbs={hidden} from={path} />
          </li>
        )}
        {shown.map((crumb) => (
          <li key={crumb.path} className={styles.crumb}>
            <Chevron />
            <CrumbLink to={crumb.path} from={path}>
              <FileName name={crumb.name} />
            </CrumbLink>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Hidden folders as a menu; during a drag they expand, so that each is a drop target. */
function HiddenCrumbs({ crumbs, from }: { crumbs: readonly Crumb[]; from: FilePath }) {
  const navigate = useNavigate()
  const [fanned, setFanned] = useState(false)
  const fold = ({ currentTarget, relatedTarget }: DragEvent) =>
    setFanned(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
  const label = crumbs.map(({ name }) => displayName(name)).join(' / ')
  const entries = crumbs.map((crumb): MenuEntry => ({
    kind: 'action',
    id: crumb.path,
    label: displayName(crumb.name),
    icon: Folder,
    onSelect: () => void navigate(urlFromPath(crumb.path, { folder: true }), { state: { focus: childTowards(crumb.path, from) } }),
  }))
  return (
    <div className="relative" onDragEnter={() => setFanned(true)} onDragLeave={fold} onDrop={() => setFanned(false)}>
      <Menu
        label={t('files.breadcrumbs.hidden')}
        entries={entries}
        trigger={(props) => (
          <button
            {...props}
            type="button"
            className={styles.link}
            aria-label={`${t('files.breadcrumbs.hidden')}: ${label}`}
            data-tooltip={label}
            data-drop={crumbs.at(-1)?.path}
          >
            …
          </button>
        )}
      />
      {fanned && (
        <div className={styles.fan} data-part="fan">
          {crumbs.map((crumb) => (
            <CrumbLink key={crumb.path} to={crumb.path} from={from}>
              <FileName name={crumb.name} />
            </CrumbLink>
          ))}
        </div>
      )}
    </div>
  )
}

function Chevron() {
  return <ChevronRight className={styles.chevron} size={18} strokeWidth={1.75} aria-hidden />
}

/** In the parent folder, the folder one comes from gets focus. */
function CrumbLink({ to, from, children }: { to: FilePath; from: FilePath; children: ReactNode }) {
  const here = to === from
  return (
    <Link
      to={urlFromPath(to, { folder: true })}
      state={here ? undefined : { focus: childTowards(to, from) }}
      className={styles.link}
      aria-current={here ? 'page' : undefined}
      data-drop={to}
      draggable={false}
    >
      {children}
    </Link>
  )
}

/** The child of `ancestor` on the way to `path`. */
export function childTowards(ancestor: FilePath, path: FilePath): string | null {
  return segmentsOf(path)[segmentsOf(ancestor).length] ?? null
}

/** Target of Backspace and Alt+Up, and the entry to focus there; null at the root. */
export function wayUp(path: FilePath): { url: string; focus: string | null } | null {
  if (path === ROOT) return null
  const parent = parentOf(path)
  return { url: urlFromPath(parent, { folder: true }), focus: childTowards(parent, path) }
}
