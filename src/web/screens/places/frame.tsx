import type { ReactNode } from 'react'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useKeepFocus } from '../../ui/use-keep-focus.ts'
import page from '../../widgets/page.module.css'
import styles from './places.module.css'

interface FrameProps {
  title: string
  text?: string | undefined
  /** What one can do with the list as a whole. */
  tools?: ReactNode
  part: string
  children: ReactNode
}

/** A screen of files and folders from anywhere. Where a line, or what was pressed above them, goes away, the focus stays near. */
export function Frame({ title, text, tools, part, children }: FrameProps) {
  const held = useKeepFocus<HTMLDivElement>()
  return (
    <div {...held} className={page.screen} data-part={part}>
      <header className={classes(page.head, styles.head)}>
        <div className={styles.titles}>
          <h1 className={page.title}>{title}</h1>
          {text !== undefined && <p className={styles.text}>{text}</p>}
        </div>
        {tools}
      </header>
      {children}
    </div>
  )
}

interface ReadProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> }
  children: (data: Data) => ReactNode
}

/** What was read, or that it is on its way, or why it cannot be had. */
export function Read<Data>({ query: { data, error, refetch }, children }: ReadProps<Data>) {
  if (data !== undefined) return children(data)
  if (error === null)
    return (
      <div className={styles.waiting} role="status" aria-label={t('app.loading')}>
        <Spinner size={22} />
      </div>
    )
  return (
    <div role="alert">
      <EmptyState title={t('places.failed')} text={errorText(error)}>
        <Button variant="primary" onClick={() => void refetch()}>
          {t('action.retry')}
        </Button>
      </EmptyState>
    </div>
  )
}
