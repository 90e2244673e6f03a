import { createRoot } from 'react-dom/client'
import { captchaHost, loadCaptcha } from '../data/captcha.ts'
import { t } from '../i18n/i18n.tsx'
import { Button } from '../ui/button.tsx'
import { FullPageMessage } from '../widgets/full-page-message.tsx'
import { ScreenLoading } from './screen-loading.tsx'

// Starts loading while the session is checked; the gate needs both.
const first = loadCaptcha()

/** Waits for the captcha script before the application starts. If it does not load, the user decides how to continue. */
export async function passCaptchaGate(place: HTMLElement): Promise<void> {
  const root = createRoot(place)
  root.render(<ScreenLoading />)
  for (let loading = first; !(await loading); loading = loadCaptcha()) {
    const again = await new Promise<boolean>((decide) => root.render(<Missing onDecision={decide} />))
    if (!again) break
    root.render(<ScreenLoading />)
  }
  root.unmount()
}

function Missing({ onDecision }: { onDecision: (again: boolean) => void }) {
  return (
    <main data-part="captcha-missing">
      <FullPageMessage title={t('login.captcha.title')} text={t('login.captcha.text', { host: captchaHost })}>
        <Button label={t('action.retry')} variant="primary" onClick={() => onDecision(true)} />
        <Button label={t('login.captcha.continue')} onClick={() => onDecision(false)} />
      </FullPageMessage>
    </main>
  )
}
