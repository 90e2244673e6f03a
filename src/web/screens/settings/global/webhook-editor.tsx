import { Copy, KeyRound, Send, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { WEBHOOK_EVENTS, type Webhook } from '../../../../shared/contract/webhooks.ts'
import { isAppError } from '../../../../shared/errors.ts'
import { isSame } from '../../../../shared/changes.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { notify } from '../../../data/notices.ts'
import { ask } from '../../../data/prompts.ts'
import { useUnsavedGuard } from '../../../data/unsaved.ts'
import { useRemoveWebhook, useSaveWebhook, useTestWebhook, type WebhookInput } from '../../../data/webhooks.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { unsavedQuestion } from '../confirmations.ts'
import styles from './webhooks-card.module.css'

export interface WebhookEditorProps {
  /** Null for a new one. */
  hook: Webhook | null
  /** Called once with a new secret. */
  onSecret: (secret: string, url: string) => void
}

/** A webhook, saved on its own and not with the surrounding form. */
export function WebhookEditor({ hook, onSecret }: WebhookEditorProps) {
  const [input, setInput] = useState<WebhookInput>(() => inputFrom(hook))
  const [lack, setLack] = useState<string | null>(null)
  const save = useSaveWebhook()
  const test = useTestWebhook()
  const remove = useRemove(hook)
  const saved = inputFrom(hook)
  const touched = !isSame(input, saved)
  const unchanged = hook !== null && !touched
  const refusal = isAppError(save.error, 'invalid-input') ? t('form.refused', { reason: save.error.detail.issues.join('; ') }) : null
  const { data: result } = test
  const isUrl = /^https?:$/.test(URL.parse(input.url)?.protocol ?? '')
  const missing = !isUrl ? t('webhooks.url.wrong') : input.events.length === 0 ? t('webhooks.events.none') : null

  useUnsavedGuard(touched, unsavedQuestion())

  const change = (fields: Partial<WebhookInput>) => {
    setInput({ ...input, ...fields })
    setLack(null)
    save.reset()
  }
  const submit = (renew = false) =>
    save.mutate(
      { id: hook?.id ?? null, input: renew ? saved : input, renew },
      {
        onSuccess(done) {
          if (done === null) return
          if (done.secret === null) notify({ tone: 'success', text: t('webhooks.saved') })
          else onSecret(done.secret, done.hook.url)
        },
      },
    )
  // Enter must not submit the surrounding form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (missing !== null) setLack(missing)
    else if (!unchanged) submit()
  }

  return (
    <div className={styles.editor} role="group" aria-label={hook === null ? t('webhooks.add') : hook.url}>
      <TextField
        label={t('webhooks.url')}
        verbatim
        type="url"
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        error={input.url !== '' && !isUrl ? t('webhooks.url.wrong') : (lack ?? refusal)}
        value={input.url}
        onValue={(url) => change({ url })}
        onKeyDown={onKeyDown}
      />
      <fieldset className={styles.events}>
        <legend>{t('webhooks.events')}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <Checkbox
            key={event}
            label={t(`global.event.${event}`)}
            checked={input.events.includes(event)}
            onChecked={(on) => change({ events: WEBHOOK_EVENTS.filter((one) => (one === event ? on : input.events.includes(one))) })}
          />
        ))}
      </fieldset>
      {hook !== null && <Switch label={t('webhooks.enabled')} checked={input.enabled} onChecked={(enabled) => change({ enabled })} />}
      <div className={styles.actions}>
        <Button
          label={hook === null ? t('webhooks.create') : t('webhooks.save')}
          size="small"
          variant="primary"
          busy={save.isPending}
          disabled={unchanged}
          disabledReason={unchanged ? null : missing}
          onClick={() => submit()}
        />
        {hook !== null && (
          <>
            <Button label={t('webhooks.test')} size="small" icon={Send} busy={test.isPending} onClick={() => test.mutate(hook.id)} />
            <Button
              label={t('webhooks.renew')}
              size="small"
              icon={KeyRound}
              onClick={() => void askToRenew().then((sure) => sure && submit(true))}
            />
            <Button label={t('webhooks.remove')} size="small" variant="danger" icon={Trash2} onClick={() => void remove()} />
          </>
        )}
      </div>
      <div role="status">
        {result !== undefined && (
          <p className={styles.result} data-tone={result.well ? 'good' : 'bad'}>
            {result.well ? t('webhooks.test.well') : t('webhooks.test.badly')} <bdi lang="en">{result.report}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}

/** Scrolls clear of the sticky bars. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' })
}

/** Shows a new secret, which cannot be read again. */
export function FreshSecret({ url, secret, onClose }: { url: string; secret: string; onClose: () => void }) {
  return (
    <div ref={bringIntoView} className={styles.fresh} role="alert" data-part="webhook-secret">
      <p>
        {t('webhooks.secret.text')} <bdi dir="ltr">{url}</bdi>
      </p>
      <code className={styles.secret} dir="ltr">
        {secret}
      </code>
      <div className={styles.actions}>
        <CopyButton
          label={t('webhooks.secret.copy')}
          icon={Copy}
          copy={() => copyAndTell(secret, { done: t('shell.copied'), failed: t('webhooks.secret.not-copied') })}
        />
        <Button label={t('webhooks.secret.close')} size="small" onClick={onClose} />
      </div>
    </div>
  )
}

function inputFrom(hook: Webhook | null): WebhookInput {
  return hook === null
    ? { url: '', events: ['after_upload'], enabled: true }
    : { url: hook.url, events: hook.events, enabled: hook.enabled }
}

function askToRenew(): Promise<unknown> {
  return ask('confirm', {
    title: t('webhooks.renew.title'),
    text: t('webhooks.renew.text'),
    confirmLabel: t('webhooks.renew'),
    danger: true,
  })
}

function useRemove(hook: Webhook | null): () => Promise<void> {
  const remove = useRemoveWebhook()
  return async () => {
    if (hook === null) return
    const sure = await ask('confirm', {
      title: t('webhooks.remove.title'),
      text: hook.url,
      confirmLabel: t('webhooks.remove'),
      danger: true,
    })
    if (sure !== null) remove.mutate(hook.id)
  }
}
