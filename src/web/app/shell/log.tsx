import { memo, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { CommandEnding } from '../../../shared/contract/command.ts'
import { t } from '../../i18n/i18n.tsx'
import { classes } from '../../ui/classes.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './shell.module.css'
import { useTerminal } from './shell-store.ts'
import type { Entry, Line } from './transcript.ts'

/** Within this distance of the end the log follows new output. */
const NEAR_END = 24

/** The commands and their output, newest last. Follows new output unless the user has scrolled up. */
export function Log({ ref }: { ref: Ref<HTMLDivElement> }) {
  const { entries, dropped } = useTerminal((state) => state.transcript)
  const log = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const latest = entries.at(-1)?.id
  const shown = useRef(latest)
  useImperativeHandle(ref, () => log.current as HTMLDivElement)

  // Always scroll to a command that has just been started.
  useLayoutEffect(() => {
    if (shown.current !== latest) following.current = true
    shown.current = latest
    const element = log.current
    if (following.current && element !== null) element.scrollTop = element.scrollHeight
  }, [entries, latest])

  const onScroll = () => {
    const element = log.current
    if (element !== null) following.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END
  }

  return (
    <div ref={log} className={styles.log} role="log" aria-label={t('shell.log')} tabIndex={0} onScroll={onScroll} data-part="shell-log">
      {entries.length === 0 && <p className={styles.hint}>{t('shell.hint')}</p>}
      {dropped && <p className={styles.hint}>{t('shell.dropped')}</p>}
      {entries.map((entry) => (
        <OneEntry key={entry.id} entry={entry} />
      ))}
    </div>
  )
}

const OneEntry = memo(function OneEntry({ entry }: { entry: Entry }) {
  const { folder, command, lines, result } = entry
  const ending = result === null ? null : endingOf(entry)
  return (
    <div className={styles.entry} data-part="shell-entry">
      <p className={styles.command}>
        <bdi className={styles.place}>{folder}</bdi> <bdi dir="ltr">{command}</bdi>
        {result === null && <Spinner size={14} />}
      </p>
      {lines.length > 0 && (
        <div className={styles.output} dir="ltr">
          {lines.map((line, at) => (at === lines.length - 1 && line.runs.length === 0 ? null : <OneLine key={line.id} line={line} />))}
        </div>
      )}
      {ending !== null && <p className={styles.ending}>{ending}</p>}
    </div>
  )
})

const OneLine = memo(function OneLine({ line: { runs } }: { line: Line }) {
  return (
    <div className={styles.line} data-part="shell-line">
      {runs.map(({ from, className, text }, at) => (
        <span key={at} className={classes(...className.split(' ').map((word) => styles[word]))} data-from={from}>
          {text}
        </span>
      ))}
      {runs.length === 0 && '\n'}
    </div>
  )
})

/** How the command ended, in words, unless it succeeded. */
function endingOf({ command, result }: Entry): string | null {
  if (result === null) return null
  if ('failed' in result) return result.failed
  const { ended, exit } = result
  if (ended !== 'exited') return t(`shell.ended.${ended satisfies CommandEnding}`, { program: command.split(/\s/, 1)[0] ?? '' })
  return exit === 0 ? null : t('shell.exit', { code: exit ?? '?' })
}
