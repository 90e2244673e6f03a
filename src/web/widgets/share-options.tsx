import type { ReactNode } from 'react'
import { SHARE_RIGHTS } from '../../shared/contract/shares.ts'
import { MAX_SHARE_COUNT, MAX_SHARE_MESSAGE_CHARS, MAX_SHARE_TITLE_CHARS } from '../../shared/limits.ts'
import { t } from '../i18n/i18n.tsx'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextField } from '../ui/text-field.tsx'
import { fieldsOf } from './form-fields.ts'
import { type DraftProblem, problemsOf, type ShareDraft } from './share-draft.ts'
import styles from './share-options.module.css'

export interface ShareOptionsProps {
  draft: ShareDraft
  onChange: (fields: Partial<ShareDraft>) => void
  /** Folders have additional options. */
  isDir: boolean
  /** Full address of a link with this name. */
  linkOf: (name: string) => string
  /** The name has been taken meanwhile. */
  takenSlug?: string | null
}

/** Options of a link besides expiry and password, validated while typing. */
export function ShareOptions({ draft, onChange, isDir, linkOf, takenSlug = null }: ShareOptionsProps) {
  const problems = problemsOf(draft)
  const said = (field: keyof ShareDraft): string | null => {
    const problem = problems[field]
    return problem === undefined ? null : wordsOf(problem, field)
  }
  const { value, checked } = fieldsOf(draft, onChange, said)
  const { rights } = draft
  const slug = draft.slug.trim()
  const isDrop = rights === 'drop'
  const amount = (field: 'maxDownloads' | 'maxFiles' | 'maxFile' | 'maxBytes', words: { label: string; hint?: string }): ReactNode => (
    <TextField
      {...words}
      inputMode={field === 'maxFile' || field === 'maxBytes' ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...value(field)}
    />
  )
  return (
    <div className="grid gap-6 shrinkable">
      <Select
        label={t('share.rights')}
        options={SHARE_RIGHTS.filter((right) => isDir || right === 'view' || right === 'download').map((right) => ({
          value: right,
          label: t(`share.rights.${right}`),
        }))}
        hint={t(`share.rights.${rights}.hint`)}
        {...value('rights')}
      />
      {isDrop && (
        <div className={styles.pair}>
          {amount('maxFiles', { label: t('share.drop.files') })}
          {amount('maxFile', { label: t('share.drop.size') })}
          {amount('maxBytes', { label: t('share.drop.total') })}
          <TextField
            label={t('share.drop.types')}
            placeholder="jpg, png, pdf"
            autoComplete="off"
            autoCapitalize="none"
            dir="ltr"
            {...value('types')}
          />
        </div>
      )}
      {(rights === 'download' || rights === 'edit') &&
        amount('maxDownloads', { label: t('share.downloads'), hint: t('share.downloads.hint') })}
      <TextField label={t('share.caption')} hint={t('share.caption.hint')} autoComplete="off" {...value('title')} />
      <TextArea label={t('share.message')} {...value('message')} />
      <TextField
        label={t('share.slug')}
        verbatim
        autoComplete="off"
        dir="ltr"
        {...value('slug')}
        error={slug !== '' && slug === takenSlug ? t('share.slug.taken') : said('slug')}
        hint={slug === '' || problems.slug !== undefined ? t('share.slug.hint') : t('share.slug.link', { link: linkOf(slug) })}
      />
      <TextField label={t('share.starts')} type="datetime-local" {...value('starts')} hint={t('share.starts.hint')} />
      <Switch label={t('share.log')} hint={t('share.log.hint')} {...checked('logVisits')} />
    </div>
  )
}

function wordsOf(problem: DraftProblem, field: keyof ShareDraft): string {
  if (problem === 'long') return t('share.bad.long', { most: field === 'title' ? MAX_SHARE_TITLE_CHARS : MAX_SHARE_MESSAGE_CHARS })
  return problem === 'count' ? t('share.bad.count', { most: MAX_SHARE_COUNT }) : t(`share.bad.${problem}`)
}
