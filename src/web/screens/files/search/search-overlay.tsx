import { Search } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ROOT } from '../../../../shared/file-path.ts'
import { MAX_QUERY_CHARS } from '../../../../shared/limits.ts'
import { asksContent } from '../../../../shared/search-query.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { queryFor } from '../../../data/search.ts'
import { useUser } from '../../../data/session.ts'
import { t } from '../../../i18n/i18n.tsx'
import { keysText } from '../../../i18n/keys.ts'
import { Overlay } from '../../../ui/overlay.tsx'
import { OverlayBar } from '../../../ui/overlay-bar.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, inContents, isFiltering, shouldSearch, NO_FILTERS, queryText } from './filters.ts'
import { type SavedSearch, listIn, settled } from './saved-search.ts'
import { type Followed, Results } from './results.tsx'
import styles from './search-overlay.module.css'
import { hitsOf, useSearchRun } from './use-search-run.ts'

type Scope = SavedSearch['scope']

/** The parameters of a search. */
interface Choice {
  readonly text: string
  readonly filters: Filters
  readonly scope: Scope
  /** Whether contents are searched. */
  readonly contents: boolean
}

const CONTENTS_KEY = 'satchel-search-contents'

/** Delay after typing for names, and for contents, which are expensive to search. */
const PAUSE_MS = 150
const CONTENT_PAUSE_MS = 350

/** Searches names, and contents, while typing. Enter moves to the results; Escape and Back close (decision 046). */
export function SearchOverlay({ start, text: given, left, onAnswer, onDismiss }: PromptProps<'search'>) {
  const field = useRef<HTMLInputElement>(null)
  const results = useRef<HTMLDivElement>(null)
  const { perm } = useUser()
  const mayRead = perm.admin || perm.download
  const [choice, setChoice] = useState<Choice>(() => ({
    text: left?.text ?? given ?? '',
    filters: left?.filters ?? NO_FILTERS,
    scope: left?.scope ?? (given === undefined ? 'here' : 'everywhere'),
    contents: left?.contents ?? (given !== undefined || loadContentSearch()),
  }))
  const { text, filters, scope, contents } = choice
  const search = useSearchRun(left?.state)
  /** Timer of the delayed search. */
  const due = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => () => clearTimeout(due.current ?? undefined), [])
  /** Enter was pressed: focus the results as soon as there are any. */
  const goesOn = useRef(false)

  const wanted = (chosen: Choice) => {
    const query = queryFor(queryText(chosen.text, chosen.filters))
    const other = mayRead && chosen.contents ? inContents(query) : null
    return { from: chosen.scope === 'here' ? start : ROOT, query, others: other === null ? [] : [other] }
  }
  const { from, query } = wanted(choice)
  const isTyped = text.trim() !== '' || isFiltering(filters)
  const runNow = (chosen: Choice): void => {
    clearTimeout(due.current ?? undefined)
    due.current = null
    void search.run({ ...wanted(chosen), othersAfterMs: 0 })
  }
  const runSoon = (chosen: Choice): void => {
    clearTimeout(due.current ?? undefined)
    const order = wanted(chosen)
    const waitMs = asksContent(order.query) ? PAUSE_MS + CONTENT_PAUSE_MS : PAUSE_MS
    due.current = setTimeout(() => {
      due.current = null
      void search.run({ ...order, othersAfterMs: CONTENT_PAUSE_MS })
    }, waitMs)
  }
  // Starts the search that the overlay was opened with.
  const begin = useRef(given === undefined || left !== undefined ? null : () => runNow(choice))
  useEffect(() => begin.current?.(), [])
  const isFresh = search.state.kind === 'done' || (search.state.kind === 'running' && !search.state.stale)
  const hasFresh = isFresh && hitsOf(search.state).length > 0
  const goOn = (): void => {
    goesOn.current = false
    results.current?.querySelector('a')?.focus()
  }
  // Focus is not part of rendering.
  useEffect(() => {
    if (goesOn.current && hasFresh) goOn()
  }, [hasFresh, search.state])

  /** Changed filters or scope restart the search at once. */
  const change = (to: Partial<Choice>): void => {
    const chosen = { ...choice, ...to }
    setChoice(chosen)
    if (search.state.kind !== 'idle' || shouldSearch(chosen.text, chosen.filters)) {
      if (chosen.text.trim() === '' && !isFiltering(chosen.filters)) search.clear()
      else runNow(chosen)
    }
  }
  const type = (value: string): void => {
    const chosen = { ...choice, text: value }
    goesOn.current = false
    setChoice(chosen)
    if (shouldSearch(value, filters)) return runSoon(chosen)
    clearTimeout(due.current ?? undefined)
    due.current = null
    search.clear()
  }
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (!isTyped) return
    goesOn.current = true
    if (due.current !== null || search.state.kind === 'idle' || search.state.kind === 'failed') runNow(choice)
    else if (hasFresh) goOn()
  }
  const wish = (inFiles: boolean): void => {
    saveContentSearch(inFiles)
    change({ contents: inFiles })
  }
  const focusField = (): void => field.current?.focus()
  /** The focused button disappears. */
  const widen = (next: Partial<Choice>): void => {
    change(next)
    focusField()
  }
  const take = (example: { text: string; own: string }): void => {
    flushSync(() => type(example.text))
    const at = example.text.indexOf(example.own)
    focusField()
    field.current?.setSelectionRange(at, at + example.own.length)
  }
  const follow = (followed: Followed): void => {
    const now = { ...choice, state: settled(search.state), list: listIn(results.current) }
    onAnswer({ ...followed, saved: now })
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
    <Overlay title={t('search.title')} onDismiss={onDismiss}>
      <form role="search" onSubmit={submit}>
        <OverlayBar
          ref={field}
          label={t(mayRead && contents ? 'search.field.contents' : 'search.field')}
          icon={Search}
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
          closeKey={keysText('Esc')}
          onClose={onDismiss}
          isFirst={left === undefined}
        >
          {search.state.kind === 'running' && <Spinner size={18} />}
        </OverlayBar>
      </form>
      <div className={styles.filters}>
        {(mayRead || start !== ROOT) && (
          <div className={styles.where}>
            {mayRead && <Checkbox className={styles.contents} label={t('search.contents')} checked={contents} onChecked={wish} />}
            {start !== ROOT && (
              <Segmented
                label={t('search.scope')}
                value={scope}
                options={[
                  { value: 'here', label: t('search.scope.here') },
                  { value: 'everywhere', label: t('search.scope.everywhere') },
                ]}
                onValue={(where) => change({ scope: where })}
              />
            )}
          </div>
        )}
        <FilterBar filters={filters} onFilters={(chosen) => change({ filters: chosen })} onPressed={focusField} />
      </div>
      <Results
        ref={results}
        state={search.state}
        query={query}
        typed={isTyped}
        widen={{
          filters: isFiltering(filters) ? () => widen({ filters: NO_FILTERS }) : null,
          isByType: !isFiltering({ ...filters, types: [] }),
          scope: from === ROOT ? null : () => widen({ scope: 'everywhere' }),
          contents: mayRead && !contents && inContents(query) !== null ? () => widen({ contents: true }) : null,
        }}
        contents={mayRead ? contents : null}
        onTake={take}
        saved={left !== undefined && search.state === left.state ? left.list : null}
        onFollow={follow}
        onRetry={() => submit()}
        onStop={search.stop}
        onSettle={search.settle}
        onType={focusField}
        onChanged={() => runNow(choice)}
      />
    </Overlay>
  )
}

/** Whether contents are searched too; stored per tab. */
function loadContentSearch(): boolean {
  return sessionStorage.getItem(CONTENTS_KEY) === 'true'
}

function saveContentSearch(contents: boolean): void {
  sessionStorage.setItem(CONTENTS_KEY, String(contents))
}
