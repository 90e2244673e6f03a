import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { parseFilePath } from '../../src/shared/file-path.ts'
import { dav } from './dav-calls.ts'
import { EVERYTHING, onEachStorage, PASSWORD } from './world.ts'

setDefaultTimeout(60_000)

const SHARES = '/ocs/v2.php/apps/files_sharing/api/v1/shares'
const SHAREES = '/ocs/v2.php/apps/files_sharing/api/v1/sharees'
const FILTER = `<?xml version="1.0"?><oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:getetag/><oc:favorite/></d:prop><oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>`

interface Told {
  readonly id: string
  readonly share_type: number
  readonly permissions: number
  readonly path: string
  readonly url: string
  readonly token: string
  readonly share_with: string | null
  readonly expiration: string | null
  readonly note: string
}

interface Asking {
  readonly as?: string
  readonly password?: string
}

onEachStorage((product) => {
  const ask = async (call: string, form: Record<string, string> | null = null, who: Asking = {}) => {
    const body = form === null ? undefined : new URLSearchParams(form).toString()
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', 'ocs-apirequest': 'true' }
    const response = await dav(product(), call, { at: '', headers, ...who, ...(body !== undefined && { body }) })
    const { ocs } = (await response.json()) as { ocs: { data: unknown } }
    return { status: response.status, data: ocs.data }
  }
  const share = async (form: Record<string, string>, who?: Asking) => (await ask(`POST ${SHARES}`, form, who)).data as Told
  const list = async (path?: string, who?: Asking) =>
    (await ask(`GET ${SHARES}${path === undefined ? '' : `?path=${path}`}`, null, who)).data as Told[]

  describe('sharing by sync clients', () => {
    it('makes a public link that opens, changes it, lists it and removes it', async () => {
      await product().seed({ '/folder/a.txt': 'a' })
      const made = await share({ path: '/folder', shareType: '3', password: 'open sesame 77', expireDate: '2060-12-31', note: 'for you' })
      expect(made).toMatchObject({
        share_type: 3,
        permissions: 1,
        path: '/folder',
        share_with: '***',
        expiration: '2060-12-31 00:00:00',
        note: 'for you',
      })
      expect(made.url).toEndWith(`/share/${made.token}`)
      expect(await product().as('ann').shares.mine({})).toMatchObject([{ hash: made.token, rights: 'download', hasPassword: true }])
      expect(Number(made.id)).toBeLessThan(2 ** 31)
      const { data } = await ask(`PUT ${SHARES}/${made.id}`, { permissions: '15', expireDate: '', password: '' })
      expect(data).toMatchObject({ id: made.id, permissions: 15, expiration: null, share_with: null })
      expect((await list('/folder')).map(({ id }) => id)).toEqual([made.id])
      expect((await list('/&subfiles=true')).map(({ id }) => id)).toEqual([made.id])
      expect((await ask(`GET ${SHARES}/${made.id}`)).data).toMatchObject([{ id: made.id }])
      expect((await ask(`DELETE ${SHARES}/${made.id}`)).status).toBe(200)
      expect([await list(), (await ask(`DELETE ${SHARES}/${made.id}`)).status]).toEqual([[], 404])
      const xml = await dav(product(), `GET ${SHARES.replace('v2', 'v1')}`, { at: '' })
      expect(await xml.text()).toContain('<statuscode>100</statuscode>')
    })

    it('gives no more than was asked for', async () => {
      await product().seed({ '/folder/a.txt': 'a' })
      await product().add('eve')
      const link = async (permissions: string, path = '/folder') => (await share({ path, shareType: '3', permissions })).permissions
      expect([await link('1'), await link('5'), await link('31'), await link('4'), await link('31', '/folder/a.txt')]).toEqual([
        1, 1, 15, 4, 1,
      ])
      const person = async (permissions: string) =>
        (await share({ path: '/folder', shareType: '0', shareWith: 'eve', permissions })).permissions
      expect([await person('1'), await person('3'), await person('5'), await person('31')]).toEqual([1, 1, 5, 15])
    })

    it('shares with people, whom it finds as the web does, and not with those who are not there', async () => {
      await product().seed({ '/folder/a.txt': 'a' })
      await product().add('evelyn')
      const { data } = await ask(`GET ${SHAREES}?search=eve&itemType=folder`)
      expect(data).toMatchObject({ users: [{ label: 'evelyn', value: { shareType: 0, shareWith: 'evelyn' } }], exact: { users: [] } })
      const made = await share({ path: '/folder', shareType: '0', shareWith: 'evelyn', permissions: '15' })
      expect(made).toMatchObject({ share_type: 0, share_with: 'evelyn', permissions: 15 })
      expect(await product().as('evelyn').peopleShares.received({})).toMatchObject([{ name: 'folder', role: 'editor' }])
      expect((await ask(`POST ${SHARES}`, { path: '/folder', shareType: '0', shareWith: 'nobody' })).status).toBe(400)
      expect((await ask(`POST ${SHARES}`, { path: '/folder', shareType: '6', shareWith: 'a@b' })).status).toBe(400)
      expect((await ask(`DELETE ${SHARES}/${made.id}`)).status).toBe(200)
      expect(await product().as('evelyn').peopleShares.received({})).toEqual([])
    })

    it('is refused without the right, to what is somebody else’s, and to tokens that may not share', async () => {
      await product().seed({ '/folder/a.txt': 'a' })
      await product().add('eve')
      await product().add('mute', { may: { ...EVERYTHING, share: false } })
      const made = await share({ path: '/folder', shareType: '3' })
      const people = await share({ path: '/folder', shareType: '0', shareWith: 'eve' })
      const mute = { as: 'mute' }
      expect((await ask(`POST ${SHARES}`, { path: '/folder', shareType: '3' }, mute)).status).toBe(403)
      expect([(await ask(`GET ${SHARES}`, null, mute)).status, (await ask(`GET ${SHAREES}?search=eve`, null, mute)).status]).toEqual([
        403, 403,
      ])
      // Not an administrator's either, who sees everybody's in the web.
      for (const as of ['eve', 'root'])
        for (const id of [made.id, people.id]) expect([as, (await ask(`DELETE ${SHARES}/${id}`, null, { as })).status]).toEqual([as, 404])
      const tokenFor = async (body: object) =>
        (
          await product()
            .as('ann')
            .tokens.create({ body: { name: 't', perm: EVERYTHING, current_password: PASSWORD, ...body } })
        ).token
      const reading = { password: await tokenFor({ perm: { ...EVERYTHING, share: false } }) }
      expect((await ask(`DELETE ${SHARES}/${people.id}`, null, reading)).status).toBe(403)
      expect((await ask(`POST ${SHARES}`, { path: '/folder', shareType: '3' }, reading)).status).toBe(403)
      const narrow = { password: await tokenFor({ folder: '/folder', perm: { ...EVERYTHING, admin: false, execute: false } }) }
      expect((await ask(`GET ${SHARES}`, null, narrow)).status).toBe(403)
      const weak = { password: await tokenFor({ perm: { ...EVERYTHING, modify: false, delete: false, rename: false } }) }
      expect((await ask(`POST ${SHARES}`, { path: '/folder', shareType: '3', permissions: '15' }, weak)).status).toBe(403)
      expect(await list()).toHaveLength(2)
    })

    it('says in its capabilities whether this person can share, and has a trash', async () => {
      await product().add('mute', { may: { ...EVERYTHING, share: false } })
      const told = async (as: string) => (await ask('GET /ocs/v2.php/cloud/capabilities', null, { as })).data
      expect(await told('ann')).toMatchObject({
        capabilities: { dav: { bulkupload: '1.0' }, files: { undelete: true }, files_sharing: { api_enabled: true } },
      })
      expect(await told('mute')).toMatchObject({ capabilities: { files_sharing: { api_enabled: false, public: { enabled: false } } } })
    })
  })

  it('reports the favourites below a folder, and refuses other reports', async () => {
    await product().seed({ '/a.txt': 'a', '/folder/deep/b.txt': 'b', '/folder/c.txt': 'c' })
    for (const path of ['/a.txt', '/folder/deep/b.txt'])
      await product()
        .as('ann')
        .favourites.star({ params: { path: parseFilePath(path) } })
    const report = async (path: string, body = FILTER) => {
      const response = await dav(product(), `REPORT /remote.php/dav/files/ann${path}`, { at: '', body })
      return { status: response.status, hrefs: [...(await response.text()).matchAll(/<d:href>([^<]*)</g)].map(([, href = '']) => href) }
    }
    expect((await report('/')).hrefs.toSorted((one, other) => one.localeCompare(other))).toEqual([
      '/remote.php/dav/files/ann/a.txt',
      '/remote.php/dav/files/ann/folder/deep/b.txt',
    ])
    expect(await report('/folder')).toEqual({ status: 207, hrefs: ['/remote.php/dav/files/ann/folder/deep/b.txt'] })
    expect((await report('/none')).status).toBe(404)
    expect((await report('/', FILTER.replace('<oc:favorite>1</oc:favorite>', '<oc:systemtag>1</oc:systemtag>'))).status).toBe(400)
  })
})
