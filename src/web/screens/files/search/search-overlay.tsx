import { Search } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { ROOT } from '../../../../shared/file-path.ts'
import { MAX_QUERY_CHARS } from '../../../../shared/limits.ts'
import { parseQuery, printQuery } from '../../../../shared/search-query.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Overlay } from '../../../ui/overlay.tsx'
import { OverlayBar } from '../../../ui/overlay-bar.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useBackCloses } from '../../../ui/back-closes.ts'
import type { SearchAnswer } from './kinds.ts'
import { Results } from './results.tsx'
import styles from './search-overlay.module.css'
import { useSearchRun } from './use-search-run.ts'

/** In the order of spec §2's labels. */
const TYPES = ['image', 'audio', 'pdf', 'video'] as const
type TypeChip = (typeof TYPES)[number]
type Scope = 'here' | 'everywhere'

/** Names below a folder: Enter searches, typing clears what was found, Escape and Back close. */
export function SearchOverlay({ start, onAnswer, onDismiss }: PromptProps<'search'>) {
  const field = useRef<HTMLInputElement>(null)
  const results = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [chips, setChips] = useState<readonly TypeChip[]>([])
  const [scope, setScope] = useState<Scope>('here')
  const search = useSearchRun()
  const leave = useBackCloses(onDismiss)

  const wanted = (types: readonly TypeChip[], where: Scope) => {
    const typed = parseQuery(text)
    return { from: where === 'here' ? start : ROOT, query: { ...typed, types: [...new Set([...typed.types, ...types])] } }
  }
  const { from, query } = wanted(chips, scope)
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (text.trim() !== '' || chips.length > 0) void search.run(from, printQuery(query))
  }
  /** What narrows or widens a search that was made makes it anew. */
  const change = (next: { chips?: readonly TypeChip[]; scope?: Scope }): void => {
    const { chips: types = chips, scope: where = scope } = next
    setChips(types)
    setScope(where)
    if (search.state.kind === 'idle') return
    if (text.trim() === '' && types.length === 0) return search.clear()
    const now = wanted(types, where)
    void search.run(now.from, printQuery(now.query))
  }
  const focusField = (): void => field.current?.focus()
  /** The button that was pressed goes away. */
  const widen = (next: { chips?: readonly TypeChip[]; scope?: Scope }): void => {
    change(next)
    focusField()
  }
  const type = (value: string): void => {
    setText(value)
    search.clear()
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
        <div className={styles.chips} role="group" aria-label={t('search.types')}>
          {TYPES.map((one) => (
            <button
              key={one}
              type="button"
              className={styles.chip}
              aria-pressed={chips.includes(one)}
              onClick={({ detail }) => {
                change({ chips: chips.includes(one) ? chips.filter((chip) => chip !== one) : [...chips, one] })
                // A click of the mouse is followed by typing; who came by Tab stays.
                if (detail > 0) focusField()
              }}
            >
              {t(`search.type.${one}`)}
            </button>
          ))}
        </div>
        {start !== ROOT && (
          <Segmented
            label={t('search.scope')}
            value={scope}
            options={[
              { value: 'here', label: t('search.scope.here') },
              { value: 'everywhere', label: t('search.scope.everywhere') },
            ]}
            onValue={(value) => change({ scope: value })}
          />
        )}
      </div>
      <Results
        ref={results}
        state={search.state}
        query={query}
        typed={text.trim() !== '' || chips.length > 0}
        widen={{
          types: chips.length === 0 ? null : () => widen({ chips: [] }),
          scope: from === ROOT ? null : () => widen({ scope: 'everywhere' }),
        }}
        onAnswer={answer}
        onRetry={() => submit()}
        onStop={search.stop}
        onSettle={search.settle}
        onType={focusField}
      />
    </Overlay>
  )
}
