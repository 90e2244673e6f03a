import { describe, expect, it } from 'bun:test'
import { fakeBrowser } from './fake-browser.ts'
import { createHistory, type Layers } from './history.ts'

describe('URLs', () => {
  it('exclude the base URL internally, and include it in the address bar', () => {
    const browser = fakeBrowser('/deep/base/files/a%20b?x=1#y')
    const history = createHistory('/deep/base', browser)
    expect(history.location()).toMatchObject({ pathname: '/files/a%20b', search: '?x=1', hash: '#y', state: null, navigationType: 'pop' })
    history.navigate('/settings', { state: { from: 'here' } })
    expect(history.location()).toMatchObject({ pathname: '/settings', search: '', state: { from: 'here' }, navigationType: 'push' })
    expect(browser.bar()).toBe('/deep/base/settings')
    expect(history.hrefOf('/login')).toBe('/deep/base/login')
  })

  it('stay on this server, whatever they contain', () => {
    const browser = fakeBrowser('/files/')
    const history = createHistory('', browser)
    history.navigate('//elsewhere.example/x', { replace: true })
    expect(browser.location.host).toBe('here.example')
    expect(history.location().pathname).toBe('//elsewhere.example/x')
  })

  it('notify subscribers; a replacement adds no entry', async () => {
    const browser = fakeBrowser('/files/')
    const history = createHistory('', browser)
    const heard: string[] = []
    const end = history.subscribe(() => heard.push(`${history.location().navigationType} ${history.location().pathname}`))
    history.navigate('/files/a/')
    history.navigate('/files/b/', { replace: true })
    await browser.step(-1)
    end()
    await browser.step(1)
    expect(heard).toEqual(['push /files/a/', 'replace /files/b/', 'pop /files/'])
  })

  it('keep state and key through Back and a reload', async () => {
    const browser = fakeBrowser('/files/')
    const history = createHistory('', browser)
    history.navigate('/files/a/', { state: { focus: 'x' } })
    const { key } = history.location()
    history.navigate('/files/a/b/')
    await browser.step(-1)
    expect(history.location()).toMatchObject({ state: { focus: 'x' }, key })
    expect(createHistory('', browser).location()).toMatchObject({ state: { focus: 'x' }, key })
  })
})

describe('a blocker', () => {
  it('is asked before navigation, and can refuse', async () => {
    const { browser, history, answers } = held('/files/text', [false, true])
    history.navigate('/settings')
    await answers()
    expect(history.location().pathname).toBe('/files/text')
    history.navigate('/settings')
    await answers()
    expect(browser.bar()).toBe('/settings')
  })

  it('is asked before Back, which happens if it is allowed', async () => {
    const { browser, history, answers } = held('/files/text', [false, true])
    await browser.step(-1)
    expect(browser.bar()).toBe('/files/text')
    await answers()
    expect(history.location().pathname).toBe('/files/text')
    await browser.step(-1)
    await answers()
    await browser.settled()
    expect(history.location()).toMatchObject({ pathname: '/files/', navigationType: 'pop' })
    expect(browser.bar()).toBe('/files/')
  })

  it('is asked once at a time', async () => {
    const { history, answers, asked } = held('/files/text', [true])
    history.navigate('/settings')
    history.navigate('/settings/shares')
    await answers()
    expect(asked()).toBe(1)
    expect(history.location().pathname).toBe('/settings')
  })

  it('is not asked about fragments of the same page', async () => {
    const { browser, history, asked } = held('/files/text?x=1', [])
    history.navigate('/files/text?x=1#L3')
    await browser.step(-1)
    expect(history.location()).toMatchObject({ pathname: '/files/text', search: '?x=1', hash: '' })
    await browser.step(1)
    expect(history.location()).toMatchObject({ pathname: '/files/text', hash: '#L3' })
    expect(asked()).toBe(0)
  })

  it('is no longer asked after it is removed or allows everything', async () => {
    const history = createHistory('', fakeBrowser('/files/'))
    const letGo = history.block(async () => false)
    letGo()
    history.navigate('/files/a/')
    history.block(() => true)
    history.navigate('/files/b/')
    expect(history.location().pathname).toBe('/files/b/')
  })
})

describe('what is open on a page', () => {
  it('is closed by Back, the topmost first, before the page is left', async () => {
    const { browser, history, layers, still } = await covered('/files/a/', 2)
    await browser.step(-1)
    await still()
    expect([layers.names(), history.location().pathname, browser.bar()]).toEqual([['1'], '/files/a/', '/files/a/'])
    await browser.step(-1)
    await still()
    expect([layers.names(), history.location().pathname]).toEqual([[], '/files/a/'])
    await browser.step(-1)
    expect(history.location().pathname).toBe('/files/')
  })

  it('leaves no entry behind when it is closed otherwise, and Forward after it does nothing', async () => {
    const { browser, history, layers, heard, still } = await covered('/files/a/', 2)
    const { key } = history.location()
    layers.close('2')
    layers.close('1')
    await still()
    for (let n = 0; n < 2; n++) {
      await browser.step(1)
      await still()
    }
    expect([history.location().key, heard()]).toEqual([key, 1])
    await browser.step(-1)
    expect([history.location().pathname, browser.bar()]).toEqual(['/files/', '/files/'])
  })

  it('is no entry any more once the page is left by a link, from one layer or from several', async () => {
    for (const count of [1, 2]) {
      const { browser, history, layers, still } = await covered('/files/a/', count)
      history.navigate('/files/b/')
      layers.closeAbove(0)
      await still()
      expect(history.location()).toMatchObject({ pathname: '/files/b/', navigationType: 'push' })
      await browser.step(-1)
      expect([history.location().pathname, browser.bar()]).toEqual(['/files/a/', '/files/a/'])
      await browser.step(-1)
      expect(history.location().pathname).toBe('/files/')
    }
  })

  it('may be closed and the page left at once: the order is kept', async () => {
    const { browser, history, layers, still } = await covered('/files/a/', 1)
    layers.close('1')
    await Bun.sleep(0)
    history.navigate('/files/b/')
    await still()
    expect([history.location().pathname, browser.bar()]).toEqual(['/files/b/', '/files/b/'])
    await browser.step(-1)
    expect([history.location().pathname, browser.bar()]).toEqual(['/files/a/', '/files/a/'])
  })

  it('may stay open, as a dialog that is saving: the next Back asks it again', async () => {
    const { browser, history, layers, still } = await covered('/files/a/', 1)
    layers.refuse = true
    for (let n = 0; n < 3; n++) {
      await browser.step(-1)
      await still()
    }
    expect([layers.names(), history.location().pathname, layers.asked]).toEqual([['1'], '/files/a/', 3])
    layers.refuse = false
    await browser.step(-1)
    await still()
    expect([layers.names(), history.location().pathname]).toEqual([[], '/files/a/'])
    await browser.step(-1)
    expect(history.location().pathname).toBe('/files/')
  })

  it('does not keep the page from being replaced below it', async () => {
    const { browser, history, layers, still } = await covered('/files/a/', 2)
    history.navigate('/files/a/?tab=2', { replace: true, state: { x: 1 } })
    layers.closeAbove(0)
    await still()
    expect(browser.location.search).toBe('?tab=2')
    expect(createHistory('', browser).location()).toMatchObject({ search: '?tab=2', state: { x: 1 } })
    await browser.step(-1)
    expect(history.location().pathname).toBe('/files/')
  })

  it('is gone after a reload, with its entries', async () => {
    const { browser, still } = await covered('/files/a/', 2)
    browser.reload()
    const reloaded = createHistory('', browser)
    await still()
    expect(reloaded.location()).toMatchObject({ pathname: '/files/a/' })
    await browser.step(-1)
    expect([reloaded.location().pathname, browser.bar()]).toEqual(['/files/', '/files/'])
  })

  it('does not come into the way of steps that the page takes by itself', async () => {
    const { browser, history, layers, still } = await covered('/files/a/', 1)
    history.navigate(-1)
    await browser.settled()
    layers.closeAbove(0)
    await still()
    expect([history.location().pathname, browser.bar()]).toEqual(['/files/', '/files/'])
  })

  it('may be the question whether to leave the page', async () => {
    const browser = fakeBrowser('/files/')
    const layers = fakeLayers()
    const history = createHistory('', browser, layers)
    history.navigate('/files/text')
    const still = () => stillness(browser)
    const replies: ((may: boolean) => void)[] = []
    history.block(() => {
      layers.open('question')
      return new Promise((resolve) => replies.push(resolve))
    })
    layers.onClose = () => replies.shift()?.(false)
    // Back, and Back again instead of an answer: still here.
    for (let n = 0; n < 2; n++) {
      await browser.step(-1)
      await still()
    }
    expect([layers.names(), history.location().pathname, browser.bar()]).toEqual([[], '/files/text', '/files/text'])
    await browser.step(-1)
    await still()
    const reply = replies.shift()
    layers.close('question')
    reply?.(true)
    await still()
    expect([history.location().pathname, browser.bar()]).toEqual(['/files/', '/files/'])
  })
})

/** A page with so many layers open, one page after the first. */
async function covered(place: string, count: number) {
  const browser = fakeBrowser('/files/')
  const layers = fakeLayers()
  const history = createHistory('', browser, layers)
  let heard = 0
  history.subscribe(() => (heard += 1))
  history.navigate(place)
  for (let n = 1; n <= count; n++) layers.open(String(n))
  const still = () => stillness(browser)
  await still()
  return { browser, history, layers, heard: () => heard, still }
}

/** Longer than layers may take to close. */
async function stillness(browser: ReturnType<typeof fakeBrowser>): Promise<void> {
  for (let n = 0; n < 3; n++) {
    await Bun.sleep(120)
    await browser.settled()
  }
}

interface FakeLayers extends Layers {
  /** Whether everything stays open. */
  refuse: boolean
  /** How often Back asked. */
  asked: number
  onClose: () => void
  names: () => string[]
  open: (name: string) => void
  close: (name: string) => void
}

function fakeLayers(): FakeLayers {
  let open: string[] = []
  let changed = (): void => undefined
  return {
    refuse: false,
    asked: 0,
    onClose: (): void => undefined,
    names: () => open,
    count: () => open.length,
    open(name: string) {
      open = [...open, name]
      changed()
    },
    close(name: string) {
      open = open.filter((one) => one !== name)
      changed()
    },
    closeAbove(count: number) {
      this.asked += 1
      if (this.refuse) return
      open = open.slice(0, count)
      this.onClose()
      changed()
    },
    subscribe: (listener: () => void) => (changed = listener),
  }
}

function held(place: string, replies: boolean[]) {
  const browser = fakeBrowser('/files/')
  const history = createHistory('', browser)
  history.navigate(place)
  let asked = 0
  history.block(async () => {
    asked += 1
    return replies.shift() ?? false
  })
  return { browser, history, asked: () => asked, answers: () => Bun.sleep(0) }
}
