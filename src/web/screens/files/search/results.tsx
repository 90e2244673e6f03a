import { SearchX } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, type Ref, type UIEvent, useLayoutEffect, useRef, useState } from 'react'
import type { SearchSnippet } from '../../../../shared/contract/search.ts'
import { type FilePath, nameOf, parseFilePath, ROOT } from '../../../../shared/file-path.ts'
import { fileType } from '../../../../shared/file-type.ts'
import { SEARCH_PAGE } from '../../../../shared/limits.ts'
import { type Marks, marksIn } from '../../../../shared/search-marks.ts'
import { asksContent, type SearchQuery } from '../../../../shared/search-query.ts'
import { fullAddress, urlFromPath } from '../../../data/paths.ts'
import type { Hit } from '../../../data/search.ts'
import { fragmentOf } from '../../../data/text-range.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckboxInput } from '../../../ui/checkbox.tsx'
import { classes } from '../../../ui/classes.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { displayName, splitName } from '../../../widgets/display-name.ts'
import { EntryIcon } from '../../../widgets/entry-icon.tsx'
import fileName from '../../../widgets/file-name.module.css'
import foundLine from '../../../widgets/containing-folder.module.css'
import { RevealButton, ContainingFolder } from '../../../widgets/containing-folder.tsx'
import { ResultSelectionBar } from './result-selection-bar.tsx'
import { useFolderName } from '../folder-name.ts'
import { HitMenu } from './hit-menu.tsx'
import { Hints, type HintsProps } from './hints.tsx'
import type { SavedList } from './saved-search.ts'
import styles from './results.module.css'
import { stepFrom } from './steps.ts'
import { type ResultSelection, useResultSelection } from './use-result-selection.ts'
import { hitsOf, type SearchState } from './use-search-run.ts'

/** Distance from the end at which more rows are rendered. */
const NEAR_END_PX = 100

/** An action on a result. */
export interface Followed {
  readonly action: 'open' | 'reveal'
  readonly hit: Hit
  /** URL fragment with the line or page of the match. */
  readonly fragment: string
}

export interface ResultsProps {
  ref: Ref<HTMLDivElement>
  state: SearchState
  query: SearchQuery
  /** Whether there is a query. */
  typed: boolean
  /** Ways to widen the search; null if there are none. `isByType`: only type filters restrict it. */
  widen: { filters: (() => void) | null; isByType: boolean; scope: (() => void) | null; contents: (() => void) | null }
  /** Whether contents are searched; null without permission. */
  contents: boolean | null
  onTake: HintsProps['onTake']
  /** List state to restore; null for a new search. */
  saved: SavedList | null
  onFollow: (followed: Followed) => void
  onRetry: () => void
  onStop: () => void
  /** The user has started to navigate the results. */
  onSettle: () => void
  /** A character was typed: focus the field. */
  onType: () => void
  /** Entries were moved or deleted. */
  onChanged: () => void
}

export function Results(props: ResultsProps) {
  const { ref, state, query, typed, widen, contents, onTake, onRetry, onStop, onFollow, onChanged } = props
  const hits = hitsOf(state)
  const chosen = useResultSelection(hits)
  const isStale = state.kind === 'running' && state.stale
  const reveal = (path: FilePath): void => {
    const hit = hits.find((one) => one.path === path)
    if (hit) onFollow({ action: 'reveal', hit, fragment: '' })
  }
  const hasFoot = state.kind === 'running' || (state.kind === 'done' && (hits.length > 0 || state.cut !== null))
  return (
    <>
      <div
        ref={ref}
        className={styles.body}
        data-part="search-results"
        data-stale={isStale || undefined}
        aria-busy={state.kind === 'running'}
      >
        {state.kind === 'idle' &&
          (typed ? <p className={styles.hint}>{t('search.press-enter')}</p> : <Hints contents={contents} onTake={onTake} />)}
        {state.kind === 'failed' && (
          <div role="alert">
            <EmptyState title={t('search.failed')} text={errorText(state.error)}>
              <Button label={t('action.retry')} variant="primary" onClick={onRetry} />
            </EmptyState>
          </div>
        )}
        {state.kind === 'running' && hits.length === 0 && (
          <p className={styles.wait}>
            <Spinner size={20} /> {state.read > 0 ? t('search.running.read', { n: state.read }) : t('search.running')}
          </p>
        )}
        {state.kind === 'done' && hits.length === 0 && (
          <EmptyState
            picture={<SearchX size={56} strokeWidth={1.25} />}
            title={t('search.none.title')}
            text={t(contents === true || asksContent(query) ? 'search.none.contents' : 'search.none.text')}
          >
            {widen.contents && <Button label={t('search.none.in-contents')} onClick={widen.contents} />}
            {widen.filters && (
              <Button label={t(widen.isByType ? 'search.none.any-type' : 'search.none.unfiltered')} onClick={widen.filters} />
            )}
            {widen.scope && <Button label={t('search.none.everywhere')} onClick={widen.scope} />}
          </EmptyState>
        )}
        {hits.length > 0 && <HitList {...props} hits={hits} chosen={chosen} />}
      </div>
      {chosen.hits.length > 0 ? (
        <footer className={styles.foot}>
          <ResultSelectionBar chosen={chosen} onReveal={reveal} onChanged={onChanged} />
        </footer>
      ) : hasFoot ? (
        <footer className={styles.foot}>
          <p aria-hidden className="row gap-3">
            {state.kind === 'running' && hits.length > 0 && <Spinner size={14} />}
            {hits.length > 0 && !isStale && t('search.count', { n: hits.length })}
          </p>
          {state.kind === 'running' && hits.length > 0 && state.read > 0 && (
            <p className={styles.cut}>{t('search.running.read', { n: state.read })}</p>
          )}
          {state.kind === 'done' && state.cut !== null && <p className={styles.cut}>{t(`search.cut.${state.cut}`)}</p>}
          {state.kind === 'running' && <Button label={t('search.stop')} size="small" variant="quiet" onClick={onStop} />}
        </footer>
      ) : null}
      <p className="sr-only" role="status">
        {state.kind === 'running' ? t('search.running') : state.kind === 'done' ? t('search.count', { n: hits.length }) : ''}
      </p>
    </>
  )
}

interface HitListProps extends ResultsProps {
  hits: readonly Hit[]
  chosen: ResultSelection
}

/** Renders 50 results, and 50 more near the end. */
function HitList({ hits, chosen, query, saved, onFollow, onSettle, onType }: HitListProps) {
  const ref = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState(saved?.shown ?? SEARCH_PAGE)
  const back = useRef(saved)
  useLayoutEffect(() => {
    if (ref.current !== null && back.current !== null) ref.current.scrollTop = back.current.scrollTop
    back.current = null
  }, [])
  const onScroll = ({ currentTarget: list }: UIEvent<HTMLElement>): void => {
    onSettle()
    if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX) setShown((now) => Math.min(now + SEARCH_PAGE, hits.length))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Menus are React children of this list but handle their keys themselves.
    if (event.defaultPrevented || !(event.target instanceof Node && event.currentTarget.contains(event.target))) return
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return chosen.all()
    }
    const active = document.activeElement
    const path = active?.closest('li')?.dataset.path
    if (event.key === ' ' && active instanceof HTMLAnchorElement && path !== undefined) {
      event.preventDefault()
      return chosen.toggle(parseFilePath(path), { range: event.shiftKey })
    }
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
      ref={ref}
      className={styles.list}
      aria-label={t('search.results')}
      onFocus={onSettle}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      tabIndex={-1}
      data-part="search-list"
    >
      {hits.slice(0, Math.max(shown, SEARCH_PAGE)).map((hit) => (
        <HitRow key={hit.path} hit={hit} chosen={chosen} query={query} first={saved?.href ?? null} onFollow={onFollow} />
      ))}
    </ul>
  )
}

interface HitRowProps {
  hit: Hit
  chosen: ResultSelection
  query: SearchQuery
  /** The link to focus when the search opens. */
  first: string | null
  onFollow: ResultsProps['onFollow']
}

/** A result with its matching lines, each a link; the name links to the first match. */
function HitRow({ hit, chosen, query, first, onFollow }: HitRowProps) {
  const { path, isDir, snippets } = hit
  const root = useFolderName()(ROOT)
  const name = nameOf(path)
  const fragment = snippets[0] === undefined ? '' : fragmentOf(snippets[0])
  const link = { hit, first, onFollow }
  return (
    <li data-path={path}>
      <div className={foundLine.line} data-chosen={chosen.has(path) || undefined}>
        <label className={styles.tick}>
          <CheckboxInput
            checked={chosen.has(path)}
            aria-label={t('search.select-named', { name: displayName(name) })}
            onChange={({ nativeEvent }) => chosen.toggle(path, { range: 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true })}
          />
        </label>
        <HitLink {...link} fragment={fragment} className={foundLine.link}>
          <EntryIcon name={name} type={isDir ? '' : (fileType(name) ?? 'blob')} isDir={isDir} size={28} />
          <span className={foundLine.words}>
            <MarkedName name={displayName(name)} query={query} />
            <ContainingFolder path={path} root={root} />
          </span>
        </HitLink>
        <RevealButton path={path} onReveal={() => onFollow({ action: 'reveal', hit, fragment })} />
        <HitMenu hit={hit} onOpen={() => onFollow({ action: 'open', hit, fragment })} />
      </div>
      {snippets.map((snippet, index) => (
        <div key={snippet.line ?? snippet.page ?? `paragraph ${index}`}>
          <HitLink {...link} fragment={fragmentOf(snippet)} className={styles.snippet}>
            <Snippet snippet={snippet} />
          </HitLink>
        </div>
      ))}
    </li>
  )
}

interface HitLinkProps extends Omit<HitRowProps, 'query' | 'chosen'> {
  fragment: string
  className: string | undefined
  children: ReactNode
}

function HitLink({ hit, fragment, first, className, onFollow, children }: HitLinkProps) {
  const href = fullAddress(urlFromPath(hit.path, { folder: hit.isDir })) + fragment
  const follow = (event: MouseEvent): void => {
    // Leave new tabs and windows to the browser.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onFollow({ action: 'open', hit, fragment })
  }
  return (
    <a className={className} href={href} onClick={follow} draggable={false} data-autofocus={href === first || undefined}>
      {children}
    </a>
  )
}

function MarkedName({ name, query }: { name: string; query: SearchQuery }) {
  const marks = marksIn(name, query)
  const { head, tail } = splitName(name)
  return (
    <bdi className={classes(fileName.name, styles.name)} title={name} data-name>
      <span className="ellipsis">
        <Marked text={head} marks={within(marks, 0, head.length)} />
      </span>
      {tail !== '' && (
        <span className="rigid">
          <Marked text={tail} marks={within(marks, head.length, name.length)} />
        </span>
      )}
    </bdi>
  )
}

/** The marks within a substring, relative to its start. */
function within(marks: Marks, from: number, to: number): Marks {
  return marks
    .map(([start, end]): Marks[number] => [Math.max(start, from) - from, Math.min(end, to) - from])
    .filter(([start, end]) => start < end)
}

/** A matching line of a text, or an excerpt of a PDF page or a paragraph, which has no line number. */
function Snippet({ snippet: { line, page, text, marks } }: { snippet: SearchSnippet }) {
  return (
    <span className="flex gap-4 shrinkable baseline" data-part="snippet">
      {line !== null && <span className="rigid faint text-caption">{t('search.line', { n: line })}</span>}
      {page !== null && <span className="rigid faint text-caption">{t('search.page', { n: page })}</span>}
      <span className={styles.line} dir="auto">
        <Marked text={text.replace(CONTROLS, ' ')} marks={marks} />
      </span>
    </span>
  )
}

/** Control characters, which render as nothing or differently across browsers. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g

function Marked({ text, marks }: { text: string; marks: Marks }) {
  const ends = [...marks.map(([start]) => start), text.length]
  return (
    <>
      {text.slice(0, ends[0])}
      {marks.map(([start, end], i) => (
        <span key={start}>
          <mark className={styles.mark}>{text.slice(start, end)}</mark>
          {text.slice(end, ends[i + 1])}
        </span>
      ))}
    </>
  )
}
