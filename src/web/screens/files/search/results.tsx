import { FolderOpen, SearchX } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type Ref, type UIEvent, useState } from 'react'
import { nameOf, parentOf, ROOT } from '../../../../shared/file-path.ts'
import { fileType } from '../../../../shared/file-type.ts'
import { SEARCH_PAGE } from '../../../../shared/limits.ts'
import { marksIn, type SearchQuery } from '../../../../shared/search-query.ts'
import { fullAddress, urlFromPath } from '../../../data/paths.ts'
import type { Hit } from '../../../data/search.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import { HitMenu } from './hit-menu.tsx'
import { Hints, type HintsProps } from './hints.tsx'
import type { SearchAnswer } from './kinds.ts'
import styles from './results.module.css'
import { stepFrom } from './steps.ts'
import type { SearchState } from './use-search-run.ts'

/** More are shown when so little is left below (spec §9). */
const NEAR_END_PX = 100

export interface ResultsProps {
  ref: Ref<HTMLDivElement>
  state: SearchState
  query: SearchQuery
  /** There is something to search for. */
  typed: boolean
  /** Ways to find more; null where there is no more to be had. `isByType` says that nothing but types keeps anything out. */
  widen: { filters: (() => void) | null; isByType: boolean; scope: (() => void) | null }
  onTake: HintsProps['onTake']
  onAnswer: (answer: SearchAnswer) => void
  onRetry: () => void
  onStop: () => void
  /** The reader has begun to walk the results. */
  onSettle: () => void
  /** A letter was typed, which belongs into the field. */
  onType: () => void
}

export function Results(props: ResultsProps) {
  const { ref, state, typed, widen, onTake, onRetry, onStop } = props
  const hits = state.kind === 'running' || state.kind === 'done' ? state.hits : []
  const hasFoot = state.kind === 'running' || (state.kind === 'done' && (hits.length > 0 || state.cut !== null))
  return (
    <>
      <div ref={ref} className={styles.body} data-part="search-results" aria-busy={state.kind === 'running'}>
        {state.kind === 'idle' && (typed ? <p className={styles.hint}>{t('search.press-enter')}</p> : <Hints onTake={onTake} />)}
        {state.kind === 'failed' && (
          <div role="alert">
            <Empty title={t('search.failed')} text={errorText(state.error)}>
              <Button variant="primary" onClick={onRetry}>
                {t('action.retry')}
              </Button>
            </Empty>
          </div>
        )}
        {state.kind === 'running' && hits.length === 0 && (
          <p className={styles.wait}>
            <Spinner size={20} /> {t('search.running')}
          </p>
        )}
        {state.kind === 'done' && hits.length === 0 && (
          <Empty picture={<SearchX size={56} strokeWidth={1.25} />} title={t('search.none.title')} text={t('search.none.text')}>
            {widen.filters && (
              <Button onClick={widen.filters}>{t(widen.isByType ? 'search.none.any-type' : 'search.none.unfiltered')}</Button>
            )}
            {widen.scope && <Button onClick={widen.scope}>{t('search.none.everywhere')}</Button>}
          </Empty>
        )}
        {hits.length > 0 && <HitList {...props} hits={hits} />}
      </div>
      {hasFoot && (
        <footer className={styles.foot}>
          <p aria-hidden className={styles.count}>
            {state.kind === 'running' && hits.length > 0 && <Spinner size={14} />}
            {hits.length > 0 && t('search.count', { n: hits.length })}
          </p>
          {state.kind === 'done' && state.cut !== null && <p className={styles.cut}>{t(`search.cut.${state.cut}`)}</p>}
          {state.kind === 'running' && (
            <Button size="small" variant="quiet" onClick={onStop}>
              {t('search.stop')}
            </Button>
          )}
        </footer>
      )}
      <p className="sr-only" role="status">
        {state.kind === 'running' ? t('search.running') : state.kind === 'done' ? t('search.count', { n: hits.length }) : ''}
      </p>
    </>
  )
}

/** Fifty at first, fifty more when their end comes near. */
function HitList({ hits, query, onAnswer, onSettle, onType }: ResultsProps & { hits: readonly Hit[] }) {
  const [shown, setShown] = useState(SEARCH_PAGE)
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>): void => {
    onSettle()
    if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX) setShown((now) => Math.min(now + SEARCH_PAGE, hits.length))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // A menu's keys are its own; it is below this list for React alone.
    if (event.defaultPrevented || !(event.target instanceof Node && event.currentTarget.contains(event.target))) return
    const rtl = document.documentElement.dir === 'rtl'
    const to = stepFrom(event.currentTarget, document.activeElement, { key: event.key, rtl })
    if (to === 'field' || (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey)) {
      if (to === 'field') event.preventDefault()
      return onType()
    }
    if (to === null) return
    event.preventDefault()
    to.focus()
  }
  return (
    <ul
      className={styles.list}
      aria-label={t('search.results')}
      onFocus={onSettle}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      tabIndex={-1}
      data-part="search-list"
    >
      {hits.slice(0, Math.max(shown, SEARCH_PAGE)).map((hit) => (
        <HitRow key={hit.path} hit={hit} query={query} onAnswer={onAnswer} />
      ))}
    </ul>
  )
}

function HitRow({ hit, query, onAnswer }: { hit: Hit; query: SearchQuery; onAnswer: (answer: SearchAnswer) => void }) {
  const { path, isDir } = hit
  const name = nameOf(path)
  const parent = parentOf(path)
  const folder = parent === ROOT ? t('files.root') : displayName(parent.slice(1))
  const open = (event: MouseEvent): void => {
    // Another tab or window is the browser's to open.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onAnswer({ deed: 'open', hit })
  }
  return (
    <li className={styles.row}>
      <a className={styles.link} href={fullAddress(urlFromPath(path, { folder: isDir }))} onClick={open} draggable={false}>
        <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} size={28} />
        <span className={styles.words}>
          <MarkedName name={displayName(name)} query={query} />
          <span className={styles.folder}>
            <span className="sr-only">{t('search.in', { folder })}</span>
            <bdi aria-hidden title={folder}>
              {folder}
            </bdi>
          </span>
        </span>
      </a>
      <IconButton
        className={styles.reveal}
        label={t('search.reveal-named', { name: displayName(name) })}
        data-tooltip={t('search.reveal')}
        icon={<FolderOpen size={18} strokeWidth={1.75} />}
        onClick={() => onAnswer({ deed: 'reveal', hit })}
      />
      <HitMenu hit={hit} className={styles.reveal} onOpen={() => onAnswer({ deed: 'open', hit })} />
    </li>
  )
}

function MarkedName({ name, query }: { name: string; query: SearchQuery }) {
  const marks = marksIn(name, query)
  const ends = [...marks.map(([start]) => start), name.length]
  return (
    <bdi className={styles.name} title={name} data-name>
      {name.slice(0, ends[0])}
      {marks.map(([start, end], i) => (
        <span key={start}>
          <mark className={styles.mark}>{name.slice(start, end)}</mark>
          {name.slice(end, ends[i + 1])}
        </span>
      ))}
    </bdi>
  )
}
