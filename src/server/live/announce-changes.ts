import type { FilePath } from '../../shared/file-path.ts'
import { inStorage } from '../access/access.ts'
import type { Bus } from '../bus/bus.ts'
import type { Deed, Observer } from '../drive/announce.ts'

/** Puts what people do to files on the bus: also where the disk tells nobody. */
export function announceChanges(bus: Bus): Observer {
  const tell = (deed: Deed): void => bus.announce('files.changed', { places: placesIn(deed).map((path) => inStorage(deed.access, path)) })
  return { after: tell, broken: tell }
}

function placesIn(deed: Deed): readonly FilePath[] {
  if (deed.kind === 'copy') return [deed.to]
  if (deed.kind === 'rename') return [deed.from, deed.to]
  return [deed.path]
}
