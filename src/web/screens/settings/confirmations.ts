import { ask } from '../../data/prompts.ts'
import { t } from '../../i18n/i18n.tsx'

/** Question for leaving a form with unsaved changes. */
export function unsavedQuestion() {
  return { title: t('form.leave.title'), text: t('form.leave.text'), confirmLabel: t('form.leave.confirm') }
}

/** Someone else has changed the same fields: asks whether to overwrite them. */
export async function mayReplace(places: readonly string[]): Promise<boolean> {
  const answer = await ask('confirm', {
    title: t('form.clash.title'),
    text: t('form.clash.text', { count: places.length }),
    confirmLabel: t('form.clash.confirm'),
    danger: true,
  })
  return answer === true
}
