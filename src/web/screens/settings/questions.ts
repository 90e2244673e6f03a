import { ask } from '../../data/prompts.ts'
import { t } from '../../i18n/i18n.tsx'

/** What leaving a changed form asks. */
export function unsavedQuestion() {
  return { title: t('form.leave.title'), text: t('form.leave.text'), confirmLabel: t('form.leave.confirm') }
}

/** Somebody else changed the same meanwhile: theirs or mine. */
export async function mayReplace(places: readonly string[]): Promise<boolean> {
  const answer = await ask('confirm', {
    title: t('form.clash.title'),
    text: t('form.clash.text', { count: places.length }),
    confirmLabel: t('form.clash.confirm'),
    danger: true,
  })
  return answer === true
}
