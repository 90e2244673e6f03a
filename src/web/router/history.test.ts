import { describe, expect, it } from 'bun:test'
import { fakeBrowser } from './fake-browser.ts'
import { createHistory } from './history.ts'

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
