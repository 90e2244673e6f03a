import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { decodeForReading } from '../../../../shared/text-content.ts'
import { inTime } from '../../../data/chunks.ts'
import { contentAddresses, contentQuery, type FileContent, type VersionedFile } from '../../../data/versions.ts'
import { errorText } from '../../../i18n/i18n.tsx'
import { lazyPart } from '../../../i18n/lazy-part.ts'
import { FieldMessage } from '../../../ui/field.tsx'
import { Loading } from '../../../widgets/loading.tsx'
import type { ContentKind } from './content-kind.ts'
import styles from './content-view.module.css'

const TextComparison = lazyPart(async () => (await inTime(import('./text-comparison.tsx'))).TextComparison)
const PictureComparison = lazyPart(async () => (await inTime(import('./picture-comparison.tsx'))).PictureComparison)

export interface ComparisonProps {
  kind: ContentKind | null
  file: VersionedFile
  before: FileContent
  /** The present content. */
  after: FileContent
}

/** A version and the present content: texts line by line, pictures one above the other. */
export function Comparison({ kind, file, before, after }: ComparisonProps) {
  if (kind === 'text') return <Texts file={file} before={before} after={after} />
  return (
    <Suspense fallback={<Loading height="100%" />}>
      <PictureComparison
        name={file.name}
        before={contentAddresses(file.path, before).inline}
        after={contentAddresses(file.path, after).inline}
      />
    </Suspense>
  )
}

function Texts({ file, before, after }: Omit<ComparisonProps, 'kind'>) {
  const old = useQuery(contentQuery(file.path, before))
  const now = useQuery(contentQuery(file.path, after))
  const error = old.error ?? now.error
  if (error !== null)
    return (
      <div className={styles.failure} role="alert">
        <FieldMessage tone="error" text={errorText(error)} />
      </div>
    )
  if (old.data === undefined || now.data === undefined) return <Loading height="100%" />
  return (
    <Suspense fallback={<Loading height="100%" />}>
      <TextComparison name={file.name} before={decodeForReading(old.data)} after={decodeForReading(now.data)} />
    </Suspense>
  )
}
