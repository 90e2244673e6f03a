import { ChevronRight, FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '../../router/router.tsx'
import { type FilePath, ROOT, segmentsOf } from '../../../shared/file-path.ts'
import { crumbsOf } from '../../data/crumbs.ts'
import { urlInShare } from '../../data/share-links.ts'
import { t } from '../../i18n/i18n.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { FileName } from '../../widgets/file-name.tsx'
import styles from './shared-crumbs.module.css'

/** Breadcrumbs inside the share: at most the last three; if there are more, the first shown is '…' and links to what it stands for. */
export function SharedCrumbs({ hash, path }: { hash: string; path: FilePath }) {
  const { hidden, shown } = crumbsOf(path)
  const last = hidden.at(-1)
  return (
    <nav aria-label={t('visit.crumbs')} data-part="breadcrumbs">
      <ol className="row shrinkable">
        <li className={styles.crumb}>
          <CrumbLink hash={hash} to={ROOT} from={path}>
            <FolderOpen size={18} strokeWidth={1.75} role="img" aria-label={t('visit.files')} />
          </CrumbLink>
        </li>
        {last !== undefined && (
          <li className={styles.crumb}>
            <Chevron />
            <CrumbLink hash={hash} to={last.path} from={path} label={hidden.map(({ name }) => displayName(name)).join(' / ')}>
              …
            </CrumbLink>
          </li>
        )}
        {shown.map((crumb) => (
          <li key={crumb.path} className={styles.crumb}>
            <Chevron />
            <CrumbLink hash={hash} to={crumb.path} from={path}>
              <FileName name={crumb.name} />
            </CrumbLink>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface CrumbLinkProps {
  hash: string
  to: FilePath
  from: FilePath
  label?: string
  children: ReactNode
}

/** In the parent folder, the folder one comes from gets focus. */
function CrumbLink({ hash, to, from, label, children }: CrumbLinkProps) {
  const here = to === from
  return (
    <Link
      to={urlInShare(hash, to, { folder: true })}
      state={here ? undefined : { focus: segmentsOf(from)[segmentsOf(to).length] }}
      className={styles.link}
      aria-current={here ? 'page' : undefined}
      aria-label={label}
      title={label}
    >
      {children}
    </Link>
  )
}

function Chevron() {
  return <ChevronRight className={styles.chevron} size={16} strokeWidth={1.75} aria-hidden />
}
