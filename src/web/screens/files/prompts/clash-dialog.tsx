import { useState } from 'react'
import { numbered } from '../../../../shared/numbering.ts'
import type { Clash, ClashAnswer } from '../../../data/clashes.ts'
import type { ListedEntry } from '../../../data/listing.ts'
import type { PromptProps } from '../../../data/prompts.ts'
import { formatBytes, formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { classes } from '../../../ui/classes.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { answerClash, startRound } from './clash-answers.ts'
import styles from './clash-dialog.module.css'

/** Replace, or keep both under another name, or leave it: for each taken name, or once for all. Closing it does nothing to any. */
export function ClashDialog({ clashes, mayReplace, onAnswer, onDismiss }: PromptProps<'replace-rename'>) {
  const [round, setRound] = useState(() => startRound(clashes))
  const [chosen, setChosen] = useState<ClashAnswer>('rename')
  const [forRest, setForRest] = useState(true)
  const clash = round.clashes[round.at]
  if (clash === undefined) return null
  const left = round.clashes.length - round.at - 1
  const free = displayName(numbered(clash.name, 1))

  const next = () => {
    const answered = answerClash(round, chosen, { forRest: forRest && left > 0 })
    if (answered.at === answered.clashes.length) onAnswer(answered.answers)
    else setRound(answered)
  }
  return (
    <Dialog
      title={t('files.clash.title', { name: displayName(clash.name) })}
      description={clashes.length > 1 ? t('files.clash.count', { at: round.at + 1, count: clashes.length }) : undefined}
      onDismiss={onDismiss}
      onSubmit={next}
      actions={
        <>
          <Button variant="quiet" onClick={onDismiss}>
            {t('action.cancel')}
          </Button>
          <Button variant="primary" type="submit">
            {t('files.clash.continue')}
          </Button>
        </>
      }
    >
      <Sides clash={clash} />
      <div className={styles.choices} role="radiogroup" aria-label={t('files.clash.choose')}>
        {CHOICES.filter((one) => one !== 'overwrite' || mayReplace).map((one) => (
          <label key={one} className={styles.choice}>
            <input
              type="radio"
              name="clash"
              className={styles.radio}
              checked={one === chosen}
              data-autofocus={one === chosen || undefined}
              onChange={() => setChosen(one)}
            />
            <span>
              <span className={styles.label}>{t(`files.clash.${one}`)}</span>
              <span className={styles.text}>{t(textOf(one, clash), { name: free })}</span>
            </span>
          </label>
        ))}
      </div>
      {left > 0 && <Checkbox label={t('files.clash.rest', { count: left })} checked={forRest} onChecked={setForRest} />}
    </Dialog>
  )
}

const CHOICES = ['rename', 'overwrite', 'skip'] as const satisfies ClashAnswer[]

function textOf(answer: ClashAnswer, { existing, incoming }: Clash) {
  const merges = answer === 'overwrite' && existing.isDir && incoming?.isDir === true
  return merges ? 'files.clash.merge.text' : (`files.clash.${answer}.text` as const)
}

function Sides({ clash: { existing, incoming } }: { clash: Clash }) {
  if (incoming === null) return null
  return (
    <div className={styles.sides}>
      <Side label={t('files.clash.existing')} entry={existing} other={incoming} />
      <Side label={t('files.clash.incoming')} entry={incoming} other={existing} />
    </div>
  )
}

/** Newer and larger are said in bold, so that the choice can be made at a glance. */
function Side({ label, entry, other }: { label: string; entry: ListedEntry; other: ListedEntry }) {
  const newer = entry.modified > other.modified
  const larger = !entry.isDir && !other.isDir && entry.size > other.size
  return (
    <div className={classes(styles.side, newer && styles.newer)}>
      <p className={styles.label}>{label}</p>
      <p className={styles.text}>
        <bdi className={larger ? styles.more : undefined}>{entry.isDir ? t('files.kind.folder') : formatBytes(entry.size)}</bdi> ·{' '}
        <bdi className={newer ? styles.more : undefined}>{formatDateTime(new Date(entry.modified))}</bdi>
        {newer && ` · ${t('files.clash.newer')}`}
      </p>
    </div>
  )
}
