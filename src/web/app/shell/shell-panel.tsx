import { ChevronRight, Copy, CopyCheck, Ear, Eraser, Square, SquareTerminal, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import { useLocation } from '../../router/router.tsx'
import { type FilePath, parentOf, ROOT } from '../../../shared/file-path.ts'
import { shellAmong } from '../../../shared/shells.ts'
import { copyAndTell } from '../../data/copy-text.ts'
import { pathFromLocation } from '../../data/paths.ts'
import { useSession } from '../../data/session.ts'
import { useShell } from '../../data/shell.ts'
import { t } from '../../i18n/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import { Log } from './log.tsx'
import styles from './shell.module.css'
import { Prompt } from './prompt.tsx'
import { clear, stop, useTerminal } from './shell-store.ts'
import type { TerminalScreen } from './terminal/terminal-screen.ts'
import { setScreenReader, endShell, useTerminalState } from './terminal/terminal-store.ts'
import { TerminalView } from './terminal/terminal-view.tsx'
import { textOf } from './transcript.ts'
import { usePanelHeight } from './use-panel-height.ts'

const ICON = { size: 17, strokeWidth: 1.75 }

/** The selected tab, kept while the page is open. */
const useTab = create<{ tab: 'commands' | 'terminal' }>(() => ({ tab: 'commands' }))

/** Shell panel: runs commands in the current folder. Users who may run a shell also get a terminal tab. */
export function ShellPanel() {
  const panel = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const log = useRef<HTMLDivElement>(null)
  const screen = useRef<TerminalScreen>(null)
  const running = useTerminal((state) => state.running)
  const hasTerminal = useSession(({ user }) => user !== null && shellAmong(user.commands) !== null)
  const phone = usePhone()
  const tab = useTab((state) => (hasTerminal ? state.tab : 'commands'))
  const folder = folderOf(useLocation().pathname)
  const { height, separator } = usePanelHeight(panel)
  const goBack = useWayBack(panel)
  useFocusWhile(running, { panel, field, log })

  const onKeyDown = (event: KeyboardEvent) => {
    // Keys typed here must not reach the listing; global shortcuts still do.
    if (!event.ctrlKey && !event.metaKey && event.key !== 'F1') event.stopPropagation()
    // The terminal needs Escape itself and has another shortcut for leaving.
    if (event.key === 'Escape' && !(event.target instanceof HTMLTextAreaElement)) {
      event.preventDefault()
      goBack()
    }
    const marked = getSelection()?.isCollapsed === false
    if (tab === 'commands' && running && !marked && event.ctrlKey && event.key.toLowerCase() === 'c') {
      event.preventDefault()
      stop()
    }
  }
  // As in a terminal, a click anywhere focuses the command line, unless text is being selected.
  const onClick = (event: MouseEvent) => {
    const onControl = event.target instanceof Element && event.target.closest('button, input, label, [role=separator]') !== null
    if (!onControl && getSelection()?.isCollapsed !== false) field.current?.focus()
  }

  return (
    <section
      ref={panel}
      className={classes(styles.panel, 'not-printed')}
      style={{ blockSize: height }}
      aria-label={t('shell.title')}
      data-part="shell"
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div
        {...separator}
        className={styles.edge}
        role="separator"
        tabIndex={0}
        aria-orientation="horizontal"
        aria-label={t('shell.resize')}
      />
      <header className={styles.head}>
        <h2 className={classes(styles.title, hasTerminal && 'sr-only')}>{t('shell.title')}</h2>
        {hasTerminal && (
          <div className="flex grow">
            <Segmented
              label={t('shell.title')}
              value={tab}
              options={[
                { value: 'commands', label: t('shell.commands'), icon: phone ? <ChevronRight {...ICON} className="mirror" /> : undefined },
                { value: 'terminal', label: t('terminal.title'), icon: phone ? <SquareTerminal {...ICON} /> : undefined },
              ]}
              onValue={(chosen) => useTab.setState({ tab: chosen })}
            />
          </div>
        )}
        {tab === 'commands' ? (
          <>
            {running && <IconButton size="small" label={t('shell.stop')} shortcut="Ctrl C" icon={Square} onClick={stop} />}
            <CopyButton text={() => textOf(useTerminal.getState().transcript)} />
            <IconButton size="small" label={t('shell.clear')} icon={Eraser} onClick={clear} />
          </>
        ) : (
          <TerminalButtons screen={screen} />
        )}
        <IconButton
          size="small"
          label={t('shell.close')}
          icon={X}
          onClick={() => {
            goBack()
            useShell.setState({ open: false })
          }}
        />
      </header>
      {tab === 'commands' ? (
        <>
          <Log ref={log} />
          <Prompt ref={field} folder={folder} shown={displayName(folder)} />
        </>
      ) : (
        <TerminalView ref={screen} folder={folder} onLeave={goBack} />
      )}
    </section>
  )
}

function TerminalButtons({ screen }: { screen: RefObject<TerminalScreen | null> }) {
  const { state, screenReader } = useTerminalState()
  return (
    <>
      {(state === 'running' || state === 'opening') && (
        <IconButton size="small" label={t('terminal.end')} icon={Square} onClick={endShell} />
      )}
      <IconButton
        size="small"
        label={t('terminal.reader')}
        pressed={screenReader}
        icon={Ear}
        onClick={() => setScreenReader(!screenReader)}
      />
      <CopyButton text={() => screen.current?.text() ?? ''} />
      <IconButton size="small" label={t('shell.clear')} icon={Eraser} onClick={() => screen.current?.clear()} />
    </>
  )
}

function CopyButton({ text }: { text: () => string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    if (await copyAndTell(text(), { failed: t('shell.not-copied') })) setDone(true)
  }
  return (
    <IconButton
      size="small"
      label={done ? t('shell.copied') : t('shell.copy')}
      icon={done ? <CopyCheck {...ICON} /> : <Copy {...ICON} />}
      onClick={() => void copy()}
      onBlur={() => setDone(false)}
      onPointerLeave={() => setDone(false)}
    />
  )
}

/** The current folder; the root on screens without files. */
function folderOf(pathname: string): FilePath {
  const place = pathFromLocation(pathname)
  if (place === null) return ROOT
  return place.folder ? place.path : parentOf(place.path)
}

/** Returns focus to the element that had it before the panel. */
function useWayBack(panel: { readonly current: HTMLElement | null }): () => void {
  const [before] = useState(() => document.activeElement)
  // Restore focus when the panel closes.
  useEffect(() => {
    const element = panel.current
    return () => {
      if (element?.contains(document.activeElement) === true || document.activeElement === document.body) focusOrMain(before)
    }
  }, [panel, before])
  return () => focusOrMain(before)
}

function focusOrMain(element: Element | null): void {
  const usable = element instanceof HTMLElement && element !== document.body && element.isConnected
  ;(usable ? element : document.getElementById('main'))?.focus()
}

/** A disabled input loses focus: while a command runs the log has it, so that Ctrl+C works and focus returns for the next line. */
function useFocusWhile(
  running: boolean,
  { panel, field, log }: Record<'panel' | 'field' | 'log', { readonly current: HTMLElement | null }>,
): void {
  const wasRunning = useRef(running)
  useEffect(() => {
    const inside = panel.current?.contains(document.activeElement) === true || document.activeElement === document.body
    if (running) {
      if (inside) log.current?.focus({ preventScroll: true })
    } else if (!wasRunning.current || (inside && log.current === document.activeElement)) {
      field.current?.focus()
    }
    wasRunning.current = running
  }, [running, panel, field, log])
}
