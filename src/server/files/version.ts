import type { Entry } from '../drive/drive.ts'

/** A strong validator: another one whenever it is another node, another size or another time. */
export function etagOf({ identity, modified, size }: Entry['stat']): string {
  return `"${Bun.hash(`${identity} ${modified} ${size}`).toString(36)}"`
}
