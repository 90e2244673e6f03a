import type { Peers } from '../db/peers.ts'
import type { Bus, BusEvents, Topic } from './bus.ts'
import { createMemoryBus } from './memory.ts'

/**
 * What other servers must hear too. The rest is done by who announces it: a note of the trail that every server heard would be written by each.
 */
const EVERYWHERE: ReadonlySet<Topic> = new Set<Topic>([
  'user.changed',
  'settings.changed',
  'session.changed',
  'share.changed',
  'files.changed',
])
/** PostgreSQL sends less than 8,000 bytes at a time, the sender's name included. */
const MOST_BYTES = 7800

/**
 * For several servers on one database, by LISTEN and NOTIFY. Here a fact is heard as from the memory bus; elsewhere a moment later, at most once.
 * What is too long for a message, a path of kilobytes, is heard here only: whoever looks at that folder elsewhere sees it at the next look.
 */
export function createPostgresBus(peers: Peers): Bus {
  const here = createMemoryBus()
  let waiting: string[] = []
  let sending = false

  /** What is announced while a message is on its way goes with the next: a thousand uploads are a few messages. */
  async function send(): Promise<void> {
    if (sending) return
    sending = true
    try {
      while (waiting.length > 0) {
        const events = take(waiting)
        waiting = waiting.slice(events.length)
        await peers.send(`[${events.join()}]`)
      }
    } catch {
      // The database is away: the others ask it anew when it is back.
      waiting = []
    } finally {
      sending = false
    }
  }

  peers.onMessage((text) => {
    // Written by `announce` below, of this program or another version of it: topics that are unknown have no listeners.
    for (const [topic, event] of JSON.parse(text) as [Topic, BusEvents[Topic]][]) here.announce(topic, event)
  })
  return {
    on: here.on,
    announce(topic, event) {
      here.announce(topic, event)
      if (!EVERYWHERE.has(topic)) return
      const text = JSON.stringify([topic, event])
      if (Buffer.byteLength(text) + 2 > MOST_BYTES) return
      waiting.push(text)
      void send()
    },
  }
}

/** As many from the beginning as fit into one message. */
function take(events: readonly string[]): string[] {
  let bytes = 2
  const over = events.findIndex((event) => (bytes += Buffer.byteLength(event) + 1) > MOST_BYTES)
  return events.slice(0, over < 0 ? events.length : Math.max(1, over))
}
