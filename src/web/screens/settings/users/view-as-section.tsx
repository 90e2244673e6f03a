import { Eye } from 'lucide-react'
import type { User } from '../../../../shared/contract/users.ts'
import { ask } from '../../../data/prompts.ts'
import { useSession } from '../../../data/session.ts'
import { useViewAs } from '../../../data/viewings.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { displayName } from '../../../widgets/display-name.ts'
import { Section } from '../section.tsx'

/** Looking at the files as this user; not as oneself, as an administrator, or as somebody who is disabled. */
export function ViewAsSection({ user: { id, username, perm, disabled } }: { user: User }) {
  const own = useSession(({ user }) => user?.id)
  const view = useViewAs()
  if (id === own || perm.admin || disabled) return null
  const name = displayName(username)
  const begin = async () => {
    const sure = await ask('confirm', { title: t('view.title', { name }), text: t('view.text', { name }), confirmLabel: t('view.as') })
    if (sure !== null) view.mutate(id)
  }
  return (
    <Section title={t('view.as')} text={t('view.text', { name })}>
      <div>
        <Button label={t('view.as')} icon={Eye} busy={view.isPending} onClick={() => void begin()} />
      </div>
      <div role="alert">{view.error !== null && <FieldMessage tone="error" text={errorText(view.error)} />}</div>
    </Section>
  )
}
