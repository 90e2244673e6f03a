import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useEffect, useSyncExternalStore, useState } from 'react'
import { type FilePath, nameOf, parseFilePath, ROOT } from '../../../shared/file-path.ts'
import { useUser } from '../../data/session.ts'
import { useTitle } from '../../data/title.ts'
import { useTrash } from '../../data/trash.ts'
import { trashPolicyQuery } from '../../data/trash-policy.ts'
import { formatPercent } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { useNavigate, useSearchParams } from '../../router/router.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import { Loading } from '../../widgets/loading.tsx'
import page from '../../widgets/page.module.css'
import { registerTrashPrompts } from './kinds.ts'
import { NothingHere, Unreadable } from './nothing-here.tsx'
import { TrashBar } from './trash-bar.tsx'
import { TrashList } from './trash-list.tsx'
import styles from './trash-screen.module.css'
import { useTrashActions } from './use-trash-actions.ts'
import { useTrashSelection } from './use-trash-selection.ts'

registerTrashPrompts()

const TYPING_MS = 250
const NONE: readonly never[] = []

/** What was deleted and can be restored: by the user, in a folder, or by everybody (administrators). */
export function TrashScreen() {
  const { perm } = useUser()
  const phone = usePhone()
  const navigate = useNavigate()
  const { folder, all } = useAddress(perm.admin)
  const [typed, setTyped] = useState('')
  const text = useSettled(typed.trim())
  const { data: policy } = useQuery(trashPolicyQuery)
  const { entries, pages, error, refetch, hasMore, loadMore } = useTrash({ folder, text, all })
  const selection = useTrashSelection(entries ?? NONE)
  const selecting = useSyncExternalStore(selection.subscribe, () => selection.count > 0 || selection.multiple)
  const actions = useTrashActions({ all })
  useTitle(folder === null ? null : folderName(folder))

  const filled = (entries?.length ?? 0) > 0
  const bar = entries && filled && <TrashBar entries={entries} selection={selection} actions={actions} phone={phone} />
  const search = (
    <TextField
      className={styles.search}
      label={t('trash.search')}
      labelHidden
      type="search"
      verbatim
      autoComplete="off"
      enterKeyHint="search"
      placeholder={t('search.title')}
      start={<Search size={17} strokeWidth={1.75} aria-hidden />}
      value={typed}
      onValue={setTyped}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed !== '') setTyped('')
      }}
      end={typed !== '' && <IconButton size="small" label={t('search.clear')} icon={X} onClick={() => setTyped('')} />}
    />
  )
  return (
    <section className={styles.screen} aria-label={t('title.trash')} data-part="trash">
      <header className={styles.header}>
        <div className={styles.top}>
          <h1 className={classes(page.title, styles.title)}>{t('title.trash')}</h1>
          {folder !== null ? (
            <p className={styles.text}>{t('trash.here', { folder: `\u2068${folderName(folder)}\u2069` })}</p>
          ) : (
            policy &&
            policy.days > 0 && (
              <p className={styles.text}>{t('trash.text', { count: policy.days, share: formatPercent(policy.share / 100) })}</p>
            )
          )}
          <div className={styles.tools}>
            {folder !== null && <Button label={t('trash.here.all')} onClick={() => navigate('/trash')} />}
            {folder === null && filled && text === '' && actions.mayEmpty && <Button label={t('trash.empty')} onClick={actions.empty} />}
          </div>
        </div>
        <div className={styles.meta}>
          {!phone && bar}
          {(phone || !selecting) && (filled || typed !== '') && search}
          {(phone || !selecting) && perm.admin && folder === null && (
            <Segmented
              label={t('trash.whose')}
              value={all ? 'all' : 'mine'}
              options={[
                { value: 'mine', label: t('trash.mine') },
                { value: 'all', label: t('trash.everyone') },
              ]}
              onValue={(value) => navigate(value === 'all' ? '/trash?all=true' : '/trash', { replace: true })}
            />
          )}
        </div>
      </header>
      {entries === undefined ? (
        error === null ? (
          <Loading height="118px" />
        ) : (
          <Unreadable error={error} onRetry={() => void refetch()} />
        )
      ) : filled || hasMore ? (
        <TrashList
          entries={entries}
          selection={selection}
          actions={actions}
          phone={phone}
          who={all || folder !== null}
          hasMore={hasMore}
          pages={pages}
          onMore={loadMore}
        />
      ) : (
        <NothingHere text={text} folder={folder} off={policy?.days === 0} onClear={() => setTyped('')} />
      )}
      {phone && bar}
    </section>
  )
}

/** What the address asks for. */
function useAddress(admin: boolean): { folder: FilePath | null; all: boolean } {
  const params = useSearchParams()
  const folder = params.get('folder')
  return { folder: folder === null ? null : parseFilePath(folder), all: admin && params.get('all') === 'true' }
}

function folderName(folder: FilePath): string {
  return folder === ROOT ? t('files.root') : displayName(nameOf(folder))
}

/** The text once typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
