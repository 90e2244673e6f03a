import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, ClipboardPaste } from 'lucide-react'
import type { PointerEvent, ReactNode } from 'react'
import { notify } from '../../../data/notices.ts'
import { t } from '../../../i18n/i18n.tsx'
import type { TerminalScreen } from './terminal-screen.ts'
import { holdControl, useTerminalState } from './terminal-store.ts'
import styles from './terminal.module.css'

const ICON = { size: 18, strokeWidth: 2, 'aria-hidden': true }

/** Keys that on-screen keyboards lack. */
export function KeyRow({ screen }: { screen: TerminalScreen }) {
  const control = useTerminalState((state) => state.control)
  const paste = async () => {
    try {
      screen.paste(await navigator.clipboard.readText())
    } catch {
      notify({ tone: 'error', text: t('terminal.not-pasted'), reportable: false })
    }
  }
  return (
    <div className={styles.keys} role="toolbar" aria-label={t('terminal.keys')} dir="ltr" data-part="terminal-keys">
      <Key onPress={() => screen.input('\u001b')}>Esc</Key>
      <Key onPress={() => screen.input('\t')}>Tab</Key>
      <Key pressed={control} onPress={() => holdControl(!control)}>
        Ctrl
      </Key>
      <Key label={t('terminal.key.left')} onPress={() => screen.arrow('D')}>
        <ArrowLeft {...ICON} />
      </Key>
      <Key label={t('terminal.key.up')} onPress={() => screen.arrow('A')}>
        <ArrowUp {...ICON} />
      </Key>
      <Key label={t('terminal.key.down')} onPress={() => screen.arrow('B')}>
        <ArrowDown {...ICON} />
      </Key>
      <Key label={t('terminal.key.right')} onPress={() => screen.arrow('C')}>
        <ArrowRight {...ICON} />
      </Key>
      <Key label={t('terminal.paste')} onPress={() => void paste()}>
        <ClipboardPaste {...ICON} />
      </Key>
    </div>
  )
}

function Key({ label, pressed, onPress, children }: { label?: string; pressed?: boolean; onPress: () => void; children: ReactNode }) {
  // Keep focus, and the on-screen keyboard, in the terminal.
  const keep = (event: PointerEvent) => event.preventDefault()
  return (
    <button type="button" className={styles.key} aria-label={label} aria-pressed={pressed} onPointerDown={keep} onClick={onPress}>
      {children}
    </button>
  )
}
