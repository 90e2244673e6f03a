import { RotateCw } from 'lucide-react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState, useEffectEvent } from 'react'
import type { TerminalSize } from '../../../../shared/contract/terminal.ts'
import type { FilePath } from '../../../../shared/file-path.ts'
import { useTheme } from '../../../data/theme.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { KeyRow } from './key-row.tsx'
import type { TerminalScreen } from './terminal-screen.ts'
import { resetTerminal, openShell, notifyChunkMissing, terminalScreen, useTerminalState } from './terminal-store.ts'
import styles from './terminal.module.css'

export interface TerminalViewProps {
  ref: Ref<TerminalScreen | null>
  /** Working directory of a new shell. */
  readonly folder: FilePath
  readonly onLeave: () => void
}

/** An interactive shell. It starts when it is first shown and keeps running while hidden. */
export function TerminalView({ ref, folder, onLeave }: TerminalViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const leave = useEffectEvent(onLeave)
  const open = useEffectEvent((size: TerminalSize) => openShell(folder, size))
  const [screen, setScreen] = useState<TerminalScreen | null>(null)
  const [attempt, setAttempt] = useState(0)
  const { state, ending } = useTerminalState()
  const { theme } = useTheme()
  const dark = useMedia('(prefers-color-scheme: dark)')
  const touch = useMedia('(pointer: coarse)')
  useImperativeHandle<TerminalScreen | null, TerminalScreen | null>(ref, () => screen, [screen])

  // Synchronises with xterm.js, which draws by itself, in an element of its own.
  useEffect(() => {
    const home = place.current
    if (home === null) return
    let gone = false
    let observer: ResizeObserver | undefined
    const show = async (): Promise<void> => {
      const made = await terminalScreen(() => leave())
      if (gone) return
      home.append(made.element)
      made.element.className = styles.screen ?? ''
      const size = made.fit()
      if (useTerminalState.getState().state === 'none' && size !== null) open(size)
      observer = new ResizeObserver(() => void made.fit())
      observer.observe(home)
      made.focus()
      setScreen(made)
    }
    show().catch(() => !gone && notifyChunkMissing())
    return () => {
      gone = true
      observer?.disconnect()
      home.replaceChildren()
    }
  }, [attempt])

  // xterm.js takes colours as options, not from the stylesheet.
  useEffect(() => screen?.updateTheme(), [screen, theme, dark])

  const again = () => {
    if (screen === null) {
      resetTerminal()
      return setAttempt(attempt + 1)
    }
    const size = screen.fit()
    if (size === null) return
    openShell(folder, size)
    screen.focus()
  }

  return (
    <>
      <div className={styles.place} dir="ltr" data-part="terminal" data-state={state}>
        {state !== 'ended' && (screen === null || state === 'opening') && (
          <div className={styles.wait}>
            <Spinner size={18} />
          </div>
        )}
        <div ref={place} className={styles.home} />
      </div>
      {state === 'ended' && (
        <div className={styles.ended} role="status">
          <p>{ending}</p>
          <Button label={t('terminal.again')} size="small" icon={<RotateCw size={16} aria-hidden />} onClick={again} />
        </div>
      )}
      {touch && screen !== null && state !== 'ended' && <KeyRow screen={screen} />}
    </>
  )
}
