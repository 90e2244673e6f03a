import { afterEach, describe, expect, it } from 'bun:test'
import { offerCommands, runCommand, useCommands } from './commands.ts'

// A command that nobody handled waits for the next screen, also for one of another test.
afterEach(() => useCommands.setState({ offers: [], pending: null }))

describe('commands of the frame', () => {
  it('are handled by the screen that offers them', () => {
    const done: string[] = []
    offerCommands({ 'new-folder': () => done.push('folder') })
    expect(runCommand('new-folder')).toBe(true)
    expect(done).toEqual(['folder'])
  })

  it('wait for the next screen that handles them, and run once', () => {
    const done: string[] = []
    expect(runCommand('new-file')).toBe(false)
    offerCommands({ search: () => done.push('search') })
    offerCommands({ 'new-file': () => done.push('first') })
    offerCommands({ 'new-file': () => done.push('second') })
    expect(done).toEqual(['first'])
  })

  it('end with the screen', () => {
    const takeBack = offerCommands({ search: () => undefined })
    takeBack()
    expect(runCommand('search')).toBe(false)
  })
})
