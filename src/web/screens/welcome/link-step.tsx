import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { joinPath, ROOT } from '../../../shared/file-path.ts'
import { copyAndTell } from '../../data/copy-text.ts'
import { makeFolder } from '../../data/files.ts'
import { nameOfShare, shareLink } from '../../data/share-links.ts'
import { shareFolder } from '../../data/shares.ts'
import { withGesture } from '../../data/undo.ts'
import { errorText, t } from '../../i18n/i18n.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { displayName } from '../../widgets/display-name.ts'
import { nameProblem } from '../../widgets/names.ts'
import { LocalAddressNote } from './local-address-note.tsx'
import { Result } from './result.tsx'
import { StepForm } from './step-form.tsx'
import { useFinish, useStepResult } from './use-finish.tsx'

/** A folder that everyone with its link can see. */
export function LinkStep() {
  const queries = useQueryClient()
  const [folder, setFolder] = useState(() => t('welcome.link.default'))
  const [isTried, setIsTried] = useState(false)
  const problem = isTried ? nameProblem(folder, () => false) : null
  const { finish, busy, skips } = useFinish('link')
  const [made, show] = useStepResult('link')
  const make = useMutation({
    meta: { shows: 'all' },
    mutationFn: async (name: string) => {
      const path = joinPath(ROOT, name)
      await withGesture(({ group }) => makeFolder(queries, path, group))
      return shareFolder(queries, path)
    },
    onSuccess: (share, name) => show({ step: 'link', folder: name, link: nameOfShare(share) }),
  })
  const submit = () => {
    setIsTried(true)
    if (nameProblem(folder, () => false) === null) make.mutate(folder.trim())
  }
  if (made !== null) {
    const link = shareLink(made.link)
    return (
      <StepForm
        key="ready"
        title={t('welcome.link.ready')}
        text={t('welcome.link.ready.text', { name: made.folder })}
        submit={t('welcome.continue')}
        busy={busy}
        onSubmit={finish}
      >
        <Result lines={[{ label: t('welcome.link.label'), text: link }]}>
          <CopyButton label={t('visit.copy')} copy={() => copyAndTell(link, { failed: t('share.copy-failed', { link }) })} wide />
        </Result>
        <LocalAddressNote />
      </StepForm>
    )
  }
  return (
    <StepForm
      title={t('welcome.link.title')}
      text={t('welcome.link.text')}
      submit={t('welcome.link.submit')}
      busy={busy || make.isPending}
      onSubmit={submit}
      others={skips}
    >
      <TextField
        label={t('welcome.link.folder')}
        value={folder}
        error={problem === null ? make.error && errorText(make.error) : t(`files.name.${problem}`, { name: displayName(folder) })}
        onValue={(value) => {
          setFolder(value)
          make.reset()
        }}
      />
      <LocalAddressNote />
    </StepForm>
  )
}
