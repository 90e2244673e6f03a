import { Camera, CircleCheckBig, FilePlus2, Inbox } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SharedLink } from '../../../shared/contract/public.ts'
import { ROOT } from '../../../shared/file-path.ts'
import { MAX_NOTE_CHARS, MAX_SENDER_CHARS } from '../../../shared/limits.ts'
import { clearVisitorUploads, uploadAsVisitor, useVisitorUploads } from '../../data/uploads/visitor-uploads.ts'
import { formatBytes, formatMoment } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { FieldMessage } from '../../ui/field.tsx'
import { StandaloneCard } from '../../ui/standalone-card.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { displayName } from '../../widgets/display-name.ts'
import door from './gate.module.css'
import styles from './drop-page.module.css'
import { checkFiles } from './check-files.ts'
import { Message } from './message.tsx'
import { VisitorUploadList } from './visitor-upload-list.tsx'
import { useFileDrop } from './use-file-drop.ts'

/** Rejected files beyond this number are only counted. */
const MOST_REFUSED = 5

/**
 * File request: visitors upload files and see only their own.
 * @param gone message of a request that has ended; null while it is open. Visitors who have uploaded still see their files
 */
export function DropPage({ hash, link, gone }: { hash: string; link: SharedLink; gone: ReactNode }) {
  const [sender, setSender] = useState('')
  const [note, setNote] = useState('')
  const [refused, setRefused] = useState<readonly string[]>([])
  const all = useVisitorUploads(hash)
  const finished = all.length > 0 && all.every(({ state }) => state === 'done')

  const take = (files: readonly File[]) => {
    const { fits, problems } = checkFiles(files, link.drop)
    setRefused(problems.map(wordsOf))
    if (fits.length > 0) uploadAsVisitor(fits, { hash, folder: ROOT, signed: { sender: sender.trim(), note: note.trim() } })
  }
  const over = useFileDrop((files) => {
    if (gone === null) take(files)
  })
  const again = () => {
    clearVisitorUploads(hash)
    setRefused([])
  }
  const place = useRef<HTMLElement>(null)
  const was = useRef(finished)
  // The focused button has disappeared with its part of the page.
  useEffect(() => {
    if (was.current !== finished && document.activeElement === document.body) place.current?.focus()
    was.current = finished
  }, [finished])
  if (gone !== null && all.length === 0) return gone
  return (
    <StandaloneCard className={classes(door.card, styles.page)} data-part="drop-box">
      <div className={styles.content}>
        <header className="grid gap-3 items-center text-center">
          <span className={door.sign} aria-hidden>
            <Inbox size={26} strokeWidth={1.75} />
          </span>
          <h1 className={door.title}>
            <bdi>{link.title === '' ? t('visit.drop') : displayName(link.title)}</bdi>
          </h1>
          <p className={door.text}>{t('drop.text')}</p>
        </header>
        <Message text={link.message} />
        {finished && (
          <section ref={place} tabIndex={-1} className={styles.done} role="status" data-part="drop-done">
            <CircleCheckBig size={44} strokeWidth={1.5} aria-hidden />
            <h2 className="text-title">{t('drop.done.title')}</h2>
            <p>{t('drop.done.text', { n: all.length })}</p>
            {gone === null && <Button label={t('drop.more')} variant="primary" size="large" onClick={again} />}
          </section>
        )}
        {/* Also with the thanks: what did not fit has not arrived. */}
        <div role="alert" className={styles.refused}>
          {refused.slice(0, MOST_REFUSED).map((words, at) => (
            <FieldMessage key={at} tone="error" text={words} />
          ))}
          {refused.length > MOST_REFUSED && (
            <FieldMessage tone="error" text={t('drop.refused-more', { n: refused.length - MOST_REFUSED })} />
          )}
        </div>
        {/* How far it is, is what one looks for as soon as there is something. */}
        <VisitorUploadList hash={hash} />
        {gone !== null && !finished && (
          <p className={styles.full} role="status">
            {t('visit.gone')}
          </p>
        )}
        {!finished && gone === null && (
          <>
            {/* Before the files, because it goes along with every file that is chosen. */}
            <section className="grid gap-5">
              <TextField label={t('drop.sender')} autoComplete="name" maxLength={MAX_SENDER_CHARS} value={sender} onValue={setSender} />
              <TextArea label={t('drop.note')} rows={2} maxLength={MAX_NOTE_CHARS} value={note} onValue={setNote} />
            </section>
            <section
              ref={place}
              tabIndex={-1}
              className={styles.zone}
              aria-label={t('drop.zone')}
              data-over={over || undefined}
              data-part="drop-zone"
            >
              <Choosers types={link.drop?.types ?? []} onFiles={take} />
              <Limits link={link} />
            </section>
          </>
        )}
      </div>
    </StandaloneCard>
  )
}

/** Chooses files and, on devices with a camera, takes a picture. */
function Choosers({ types, onFiles }: { types: readonly string[]; onFiles: (files: readonly File[]) => void }) {
  const touch = useMedia('(pointer: coarse)')
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const photos = types.length === 0 || types.some((type) => ['jpg', 'jpeg', 'heic', 'png'].includes(type))
  const input = {
    type: 'file',
    hidden: true,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      onFiles([...(currentTarget.files ?? [])])
      currentTarget.value = ''
    },
  }
  return (
    <>
      <Button
        label={t('drop.choose')}
        variant="primary"
        size="large"
        icon={FilePlus2}
        iconSize={20}
        onClick={() => files.current?.click()}
      />
      <input {...input} ref={files} multiple accept={types.map((type) => `.${type}`).join() || undefined} />
      {touch && photos && (
        <>
          <Button label={t('drop.photo')} size="large" icon={Camera} iconSize={20} onClick={() => camera.current?.click()} />
          <input {...input} ref={camera} accept="image/*" capture="environment" />
        </>
      )}
      {!touch && <p className={door.text}>{t('drop.here')}</p>}
    </>
  )
}

function Limits({ link: { drop, expires } }: { link: SharedLink }) {
  const words = [
    ...(drop === null || drop.maxFile === 0 ? [] : [t('drop.limit.file', { size: formatBytes(drop.maxFile) })]),
    ...(drop === null || drop.maxFiles === null ? [] : [t('drop.limit.files', { n: drop.maxFiles })]),
    ...(drop === null || drop.maxBytes === null ? [] : [t('drop.limit.bytes', { size: formatBytes(drop.maxBytes) })]),
    ...(drop === null || drop.types.length === 0 ? [] : [t('drop.limit.types', { types: drop.types.join(', ') })]),
    ...(expires === 0 ? [] : [t('share.lasts.until', { end: formatMoment(expires) })]),
  ]
  if (words.length === 0) return null
  return (
    <ul className={styles.limits} aria-label={t('drop.limits')}>
      {words.map((word) => (
        <li key={word}>{word}</li>
      ))}
    </ul>
  )
}

function wordsOf(problem: ReturnType<typeof checkFiles>['problems'][number]): string {
  if (problem.why === 'size') return t('drop.too-large', { name: displayName(problem.name), size: formatBytes(problem.most) })
  if (problem.why === 'type') return t('drop.wrong-type', { name: displayName(problem.name), types: problem.types.join(', ') })
  return t('drop.too-many', { n: problem.most })
}
