import { expect, it } from 'bun:test'
import { isLocalAddress } from './local-address-note.tsx'

it('knows the addresses that only this computer can reach', () => {
  for (const local of ['localhost', 'satchel.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    expect([local, isLocalAddress(local)]).toEqual([local, true])
  for (const other of ['192.168.1.7', 'files.example.org', 'localhost.example.org', '127.0.0.1.example.org', '[fd00::1]', 'nas'])
    expect([other, isLocalAddress(other)]).toEqual([other, false])
})
