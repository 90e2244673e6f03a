import { Window } from 'happy-dom'
import { afterAll, afterEach, beforeAll } from 'bun:test'

/**
 * A document for component tests, and what they need to use a component like a person: find by role and name, press keys. Each test file imports
 * this first and calls `withDocument`: all files of a run share one process, and the others expect no document.
 */
const page = new Window({ url: 'http://satchel.test/', width: 1280, height: 800 })

/** The runtime has these too, but its own do not reach the document. */
const REPLACED = [
  'Event',
  'CustomEvent',
  'EventTarget',
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
  'navigator',
  'location',
]
/** The runtime's own are those that the rest of the process goes by. */
const KEPT = new Set(['undefined', 'NaN', 'global', 'globalThis', 'self'])

const there = new Set<PropertyKey>(Object.getOwnPropertyNames(globalThis))
const names = [...Object.getOwnPropertyNames(page), ...REPLACED].filter(
  (name) => !KEPT.has(name) && (!there.has(name) || REPLACED.includes(name)),
)
const before = new Map<string, PropertyDescriptor | undefined>()

function register(): void {
  for (const name of names) {
    const value: unknown = Reflect.get(page, name)
    const isMethod = typeof value === 'function' && !/^[A-Z]/.test(name)
    before.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
    Object.defineProperty(globalThis, name, { value: isMethod ? value.bind(page) : value, configurable: true, writable: true })
  }
  Object.defineProperty(globalThis, 'IS_REACT_ACT_ENVIRONMENT', { value: true, configurable: true, writable: true })
}

function unregister(): void {
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, descriptor)
  }
  Reflect.deleteProperty(globalThis, 'IS_REACT_ACT_ENVIRONMENT')
}

// The libraries and the components look for a document when they are loaded; `withDocument` takes it away again.
register()
export const { act, cleanup, fireEvent, render, renderHook, screen, waitFor, within } = await import('@testing-library/react')
export const { default: userEvent } = await import('@testing-library/user-event')

/** Gives each test of this file an empty page, and takes the document away after the last one. */
export function withDocument(): void {
  beforeAll(register)
  afterEach(() => {
    cleanup()
    document.body.replaceChildren()
  })
  afterAll(unregister)
}

/** For `expect`, which would print a whole document about an element. */
export function hasFocus(element: Element): boolean {
  return document.activeElement === element
}
