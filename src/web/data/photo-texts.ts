import type { PhotoFacts } from '../../shared/contract/photos.ts'

/** The moment by the clock of the camera, as a Date that shows that clock in local time. */
export function cameraClock(local: number): Date {
  const utc = new Date(local)
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
    utc.getUTCMilliseconds(),
  )
}

/** `UTC+5:30`; empty if the clock agreed with ours, or nobody knows. */
export function zoneText({ taken, offset }: Pick<PhotoFacts, 'taken' | 'offset'>): string {
  if (offset === null || offset === -cameraClock(taken).getTimezoneOffset()) return ''
  const minutes = Math.abs(offset) % 60
  const hours = Math.floor(Math.abs(offset) / 60)
  return `UTC${offset < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`
}

/** As cameras show it: `1/250`, or seconds with at most one decimal. */
export function exposureText(seconds: number, format: (value: number) => string): string {
  return seconds < 0.3 ? `1/${format(Math.round(1 / seconds))}` : format(Math.round(seconds * 10) / 10)
}

/** `33.85700, 151.21500`: to about a metre, in the notation that maps accept. */
export function placeText({ latitude, longitude }: NonNullable<PhotoFacts['place']>): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

/** Opens the map of the device (RFC 5870). */
export function placeAddress({ latitude, longitude }: NonNullable<PhotoFacts['place']>): string {
  return `geo:${latitude},${longitude}`
}
