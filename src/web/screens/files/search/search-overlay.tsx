import { Search } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ROOT } from '../../../../shared/file-path.ts'
import { MAX_QUERY_CHARS } from '../../../../shared/limits.ts'
import { parseQuery } from '../../../../shared/search-query.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Overlay } from '../../../ui/overlay.tsx'
import { OverlayBar } from '../../../ui/overlay-bar.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useBackCloses } from '../../../ui/back-closes.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, isFiltering, NO_FILTERS, queryText } from './filters.ts'
import type { SearchAnswer } from './kinds.ts'
import { Results } from './results.tsx'
import styles from './search-overlay.module.css'
import { useSearchRun } from './use-search-run.ts'

type Scope = 'here' | 'everywhere'

/** Names below a folder: Enter searches, typing clears what was found, Escape and Back close. */
export function SearchOverlay({ start, onAnswer, onDismiss }: PromptProps<'search'>) {
  const field = useRef<HTMLInputElement>(null)
  const results = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [filters, setFilters] = useState(NO_FILTERS)
  const [scope, setScope] = useState<Scope>('here')
  const search = useSearchRun()
  const leave = useBackCloses(onDismiss)

  const wanted = (where: Scope, chosen: Filters) => ({
    from: where === 'here' ? start : ROOT,
    query: parseQuery(queryText(text, chosen), new Date()),
  })
  const { from, query } = wanted(scope, filters)
  const isTyped = text.trim() !== '' || isFiltering(filters)
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (isTyped) void search.run(from, query)
  }
  /** What narrows or widens a search that was made makes it anew. */
  const change = ({ where = scope, chosen = filters }: { where?: Scope; chosen?: Filters }): void => {
    setFilters(chosen)
    setScope(where)
    if (search.state.kind === 'idle') return
    if (text.trim() === '' && !isFiltering(chosen)) return search.clear()
    const now = wanted(where, chosen)
    void search.run(now.from, now.query)
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
  const answer = (chosen: SearchAnswer): void => void leave().then(() => onAnswer(chosen))
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
          label={t('search.field')}
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
        />
      </form>
      <div className={styles.filters}>
        <FilterBar filters={filters} onFilters={(chosen) => change({ chosen })} onPressed={focusField} />
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
        }}
        onTake={take}
        onAnswer={answer}
        onRetry={() => submit()}
        onStop={search.stop}
        onSettle={search.settle}
        onType={focusField}
      />
    </Overlay>
  )
}
