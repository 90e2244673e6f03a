import { useState } from 'react'
import { address } from '../../../data/client.ts'
import { API_DOCUMENT, type ApiArea, type ApiOperation, type ApiReference, useApiReference } from '../../../data/api-document.ts'
import { t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { Failure, failureKind } from '../../../widgets/failure.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import styles from './api-screen.module.css'
import { CallDetails } from './call-details.tsx'

const TYPED_MS = 150

/** Every call of this server, to read and to try as the signed-in user. Made from the OpenAPI document, whose texts are English. */
export function ApiScreen() {
  const [text, setText] = useState('')
  const wanted = useSettled(text.trim().toLowerCase(), TYPED_MS)
  const { data, error, refetch } = useApiReference()
  return (
    <div className="grid gap-6" data-part="api">
      <div className="grid gap-3">
        <h2 className="text-section tracking-none">{t('title.api')}</h2>
        <p className="muted">{t('api.text')}</p>
        <p>
          <a href={address(API_DOCUMENT)} target="_blank" rel="noreferrer">
            {t('api.document')}
          </a>
        </p>
      </div>
      <search>
        <TextField label={t('api.find')} type="search" verbatim value={text} onValue={setText} />
      </search>
      {data === undefined && error !== null && <Failure kind={failureKind(error)} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading height="200px" size={24} tone="faint" />}
      {data !== undefined && <Found reference={data} wanted={wanted} />}
    </div>
  )
}

function Found({ reference: { areas, schemas }, wanted }: { reference: ApiReference; wanted: string }) {
  const found = areas.map((area) => ({ ...area, operations: area.operations.filter((one) => matches(one, area, wanted)) }))
  const count = found.reduce((sum, { operations }) => sum + operations.length, 0)
  return (
    <>
      <p role="status" className="muted text-small">
        {t('api.count', { count })}
      </p>
      {found.map(
        ({ name, about, operations }) =>
          operations.length > 0 && (
            <section key={name} className="grid gap-3" lang="en" dir="ltr">
              <h3 className="text-name strong tracking-none">{name}</h3>
              <p className="muted text-small">{about}</p>
              <div className="grid gap-2">
                {operations.map((operation) => (
                  <Call key={operation.operationId} operation={operation} schemas={schemas} />
                ))}
              </div>
            </section>
          ),
      )}
    </>
  )
}

function matches({ method, path, summary, description }: ApiOperation, { name }: ApiArea, wanted: string): boolean {
  const text = `${method} ${path} ${summary} ${description} ${name}`.toLowerCase()
  return wanted.split(/\s+/).every((word) => text.includes(word))
}

function Call({ operation, schemas }: { operation: ApiOperation; schemas: ApiReference['schemas'] }) {
  const [isOpened, setOpened] = useState(false)
  const { method, path, summary } = operation
  return (
    <Disclosure
      onOpen={() => setOpened(true)}
      note={summary}
      label={
        <code className={styles.call}>
          <span className={styles.method} data-method={method}>
            {method}
          </span>
          <span className="break-anywhere">{path}</span>
        </code>
      }
    >
      {isOpened && <CallDetails operation={operation} schemas={schemas} />}
    </Disclosure>
  )
}
