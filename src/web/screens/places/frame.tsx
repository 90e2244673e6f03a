import type { ReactNode } from 'react'
import { errorText, t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeepFocus } from '../../ui/use-keep-focus.ts'
import page from '../../widgets/page.module.css'
import { Loading } from '../../widgets/loading.tsx'
import styles from './places.module.css'

interface ListPageProps {
  /** Other than a text, it has a heading itself. */
  title: ReactNode
  text?: string | undefined
  /** Actions for the whole list. */
  tools?: ReactNode
  part: string
  children: ReactNode
}

/** Page with a list of files and folders from different folders. When the focused row disappears, focus stays nearby. */
export function ListPage({ title, text, tools, part, children }: ListPageProps) {
  const held = useKeepFocus<HTMLDivElement>()
  return (
    <div {...held} className={page.screen} data-part={part}>
      <header className={classes(page.head, styles.head)}>
        <div className="grid gap-1 grow shrinkable">
          {typeof title === 'string' ? <h1 className={page.title}>{title}</h1> : title}
          {text !== undefined && <p className={styles.text}>{text}</p>}
        </div>
        {tools}
      </header>
      {children}
    </div>
  )
}

interface QueryResultProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> }
  children: (data: Data) => ReactNode
}

/** Renders data, loading state or error of a query. */
export function QueryResult<Data>({ query: { data, error, refetch }, children }: QueryResultProps<Data>) {
  if (data !== undefined) return children(data)
  if (error === null) return <Loading height="118px" />
  return (
    <div role="alert">
      <EmptyState title={t('places.failed')} text={errorText(error)}>
        <Button label={t('action.retry')} variant="primary" onClick={() => void refetch()} />
      </EmptyState>
    </div>
  )
}
