import { registerPrompts } from '../../../data/prompts.ts'
import { lazyPart } from '../../../i18n/lazy-part.ts'

/** Dialogs of second factors. */
export function registerFactorPrompts(): void {
  registerPrompts({
    'totp-setup': lazyPart(async () => (await import('./factor-dialogs.tsx')).TotpSetupDialog),
    'passkey-name': lazyPart(async () => (await import('./factor-dialogs.tsx')).PasskeyNameDialog),
    'recovery-codes': lazyPart(async () => (await import('./factor-dialogs.tsx')).RecoveryCodesDialog),
  })
}
