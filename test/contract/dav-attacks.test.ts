import { describe, expect, it } from 'bun:test'
import { SaxesParser } from 'saxes'
import { parseFilePath as at } from '../../src/shared/file-path.ts'
import { openDrive } from '../../src/server/drive/drive.ts'
import { observedDrive } from '../../src/server/drive/observed-drive.ts'
import { parseXml } from '../../src/server/dav/parse-xml.ts'
import { EVERYTHING as WHOLE } from '../../src/server/access/everything.ts'
import { dav, davStatus, lock } from './dav-calls.ts'
import { onlyInProcess } from './over-http.ts'
import { deny, onEachStorage, startProduct } from './world.ts'

const FOREIGN = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

onEachStorage((product) => {
  describe('by WebDAV nobody', () => {
    it('changes what somebody else has locked; without the observer of locks they do', async () => {
      onlyInProcess('a Drive')
      await product().seed({ '/a.txt': 'a' })
      await lock(product(), '/a.txt')
      const { driveFor } = product().world
      const ann = { id: 0, name: 'eve' }
      await expect(driveFor(WHOLE, ann).remove(at('/a.txt'))).rejects.toMatchObject({ code: 'locked' })
      const bare = observedDrive(openDrive(product().storage, WHOLE), { user: ann, observers: [], onObserverError: () => undefined })
      await bare.remove(at('/a.txt'))
      expect(await product().snapshot()).not.toHaveProperty('/a.txt')
    })

    it('uses what a browser remembers from a page of another origin; where its origin is not asked they do', async () => {
      onlyInProcess('origins')
      await product().seed({ '/a.txt': 'a' })
      expect(await davStatus(product(), 'DELETE /a.txt', { headers: FOREIGN })).toBe(403)
      await using blind = await startProduct({ origins: { senderOf: () => 'own', isOwnHost: () => true } })
      await blind.seed({ '/a.txt': 'a' })
      expect(await davStatus(blind, 'DELETE /a.txt', { headers: FOREIGN })).toBe(204)
    })

    it('sees what a rule hides in a listing; without the rule they do', async () => {
      await product().seed({ '/hidden/s.txt': 's', '/a.txt': 'a' })
      await product().add('eve', { rules: [deny('/hidden')] })
      const seen = async () => (await dav(product(), 'PROPFIND /', { as: 'eve', headers: { depth: '1' } })).text()
      expect(await seen()).not.toContain('hidden')
      await product().setRules('eve', [])
      expect(await seen()).toContain('/dav/hidden/')
    })
  })
})

describe('a document of WebDAV', () => {
  it('has no document type; the parser alone would take one', () => {
    const text = '<!DOCTYPE a [<!ENTITY b "b">]><a/>'
    expect(() => new SaxesParser({ xmlns: true }).write(text).close()).not.toThrow()
    expect(() => parseXml(text)).toThrow('invalid-input')
  })
})
