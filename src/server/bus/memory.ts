import type { Bus, BusEvents, Topic } from './bus.ts'

type Listener = (event: BusEvents[Topic]) => void

export function createMemoryBus(): Bus {
  const listeners = new Map<Topic, Set<Listener>>()
  return {
    announce(topic, event) {
      for (const listener of listeners.get(topic) ?? []) queueMicrotask(() => listener(event))
    },
    on(topic, listener) {
      const mine = listeners.get(topic) ?? new Set()
      listeners.set(topic, mine)
      // Events of a topic reach only the listeners of that topic, by the map above.
      mine.add(listener as Listener)
      return () => void mine.delete(listener as Listener)
    },
  }
}
