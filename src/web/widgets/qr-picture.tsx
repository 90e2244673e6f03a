import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './qr-picture.module.css'

/** A QR code, 200 px, always dark on light for scanners. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} fill="#111d20" />
    </svg>
  )
}

/** Dark modules as horizontal runs. */
function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const runs = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark && row[x - 1] !== true ? `M${x} ${y}h${lengthFrom(row, x)}v1H${x}z` : [])),
  )
  return { size, path: runs.join('') }
}

function lengthFrom(row: readonly boolean[], start: number): number {
  const end = row.indexOf(false, start)
  return (end < 0 ? row.length : end) - start
}
