import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectAccessible } from './axe.ts'
import { answer, dialog } from './listing.ts'
import { expect, signInByForm, test } from './served.ts'

test.use({ serverOptions: ['--webhookNetworks=127.0.0.0/8'] })

test('an administrator creates, tests, inspects, renews and deletes a webhook for uploads', async ({ page, served, complaints }) => {
  complaints.foresee(/400/)
  const heard: { signature: string; text: string }[] = []
  const receiver = await listening((signature, text) => heard.push({ signature, text }))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/told`
  // Freshly proven, so that nobody is asked for a password once more.
  await signInByForm(page, served)
  await page.goto(`${served.url}/settings/global`)
  const card = page.getByRole('region', { name: 'Webhooks' })
  await card.getByText('Add a webhook').click()
  await card.getByRole('textbox', { name: 'URL' }).fill('ftp://x')
  await expect(card.getByText('The URL must start with https://')).toBeVisible()
  // Half typed it is a change like any other of this screen.
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await answer(dialog(page, 'Discard changes?'), 'Cancel')
  await card.getByRole('textbox', { name: 'URL' }).fill('https://10.0.0.1/')
  await card.getByRole('button', { name: 'Create' }).click()
  await expect(card.getByText(/10\.0\.0\.1 is not a public address/)).toBeVisible()
  await card.getByRole('textbox', { name: 'URL' }).fill(url)
  await card.getByRole('textbox', { name: 'URL' }).press('Enter')
  const secret = await card.locator('[data-part=webhook-secret] code').innerText()
  expect(secret.length).toBeGreaterThan(30)
  await expectAccessible(page, 'with the secret')
  await card.getByRole('button', { name: 'Done' }).click()

  await card.getByText(url.slice('http://'.length)).first().click()
  const editor = card.getByRole('group', { name: url })
  await editor.getByRole('button', { name: 'Send test' }).click()
  await expect(editor.getByText('Delivered: status 200')).toBeVisible()
  await page.goto(`${served.url}/files/`)
  await page.locator('[data-part=pick-files]').setInputFiles({ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expect.poll(() => heard.length).toBe(2)
  expect(JSON.parse(heard[1]?.text ?? '')).toMatchObject({ event: 'after_upload', path: '/new.txt', user: { name: 'admin' } })
  const [, time = '', signature = ''] = /^t=(\d+),v1=(.+)$/.exec(heard[1]?.signature ?? '') ?? []
  expect(signature).toBe(createHmac('sha256', secret).update(`${time}.${heard[1]?.text}`).digest('hex'))

  await page.goto(`${served.url}/settings/global`)
  await card.getByText('After upload: new.txt').click()
  await expect(card.getByRole('region', { name: 'Output' })).toHaveText('status 200')
  await card.getByText(url.slice('http://'.length)).first().click()
  await expect(card.getByText(secret)).toHaveCount(0)
  // Tall enough that no control is half under the header, where its visible part would be judged as all of it.
  await page.setViewportSize({ width: 1280, height: 3200 })
  await expectAccessible(page, 'the webhooks')
  await editor.getByRole('button', { name: 'Replace secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click()
  await expect(card.locator('[data-part=webhook-secret] code')).not.toHaveText(secret)
  await editor.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(editor).toHaveCount(0)
  receiver.close()
})

function listening(hear: (signature: string, text: string) => void): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8')
      request.on('data', (part: string) => (text += part))
      request.on('end', () => {
        hear(String(request.headers['x-satchel-signature']), text)
        response.end('ok')
      })
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
