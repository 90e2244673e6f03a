import { ChevronRight } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type Ref, useState } from 'react'
import type { FilePath } from '../../../shared/file-path.ts'
import { ask } from '../../data/prompts.ts'
import { t } from '../../i18n/i18n.tsx'
import styles from './shell.module.css'
import { recall, runLines, useTerminal } from './shell-store.ts'

/** A WebSocket frame is limited to 64 KiB; this many characters always fit. */
const LONGEST_LINE = 10_000
const SHOWN_OF_PASTE = 5

/** The command line, after the name of the working directory. */
export function Prompt({ ref, folder, shown }: { ref: Ref<HTMLInputElement>; folder: FilePath; shown: string }) {
  const running = useTerminal((state) => state.running)
  const [line, setLine] = useState('')
  const run = (lines: readonly string[]) => {
    setLine('')
    void runLines(lines, { folder, shown })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      // `exit` moves focus to a button, which must not receive this key press.
      event.preventDefault()
      return run([line])
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const text = recall(event.key === 'ArrowUp' ? -1 : 1, line)
    if (text !== null) setLine(text)
  }

  // Web pages can hide lines in copied text, so several lines are never run without confirmation. Browsers would join them into one line.
  const onPaste = async (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r\n|\r|\n/)
      .filter((one) => one.trim() !== '')
    if (lines.length < 2) return
    event.preventDefault()
    const more = lines.length - SHOWN_OF_PASTE
    const text = [...lines.slice(0, SHOWN_OF_PASTE), ...(more > 0 ? [t('shell.paste.more', { n: more })] : [])].join('\n')
    const title = t('shell.paste.title', { n: lines.length })
    if ((await ask('confirm', { title, text, confirmLabel: t('shell.paste.run') })) !== null) run(lines)
  }

  return (
    <label className={styles.prompt}>
      <bdi className={styles.place}>{shown}</bdi>
      <ChevronRight size={16} strokeWidth={2.25} className="mirror" aria-hidden />
      <input
        ref={ref}
        className={styles.field}
        value={line}
        disabled={running}
        maxLength={LONGEST_LINE}
        dir="ltr"
        aria-label={t('shell.field', { folder: shown })}
        enterKeyHint="send"
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => setLine(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => void onPaste(event)}
      />
    </label>
  )
}
