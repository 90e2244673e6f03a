import { Search } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ROOT } from '../../../../shared/file-path.ts'
import { MAX_QUERY_CHARS } from '../../../../shared/limits.ts'
import { parseQuery } from '../../../../shared/search-query.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Overlay } from '../../../ui/overlay.tsx'
import { OverlayBar } from '../../../ui/overlay-bar.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useBackCloses } from '../../../ui/back-closes.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, inContents, isFiltering, NO_FILTERS, queryText } from './filters.ts'
import { type LeftSearch, listIn, settled } from './left.ts'
import { type Followed, Results } from './results.tsx'
import styles from './search-overlay.module.css'
import { useSearchRun } from './use-search-run.ts'
import { rememberWish, wishesContents } from './wish.ts'

type Scope = LeftSearch['scope']

/** Names below a folder, and what is in files: Enter searches, typing clears what was found, Escape and Back close. */
export function SearchOverlay({ start, text: given, left, onAnswer, onDismiss }: PromptProps<'search'>) {
  const field = useRef<HTMLInputElement>(null)
  const results = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(left?.text ?? given ?? '')
  const [filters, setFilters] = useState(left?.filters ?? NO_FILTERS)
  const [scope, setScope] = useState<Scope>(left?.scope ?? (given === undefined ? 'here' : 'everywhere'))
  const { perm } = useUser()
  const mayRead = perm.admin || perm.download
  const [wishes, setWishes] = useState(() => left?.wishes ?? (given !== undefined || wishesContents()))
  const search = useSearchRun(left?.state)
  const leave = useBackCloses(onDismiss)

  const wanted = (where: Scope, chosen: Filters, inFiles: boolean) => {
    const query = parseQuery(queryText(text, chosen), new Date())
    const other = mayRead && inFiles ? inContents(query) : null
    return { from: where === 'here' ? start : ROOT, query, others: other === null ? [] : [other] }
  }
  const { from, query, others } = wanted(scope, filters, wishes)
  const isTyped = text.trim() !== '' || isFiltering(filters)
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (isTyped) void search.run(from, query, others)
  }
  // Begins what was asked for before this was open.
  const begin = useRef(given === undefined || left !== undefined ? null : submit)
  useEffect(() => begin.current?.(), [])
  /** What narrows or widens a search that was made makes it anew. */
  const change = ({ where = scope, chosen = filters, inFiles = wishes }: { where?: Scope; chosen?: Filters; inFiles?: boolean }): void => {
    setFilters(chosen)
    setScope(where)
    setWishes(inFiles)
    if (search.state.kind === 'idle') return
    if (text.trim() === '' && !isFiltering(chosen)) return search.clear()
    const now = wanted(where, chosen, inFiles)
    void search.run(now.from, now.query, now.others)
  }
  const wish = (inFiles: boolean): void => {
    rememberWish(inFiles)
    change({ inFiles })
  }
  const focusField = (): void => field.current?.focus()
  /** The button that was pressed goes away. */
  const widen = (next: Parameters<typeof change>[0]): void => {
    change(next)
    focusField()
  }
  const type = (value: string): void => {
    setText(value)
    search.clear()
  }
  const take = (example: { text: string; own: string }): void => {
    flushSync(() => type(example.text))
    const at = example.text.indexOf(example.own)
    focusField()
    field.current?.setSelectionRange(at, at + example.own.length)
  }
  const close = (): void => void leave().then(onDismiss)
  const follow = (followed: Followed): void => {
    const now = { text, filters, scope, wishes, state: settled(search.state), list: listIn(results.current) }
    void leave().then(() => onAnswer({ ...followed, left: now }))
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' && results.current?.querySelector('a')) {
      event.preventDefault()
      results.current.querySelector('a')?.focus()
    }
    if (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      field.current?.select()
    }
  }

  return (
    <Overlay title={t('search.title')} onDismiss={close}>
      <form role="search" onSubmit={submit}>
        <OverlayBar
          ref={field}
          label={t(mayRead && wishes ? 'search.field.contents' : 'search.field')}
          sign={Search}
          inputMode="search"
          enterKeyHint="search"
          maxLength={MAX_QUERY_CHARS / 2}
          value={text}
          onValue={type}
          onKeyDown={onKey}
          clearLabel={t('search.clear')}
          onClear={() => {
            type('')
            focusField()
          }}
          closeLabel={t('search.close')}
          onClose={close}
          isFirst={left === undefined}
        />
      </form>
      <div className={styles.filters}>
        <FilterBar
          filters={filters}
          onFilters={(chosen) => change({ chosen })}
          contents={mayRead ? wishes : null}
          onContents={wish}
          onPressed={focusField}
        />
        {start !== ROOT && (
          <Segmented
            label={t('search.scope')}
            value={scope}
            options={[
              { value: 'here', label: t('search.scope.here') },
              { value: 'everywhere', label: t('search.scope.everywhere') },
            ]}
            onValue={(where) => change({ where })}
          />
        )}
      </div>
      <Results
        ref={results}
        state={search.state}
        query={query}
        typed={isTyped}
        widen={{
          filters: isFiltering(filters) ? () => widen({ chosen: NO_FILTERS }) : null,
          isByType: !isFiltering({ ...filters, types: [] }),
          scope: from === ROOT ? null : () => widen({ where: 'everywhere' }),
          contents: mayRead && !wishes && inContents(query) !== null ? () => widen({ inFiles: true }) : null,
        }}
        contents={mayRead ? wishes : null}
        onTake={take}
        left={left !== undefined && search.state === left.state ? left.list : null}
        onFollow={follow}
        onRetry={() => submit()}
        onStop={search.stop}
        onSettle={search.settle}
        onType={focusField}
      />
    </Overlay>
  )
}
