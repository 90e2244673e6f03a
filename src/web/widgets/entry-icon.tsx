import type { FileType } from '../../shared/contract/resources.ts'
import styles from './entry-icon.module.css'
import { fileKind, labelOf } from './file-kind.ts'

export interface EntryIconProps {
  name: string
  type: FileType
  isDir: boolean
  isLink?: boolean
  /** In pixels, square. At 20 and below the extension label is a plain bar. */
  size: number
}

const SMALLEST_LETTERS = 21

/** Icon of an entry, on a 28 px grid. Decorative: the name is beside it. */
export function EntryIcon({ name, type, isDir, isLink, size }: EntryIconProps) {
  const kind = fileKind({ name, type, isDir })
  return (
    <svg className={styles.icon} data-kind={kind} width={size} height={size} viewBox="0 0 28 28" fill="none" aria-hidden>
      {isDir ? <FolderGlyph /> : <FileGlyph label={size < SMALLEST_LETTERS ? '' : labelOf(name)} broken={kind === 'broken'} />}
      {isLink && <LinkBadge />}
    </svg>
  )
}

/** Two tones: back and front. */
export function FolderGlyph() {
  return (
    <>
      <path
        className={styles.flap}
        d="M3 8.2A2.2 2.2 0 0 1 5.2 6h5.1c.6 0 1.15.24 1.56.67l1.6 1.66c.28.3.68.47 1.09.47h8.25A2.2 2.2 0 0 1 25 11v3H3z"
      />
      <path className={styles.pocket} d="M3 12.2h22v8.6a2.2 2.2 0 0 1-2.2 2.2H5.2A2.2 2.2 0 0 1 3 20.8z" />
    </>
  )
}

function FileGlyph({ label, broken }: { label: string; broken: boolean }) {
  return (
    <>
      <path
        className={styles.paper}
        strokeDasharray={broken ? '2.4 2' : undefined}
        d="M6 5.2A2.2 2.2 0 0 1 8.2 3h8.3L23 9.5v13.3a2.2 2.2 0 0 1-2.2 2.2H8.2A2.2 2.2 0 0 1 6 22.8z"
      />
      <path className={styles.fold} d="M16.4 3.2v4.3c0 1.2 1 2.2 2.2 2.2h4.2" />
      {label !== '' && (
        <>
          <rect className={styles.label} x="2.6" y="13" width={label.length > 3 ? 19.4 : 17} height="8.6" rx="2.2" />
          <text
            className={styles.letters}
            data-long={label.length > 3 || undefined}
            x={2.6 + (label.length > 3 ? 9.7 : 8.5)}
            y="19.4"
            textAnchor="middle"
          >
            {label}
          </text>
        </>
      )}
      {label === '' && <rect className={styles.label} x="9.5" y="15" width="10" height="4" rx="1.4" />}
    </>
  )
}

/** Arrow badge of symbolic links. */
function LinkBadge() {
  return (
    <g>
      <circle className={styles.badge} cx="21.6" cy="21.6" r="6" />
      <path className={styles.arrow} d="M19.2 24l4.6-4.6m-3.6-.2h3.8V23" />
    </g>
  )
}
