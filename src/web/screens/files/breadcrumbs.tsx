import { ChevronRight, House } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type FilePath, parentOf, ROOT, segmentsOf } from '../../../shared/file-path.ts'
import { urlFromPath } from '../../data/paths.ts'
import { t } from '../../i18n/i18n.tsx'
import { FileName } from '../../widgets/file-name.tsx'
import { crumbsOf } from './crumbs.ts'
import styles from './breadcrumbs.module.css'

/** Home and the last three folders on the way (spec §2); each but the last leads there and takes drops. */
export function Breadcrumbs({ path }: { path: FilePath }) {
  const { hidden, shown } = crumbsOf(path)
  const before = hidden.at(-1)
  return (
    <nav className={styles.crumbs} aria-label={t('files.breadcrumbs')} data-part="breadcrumbs">
      <ol className={styles.list}>
        <li className={styles.crumb}>
          <CrumbLink to={ROOT} from={path}>
            <House size={20} strokeWidth={1.75} role="img" aria-label={t('files.home')} />
            {path === ROOT && <span className={styles.root}>{t('files.root')}</span>}
          </CrumbLink>
        </li>
        {before && (
          <li className={styles.crumb}>
            <Chevron />
            <CrumbLink to={before.path} from={path} label={hidden.map(({ name }) => name).join(' / ')}>
              …
            </CrumbLink>
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

function Chevron() {
  return <ChevronRight className={styles.chevron} size={18} strokeWidth={1.75} aria-hidden />
}

/** Going up, the folder one comes from has the focus there. */
function CrumbLink({ to, from, label, children }: { to: FilePath; from: FilePath; label?: string; children: ReactNode }) {
  const here = to === from
  return (
    <Link
      to={urlFromPath(to, { folder: true })}
      state={here ? undefined : { focus: childTowards(to, from) }}
      className={styles.link}
      aria-current={here ? 'page' : undefined}
      aria-label={label}
      data-tooltip={label}
      data-drop={to}
      draggable={false}
    >
      {children}
    </Link>
  )
}

/** The entry of `ancestor` on the way to `path`. */
export function childTowards(ancestor: FilePath, path: FilePath): string | null {
  return segmentsOf(path)[segmentsOf(ancestor).length] ?? null
}

/** Where Backspace and Alt+↑ lead, with what has the focus there; null at the top. */
export function wayUp(path: FilePath): { url: string; focus: string | null } | null {
  if (path === ROOT) return null
  const parent = parentOf(path)
  return { url: urlFromPath(parent, { folder: true }), focus: childTowards(parent, path) }
}
