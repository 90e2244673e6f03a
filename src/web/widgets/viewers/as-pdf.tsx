import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { t } from '../../i18n/i18n.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { bytesAt, sizeAt } from './byte-source.ts'
import type { PdfPages, Viewers } from './viewers.ts'

export interface AsPdfProps {
  name: string
  /** Of the PDF that the server makes of the file. */
  address: string
  viewers: Viewers
  pages: PdfPages
  /** Shown if the server makes none. */
  otherwise: ReactNode
}

/** An office document, as a PDF that the server makes of it. */
export function AsPdf({ name, address, viewers, pages, otherwise }: AsPdfProps) {
  const size = useSize(address)
  const source = useMemo(() => (typeof size === 'number' ? bytesAt(address, size) : null), [address, size])
  if (size === 'none') return otherwise
  if (source === null)
    return (
      <p className="row gap-4 muted" role="status">
        <Spinner size={18} /> {t('preview.office.wait')}
      </p>
    )
  return <viewers.pdf name={name} source={source} address={address} otherwise={otherwise} {...pages} />
}

function useSize(address: string): number | 'none' | null {
  const [found, setFound] = useState<{ address: string; size: number | 'none' } | null>(null)
  // The server makes the PDF when it is asked for the first time.
  useEffect(() => {
    const control = new AbortController()
    sizeAt(address, control).then(
      (size) => setFound({ address, size }),
      () => control.signal.aborted || setFound({ address, size: 'none' }),
    )
    return () => control.abort()
  }, [address])
  return found?.address === address ? found.size : null
}
