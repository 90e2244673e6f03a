import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type TypeSchema, typeOf } from '../../../../shared/type-text.ts'
import {
  type ApiAnswer,
  type ApiOperation,
  type ApiParameter,
  type ApiReference,
  curlOf,
  sendApiRequest,
} from '../../../data/api-document.ts'
import { copyAndTell } from '../../../data/copy-text.ts'
import { errorText, t } from '../../../i18n/i18n.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import styles from './api-screen.module.css'
import { exampleOf } from './example.ts'
import { missingIn, requestOf } from './request.ts'

/** What a call takes and answers, and a form that makes it. */
export function CallDetails({ operation, schemas }: { operation: ApiOperation; schemas: ApiReference['schemas'] }) {
  const { description, parameters, requestBody, responses } = operation
  const [[bodyType, bodySchema] = ['', undefined]] = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema])
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() => (bodyType === 'application/json' ? JSON.stringify(exampleOf(bodySchema, schemas), null, 2) : ''))
  const [tried, setTried] = useState(false)
  const aborter = useRef<AbortController | null>(null)
  useEffect(() => () => aborter.current?.abort(), [])
  const request = requestOf(operation, values, { type: bodyType, body })
  const call = useMutation({
    mutationFn: () => {
      aborter.current?.abort()
      aborter.current = new AbortController()
      return sendApiRequest(request, aborter.current.signal)
    },
    meta: { shows: 'all' },
  })
  const missing = missingIn(operation, values)
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (missing.length === 0) call.mutate()
      }}
    >
      {description !== '' && <p className={styles.description}>{description}</p>}
      {parameters.map((parameter) => (
        <TextField
          key={`${parameter.in} ${parameter.name}`}
          label={parameter.name}
          verbatim
          hint={hintOf(parameter)}
          error={tried && missing.includes(parameter.name) ? t('api.missing') : null}
          value={values[parameter.name] ?? ''}
          onValue={(value) => setValues({ ...values, [parameter.name]: value })}
        />
      ))}
      {requestBody !== undefined && (
        <>
          <TextArea label={t('api.body', { type: bodyType })} mono rows={6} spellCheck={false} value={body} onValue={setBody} />
          <Type title={t('api.body.type')} schema={bodySchema} />
        </>
      )}
      {Object.entries(responses[200]?.content ?? {}).map(([type, { schema }]) => (
        <Type key={type} title={t('api.answer.type', { type: type === '*/*' ? '' : type })} schema={schema} />
      ))}
      <p className="muted text-small" lang={document.documentElement.lang} dir="auto">
        {t('api.real')}
      </p>
      <div className="row wrap gap-3">
        <Button type="submit" variant="primary" label={t('api.send')} busy={call.isPending} />
        <CopyButton
          label={t('api.curl')}
          word={t('api.curl')}
          copy={() => copyAndTell(curlOf(request), { done: t('api.copied'), failed: t('api.copy-failed') })}
        />
      </div>
      <div role="alert">{call.error !== null && <FieldMessage tone="error" text={errorText(call.error)} />}</div>
      <div role="status">{call.data !== undefined && !call.isPending && <Answer answer={call.data} />}</div>
    </form>
  )
}

function hintOf({ in: where, description, schema }: ApiParameter): string {
  return [where, typeOf(schema).replaceAll(/\s+/g, ' '), description ?? schema.description ?? ''].filter(Boolean).join(' · ')
}

function Type({ title, schema }: { title: string; schema: TypeSchema | undefined }) {
  if (schema === undefined || Object.keys(schema).length === 0) return null
  return (
    <div className="grid gap-2">
      <span className="text-small strong">{title}</span>
      {/* It scrolls, so the keyboard must reach it. */}
      <pre className={styles.code} tabIndex={0} role="region" aria-label={title}>
        {typeOf(schema)}
      </pre>
    </div>
  )
}

function Answer({ answer: { status, type, milliseconds, text, isCut } }: { answer: ApiAnswer }) {
  const title = t('api.answer', { status, milliseconds })
  return (
    <div className="grid gap-2" data-part="api-answer">
      <span className="strong" data-tone={status < 400 ? 'good' : 'bad'}>
        {title} <span className="muted text-small">{type}</span>
      </span>
      {text !== '' && (
        <pre className={styles.code} tabIndex={0} role="region" aria-label={title}>
          {indented(text, type)}
        </pre>
      )}
      {isCut && <span className="muted text-small">{t('api.cut')}</span>}
    </div>
  )
}

function indented(text: string, type: string): string {
  if (!/\bjson$|\bjson;/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Cut, or several values in a row.
    return text
  }
}
