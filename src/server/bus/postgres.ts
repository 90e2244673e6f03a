import type { Peers } from '../db/peers.ts'
import type { Bus, BusEvents, Topic } from './bus.ts'
import { createMemoryBus } from './memory.ts'

/**
 * Events that other servers must hear too. The others are handled by the server that announces them: an audit event would otherwise be written by
 * each server.
 */
const EVERYWHERE: ReadonlySet<Topic> = new Set<Topic>([
  'user.changed',
  'settings.changed',
  'group.changed',
  'session.changed',
  'share.changed',
  'sign-in-methods.changed',
  'quota.changed',
  'files.changed',
  'job.cancelled',
])
/** PostgreSQL sends less than 8,000 bytes at a time, including the sender's name. */
const MOST_BYTES = 7800

/**
 * For several servers on one database, by LISTEN and NOTIFY. Local listeners hear an event at once, other servers a moment later, at most once. An
 * event that is too long for a message (paths of kilobytes) is heard locally only; other servers notice the change at the next poll. After a gap, a server
 * tells itself that everything may have changed.
 */
export function createPostgresBus(peers: Peers): Bus {
  const here = createMemoryBus()
  let waiting: string[] = []
  let sending = false

  /** Events that are announced while a message is being sent go with the next one: a thousand uploads are a few messages. */
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
      // The database is down: other servers read again when it is back.
      waiting = []
    } finally {
      sending = false
    }
  }

  peers.onMessage((text) => {
    // Written by `announce` below, by this or another version of the program; unknown topics have no listeners.
    for (const [topic, event] of JSON.parse(text) as [Topic, BusEvents[Topic]][]) here.announce(topic, event)
  })
  // Whatever was missed meanwhile: those who keep something read it again.
  peers.onGap(() => {
    for (const topic of ['settings.changed', 'sign-in-methods.changed', 'quota.changed'] as const) here.announce(topic, {})
    here.announce('share.changed', {})
    here.announce('group.changed', { userId: null })
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

/** As many events from the beginning as fit into one message. */
function take(events: readonly string[]): string[] {
  let bytes = 2
  const over = events.findIndex((event) => (bytes += Buffer.byteLength(event) + 1) > MOST_BYTES)
  return events.slice(0, over < 0 ? events.length : Math.max(1, over))
}
