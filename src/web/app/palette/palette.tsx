import { Check, Command, FolderOpen } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { PromptProps } from '../../data/prompts.ts'
import { keyNames, keysText } from '../../i18n/keys.ts'
import { t } from '../../i18n/i18n.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Overlay } from '../../ui/overlay.tsx'
import { OverlayBar } from '../../ui/overlay-bar.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { FileName } from '../../widgets/file-name.tsx'
import type { Entry } from './entries.tsx'
import { type Group, useGroups } from './groups.ts'
import { classes } from '../../ui/classes.ts'
import styles from './palette.module.css'

/** Command palette: a WAI-ARIA combobox with a listbox. Its answer is the function to run once it is closed. */
export function Palette({ go, onAnswer, onDismiss }: PromptProps<'palette'>) {
  const [typed, setTyped] = useState('')
  const { groups, state } = useGroups(typed, go)
  const entries = groups.flatMap((group) => group.entries)
  const [wanted, setWanted] = useState<string | null>(null)
  const active = entries.find(({ id }) => id === wanted) ?? entries[0]
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const run = (entry: Entry) => onAnswer(entry.run)
  const reveal = (entry: Entry) => entry.reveal && run({ ...entry, run: entry.reveal })

  const type = (value: string) => {
    setTyped(value)
    setWanted(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && active) {
      event.preventDefault()
      if (event.ctrlKey || event.metaKey) reveal(active)
      else run(active)
    }
    const step = STEPS[event.key]
    if (step === undefined || !active) return
    event.preventDefault()
    const at = entries.indexOf(active) + step
    const last = entries.length - 1
    // Arrow keys wrap around; Page Up and Page Down stop at the ends.
    const to = Math.abs(step) === 1 ? (at + entries.length) % entries.length : Math.min(Math.max(at, 0), last)
    setWanted(entries[to]?.id ?? null)
  }

  return (
    <Overlay title={t('palette.title')} onDismiss={onDismiss}>
      <OverlayBar
        ref={field}
        label={t('palette.field')}
        icon={Command}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={active && optionId(list, active)}
        aria-autocomplete="list"
        aria-describedby={active?.reveal && `${list}-keys`}
        enterKeyHint="go"
        value={typed}
        onValue={type}
        onKeyDown={onKeyDown}
        clearLabel={t('palette.clear')}
        onClear={() => {
          type('')
          field.current?.focus()
        }}
        closeLabel={t('action.close')}
        closeKey={keysText('Esc')}
        onClose={onDismiss}
      >
        {state === 'searching' && <Spinner size={18} />}
      </OverlayBar>
      <div id={list} className={styles.list} role="listbox" aria-label={t('palette.title')}>
        {groups.map((group) => (
          <Entries key={group.id} group={group} list={list} active={active} onActive={setWanted} onRun={run} onReveal={reveal} />
        ))}
      </div>
      {active?.reveal && (
        <p id={`${list}-keys`} className={styles.foot}>
          <Kbd keys={keyNames(['Enter'])} /> {t('files.action.open')}
          <Kbd keys={keyNames(['Mod', 'Enter'])} /> {t('search.reveal')}
        </p>
      )}
      <p className={entries.length === 0 || state === 'failed' ? styles.none : 'sr-only'} role="status">
        {state === 'failed'
          ? t('search.failed')
          : state === 'searching' && entries.length === 0
            ? t('search.running')
            : t('palette.count', { n: entries.length })}
      </p>
    </Overlay>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

interface EntriesProps {
  group: Group
  list: string
  active: Entry | undefined
  onActive: (id: string) => void
  onRun: (entry: Entry) => void
  onReveal: (entry: Entry) => void
}

function Entries({ group, list, active, onActive, onRun, onReveal }: EntriesProps) {
  const title = `${list} ${group.id}`.replaceAll(' ', '-')
  return (
    <div role="group" aria-labelledby={title}>
      <div id={title} role="presentation" className={classes(styles.title, 'truncated')}>
        {group.title}
      </div>
      {group.entries.map((entry) => (
        <Option
          key={entry.id}
          id={optionId(list, entry)}
          entry={entry}
          active={entry === active}
          onActive={() => onActive(entry.id)}
          onRun={() => onRun(entry)}
          onReveal={() => onReveal(entry)}
        />
      ))}
    </div>
  )
}

interface OptionProps {
  id: string
  entry: Entry
  active: boolean
  onActive: () => void
  onRun: () => void
  onReveal: () => void
}

/** An option. Focus stays in the input; options are selected with `aria-activedescendant` or the pointer. */
function Option({ id, entry, active, onActive, onRun, onReveal }: OptionProps) {
  const { icon, text, name, detail, keys, danger, checked, reveal } = entry
  const option = useRef<HTMLDivElement>(null)
  // Synchronises with the list's scroll position.
  useEffect(() => {
    if (active) option.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={active}
      // The visible name consists of two elements.
      aria-label={name === undefined ? undefined : [text, detail].filter(Boolean).join(', ')}
      className={styles.option}
      data-danger={danger || undefined}
      onPointerMove={({ pointerType }) => pointerType === 'mouse' && !active && onActive()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <span className={styles.words}>
        <span className={styles.text}>{name === undefined ? <bdi>{text}</bdi> : <FileName name={name} />}</span>{' '}
        {detail !== undefined && <bdi className={styles.detail}>{detail}</bdi>}
      </span>
      {checked && (
        <>
          <Check className={styles.taken} size={17} strokeWidth={2} aria-hidden />
          <span className="sr-only">{t('palette.taken')}</span>
        </>
      )}
      {keys !== undefined && (
        <span className={styles.keys} dir="ltr" aria-hidden>
          {keys}
        </span>
      )}
      {reveal && (
        // For the pointer only: an option cannot contain a button, and the keyboard has a shortcut.
        <span
          className={styles.reveal}
          data-part="palette-reveal"
          data-tooltip={t('search.reveal')}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            onReveal()
          }}
        >
          <FolderOpen size={18} strokeWidth={1.75} />
        </span>
      )}
    </div>
  )
}

/** Ids must not contain spaces, which paths can. */
function optionId(list: string, { id }: Entry): string {
  return `${list}-${encodeURIComponent(id)}`
}
